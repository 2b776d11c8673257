use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use binder::container::FileError;
use binder::output::{Lock, Plan};
use binder::train::Training;
use clap::Args;

use super::log::Log;
use super::signals::Interrupted;
use crate::terminal::note;

/// Options for saving and resuming a run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Stopping and resuming")]
pub(crate) struct CheckpointArgs {
    /// Save the state of the run to this file, regularly and at the end
    ///
    /// The file stays after the run, so that --resume with more --epochs can continue. Ctrl-C and
    /// SIGTERM save it after the current epoch and exit with code 130; without --checkpoint they
    /// save to MODEL.checkpoint.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How often to save: a time (30s, 5m, 1h) or a number of epochs
    #[arg(long, value_name = "5m|100", default_value = "1m", requires = "checkpoint",
          value_parser = every)]
    checkpoint_every: Every,
    /// Resume from the file of --checkpoint if it exists; the model is the same as without the
    /// interruption, byte for byte
    ///
    /// Data and settings must be those that the run started with, except for --epochs.
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Every {
    Epochs(u32),
    Time(Duration),
}

fn every(text: &str) -> Result<Every, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text[..digits].parse().ok().filter(|&number: &u32| number > 0);
    let number = number.ok_or("give a time such as 30s, 5m or 1h, or a number of epochs from 1")?;
    let seconds = |each: u64| Ok(Every::Time(Duration::from_secs(u64::from(number) * each)));
    match &text[digits..] {
        "" => Ok(Every::Epochs(number)),
        "s" => seconds(1),
        "m" => seconds(60),
        "h" => seconds(3600),
        unit => Err(format!(
            "{unit:?} is not a unit of time; give s, m or h, or a plain number of epochs"
        )),
    }
}

impl CheckpointArgs {
    /// Says before the work that a checkpoint cannot be saved, or that one would be lost.
    pub(crate) fn plan(&self, plan: &mut Plan) -> anyhow::Result<()> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        anyhow::ensure!(
            self.resume || !path.try_exists()?,
            "{}: exists already; continue from it with --resume, or remove it to start again",
            path.display()
        );
        // A run that resumes opens it first, and says better what is wrong with it.
        if self.resume {
            plan.clone().force(true).writes_file(path)?;
        } else {
            plan.writes_file(path)?;
        }
        Ok(())
    }

    /// Starts a run with `new`, or resumes it from the checkpoint with `resume`.
    pub(crate) fn begin<T: Saved>(
        &self,
        new: impl FnOnce() -> anyhow::Result<T>,
        resume: impl FnOnce(&Path) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Some(path) = self.checkpoint.as_ref().filter(|_| self.resume) else { return new() };
        if !path.try_exists()? {
            note(&format!("{}: does not exist yet; starting from the beginning", path.display()));
            return new();
        }
        let training = resume(path)?;
        note(&format!("{}: resuming after epoch {}", path.display(), training.epochs_done()));
        Ok(training)
    }

    /// Saves a run that was asked to stop, and returns how to resume it.
    pub(crate) fn interrupt(
        &self,
        output: &Path,
        training: &impl Saved,
        epochs: u32,
        log: &mut Log,
    ) -> anyhow::Result<Interrupted> {
        let path = self.checkpoint.clone().unwrap_or_else(|| beside(output));
        save(&path, training, log)?;
        let (checkpoint, resume) =
            ([OsStr::new("--checkpoint"), path.as_os_str()], OsStr::new("--resume"));
        let more = match (&self.checkpoint, self.resume) {
            (None, _) => vec![checkpoint[0], checkpoint[1], resume],
            (Some(_), false) => vec![resume],
            (Some(_), true) => vec![],
        };
        Ok(Interrupted::new(training.epochs_done(), epochs, &more))
    }
}

/// The default checkpoint of a model: MODEL.checkpoint.
fn beside(output: &Path) -> PathBuf {
    let mut name = OsString::from(output);
    name.push(".checkpoint");
    name.into()
}

/// A run that can be saved between two epochs.
pub(crate) trait Saved {
    fn epochs_done(&self) -> u32;

    fn save_locked(&self, path: &Path) -> Result<Lock, FileError>;
}

impl Saved for Training<'_> {
    fn epochs_done(&self) -> u32 {
        self.epoch()
    }

    fn save_locked(&self, path: &Path) -> Result<Lock, FileError> {
        self.checkpoint().save_locked(path)
    }
}

/// Saves a run at regular intervals.
pub(crate) struct Saver<'a> {
    path: Option<&'a Path>,
    every: Every,
    last_epoch: u32,
    last_time: Instant,
    /// Keeps other runs from the checkpoint.
    _locked: Option<Lock>,
}

impl<'a> Saver<'a> {
    pub(crate) fn new(args: &'a CheckpointArgs, training: &impl Saved) -> anyhow::Result<Self> {
        let (path, every) = (args.checkpoint.as_deref(), args.checkpoint_every);
        let locked = match path {
            Some(path) if path.exists() => Some(Lock::try_for(path)?),
            Some(path) => Some(training.save_locked(path)?),
            None => None,
        };
        let (last_epoch, last_time) = (training.epochs_done(), Instant::now());
        Ok(Self { path, every, last_epoch, last_time, _locked: locked })
    }

    pub(crate) fn save_if_due(
        &mut self,
        training: &impl Saved,
        log: &mut Log,
    ) -> anyhow::Result<()> {
        let due = match self.every {
            Every::Epochs(epochs) => training.epochs_done() - self.last_epoch >= epochs,
            Every::Time(time) => self.last_time.elapsed() >= time,
        };
        if due { self.save(training, log) } else { Ok(()) }
    }

    pub(crate) fn save(&mut self, training: &impl Saved, log: &mut Log) -> anyhow::Result<()> {
        match self.path {
            Some(path) => self._locked = Some(save(path, training, log)?),
            None => log.sync()?,
        }
        (self.last_epoch, self.last_time) = (training.epochs_done(), Instant::now());
        Ok(())
    }
}

/// The log first: a checkpoint must not know of an epoch that the log has not.
fn save(path: &Path, training: &impl Saved, log: &mut Log) -> anyhow::Result<Lock> {
    log.sync()?;
    Ok(training.save_locked(path)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_of_epochs_are_told_apart() {
        let seconds = |seconds| Ok(Every::Time(Duration::from_secs(seconds)));
        assert_eq!(every("100"), Ok(Every::Epochs(100)));
        assert_eq!(
            (every("30s"), every("5m"), every("2h")),
            (seconds(30), seconds(300), seconds(7200))
        );
        for wrong in ["", "0", "0m", "m", "-1", "5d", "5 m", "1.5m", "99999999999", "5µs"] {
            assert!(every(wrong).is_err(), "{wrong}");
        }
    }
}
