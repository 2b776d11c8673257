//! Questions to a model.
//!
//! Answers are those of `binder-answers`, as plain Python data, which `python/binder/_answers.py`
//! makes objects of. Lists that may be as long as the model are arrays of ids instead.

use binder::Id;
use binder::bits::IdSet;
use binder::query::{Derived, Index, QueryError};
use binder_answers::{Description, Explanation, Nearest, Page, SearchResult, Standing, Style};
use numpy::PyArray1;
use pyo3::prelude::*;
use serde::Serialize;

use crate::arrays;
use crate::errors::{chosen, python};
use crate::model::Model;
use crate::plain::{Plain, plain};
use crate::pool::without_lock;

type Array<'py> = Bound<'py, PyArray1<Id>>;

/// How texts look: plain, with lists cut to a readable length.
const STYLE: Style = Style { rows: 40, ..Style::PLAIN };

#[pymethods]
impl Model {
    /// The concept that a name, identifier, label, synonym or the unique beginning of one stands
    /// for.
    fn find(&self, py: Python<'_>, text: &str) -> PyResult<Id> {
        match self.index.hierarchy().id(text) {
            Some(id) => Ok(id),
            None => without_lock(py, || self.index.find(text))?.map_err(python),
        }
    }

    /// The concepts that a text may mean, the likeliest first.
    fn senses(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Id>> {
        let reading = without_lock(py, || self.index.read_as(text))?.map_err(python)?;
        Ok(std::iter::once(reading.concept).chain(reading.others).collect())
    }

    /// Concepts whose names are similar to a text.
    fn search(&self, py: Python<'_>, text: &str, most: usize) -> PyResult<Plain> {
        self.answered(py, |index| Ok(SearchResult::new(index, text, most)))
    }

    /// Everything above a concept, the most general first; or only the nearest.
    fn hypernyms<'py>(&self, py: Python<'py>, id: i64, nearest: bool) -> PyResult<Array<'py>> {
        let id = self.checked(id)?;
        let index = &self.index;
        let listed = py.detach(|| {
            let all = index.hypernyms(id)?;
            Ok(if nearest { index.most_specific(&all) } else { index.by_generality(&all) })
        });
        Ok(arrays::ids(py, listed.map_err(python::<QueryError>)?))
    }

    /// Everything below a concept, the most general first; or only the nearest.
    fn hyponyms<'py>(&self, py: Python<'py>, id: i64, nearest: bool) -> PyResult<Array<'py>> {
        let id = self.checked(id)?;
        let index = &self.index;
        let listed = py.detach(|| {
            let all = index.hyponyms(id)?;
            Ok(if nearest { index.most_general(&all) } else { index.by_generality(&all) })
        });
        Ok(arrays::ids(py, listed.map_err(python::<QueryError>)?))
    }

    /// The ranks of a concept and everything below it, as ranges: the first and last rank of each.
    fn ranges(&self, py: Python<'_>, id: i64) -> PyResult<Vec<(Id, Id)>> {
        let id = self.checked(id)?;
        let index = &self.index;
        let found = py.detach(|| index.ranges(id)).map_err(python::<QueryError>)?;
        Ok(found.into_iter().map(|range| (*range.start(), *range.end())).collect())
    }

    /// The rank of every concept.
    fn ranks<'py>(&self, py: Python<'py>) -> Array<'py> {
        let index = &self.index;
        let ranks = py.detach(|| index.ranks().as_slice().to_vec());
        arrays::ids(py, ranks)
    }

    /// What is all of these at once; and everything below.
    fn meet<'py>(&self, py: Python<'py>, ids: Vec<i64>) -> PyResult<(Plain, Array<'py>)> {
        let ids = self.all_checked(&ids)?;
        self.standing(py, |index| index.meet(&ids))
    }

    /// What these have in common; and everything below.
    fn join<'py>(&self, py: Python<'py>, ids: Vec<i64>) -> PyResult<(Plain, Array<'py>)> {
        let ids = self.all_checked(&ids)?;
        self.standing(py, |index| index.join(&ids))
    }

    /// The value of an expression; and everything below.
    fn expression<'py>(&self, py: Python<'py>, text: &str) -> PyResult<(Plain, Array<'py>)> {
        self.standing(py, |index| index.evaluate(text))
    }

    /// What a concept is not: the bits it lacks, the concepts that share no bit with it, and those
    /// that have no hyponym in common with it.
    fn complement<'py>(
        &self,
        py: Python<'py>,
        id: i64,
    ) -> PyResult<(Vec<u16>, Array<'py>, Array<'py>)> {
        let id = self.checked(id)?;
        let index = &self.index;
        let complement = without_lock(py, || index.complement(id))?.map_err(python)?;
        let list = |set: &IdSet| arrays::ids(py, index.by_generality(set));
        let bits = complement.derived.code.ones().collect();
        Ok((bits, list(&complement.derived.above), list(&complement.disjoint)))
    }

    /// The nearest concepts and how near they are.
    fn nearest(&self, py: Python<'_>, id: i64, most: usize, by: &str) -> PyResult<Plain> {
        let (id, measure) = (self.checked(id)?, chosen("by", by)?);
        self.answered(py, |index| Nearest::new(index, id, most, measure))
    }

    /// Why a concept is, or is not, another; and the same as text.
    fn explain(&self, py: Python<'_>, child: i64, parent: i64) -> PyResult<(Plain, String)> {
        let (child, parent) = (self.checked(child)?, self.checked(parent)?);
        self.answered_with_text(py, |index| {
            let explanation = Explanation::new(index, child, parent)?;
            let text = explanation.text(&STYLE);
            Ok((explanation, text))
        })
    }

    /// All about a concept; and the same as text.
    fn describe(&self, py: Python<'_>, id: i64) -> PyResult<(Plain, String)> {
        let id = self.checked(id)?;
        self.answered_with_text(py, |index| {
            let description = Description::new(index, id, Page::ALL)?;
            let text = description.text(index, &STYLE);
            Ok((description, text))
        })
    }
}

impl Model {
    fn all_checked(&self, ids: &[i64]) -> PyResult<Vec<Id>> {
        ids.iter().map(|&id| self.checked(id)).collect()
    }

    /// What a code stands for. What is below may be the whole model: it comes as ids.
    fn standing<'py>(
        &self,
        py: Python<'py>,
        derive: impl FnOnce(&Index) -> Result<Derived<'_>, QueryError> + Send,
    ) -> PyResult<(Plain, Array<'py>)> {
        let index = &self.index;
        let made = without_lock(py, || {
            derive(index).map(|derived| {
                let standing = Standing::outline(index, Vec::new(), &derived, Page::ALL);
                (plain(&standing), index.by_generality(&derived.below))
            })
        });
        let (standing, below) = made?.map_err(python)?;
        Ok((standing?, arrays::ids(py, below)))
    }

    /// An answer as plain data, made without the interpreter's lock.
    fn answered<T: Serialize>(
        &self,
        py: Python<'_>,
        make: impl FnOnce(&Index) -> Result<T, QueryError> + Send,
    ) -> PyResult<Plain> {
        let index = &self.index;
        without_lock(py, || make(index).map(|answer| plain(&answer)))?.map_err(python)?
    }

    /// An answer as plain data and as text, which ends without a line break.
    fn answered_with_text<T: Serialize>(
        &self,
        py: Python<'_>,
        make: impl FnOnce(&Index) -> Result<(T, String), QueryError> + Send,
    ) -> PyResult<(Plain, String)> {
        let index = &self.index;
        let made = without_lock(py, || {
            make(index).map(|(answer, text)| (plain(&answer), text.trim_end().to_owned()))
        })?;
        let (answer, text) = made.map_err(python)?;
        Ok((answer?, text))
    }
}
