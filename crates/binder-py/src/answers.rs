//! Questions to a model.
//!
//! Answers are those of `binder-answers`, as plain Python data, which `python/binder/_answers.py`
//! makes objects of. Lists that may be as long as the model are arrays of ids instead.

use binder::Id;
use binder::bits::{Code, IdSet};
use binder::query::{Derived, Index, Measure, QueryError};
use binder_answers::{Description, Explanation, Nearest, Page, Picture, Standing, Style};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde::Serialize;

use crate::arrays::{self, Ids};
use crate::errors::{Kind, chosen, python};
use crate::model::Model;
use crate::plain::{Plain, plain};
use crate::pool::without_lock;

type Array<'py> = Bound<'py, PyArray1<Id>>;

/// How texts look: plain, with lists cut to a readable length.
const STYLE: Style = Style { rows: 40, ..Style::PLAIN };

#[pymethods]
impl Model {
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

    /// The place of a code that has these bits; and everything below.
    fn derived<'py>(&self, py: Python<'py>, bits: Vec<usize>) -> PyResult<(Plain, Array<'py>)> {
        let width = self.index.codes().bits();
        let mut code = Code::zeros(width);
        for bit in bits {
            if bit >= width {
                let message = format!("there is no bit {bit}; the codes have {width}");
                return Err(Kind::Value.error(&message));
            }
            code.insert(bit);
        }
        self.standing(py, |index| Ok(index.derived(code)))
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

    /// How similar the concepts of two arrays as long as each other are, one by one.
    fn similarities<'py>(
        &self,
        py: Python<'py>,
        ones: Ids<'py>,
        others: Ids<'py>,
        by: &str,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let measure: Measure = chosen("by", by)?;
        let (ones, others) = (self.ids_of(&ones)?, self.ids_of(&others)?);
        let index = &self.index;
        let found: Result<Vec<f64>, QueryError> = without_lock(py, || {
            let pairs = ones.par_iter().zip(&others).with_min_len(64);
            pairs.map(|(&one, &other)| index.similarity(one, other, measure)).collect()
        })?;
        Ok(found.map_err(python)?.into_pyarray(py))
    }

    /// A drawing of a concept's place and bits: as SVG, as text, and how many children it leaves
    /// out.
    fn picture(
        &self,
        py: Python<'_>,
        id: i64,
        children: usize,
    ) -> PyResult<(String, String, usize)> {
        let id = self.checked(id)?;
        let index = &self.index;
        let drawn = without_lock(py, || {
            let svg = binder_answers::svg(&index.neighbourhood(id, children)?);
            Ok::<_, QueryError>((svg, Picture::new(index, id, children)?))
        })?;
        let (svg, picture) = drawn.map_err(python)?;
        Ok((svg, picture.text, picture.left_out))
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
