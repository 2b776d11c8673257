use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::Context;
use binder::train::{EpochLog, ValidTrainParams};
use serde_json::{Value, json};

use crate::terminal::note;

/// A log with one JSON line per epoch, if requested.
pub(crate) struct Log(Option<BufWriter<File>>);

impl Log {
    /// Opens the log for the epochs after this one.
    pub(crate) fn after(path: Option<&Path>, epoch: u32) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self(None)) };
        let shown = || path.display().to_string();
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.with_context(shown)?;
        let is_file = file.metadata().with_context(shown)?.is_file();
        // Locked before it is cut: another run may be writing it.
        if is_file && matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            anyhow::bail!("{}: another run is writing it; choose another --log", path.display());
        }
        if is_file {
            cut(&file, path, epoch).with_context(shown)?;
        }
        Ok(Self(Some(BufWriter::new(file))))
    }

    pub(super) fn write(
        &mut self,
        epoch: &EpochLog,
        params: &ValidTrainParams,
    ) -> anyhow::Result<()> {
        let loss = epoch.report.loss;
        self.line(&json!({
            "epoch": epoch.epoch,
            "loss_positive": loss.missing * u64::from(params.alpha),
            "loss_negative": loss.false_positives * u64::from(params.beta),
            "flips": epoch.report.flips,
            "f1": epoch.score.map(|score| score.f1),
            "valid_loss": epoch.score.map(|score| score.loss),
            "seconds": epoch.time.as_secs_f64(),
        }))
    }

    /// Writes the line of an epoch.
    pub(crate) fn line(&mut self, line: &Value) -> anyhow::Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        Ok(writeln!(file, "{line}")?)
    }

    /// Syncs all lines to disk. This comes before a checkpoint is saved, so that the log has every
    /// epoch of the checkpoint.
    pub(crate) fn sync(&mut self) -> anyhow::Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        file.flush()?;
        // A pipe cannot be synced, and does not need to be.
        let _ = file.get_ref().sync_data();
        Ok(())
    }
}

/// Cuts off what comes after an epoch: lines of a run that was cut off, whose epochs come again.
fn cut(mut file: &File, path: &Path, epoch: u32) -> io::Result<()> {
    let (last, bytes) = match epoch {
        0 => (0, 0),
        _ => lines_up_to(BufReader::new(file), epoch)?,
    };
    if last < epoch {
        let first = last + 1;
        note(&format!("{} has no lines of the epochs from {first} to {epoch}", path.display()));
    }
    file.set_len(bytes)?;
    file.seek(SeekFrom::End(0))?;
    Ok(())
}

/// The last logged epoch up to this one, and the length of the log up to the end of its line.
fn lines_up_to(mut lines: impl BufRead, most: u32) -> io::Result<(u32, u64)> {
    let (mut last, mut bytes, mut line) = (0, 0, Vec::new());
    while lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        let epoch =
            serde_json::from_slice::<Value>(&line).ok().and_then(|line| line["epoch"].as_u64());
        match epoch.and_then(|epoch| u32::try_from(epoch).ok()) {
            Some(epoch) if epoch <= most => last = epoch,
            _ => break,
        }
        bytes += line.len() as u64;
        line.clear();
    }
    Ok((last, bytes))
}

#[cfg(test)]
mod tests {
    use super::lines_up_to;

    #[test]
    fn whole_lines_up_to_an_epoch_are_kept() {
        let log = b"{\"epoch\":1}\n{\"epoch\":2}\n{\"epoch\":3}\n{\"epo";
        assert_eq!(lines_up_to(&log[..], 2).unwrap(), (2, 24));
        assert_eq!(lines_up_to(&log[..], 9).unwrap(), (3, 36));
        assert_eq!(lines_up_to(&log[..23], 2).unwrap(), (1, 12));
        assert_eq!(lines_up_to(&b"something else\n"[..], 2).unwrap(), (0, 0));
        assert_eq!(lines_up_to(&b""[..], 2).unwrap(), (0, 0));
    }
}
