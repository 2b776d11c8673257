//! What any score is held against: two predictors that need no codes.

use binder::Hierarchy;
use binder::evaluate;
use binder::hierarchy::{Cycles, HierarchyBuilder, Id};
use binder::split::Pair;
use serde::Serialize;

use super::data::{DataSet, Task};

/// F1 of the two, in percent.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct References {
    /// The symbolic closure of the training pairs.
    pub(crate) closure: f64,
    /// "Every concept is-a whatever has many descendants among the training pairs"; how many is chosen on the
    /// validation pairs.
    pub(crate) many_descendants: f64,
}

impl References {
    pub(crate) fn of(data: &DataSet, task: Task) -> anyhow::Result<Self> {
        let (closure, many) = if task == Task::Representation {
            let truth = &data.hierarchy;
            (evaluate::closure_on_all_pairs(truth, truth), evaluate::descendants_on_all_pairs(truth))
        } else {
            on_held_out_pairs(data, task)?
        };
        Ok(Self { closure: 100.0 * closure.f1(), many_descendants: 100.0 * many.f1() })
    }
}

fn on_held_out_pairs(
    data: &DataSet,
    task: Task,
) -> anyhow::Result<(evaluate::Confusion, evaluate::Confusion)> {
    let (train, new_ids) = trained(&data.hierarchy, &data.training(task)?)?;
    let split = data.split()?;
    let of = |pairs: &[Pair]| -> Vec<Pair> {
        pairs.iter().map(|&(child, parent)| (new_ids[child as usize], new_ids[parent as usize])).collect()
    };
    let (test, test_neg) = (of(&split.test), of(&split.test_neg));
    let threshold = evaluate::descendants_threshold(&train, &of(&split.valid), &of(&split.valid_neg));
    Ok((
        evaluate::closure_on_listed(&train, &test, &test_neg),
        evaluate::descendants_at_threshold(&train, threshold, &test, &test_neg),
    ))
}

/// The hierarchy that the training pairs alone make, and its id of each concept of `truth`.
fn trained(truth: &Hierarchy, pairs: &[Pair]) -> anyhow::Result<(Hierarchy, Vec<Id>)> {
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
