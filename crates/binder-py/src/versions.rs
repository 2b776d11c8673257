//! Versions of a hierarchy: what differs between two, and a model of the new one.

use std::path::PathBuf;
use std::sync::Arc;

use binder::diff::Diff;
use binder::export::{Patch, write_patch};
use binder::update::Updated;
use binder::{Error, Index};
use binder_answers::{Differences, Style, UpdateReport};
use pyo3::prelude::*;

use crate::errors::python;
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::plain::{Plain, plain};
use crate::pool::without_lock;
use crate::watch::watched;

/// How texts look: plain, with as many concepts of a kind as the command line names.
const STYLE: Style = Style { rows: 5, ..Style::PLAIN };

/// What differs between two versions; and the same as text.
#[pyfunction]
pub(crate) fn diff(
    py: Python<'_>,
    old: &Hierarchy,
    new: &Hierarchy,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<(Plain, String)> {
    let (old, new) = (&old.inner, &new.inner);
    let found = watched(py, bar, |watch| Diff::between(old, new, watch))?;
    named((old, new), &found.map_err(python)?)
}

fn named(
    versions: (&binder::Hierarchy, &binder::Hierarchy),
    diff: &Diff,
) -> PyResult<(Plain, String)> {
    let differences = Differences::new(versions, diff);
    let text = differences.text(["old", "new"], &STYLE);
    Ok((plain(&differences)?, text.trim_end().to_owned()))
}

/// A model of a new version, and what became of the old codes.
#[derive(Debug)]
#[pyclass(module = "binder._core", frozen)]
pub(crate) struct Update {
    old: Arc<Index>,
    updated: Updated,
}

/// The model that `binder update` makes.
#[pyfunction]
pub(crate) fn update(
    py: Python<'_>,
    model: &Model,
    new: &Hierarchy,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Update> {
    let (old, new) = (Arc::clone(&model.index), Arc::clone(&new.inner));
    let updated = watched(py, bar, |watch| binder::update(old.model(), new, watch))?;
    let updated = updated.map_err(|error| python(Error::from(error)))?;
    Ok(Update { old, updated })
}

/// A concept, its code in the old model and its code in the new.
type Change<'a> = (&'a str, Option<&'a [u64]>, Option<&'a [u64]>);

#[pymethods]
impl Update {
    /// The model of the new version.
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        Ok(without_lock(py, || self.updated.model.clone().into_index())?.into())
    }

    /// What differs between the versions; and the same as text.
    fn diff(&self) -> PyResult<(Plain, String)> {
        let versions = (&**self.old.hierarchy(), &**self.updated.model.hierarchy());
        named(versions, &self.updated.diff)
    }

    /// The figures of the update; and what is to be said about them.
    fn report(&self) -> PyResult<(Plain, String)> {
        let report = UpdateReport::new(self.old.model(), &self.updated);
        Ok((plain(&report)?, report.text(&STYLE).trim_end().to_owned()))
    }

    /// The codes that differ.
    fn changes(&self) -> Vec<Change<'_>> {
        let changes = self.updated.changes(self.old.model());
        changes.map(|change| (change.concept, change.before, change.after)).collect()
    }

    /// Writes the codes that differ: as SQL if a table is given, otherwise as separated values.
    #[pyo3(signature = (path, table=None))]
    fn save_patch(
        &self,
        py: Python<'_>,
        path: PathBuf,
        table: Option<(String, String)>,
    ) -> PyResult<()> {
        let format = table.map_or(Patch::Tsv, |(table, key)| Patch::Sql { table, key });
        let written = without_lock(py, || {
            write_patch(self.old.model(), &self.updated, &format, &path).map(drop)
        })?;
        written.map_err(python)
    }
}
