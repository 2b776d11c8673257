//! `binder._core.Hierarchy`.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use binder::hierarchy::Id;
use binder::query::{Index, NameIndex, QueryError};
use binder::{Codes, Model};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

use crate::arrays;
use crate::errors::python;
use crate::names::{self, Unknown};
use crate::pool::without_lock;

/// A hierarchy by ids.
#[derive(Debug)]
#[pyclass(module = "binder._core", frozen)]
pub(crate) struct Hierarchy {
    owner: Owner,
    /// Made when somebody asks for a name that is not there.
    names: OnceLock<NameIndex>,
}

/// Who keeps the hierarchy: a model's is not copied.
#[derive(Debug)]
enum Owner {
    Own(Arc<binder::Hierarchy>),
    Model(Arc<Index>),
}

impl Deref for Hierarchy {
    type Target = binder::Hierarchy;

    fn deref(&self) -> &binder::Hierarchy {
        match &self.owner {
            Owner::Own(hierarchy) => hierarchy,
            Owner::Model(index) => index.hierarchy(),
        }
    }
}

impl From<binder::Hierarchy> for Hierarchy {
    fn from(hierarchy: binder::Hierarchy) -> Self {
        Self { owner: Owner::Own(Arc::new(hierarchy)), names: OnceLock::new() }
    }
}

impl From<Arc<Index>> for Hierarchy {
    fn from(index: Arc<Index>) -> Self {
        Self { owner: Owner::Model(index), names: OnceLock::new() }
    }
}

impl Hierarchy {
    fn index(&self) -> &NameIndex {
        match &self.owner {
            Owner::Model(index) => index.names(),
            Owner::Own(hierarchy) => self.names.get_or_init(|| NameIndex::new(hierarchy)),
        }
    }

    /// The error for a name that is not there, with names spelt much like it.
    fn unknown(&self, py: Python<'_>, Unknown(name): Unknown) -> PyErr {
        let nearest = without_lock(py, || {
            let hits = self.index().search(&name, 3).into_iter();
            hits.map(|hit| self.deref().name(hit.concept).to_owned()).collect()
        });
        nearest.map_or_else(|error| error, |nearest| python(QueryError::Unknown { name, nearest }))
    }

    fn checked(&self, id: i64) -> PyResult<Id> {
        arrays::checked(id, self.len())
    }
}

#[pymethods]
impl Hierarchy {
    /// A hierarchy from what `to_bytes` gave.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let model = Model::from_bytes(bytes).map_err(|problem| {
            python(binder::model::ModelError { path: "these bytes".to_owned(), problem })
        })?;
        Ok(model.hierarchy().clone().into())
    }

    /// The hierarchy as bytes: a model file whose codes say nothing, so that ids stay as they are.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let codes = Codes::zeros(self.len(), 1).map_err(python)?;
        let model = Model::new(self, codes).map_err(python)?;
        Ok(PyBytes::new(py, &model.to_bytes()))
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __eq__(&self, other: &Self) -> bool {
        **self == **other
    }

    /// The id of a name or alias, or nothing.
    fn find(&self, name: &str) -> Option<Id> {
        self.deref().id(name)
    }

    /// The id of a name or alias; the error suggests names.
    fn id(&self, py: Python<'_>, name: &str) -> PyResult<Id> {
        self.find(name).ok_or_else(|| self.unknown(py, Unknown(name.to_owned())))
    }

    /// The ids of an array of Python strings.
    fn ids_of_objects<'py>(
        &self,
        py: Python<'py>,
        names: PyReadonlyArray1<'py, Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<Id>>> {
        names::of_objects(py, self, &names)?.map_err(|unknown| self.unknown(py, unknown))
    }

    /// The ids of an array [n, width] of characters.
    fn ids_of_characters<'py>(
        &self,
        py: Python<'py>,
        names: PyReadonlyArray2<'py, u32>,
    ) -> PyResult<Bound<'py, PyArray1<Id>>> {
        names::of_characters(py, self, &names)?.map_err(|unknown| self.unknown(py, unknown))
    }

    /// The ids of the names in the first column of an Arrow stream.
    fn ids_of_arrow<'py>(
        &self,
        py: Python<'py>,
        stream: &Bound<'py, PyCapsule>,
    ) -> PyResult<Bound<'py, PyArray1<Id>>> {
        names::of_arrow(py, self, stream)?.map_err(|unknown| self.unknown(py, unknown))
    }

    /// The name of a concept.
    fn name(&self, id: i64) -> PyResult<&str> {
        Ok(self.deref().name(self.checked(id)?))
    }

    /// The names of all concepts, in the order of their ids.
    fn names(&self) -> Vec<&str> {
        self.deref().names().texts().iter().collect()
    }

    /// The label of a concept, where it has one.
    fn label(&self, id: i64) -> PyResult<Option<&str>> {
        Ok(self.deref().label(self.checked(id)?))
    }

    /// The labels of all concepts, or nothing when no concept has one.
    fn labels(&self) -> Option<Vec<Option<&str>>> {
        let some = !self.deref().labels().is_empty();
        some.then(|| self.ids().map(|id| self.deref().label(id)).collect())
    }

    /// Other names, each with its concept.
    fn aliases(&self) -> Vec<(&str, Id)> {
        self.deref().aliases().iter().collect()
    }

    /// Direct parents.
    fn parents<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyArray1<Id>>> {
        Ok(arrays::ids(py, self.deref().parents(self.checked(id)?).to_vec()))
    }

    /// Direct children.
    fn children<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyArray1<Id>>> {
        Ok(arrays::ids(py, self.deref().children(self.checked(id)?).to_vec()))
    }

    /// Everything above.
    fn ancestors<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyArray1<Id>>> {
        Ok(arrays::ids(py, self.deref().ancestors(self.checked(id)?)))
    }

    /// Everything below.
    fn descendants<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyArray1<Id>>> {
        Ok(arrays::ids(py, self.deref().descendants(self.checked(id)?)))
    }

    /// Whether a concept is strictly below another.
    fn is_a(&self, child: i64, parent: i64) -> PyResult<bool> {
        Ok(self.deref().is_a(self.checked(child)?, self.checked(parent)?))
    }

    /// The direct pairs, [m, 2].
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<Id>>> {
        arrays::pairs(py, self.deref().pairs())
    }

    /// All pairs, [m, 2].
    fn closure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<Id>>> {
        let closure = without_lock(py, || self.deref().closure())?;
        arrays::pairs(py, closure.pairs())
    }

    /// Concepts without a parent.
    fn roots<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<Id>> {
        arrays::ids(py, self.deref().roots().collect())
    }

    /// Concepts without a child.
    fn leaves<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<Id>> {
        arrays::ids(py, self.deref().leaves().collect())
    }

    /// The length of the longest way up from each concept.
    fn depths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        arrays::ids(py, self.ids().map(|id| self.depth_of(id)).collect())
    }

    /// A concept and everything below it.
    fn below(&self, id: i64) -> PyResult<Self> {
        Ok(self.deref().below(self.checked(id)?).into())
    }

    /// What `binder info` counts.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let closure = without_lock(py, || self.closure_len())?;
        let info = PyDict::new(py);
        info.set_item("entities", self.len())?;
        info.set_item("direct", self.direct())?;
        info.set_item("indirect", closure - self.direct() as u64)?;
        info.set_item("closure", closure)?;
        info.set_item("roots", self.deref().roots().count())?;
        info.set_item("leaves", self.deref().leaves().count())?;
        info.set_item("depth", self.depth())?;
        info.set_item("multi_parent", self.multi_parent())?;
        info.set_item("cycles", self.merged_cycles())?;
        Ok(info)
    }

    /// What was left out on the way in, by reason.
    fn dropped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (dropped, counts) = (self.deref().dropped(), PyDict::new(py));
        counts.set_item("duplicate", dropped.duplicate)?;
        counts.set_item("reflexive", dropped.reflexive)?;
        counts.set_item("implied", dropped.implied)?;
        counts.set_item("in_cycle", dropped.in_cycle)?;
        counts.set_item("obsolete", dropped.obsolete)?;
        counts.set_item("with_obsolete", dropped.with_obsolete)?;
        counts.set_item("blank", dropped.blank)?;
        counts.set_item("aliases", dropped.aliases)?;
        Ok(counts)
    }
}
