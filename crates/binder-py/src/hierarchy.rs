//! `binder._core.Hierarchy`.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use binder::export::{Notation, write_hierarchy};
use binder::hierarchy::KeepTexts;
use binder::lookup::NameIndex;
use binder::query::{QueryError, Reading};
use binder::{Choice, Codes, Id, Index, Model};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

use crate::arrays;
use crate::errors::{chosen, in_bytes, python};
use crate::names::{self, Lookup, Unknown};
use crate::pool::without_lock;
use crate::watch::watched;

/// A hierarchy by ids. It is shared with the models that are made from it, never copied.
#[derive(Debug)]
#[pyclass(module = "binder._core", frozen)]
pub(crate) struct Hierarchy {
    pub(crate) inner: Arc<binder::Hierarchy>,
    names: Names,
    names_are_numbers: OnceLock<bool>,
}

/// Where labels, synonyms and other spellings are found: made when they are first needed.
#[derive(Debug)]
enum Names {
    Own(OnceLock<NameIndex>),
    /// Those of the model that the hierarchy belongs to, so that they are made once.
    OfModel(Arc<Index>),
}

impl<H: Into<Arc<binder::Hierarchy>>> From<H> for Hierarchy {
    fn from(hierarchy: H) -> Self {
        Self::with_names(hierarchy.into(), Names::Own(OnceLock::new()))
    }
}

impl Hierarchy {
    /// The hierarchy of a model.
    pub(crate) fn of_model(index: &Arc<Index>) -> Self {
        Self::with_names(Arc::clone(index.hierarchy()), Names::OfModel(Arc::clone(index)))
    }

    fn with_names(inner: Arc<binder::Hierarchy>, names: Names) -> Self {
        Self { inner, names, names_are_numbers: OnceLock::new() }
    }
}

impl Hierarchy {
    /// The error for a name that is not there, with similar names.
    fn unknown(&self, py: Python<'_>, Unknown(name): Unknown) -> PyErr {
        let nearest = without_lock(py, || {
            let hits = self.name_index().search(&name, 3).into_iter();
            hits.map(|hit| self.inner.name(hit.concept).to_owned()).collect()
        });
        nearest.map_or_else(|error| error, |nearest| python(QueryError::Unknown { name, nearest }))
    }

    fn name_index(&self) -> &NameIndex {
        match &self.names {
            Names::Own(names) => names.get_or_init(|| NameIndex::new(&self.inner)),
            Names::OfModel(index) => index.names(),
        }
    }

    /// Looks names up with `work`, and makes the error if one is unknown.
    fn looked_up<T>(
        &self,
        py: Python<'_>,
        lenient: bool,
        work: impl FnOnce(Lookup<'_>) -> PyResult<Result<T, Unknown>>,
    ) -> PyResult<T> {
        let index = || self.name_index();
        let lookup = Lookup { hierarchy: &self.inner, index: &index, lenient };
        work(lookup)?.map_err(|unknown| self.unknown(py, unknown))
    }

    fn checked(&self, id: i64) -> PyResult<Id> {
        arrays::checked(id, self.inner.len())
    }
}

#[pymethods]
impl Hierarchy {
    /// A hierarchy from what `to_bytes` returned.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let model = Model::from_bytes(bytes).map_err(in_bytes)?;
        Ok(Arc::clone(model.hierarchy()).into())
    }

    /// The hierarchy as bytes: a model file with empty codes, which keeps the ids as they are.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let codes = Codes::zeros(self.inner.len(), 1).map_err(python)?;
        let model = Model::new(Arc::clone(&self.inner), codes).map_err(python)?;
        Ok(PyBytes::new(py, &model.to_bytes()))
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    /// Whether every name is a whole number as Python writes it, so that numbers may be meant as
    /// names.
    fn names_are_numbers(&self) -> bool {
        let is_number = |name: &str| name.parse::<i64>().is_ok_and(|n| n.to_string() == name);
        let all = || self.inner.ids().all(|id| is_number(self.inner.name(id)));
        *self.names_are_numbers.get_or_init(all)
    }

    /// The id of a name, alias, label or synonym, or None.
    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<Id>> {
        match self.inner.id(name) {
            Some(id) => Ok(Some(id)),
            None => without_lock(py, || {
                let index = || self.name_index();
                Lookup { hierarchy: &self.inner, index: &index, lenient: true }.id(name)
            }),
        }
    }

    /// The id of a name, alias, label or synonym; the error suggests names.
    fn id(&self, py: Python<'_>, name: &str) -> PyResult<Id> {
        self.find(py, name)?.ok_or_else(|| self.unknown(py, Unknown(name.to_owned())))
    }

    /// The concepts that a text may mean, the likeliest first; also by the beginning of a name.
    fn senses(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Id>> {
        let reading = without_lock(py, || Reading::of(text, &self.inner, || self.name_index()))?;
        let Reading { concept, others, .. } = reading.map_err(python)?;
        Ok(std::iter::once(concept).chain(others).collect())
    }

    /// Concepts that are called much like a text: each with what was found and its typing errors.
    fn search(
        &self,
        py: Python<'_>,
        text: &str,
        most: usize,
    ) -> PyResult<Vec<(Id, String, usize)>> {
        let hits = without_lock(py, || self.name_index().search(text, most))?;
        Ok(hits.into_iter().map(|hit| (hit.concept, hit.text, hit.typos)).collect())
    }

    /// The ids of an array of Python strings. If lenient, the largest number stands for unknown.
    #[pyo3(signature = (names, lenient=false))]
    fn ids_of_objects<'py>(
        &self,
        py: Python<'py>,
        names: PyReadonlyArray1<'py, Py<PyAny>>,
        lenient: bool,
    ) -> PyResult<Bound<'py, PyArray1<Id>>> {
        self.looked_up(py, lenient, |lookup| names::of_objects(py, lookup, &names))
    }

    /// The ids of an array [n, width] of characters.
    #[pyo3(signature = (names, lenient=false))]
    fn ids_of_characters<'py>(
        &self,
        py: Python<'py>,
        names: PyReadonlyArray2<'py, u32>,
        lenient: bool,
    ) -> PyResult<Bound<'py, PyArray1<Id>>> {
        self.looked_up(py, lenient, |lookup| names::of_characters(py, lookup, &names))
    }

    /// The ids of the names in the first column of an Arrow stream.
    #[pyo3(signature = (stream, lenient=false))]
    fn ids_of_arrow<'py>(
        &self,
        py: Python<'py>,
        stream: &Bound<'py, PyCapsule>,
        lenient: bool,
    ) -> PyResult<Bound<'py, PyArray1<Id>>> {
        self.looked_up(py, lenient, |lookup| names::of_arrow(py, lookup, stream))
    }

    /// Writes it in the notation of that name.
    fn save(&self, py: Python<'_>, notation: &str, path: PathBuf) -> PyResult<()> {
        let notation: Notation = chosen("format", notation)?;
        let written = without_lock(py, || write_hierarchy(&self.inner, notation, &path))?;
        written.map(|_| ()).map_err(python)
    }

    /// The name of a concept.
    fn name(&self, id: i64) -> PyResult<&str> {
        Ok(self.inner.name(self.checked(id)?))
    }

    /// The names of all concepts, in the order of their ids.
    fn names(&self) -> Vec<&str> {
        self.inner.names().texts().iter().collect()
    }

    /// The label of a concept, where it has one.
    fn label(&self, id: i64) -> PyResult<Option<&str>> {
        Ok(self.inner.label(self.checked(id)?))
    }

    /// The labels of all concepts, or None when no concept has one.
    fn labels(&self) -> Option<Vec<Option<&str>>> {
        let some = !self.inner.labels().is_empty();
        some.then(|| self.inner.ids().map(|id| self.inner.label(id)).collect())
    }

    /// What else people call a concept, each with its scope.
    fn synonyms(&self, id: i64) -> PyResult<Vec<(&str, &'static str)>> {
        let synonyms = self.inner.synonyms(self.checked(id)?);
        Ok(synonyms.map(|synonym| (synonym.text, synonym.scope.name())).collect())
    }

    /// What a concept means, where the source says it.
    fn definition(&self, py: Python<'_>, id: i64) -> PyResult<Option<&str>> {
        let id = self.checked(id)?;
        Ok(py.detach(|| self.inner.definition(id)))
    }

    /// The same hierarchy with only some of its texts.
    fn keeping(&self, texts: &str) -> PyResult<Self> {
        let texts: KeepTexts = chosen("texts", texts)?;
        Ok(match texts {
            KeepTexts::All => Arc::clone(&self.inner).into(),
            fewer => binder::Hierarchy::clone(&self.inner).keeping(fewer).into(),
        })
    }

    /// Other names, each with its concept.
    fn aliases(&self) -> Vec<(&str, Id)> {
        self.inner.aliases().iter().collect()
    }

    /// Direct parents.
    fn parents<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyArray1<Id>>> {
        Ok(arrays::ids(py, self.inner.parents(self.checked(id)?).to_vec()))
    }

    /// Direct children.
    fn children<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyArray1<Id>>> {
        Ok(arrays::ids(py, self.inner.children(self.checked(id)?).to_vec()))
    }

    /// Everything above.
    fn ancestors<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyArray1<Id>>> {
        Ok(arrays::ids(py, self.inner.ancestors(self.checked(id)?)))
    }

    /// Everything below.
    fn descendants<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyArray1<Id>>> {
        Ok(arrays::ids(py, self.inner.descendants(self.checked(id)?)))
    }

    /// Whether a concept is another or below it.
    fn is_a(&self, child: i64, parent: i64) -> PyResult<bool> {
        Ok(self.inner.is_a(self.checked(child)?, self.checked(parent)?))
    }

    /// The direct pairs, [m, 2].
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<Id>>> {
        arrays::pairs(py, self.inner.pairs())
    }

    /// All pairs, [m, 2].
    fn closure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<Id>>> {
        let closure = watched(py, None, |watch| self.inner.checked_closure(watch))?;
        arrays::pairs(py, closure.map_err(python)?.pairs())
    }

    /// Concepts without a parent.
    fn roots<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<Id>> {
        arrays::ids(py, self.inner.roots().collect())
    }

    /// Concepts without a child.
    fn leaves<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<Id>> {
        arrays::ids(py, self.inner.leaves().collect())
    }

    /// The length of the longest way up from a concept.
    fn depth(&self, id: i64) -> PyResult<u32> {
        Ok(self.inner.depth_of(self.checked(id)?))
    }

    /// The length of the longest way up from each concept.
    fn depths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        arrays::ids(py, self.inner.ids().map(|id| self.inner.depth_of(id)).collect())
    }

    /// A concept and everything below it.
    fn below(&self, id: i64) -> PyResult<Self> {
        Ok(self.inner.below(self.checked(id)?).into())
    }

    /// What `binder info` counts.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let closure = without_lock(py, || self.inner.closure_len())?;
        let info = PyDict::new(py);
        info.set_item("entities", self.inner.len())?;
        info.set_item("direct", self.inner.direct())?;
        info.set_item("indirect", closure - self.inner.direct() as u64)?;
        info.set_item("closure", closure)?;
        info.set_item("roots", self.inner.roots().count())?;
        info.set_item("leaves", self.inner.leaves().count())?;
        info.set_item("depth", self.inner.depth())?;
        info.set_item("multi_parent", self.inner.multi_parent())?;
        info.set_item("cycles", self.inner.merged_cycles())?;
        Ok(info)
    }

    /// What was taken for child and parent, if the hierarchy was read from a file.
    fn reading(&self) -> Option<String> {
        self.inner.reading().map(ToString::to_string)
    }

    /// What was left out when the hierarchy was made, by reason.
    fn dropped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (dropped, counts) = (self.inner.dropped(), PyDict::new(py));
        counts.set_item("duplicate", dropped.duplicate)?;
        counts.set_item("reflexive", dropped.reflexive)?;
        counts.set_item("implied", dropped.implied)?;
        counts.set_item("in_cycle", dropped.in_cycle)?;
        counts.set_item("obsolete", dropped.obsolete)?;
        counts.set_item("with_obsolete", dropped.with_obsolete)?;
        counts.set_item("blank", dropped.blank)?;
        counts.set_item("aliases", dropped.aliases)?;
        counts.set_item("synonyms", dropped.synonyms)?;
        Ok(counts)
    }
}
