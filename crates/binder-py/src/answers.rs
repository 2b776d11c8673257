//! Questions to a model. Answers are plain tuples of ids; `python/binder/_answers.py` gives them names.

use binder::codes::RowSet;
use binder::hierarchy::Id;
use binder::query::{BitMeaning, Derived, Index, Measure};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Kind, python};
use crate::model::Model;
use crate::pool::without_lock;

type Array<'py> = Bound<'py, PyArray1<Id>>;

/// Where a code stands: its bits, who has it, the nearest above, all below, and the most general of these.
type Place<'py> = (Vec<u16>, Vec<Id>, Vec<Id>, Array<'py>, Vec<Id>);

/// A bit, the most general concepts with it at or above one, and in the whole model.
type Meaning = (u16, Vec<Id>, Vec<Id>);

/// Answer, chain, shared bits, missing bits, lowest common hypernyms.
type Why = (bool, Vec<Id>, Vec<u16>, Vec<Meaning>, Vec<Id>);

/// Label, aliases, parents, children, number of hypernyms and of hyponyms, bits, information content.
type About = (Option<String>, Vec<String>, Vec<Id>, Vec<Id>, u64, u64, Vec<Meaning>, f64);

#[pymethods]
impl Model {
    /// The concept that a name, alias, label or the unique beginning of one stands for.
    fn find(&self, py: Python<'_>, text: &str) -> PyResult<Id> {
        match self.index.hierarchy().id(text) {
            Some(id) => Ok(id),
            None => without_lock(py, || self.index.find(text))?.map_err(python),
        }
    }

    /// Concepts that are named much like a text: id, what was found of the name, and how many letters differ.
    fn search(
        &self,
        py: Python<'_>,
        text: &str,
        most: usize,
    ) -> PyResult<Vec<(Id, String, usize)>> {
        let hits = without_lock(py, || self.index.names().search(text, most))?;
        Ok(hits.into_iter().map(|hit| (hit.concept, hit.text, hit.typos)).collect())
    }

    /// Everything above a concept, the most general first; or only the nearest.
    fn hypernyms<'py>(&self, py: Python<'py>, id: i64, nearest: bool) -> PyResult<Array<'py>> {
        let id = self.checked(id)?;
        let list = |index: &Index| {
            let all = index.hypernyms(id);
            if nearest { index.most_specific(&all) } else { index.by_generality(&all) }
        };
        Ok(arrays::ids(py, py.detach(|| list(&self.index))))
    }

    /// Everything below a concept, the most general first; or only the nearest.
    fn hyponyms<'py>(&self, py: Python<'py>, id: i64, nearest: bool) -> PyResult<Array<'py>> {
        let id = self.checked(id)?;
        let list = |index: &Index| {
            let all = index.hyponyms(id);
            if nearest { index.most_general(&all) } else { index.by_generality(&all) }
        };
        Ok(arrays::ids(py, py.detach(|| list(&self.index))))
    }

    /// What is all of these at once.
    fn meet<'py>(&self, py: Python<'py>, ids: Vec<i64>) -> PyResult<Place<'py>> {
        let ids = self.all_checked(&ids)?;
        Ok(self.place(py, || self.index.meet(&ids)))
    }

    /// What these have in common.
    fn join<'py>(&self, py: Python<'py>, ids: Vec<i64>) -> PyResult<Place<'py>> {
        let ids = self.all_checked(&ids)?;
        Ok(self.place(py, || self.index.join(&ids)))
    }

    /// The value of an expression.
    fn expression<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Place<'py>> {
        let value = without_lock(py, || self.index.evaluate(text))?.map_err(python)?;
        Ok(self.place(py, || value))
    }

    /// What a concept is not: the bits it lacks, who shares none of its own, and who can have no hyponym in common with it.
    fn complement<'py>(
        &self,
        py: Python<'py>,
        id: i64,
    ) -> PyResult<(Vec<u16>, Array<'py>, Array<'py>)> {
        let id = self.checked(id)?;
        let index = &self.index;
        let complement = without_lock(py, || index.complement(id))?;
        let list = |set: &RowSet| arrays::ids(py, index.by_generality(set));
        Ok((complement.derived.bits(), list(&complement.unlike), list(&complement.disjoint)))
    }

    /// The nearest concepts and how near they are.
    fn nearest(&self, py: Python<'_>, id: i64, most: usize, by: &str) -> PyResult<Vec<(Id, f64)>> {
        let id = self.checked(id)?;
        let measure =
            Measure::ALL.into_iter().find(|measure| measure.name() == by).ok_or_else(|| {
                let names = Measure::ALL.map(Measure::name).join(", ");
                Kind::Value.error(&format!("by is {by:?}; choose one of {names}"))
            })?;
        without_lock(py, || self.index.nearest(id, most, measure))?.map_err(python)
    }

    /// Why a concept is, or is not, another.
    fn explain(&self, py: Python<'_>, child: i64, parent: i64) -> PyResult<Why> {
        let (child, parent) = (self.checked(child)?, self.checked(parent)?);
        let why = py.detach(|| self.index.explain(child, parent));
        Ok((why.is_a, why.chain, why.shared, meanings(why.missing), why.common))
    }

    /// All about a concept.
    fn describe(&self, py: Python<'_>, id: i64) -> PyResult<About> {
        let id = self.checked(id)?;
        let it = py.detach(|| self.index.describe(id));
        let bits = meanings(it.bits);
        let content = it.information_content;
        Ok((
            it.label,
            it.aliases,
            it.parents,
            it.children,
            it.hypernyms,
            it.hyponyms,
            bits,
            content,
        ))
    }
}

impl Model {
    fn all_checked(&self, ids: &[i64]) -> PyResult<Vec<Id>> {
        ids.iter().map(|&id| self.checked(id)).collect()
    }

    fn place<'py>(&self, py: Python<'py>, derived: impl FnOnce() -> Derived + Send) -> Place<'py> {
        let index = &self.index;
        let (bits, named, above, below, general) = py.detach(|| {
            let derived = derived();
            let (above, general) =
                (index.most_specific(&derived.above), index.most_general(&derived.below));
            (derived.bits(), derived.named(), above, index.by_generality(&derived.below), general)
        });
        (bits, named, above, arrays::ids(py, below), general)
    }
}

fn meanings(bits: Vec<BitMeaning>) -> Vec<Meaning> {
    bits.into_iter().map(|meaning| (meaning.bit, meaning.from, meaning.owners)).collect()
}
