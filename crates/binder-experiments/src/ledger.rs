//! The table of finished runs, one line each: written as a run ends, read when the experiment is called again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, ensure};
use serde::Serialize;

/// Everything that decides the result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Key {
    pub(crate) set: String,
    pub(crate) task: String,
    pub(crate) recipe: String,
    /// Every setting but the seed, `name=value` with spaces between.
    pub(crate) parameters: String,
    pub(crate) seed: u64,
    /// A fingerprint of the data.
    pub(crate) data: String,
}

/// What a run gave.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Outcome {
    /// With equal codes as is-a.
    pub(crate) f1: f64,
    /// With equal codes as not is-a.
    pub(crate) f1_equal_apart: f64,
    pub(crate) tp: u64,
    pub(crate) fp: u64,
    #[serde(rename = "fn")]
    pub(crate) false_negatives: u64,
    pub(crate) epochs: u32,
    pub(crate) best_epoch: u32,
    pub(crate) seconds: f64,
}

const HEADER: &str =
    "set,task,recipe,parameters,seed,data,f1,f1_equal_apart,tp,fp,fn,epochs,best_epoch,seconds";

/// The open table.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    file: File,
    finished: HashMap<Key, Outcome>,
}

impl Ledger {
    /// Opens the table or begins one. A last line without its end is dropped: the process died while writing it.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let shown = || path.display().to_string();
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).with_context(shown)?;
        if file.try_lock().is_err() {
            anyhow::bail!("{}: another run is writing it; wait for it, or choose another folder", shown());
        }
        let mut text = String::new();
        match file.read_to_string(&mut text) {
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(foreign(path, 1, "not text")),
            other => other.with_context(shown)?,
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        ensure!(
            whole > 0 || HEADER.starts_with(text.as_str()),
            foreign(path, 1, "not the header of a table of runs")
        );
        let finished = read(path, &text[..whole])?;
        let mut ledger = Self { path: path.to_owned(), file, finished };
        if whole < text.len() {
            ledger.file.set_len(whole as u64).with_context(shown)?;
            ledger.file.seek(SeekFrom::End(0)).with_context(shown)?;
        }
        if whole == 0 {
            ledger.write(HEADER)?;
        }
        Ok(ledger)
    }

    /// What a run gave, if it has ended.
    pub(crate) fn find(&self, key: &Key) -> Option<Outcome> {
        self.finished.get(key).copied()
    }

    /// Adds a run that has ended; when this returns it is on the disk.
    pub(crate) fn add(&mut self, key: Key, outcome: Outcome) -> anyhow::Result<()> {
        let Key { set, task, recipe, parameters, seed, data } = &key;
        let Outcome { f1, f1_equal_apart, tp, fp, false_negatives, epochs, best_epoch, seconds } = outcome;
        self.write(&format!(
            "{set},{task},{recipe},{parameters},{seed},{data},{f1},{f1_equal_apart},{tp},{fp},{false_negatives},{epochs},\
             {best_epoch},{seconds}"
        ))?;
        self.finished.insert(key, outcome);
        Ok(())
    }

    fn write(&mut self, line: &str) -> anyhow::Result<()> {
        let written =
            self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())
    }
}

fn read(path: &Path, text: &str) -> anyhow::Result<HashMap<Key, Outcome>> {
    let mut finished = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        match number {
            1 if line == HEADER => {}
            1 => return Err(foreign(path, 1, "not the header of a table of runs")),
            _ => {
                let row = row(line).ok_or_else(|| foreign(path, number, "not a finished run"))?;
                finished.insert(row.0, row.1);
            }
        }
    }
    Ok(finished)
}

fn row(line: &str) -> Option<(Key, Outcome)> {
    fn number<T: FromStr>(text: &str) -> Option<T> {
        text.parse().ok()
    }
    let fields: Vec<&str> = line.split(',').collect();
    let [set, task, recipe, parameters, seed, data, f1, apart, tp, fp, missed, epochs, best, seconds] =
        fields[..]
    else {
        return None;
    };
    let [set, task, recipe, parameters, data] = [set, task, recipe, parameters, data].map(str::to_owned);
    let key = Key { set, task, recipe, parameters, seed: number(seed)?, data };
    let outcome = Outcome {
        f1: number(f1)?,
        f1_equal_apart: number(apart)?,
        tp: number(tp)?,
        fp: number(fp)?,
        false_negatives: number(missed)?,
        epochs: number(epochs)?,
        best_epoch: number(best)?,
        seconds: number(seconds)?,
    };
    Some((key, outcome))
}

/// What to say of a table that we did not write.
fn foreign(path: &Path, line: usize, what: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "{}:{line}: {what}; binder did not write this file: rename or remove it, or choose another folder with -o",
        path.display()
    )
}
