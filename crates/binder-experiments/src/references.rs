//! Two predictors that need no codes, as a reference for every score.

use binder::Hierarchy;
use binder::Id;
use binder::evaluate::{self, Confusion};
use binder::graph::Graph;
use binder::hierarchy::{Cycles, HierarchyBuilder};
use binder::split::Pair;
use binder::train::scoring_negatives;
use serde::Serialize;

use crate::Error;
use crate::data::DataSet;
use crate::task::Task;

/// F1 of both predictors, in percent.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct References {
    /// A pair is is-a if it is in the closure of the training pairs.
    pub(crate) closure: f64,
    /// A pair is is-a if its parent has many descendants among the training pairs. How many is
    /// chosen on the validation pairs; for representation, on the training pairs and ten random
    /// corruptions of each.
    pub(crate) many_descendants: f64,
}

impl References {
    pub(crate) fn of(data: &DataSet<'_>, task: Task) -> Result<Self, Error> {
        let (closure, many) = if task == Task::Representation {
            let truth = &data.hierarchy;
            let pairs = Graph::new(truth.len(), data.training(task)?);
            let (positives, negatives): (Vec<_>, _) =
                (pairs.iter().collect(), scoring_negatives(&pairs, 0));
            let threshold = evaluate::descendants_threshold(truth, &positives, &negatives);
            (
                evaluate::closure_on_all_pairs(truth, truth),
                evaluate::descendants_on_all_pairs_at(truth, threshold),
            )
        } else {
            on_held_out_pairs(data, task)?
        };
        Ok(Self { closure: 100.0 * closure.f1(), many_descendants: 100.0 * many.f1() })
    }
}

fn on_held_out_pairs(data: &DataSet<'_>, task: Task) -> Result<(Confusion, Confusion), Error> {
    let (train, new_ids) = trained(&data.hierarchy, &data.training(task)?)?;
    let split = data.split()?;
    let of = |pairs: &[Pair]| -> Vec<Pair> {
        pairs
            .iter()
            .map(|&(child, parent)| (new_ids[child as usize], new_ids[parent as usize]))
            .collect()
    };
    let (test, test_neg) = (of(&split.test), of(&split.test_neg));
    let threshold =
        evaluate::descendants_threshold(&train, &of(&split.valid), &of(&split.valid_neg));
    Ok((
        evaluate::closure_on_listed(&train, &test, &test_neg),
        evaluate::descendants_at_threshold(&train, threshold, &test, &test_neg),
    ))
}

/// The hierarchy of the training pairs alone, and for each concept of `truth` its id there.
fn trained(truth: &Hierarchy, pairs: &[Pair]) -> Result<(Hierarchy, Vec<Id>), binder::Error> {
    let mut builder = HierarchyBuilder::default();
    for name in truth.names().texts().iter() {
        builder.concept(name)?;
    }
    for &(child, parent) in pairs {
        builder.pair(truth.name(child), truth.name(parent))?;
    }
    let train = builder.build(Cycles::Refuse)?;
    let new_ids = truth.names().texts().iter().filter_map(|name| train.id(name)).collect();
    Ok((train, new_ids))
}
