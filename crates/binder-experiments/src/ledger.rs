//! The ledger: a CSV file of finished runs, one line each.
//!
//! A line is written and synced when its run ends, and read when the experiment is called again.
//! The file is locked while it is open.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Serialize;

use crate::Error;

/// Everything that decides the result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Key {
    pub(crate) set: String,
    pub(crate) task: String,
    /// The recipe of the learner, or the method.
    pub(crate) recipe: String,
    /// Every setting but the seed: `name=value`, separated by spaces.
    pub(crate) parameters: String,
    pub(crate) seed: u64,
    /// The fingerprint of the data.
    pub(crate) data: String,
}

/// The result of a run, as the last columns of a ledger.
pub(crate) trait Record: Copy {
    /// The first line of the ledger.
    const HEADER: &'static str;

    /// The columns after those of the key.
    fn fields(&self) -> String;

    /// From these columns.
    fn parse(fields: &[&str]) -> Option<Self>;
}

/// The result of a run of the learner.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Outcome {
    /// With equal codes as is-a.
    pub(crate) f1: f64,
    /// Strict: with equal codes as not is-a.
    #[serde(rename = "f1_equal_apart")]
    pub(crate) strict_f1: f64,
    pub(crate) tp: u64,
    pub(crate) fp: u64,
    #[serde(rename = "fn")]
    pub(crate) false_negatives: u64,
    pub(crate) epochs: u32,
    pub(crate) best_epoch: u32,
    /// F1 of the last epoch on the same pairs; nothing for codes that are not learnt.
    pub(crate) last_f1: Option<f64>,
    pub(crate) seconds: f64,
}

impl Record for Outcome {
    const HEADER: &'static str = "set,task,recipe,parameters,seed,data,\
        f1,f1_equal_apart,tp,fp,fn,epochs,best_epoch,last_f1,seconds";

    fn fields(&self) -> String {
        let Self { f1, strict_f1, tp, fp, false_negatives, epochs, best_epoch, .. } = self;
        let (seconds, last) =
            (self.seconds, self.last_f1.map_or(String::new(), |f1| f1.to_string()));
        format!(
            "{f1},{strict_f1},{tp},{fp},{false_negatives},{epochs},{best_epoch},{last},{seconds}"
        )
    }

    fn parse(fields: &[&str]) -> Option<Self> {
        let [f1, strict_f1, tp, fp, false_negatives, epochs, best_epoch, last, seconds] = *fields
        else {
            return None;
        };
        Some(Self {
            f1: number(f1)?,
            strict_f1: number(strict_f1)?,
            tp: number(tp)?,
            fp: number(fp)?,
            false_negatives: number(false_negatives)?,
            epochs: number(epochs)?,
            best_epoch: number(best_epoch)?,
            seconds: number(seconds)?,
            last_f1: if last.is_empty() { None } else { Some(number(last)?) },
        })
    }
}

/// A number, if the text is one.
pub(crate) fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

const NOT_THE_HEADER: &str = "not the header of a table of runs";

/// An open ledger.
#[derive(Debug)]
pub(crate) struct Ledger<R = Outcome> {
    path: PathBuf,
    /// Nothing where no run is recorded.
    file: Option<File>,
    finished: HashMap<Key, R>,
}

impl<R: Record> Ledger<R> {
    /// A ledger without runs, which is not written.
    pub(crate) fn empty(path: &Path) -> Self {
        Self { path: path.to_owned(), file: None, finished: HashMap::new() }
    }

    /// Opens a ledger or begins one. A last line without its line break is dropped: the process
    /// died while writing it.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(Error::file(path))?;
        if file.try_lock().is_err() {
            return Err(Error::Locked { path: path.to_owned() });
        }
        let text = read_text(path, &mut file)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        // Without a whole line it may be a header that was cut off.
        if whole == 0 && !R::HEADER.starts_with(text.as_str()) {
            return Err(Error::foreign(path, 1, NOT_THE_HEADER));
        }
        let finished = parse(path, &text[..whole])?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(Error::file(path))?;
            file.seek(SeekFrom::End(0)).map_err(Error::file(path))?;
        }
        let mut ledger = Self { path: path.to_owned(), file: Some(file), finished };
        if whole == 0 {
            ledger.write(R::HEADER)?;
        }
        Ok(ledger)
    }

    /// The result of a run, if it has ended.
    pub(crate) fn find(&self, key: &Key) -> Option<R> {
        self.finished.get(key).copied()
    }

    /// Adds a run that has ended. It is on the disk when this returns.
    pub(crate) fn add(&mut self, key: Key, outcome: R) -> Result<(), Error> {
        self.write(&line(&key, &outcome))?;
        self.finished.insert(key, outcome);
        Ok(())
    }

    fn write(&mut self, line: &str) -> Result<(), Error> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let written = file.write_all(format!("{line}\n").as_bytes());
        written.and_then(|()| file.sync_data()).map_err(Error::file(&self.path))
    }
}

fn read_text(path: &Path, file: &mut File) -> Result<String, Error> {
    let mut text = String::new();
    match file.read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(Error::foreign(path, 1, "not text"))
        }
        Err(error) => Err(Error::file(path)(error)),
    }
}

fn parse<R: Record>(path: &Path, text: &str) -> Result<HashMap<Key, R>, Error> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_some_and(|(_, header)| header != R::HEADER) {
        return Err(Error::foreign(path, 1, NOT_THE_HEADER));
    }
    let run = |(number, line)| {
        parse_line(line).ok_or_else(|| Error::foreign(path, number, "not a finished run"))
    };
    lines.map(run).collect()
}

fn line(key: &Key, outcome: &impl Record) -> String {
    let Key { set, task, recipe, parameters, seed, data } = key;
    format!("{set},{task},{recipe},{parameters},{seed},{data},{}", outcome.fields())
}

fn parse_line<R: Record>(line: &str) -> Option<(Key, R)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [set, task, recipe, parameters, seed, data, outcome @ ..] = &fields[..] else {
        return None;
    };
    let key = Key {
        set: (*set).to_owned(),
        task: (*task).to_owned(),
        recipe: (*recipe).to_owned(),
        parameters: (*parameters).to_owned(),
        seed: number(seed)?,
        data: (*data).to_owned(),
    };
    Some((key, R::parse(outcome)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seed: u64) -> (Key, Outcome) {
        let key = Key {
            set: "toy".to_owned(),
            task: "tc-0".to_owned(),
            recipe: "published".to_owned(),
            parameters: "bits=128 alpha=25".to_owned(),
            seed,
            data: "0123abcd".to_owned(),
        };
        let outcome = Outcome {
            f1: 1.0 / 3.0,
            strict_f1: 0.25,
            tp: 1,
            fp: 2,
            false_negatives: 3,
            epochs: 40,
            best_epoch: 30,
            seconds: 0.125,
            last_f1: Some(0.3),
        };
        (key, outcome)
    }

    #[test]
    fn a_run_is_found_again_to_the_last_digit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.csv");
        let (key, outcome) = run(1);
        Ledger::open(&path).unwrap().add(key.clone(), outcome).unwrap();
        let mut ledger = Ledger::open(&path).unwrap();
        assert_eq!(ledger.find(&key), Some(outcome));
        assert_eq!(ledger.find(&run(2).0), None);
        ledger.add(run(2).0, outcome).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 3);
    }

    #[test]
    fn only_one_may_write_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.csv");
        let _open: Ledger = Ledger::open(&path).unwrap();
        assert!(matches!(Ledger::<Outcome>::open(&path), Err(Error::Locked { .. })));
    }
}
