use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use binder::train::{EpochLog, ValidTrainParams};
use serde_json::json;

/// One JSON line per epoch.
pub(super) struct Log(BufWriter<File>);

impl Log {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(BufWriter::new(File::create(path).with_context(|| path.display().to_string())?)))
    }

    pub(super) fn write(&mut self, epoch: &EpochLog, params: &ValidTrainParams) -> anyhow::Result<()> {
        let loss = epoch.report.loss;
        let line = json!({
            "epoch": epoch.epoch,
            "loss_positive": loss.missing * u64::from(params.alpha),
            "loss_negative": loss.false_positives * u64::from(params.beta),
            "flips": epoch.report.flips,
            "f1": epoch.score.map(|score| score.f1),
            "valid_loss": epoch.score.map(|score| score.loss),
            "seconds": epoch.time.as_secs_f64(),
        });
        Ok(writeln!(self.0, "{line}")?)
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        Ok(self.0.flush()?)
    }
}
