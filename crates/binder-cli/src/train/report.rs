use std::path::Path;
use std::time::Duration;

use binder::train::ValidTrainParams;
use binder::{Hierarchy, evaluate};
use serde::Serialize;

use crate::terminal::{bold, counted, duration, grouped};

/// Statistics of a run. Times are those of this process only; a resumed run had earlier ones.
#[derive(Default)]
pub(super) struct Course {
    pub(super) epochs: u32,
    pub(super) best_epoch: u32,
    pub(super) time: Duration,
    /// The number of epochs that `epoch_time` and `drawn` cover.
    pub(super) timed_epochs: u32,
    pub(super) epoch_time: Duration,
    /// The number of negatives drawn.
    pub(super) drawn: u64,
}

/// The report of a run, as text and as JSON.
#[derive(Serialize)]
pub(super) struct Report {
    entities: usize,
    bits: usize,
    epochs: u32,
    best_epoch: u32,
    /// Over all pairs of the data.
    tp: u64,
    fp: u64,
    #[serde(rename = "fn")]
    false_negatives: u64,
    f1: f64,
    equal_pairs: u64,
    seconds: f64,
    seconds_per_epoch: f64,
    negatives_per_second: f64,
    pub(super) total_seconds: f64,
}

impl Report {
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    pub(super) fn new(hierarchy: &Hierarchy, params: &ValidTrainParams, course: &Course) -> Self {
        let epoch_seconds = course.epoch_time.as_secs_f64();
        Self {
            entities: hierarchy.len(),
            bits: params.bits,
            epochs: course.epochs,
            best_epoch: course.best_epoch,
            tp: 0,
            fp: 0,
            false_negatives: 0,
            f1: 0.0,
            equal_pairs: 0,
            seconds: course.time.as_secs_f64(),
            seconds_per_epoch: epoch_seconds / f64::from(course.timed_epochs.max(1)),
            negatives_per_second: course.drawn as f64 / epoch_seconds.max(1e-9),
            total_seconds: 0.0,
        }
    }

    pub(super) fn judge(&mut self, judged: &evaluate::Evaluation) {
        let confusion = judged.confusion;
        (self.tp, self.fp, self.false_negatives) =
            (confusion.tp, confusion.fp, confusion.false_negatives);
        (self.f1, self.equal_pairs) = (confusion.f1(), judged.equal_pairs);
    }

    pub(super) fn text(&self, output: &Path) -> String {
        let (seconds, each) = (duration(self.seconds), duration(self.seconds_per_epoch));
        let course = match self.epochs {
            0 => format!("flipped one bit at a time in {seconds}"),
            epochs => {
                format!(
                    "epoch {} of {epochs} kept; {seconds} in total, {each} per epoch",
                    self.best_epoch
                )
            }
        };
        format!(
            "{}: {} concepts, {}; {course}\n  F1 over all pairs {:.2} % (fp {}, fn {})\n",
            bold(&output.display().to_string()),
            grouped(self.entities as u64),
            counted(self.bits, "bit"),
            self.f1 * 100.0,
            grouped(self.fp),
            grouped(self.false_negatives),
        )
    }
}
