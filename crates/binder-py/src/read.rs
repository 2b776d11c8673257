//! Hierarchies from files, pairs and Arrow streams.

use binder::hierarchy::{Cycles, HierarchyBuilder};
use binder::read::{Column, ReadOptions};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::{Kind, chosen, in_pairs_file, python};
use crate::hierarchy::Hierarchy;
use crate::names::text;
use crate::watch::watched;
use crate::{arrays, arrow, pool};

/// After this many rows, Ctrl-C is checked for.
const OFTEN: usize = 1 << 16;

/// [`ReadOptions`] as Python has them.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    format: Option<String>,
    columns: Option<(String, String)>,
    header: Option<bool>,
    child: Option<String>,
    parent: Option<String>,
    label: Option<String>,
    aliases: Vec<String>,
    definition: Option<String>,
    relation_column: Option<(String, String)>,
    cell_separator: Option<String>,
    delimiter: Option<char>,
    lenient: bool,
    reverse: bool,
    comment: Option<String>,
    cycles: String,
    relations: Vec<String>,
    language: Option<String>,
    verbs: bool,
}

impl TryFrom<Options> for ReadOptions {
    type Error = PyErr;

    fn try_from(given: Options) -> PyResult<Self> {
        let mut options = Self::default();
        options.format = given.format.map(|name| chosen("format", &name)).transpose()?;
        options.columns = given
            .columns
            .map(|(child, parent)| (Column::from(child.as_str()), Column::from(parent.as_str())));
        options.header = given.header;
        let column = |name: Option<String>| name.map(|name| Column::from(name.as_str()));
        options.child = column(given.child);
        options.parent = column(given.parent);
        options.label = column(given.label);
        options.aliases = given.aliases.iter().map(|name| name.as_str().into()).collect();
        options.definition = column(given.definition);
        options.relation_column =
            given.relation_column.map(|(name, value)| (Column::from(name.as_str()), value));
        options.cell_separator = given.cell_separator;
        options.delimiter = given.delimiter;
        options.lenient = given.lenient;
        options.reversed = given.reverse;
        options.comment = given.comment;
        options.cycles = chosen("cycles", &given.cycles)?;
        options.relations = given.relations;
        options.language = given.language;
        options.verbs = given.verbs;
        Ok(options)
    }
}

/// A hierarchy from a built-in's name or a path.
#[pyfunction]
pub(crate) fn read(
    py: Python<'_>,
    source: &str,
    options: Options,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Hierarchy> {
    let options = ReadOptions::try_from(options)?;
    let hierarchy = watched(py, bar, |watch| binder::read(source, &options, watch))?;
    Ok(hierarchy.map_err(python)?.into())
}

/// A hierarchy from (child, parent) pairs and further concepts.
#[pyfunction]
pub(crate) fn from_pairs(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    concepts: Vec<String>,
    reverse: bool,
    cycles: &str,
) -> PyResult<Hierarchy> {
    let (mut builder, cycles) = (HierarchyBuilder::default(), chosen("cycles", cycles)?);
    for (row, pair) in pairs.try_iter()?.enumerate() {
        let (child, parent) = two(&pair?, row)?;
        add(&mut builder, text(&child)?, text(&parent)?, reverse)?;
        if row % OFTEN == 0 {
            py.check_signals()?;
        }
    }
    for concept in concepts {
        builder.concept(&concept).map_err(python)?;
    }
    build(py, builder, cycles)
}

fn two<'py>(
    pair: &Bound<'py, PyAny>,
    row: usize,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let mut parts = pair.try_iter().map_err(|_| no_pair(row))?;
    match (parts.next().transpose()?, parts.next().transpose()?, parts.next()) {
        (Some(child), Some(parent), None) if !pair.is_instance_of::<pyo3::types::PyString>() => {
            Ok((child, parent))
        }
        _ => Err(no_pair(row)),
    }
}

fn no_pair(row: usize) -> PyErr {
    Kind::Value.error(&format!("pair {row} is not (child, parent); give two names for each"))
}

fn add(builder: &mut HierarchyBuilder, child: &str, parent: &str, reverse: bool) -> PyResult<()> {
    let (child, parent) = if reverse { (parent, child) } else { (child, parent) };
    if child.is_empty() || parent.is_empty() {
        return Err(Kind::Value.error("empty name; every pair needs a child and a parent"));
    }
    builder.pair(child, parent).map_err(python)
}

fn build(py: Python<'_>, builder: HierarchyBuilder, cycles: Cycles) -> PyResult<Hierarchy> {
    let hierarchy = pool::without_lock(py, || builder.build(cycles))?;
    Ok(hierarchy.map_err(python)?.into())
}

/// A hierarchy from two columns of an Arrow stream.
#[pyfunction]
pub(crate) fn from_arrow(
    py: Python<'_>,
    stream: &Bound<'_, PyCapsule>,
    columns: Option<(String, String)>,
    reverse: bool,
    cycles: &str,
) -> PyResult<Hierarchy> {
    let (mut builder, cycles) = (HierarchyBuilder::default(), chosen("cycles", cycles)?);
    let reader = arrow::batches(stream)?;
    let (child, parent) =
        columns.as_ref().map(|(child, parent)| (child.as_str(), parent.as_str())).unzip();
    let (child, parent) = (arrow::column(&reader, child, 0)?, arrow::column(&reader, parent, 1)?);
    for batch in reader {
        let batch = batch.map_err(|error| arrow::wrong(&error))?;
        let children = arrow::texts(batch.column(child).as_ref())?;
        let parents = arrow::texts(batch.column(parent).as_ref())?;
        for (child, parent) in children.into_iter().zip(parents) {
            add(&mut builder, child, parent, reverse)?;
        }
        py.check_signals()?;
    }
    build(py, builder, cycles)
}

/// The pairs of a file, by the ids of their concepts in a hierarchy.
#[pyfunction]
pub(crate) fn known_pairs<'py>(
    py: Python<'py>,
    source: &str,
    hierarchy: &Hierarchy,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let (options, concepts) = (ReadOptions::default(), &hierarchy.inner);
    let pairs =
        watched(py, None, |watch| binder::read::known_pairs(source, &options, concepts, watch))?;
    arrays::pairs(py, pairs.map_err(in_pairs_file)?)
}
