//! Training runs that are saved as they go, and continued.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use binder::Checkpoint;
use binder::graph::Graph;
use binder::output::Lock;
use binder::train::{Training, ValidTrainParams, Validation};
use pyo3::prelude::*;

use crate::errors::{Kind, locked, python};
use crate::pool::without_lock;

/// Where and how often a run is saved, and whether it continues from there.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Saving {
    checkpoint: Option<PathBuf>,
    /// So many epochs, or so many seconds.
    every_epochs: Option<u32>,
    every_seconds: Option<f64>,
    resume: bool,
}

impl Saving {
    /// A new run, or the one that was saved.
    pub(crate) fn begin<'a>(
        &self,
        py: Python<'_>,
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        validation: Validation<'a>,
    ) -> PyResult<Training<'a>> {
        let there = self.checkpoint.as_ref().filter(|path| path.exists());
        match there {
            Some(path) if !self.resume => {
                let message = format!(
                    "{}: exists already; continue from it with resume=True, or remove it to start \
                     again",
                    path.display()
                );
                Err(Kind::Value.error(&message))
            }
            Some(path) => {
                let opened = without_lock(py, || Checkpoint::open(path))?.map_err(python)?;
                let resumed =
                    without_lock(py, || Training::resume(pairs, params, validation, opened))?;
                resumed.map_err(python)
            }
            None => without_lock(py, || Training::new(pairs, params, validation))?.map_err(python),
        }
    }
}

/// Saves a run at intervals.
pub(crate) struct Saver<'a> {
    saving: &'a Saving,
    last_epoch: u32,
    last_time: Instant,
    /// Keeps other runs from the checkpoint.
    _lock: Option<Lock>,
}

impl<'a> Saver<'a> {
    /// Locks the checkpoint, and writes it first where it is not there.
    pub(crate) fn new(
        py: Python<'_>,
        saving: &'a Saving,
        training: &Training<'_>,
    ) -> PyResult<Self> {
        let (last_epoch, last_time) = (training.epoch(), Instant::now());
        let mut saver = Self { saving, last_epoch, last_time, _lock: None };
        match &saving.checkpoint {
            Some(path) if path.exists() => {
                saver._lock = Some(Lock::try_for(path).map_err(|error| locked(&error))?);
            }
            _ => saver.save(py, training)?,
        }
        Ok(saver)
    }

    pub(crate) fn save_if_due(&mut self, py: Python<'_>, training: &Training<'_>) -> PyResult<()> {
        let Saving { every_epochs, every_seconds, .. } = self.saving;
        let by_epochs =
            every_epochs.is_some_and(|epochs| training.epoch() - self.last_epoch >= epochs);
        let by_time = every_seconds.is_some_and(|seconds| {
            Duration::try_from_secs_f64(seconds).is_ok_and(|time| self.last_time.elapsed() >= time)
        });
        if by_epochs || by_time { self.save(py, training) } else { Ok(()) }
    }

    pub(crate) fn save(&mut self, py: Python<'_>, training: &Training<'_>) -> PyResult<()> {
        if let Some(path) = &self.saving.checkpoint {
            let saved = without_lock(py, || training.checkpoint().save_locked(path))?;
            self._lock = Some(saved.map_err(python)?);
        }
        (self.last_epoch, self.last_time) = (training.epoch(), Instant::now());
        Ok(())
    }
}
