//! Hidden leaves, found again.

use binder::Hierarchy;
use binder::place::{Asking, PlaceEvaluation, PlaceParams, calibration_error, evaluate};
use binder_answers::grouped;
use serde_json::{Value, json};

use crate::Error;
use crate::plan::Plan;

pub(super) const HEADER: &str = "set,seed,queries,hit1,hit5,hit10,mrr,wup,f1,safe_f1,f1_below_roots,\
    safe_f1_below_roots,ece,sure,sure_hit1,vote_hit1,vote_f1,first_word_hit1,first_word_f1";

/// The draws have the seeds from this on, so that nobody meets those that settings were tried on.
pub(super) const FIRST_SEED: u64 = 1;

/// A data set, judged on several draws.
pub(super) struct Row {
    title: &'static str,
    draws: Vec<PlaceEvaluation>,
}

impl Row {
    pub(super) fn new(
        title: &'static str,
        hierarchy: &Hierarchy,
        names_only: bool,
        plan: &Plan<'_>,
    ) -> Result<Self, Error> {
        let mut draws = Vec::new();
        for seed in (FIRST_SEED..).take(plan.seeds as usize) {
            let asking = Asking::default().seed(seed).names_only(names_only);
            let draw = evaluate(hierarchy, &asking, &PlaceParams::default(), plan.listener);
            draws.push(draw.map_err(binder::Error::from)?);
            plan.listener.finish();
        }
        Ok(Self { title, draws })
    }

    fn mean(&self, of: impl Fn(&PlaceEvaluation) -> f64) -> f64 {
        self.draws.iter().map(of).sum::<f64>() / self.draws.len().max(1) as f64
    }

    /// The calibration error over the queries of all draws.
    fn calibration_error(&self) -> f64 {
        let mut all = PlaceEvaluation::default().bins;
        for draw in &self.draws {
            all.iter_mut().zip(draw.bins).for_each(|(sum, bin)| *sum = sum.and(bin));
        }
        calibration_error(&all)
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let mean = |of: fn(&PlaceEvaluation) -> f64| format!("{:.3}", self.mean(of));
        let two = |a: fn(&PlaceEvaluation) -> f64, b: fn(&PlaceEvaluation) -> f64| {
            format!("{} / {}", mean(a), mean(b))
        };
        let queries: usize = self.draws.iter().map(|draw| draw.queries).sum();
        vec![
            self.title.to_owned(),
            grouped(queries),
            mean(|draw| draw.hit1),
            mean(|draw| draw.hit10),
            mean(|draw| draw.mrr),
            mean(|draw| draw.wup),
            mean(|draw| draw.f1),
            mean(|draw| draw.safe_f1),
            two(|draw| draw.f1_below_roots, |draw| draw.safe_f1_below_roots),
            format!("{:.3}", self.calibration_error()),
            two(|draw| draw.sure, |draw| draw.sure_hit1),
            two(|draw| draw.vote.hit1, |draw| draw.vote.f1),
            two(|draw| draw.first_word.hit1, |draw| draw.first_word.f1),
        ]
    }

    pub(super) fn csv(&self) -> Vec<String> {
        let line = |(seed, draw): (u64, &PlaceEvaluation)| {
            let figures = [
                draw.hit1,
                draw.hit5,
                draw.hit10,
                draw.mrr,
                draw.wup,
                draw.f1,
                draw.safe_f1,
                draw.f1_below_roots,
                draw.safe_f1_below_roots,
                draw.ece,
                draw.sure,
                draw.sure_hit1,
                draw.vote.hit1,
                draw.vote.f1,
                draw.first_word.hit1,
                draw.first_word.f1,
            ];
            let figures = figures.map(|figure| format!("{figure:.4}")).join(",");
            format!("{},{seed},{},{figures}", self.title.replace(", ", " "), draw.queries)
        };
        (FIRST_SEED..).zip(&self.draws).map(line).collect()
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "set": self.title,
            "hit1": self.mean(|draw| draw.hit1),
            "mrr": self.mean(|draw| draw.mrr),
            "f1": self.mean(|draw| draw.f1),
            "safe_f1": self.mean(|draw| draw.safe_f1),
        })
    }
}
