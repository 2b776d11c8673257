//! `binder._core.Model`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use binder::{Error, Growth, Id, Index};
use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

use crate::arrays::{self, Ids, Number};
use crate::errors::{Kind, in_bytes, python};
use crate::hierarchy::Hierarchy;
use crate::pool::without_lock;
use crate::watch::watched;

/// A model by ids, ready for questions. It never changes.
#[derive(Debug)]
#[pyclass(module = "binder._core", frozen)]
pub(crate) struct Model {
    pub(crate) index: Arc<Index>,
}

impl From<Index> for Model {
    fn from(index: Index) -> Self {
        Self { index: Arc::new(index) }
    }
}

impl Model {
    pub(crate) fn checked(&self, id: i64) -> PyResult<Id> {
        arrays::checked(id, self.index.codes().len())
    }
}

#[pymethods]
impl Model {
    /// A model from its file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let index = without_lock(py, || binder::Model::open(path).map(binder::Model::into_index))?;
        Ok(index.map_err(python)?.into())
    }

    /// A model from the bytes of its file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let open = || binder::Model::from_bytes(bytes).map(binder::Model::into_index);
        Ok(without_lock(py, open)?.map_err(in_bytes)?.into())
    }

    /// The bytes of the model's file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = without_lock(py, || self.index.model().to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the model file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        without_lock(py, || self.index.model().save(&path))?.map_err(python)
    }

    /// The concepts, and the direct pairs where they are known; not copied.
    #[getter]
    fn hierarchy(&self) -> Hierarchy {
        Hierarchy::of_model(&self.index)
    }

    /// The notes.
    #[getter]
    fn notes(&self) -> BTreeMap<String, String> {
        self.index.model().notes().clone()
    }

    /// How many bits a code has.
    #[getter]
    fn n_bits(&self) -> usize {
        self.index.codes().bits()
    }

    fn __len__(&self) -> usize {
        self.index.codes().len()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.index.model() == other.index.model()
    }

    /// The words of all codes, [n, words]: a read-only view of the model's own memory.
    #[getter]
    fn codes(this: Bound<'_, Self>) -> PyResult<Bound<'_, PyArray2<u64>>> {
        let index = Arc::clone(&this.get().index);
        let codes = index.codes();
        let view = ArrayView2::from_shape((codes.len(), codes.words_per_row()), codes.words());
        let view = view.map_err(|error| Kind::Value.error(&error.to_string()))?;
        // SAFETY: the words stay where they are for as long as the model lives. The model never
        // changes, and the array keeps it alive. Nobody writes through the array: it is read-only,
        // and NumPy makes an array writable again only if its owner can be written to.
        let array = unsafe { PyArray2::borrow_from_array(&view, this.into_any()) };
        array.call_method1("setflags", (false,))?;
        Ok(array)
    }

    /// A byte 0 or 1 for each bit of some concepts, or of all, [n, bits].
    #[pyo3(signature = (ids=None))]
    fn bits<'py>(
        &self,
        py: Python<'py>,
        ids: Option<Ids<'py>>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let codes = self.index.codes();
        let ids: Vec<Id> = match ids {
            None => self.index.hierarchy().ids().collect(),
            Some(ids) => self.ids_of(&ids)?,
        };
        let width = codes.bits();
        let bytes = without_lock(py, || {
            let mut bytes = vec![0; ids.len() * width];
            bytes.par_chunks_mut(width).zip(&ids).for_each(|(row, &id)| {
                row.iter_mut()
                    .enumerate()
                    .for_each(|(bit, byte)| *byte = u8::from(codes.get(id, bit)));
            });
            bytes
        })?;
        bytes.into_pyarray(py).reshape([ids.len(), width])
    }

    /// Whether the child's code has every bit of the parent's.
    fn is_a(&self, child: i64, parent: i64) -> PyResult<bool> {
        let (child, parent) = (self.checked(child)?, self.checked(parent)?);
        Ok(self.index.codes().is_a(child, parent))
    }

    /// The same for two arrays of ids as long as each other.
    fn is_a_arrays<'py>(
        &self,
        py: Python<'py>,
        children: Ids<'py>,
        parents: Ids<'py>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let answers = match (&children, &parents) {
            (Ids::Small(a), Ids::Small(b)) => self.answers(py, a.as_slice()?, b.as_slice()?),
            (Ids::Small(a), Ids::Wide(b)) => self.answers(py, a.as_slice()?, b.as_slice()?),
            (Ids::Wide(a), Ids::Small(b)) => self.answers(py, a.as_slice()?, b.as_slice()?),
            (Ids::Wide(a), Ids::Wide(b)) => self.answers(py, a.as_slice()?, b.as_slice()?),
        }?;
        Ok(answers.into_pyarray(py))
    }

    /// The model with one more concept: under parents, or with the value of an expression.
    #[pyo3(signature = (name, parents, expression=None, definition=None))]
    fn add(
        &self,
        py: Python<'_>,
        name: &str,
        parents: Vec<String>,
        expression: Option<&str>,
        definition: Option<&str>,
    ) -> PyResult<Self> {
        self.grown(py, |growth| {
            match expression {
                Some(expression) => growth.add_expression(name, expression, &self.index)?,
                None => growth.add_all(vec![(name.to_owned(), parents)])?,
            }
            if let Some(definition) = definition {
                growth.define(name, definition);
            }
            Ok(())
        })
    }

    /// The model with more concepts, each under its parents.
    fn add_all(&self, py: Python<'_>, new: Vec<(String, Vec<String>)>) -> PyResult<Self> {
        self.grown(py, |growth| Ok(growth.add_all(new)?))
    }
}

/// How many pairs a thread takes at a time; fewer are not worth waking another thread for.
const PART: usize = 1 << 14;

impl Model {
    /// The ids of an array; an error if one is not a concept's.
    pub(crate) fn ids_of(&self, ids: &Ids<'_>) -> PyResult<Vec<Id>> {
        let concepts = self.index.codes().len();
        match ids {
            Ids::Small(ids) => all_checked(&ids.as_slice()?, concepts),
            Ids::Wide(ids) => all_checked(&ids.as_slice()?, concepts),
        }
    }

    fn answers<A: Number, B: Number>(
        &self,
        py: Python<'_>,
        children: &[A],
        parents: &[B],
    ) -> PyResult<Vec<bool>> {
        if children.len() != parents.len() {
            let message =
                format!("{} children and {} parents; give as many", children.len(), parents.len());
            return Err(Kind::Value.error(&message));
        }
        let mut answers = vec![false; children.len()];
        let part = |((children, parents), answers): ((&[A], &[B]), &mut [bool])| {
            self.part(children, parents, answers)
        };
        let wrong = if answers.len() <= PART {
            py.detach(|| part(((children, parents), &mut answers)))
        } else {
            let parts = children.par_chunks(PART).zip(parents.par_chunks(PART));
            without_lock(py, || parts.zip(answers.par_chunks_mut(PART)).find_map_first(part))?
        };
        wrong.map_or(Ok(answers), |number| {
            Err(arrays::no_concept(&number, self.index.codes().len()))
        })
    }

    /// Answers some pairs; returns the first number that is not a concept's, if there is one.
    fn part<A: Number, B: Number>(
        &self,
        children: &[A],
        parents: &[B],
        answers: &mut [bool],
    ) -> Option<String> {
        let codes = self.index.codes();
        let known = |id: Option<Id>| id.filter(|&id| (id as usize) < codes.len());
        for ((&child, &parent), answer) in children.iter().zip(parents).zip(answers) {
            match (known(child.id()), known(parent.id())) {
                (Some(child), Some(parent)) => *answer = codes.is_a(child, parent),
                (None, _) => return Some(child.text()),
                (_, None) => return Some(parent.text()),
            }
        }
        None
    }

    fn grown(
        &self,
        py: Python<'_>,
        add: impl FnOnce(&mut Growth) -> Result<(), Error> + Send,
    ) -> PyResult<Self> {
        let index = watched(py, None, |watch| {
            let mut growth = Growth::new(self.index.model());
            add(&mut growth)?;
            Ok::<_, Error>(growth.finish(watch)?.model.into_index())
        })?;
        Ok(index.map_err(python)?.into())
    }
}

fn all_checked<N: Number>(numbers: &&[N], concepts: usize) -> PyResult<Vec<Id>> {
    let known = |&number: &N| {
        let id = number.id().filter(|&id| (id as usize) < concepts);
        id.ok_or_else(|| arrays::no_concept(&number.text(), concepts))
    };
    numbers.iter().map(known).collect()
}
