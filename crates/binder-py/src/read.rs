//! Hierarchies from files, pairs and Arrow streams.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{LargeListBuilder, LargeStringBuilder};
use arrow_array::{ArrayRef, LargeStringArray, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Field, Schema};
use binder::hierarchy::HierarchyBuilder;
use binder::read::{Column, ReadOptions};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyCapsule, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple,
};

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

/// A hierarchy from the bytes of a file; the ending of its name may tell the format.
#[pyfunction]
pub(crate) fn read_bytes(
    py: Python<'_>,
    bytes: &[u8],
    name: &str,
    options: Options,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Hierarchy> {
    let options = ReadOptions::try_from(options)?;
    let hierarchy =
        watched(py, bar, |watch| binder::read::read_from(bytes, name, &options, watch))?;
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
        add(&mut builder, &name(&child)?, &name(&parent)?, reverse)?;
        if row % OFTEN == 0 {
            py.check_signals()?;
        }
    }
    for concept in concepts {
        builder.concept(&concept).map_err(python)?;
    }
    let hierarchy = pool::without_lock(py, || builder.build(cycles))?;
    Ok(hierarchy.map_err(python)?.into())
}

fn two<'py>(
    pair: &Bound<'py, PyAny>,
    row: usize,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let mut parts = pair.try_iter().map_err(|_| no_pair(row))?;
    match (parts.next().transpose()?, parts.next().transpose()?, parts.next()) {
        (Some(child), Some(parent), None) if !pair.is_instance_of::<PyString>() => {
            Ok((child, parent))
        }
        _ => Err(no_pair(row)),
    }
}

fn no_pair(row: usize) -> PyErr {
    Kind::Value.error(&format!("pair {row} is not (child, parent); give two names for each"))
}

/// A name in a pair: a string, or a whole number, which many tables have as ids.
fn name<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    let is_number = !name.is_instance_of::<PyString>()
        && !name.is_instance_of::<PyBool>()
        && (name.is_instance_of::<PyInt>() || name.hasattr("__index__")?);
    if is_number { Ok(name.str()?.to_string().into()) } else { text(name).map(Cow::Borrowed) }
}

fn add(builder: &mut HierarchyBuilder, child: &str, parent: &str, reverse: bool) -> PyResult<()> {
    let (child, parent) = if reverse { (parent, child) } else { (child, parent) };
    if child.is_empty() || parent.is_empty() {
        return Err(Kind::Value.error("empty name; every pair needs a child and a parent"));
    }
    builder.pair(child, parent).map_err(python)
}

/// A hierarchy from an Arrow stream, whose columns say what they hold by their names, or the
/// options do.
#[pyfunction]
pub(crate) fn from_arrow(
    py: Python<'_>,
    stream: &Bound<'_, PyCapsule>,
    options: Options,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Hierarchy> {
    let reader = arrow::batches(stream)?;
    let schema = reader.schema();
    // The stream may be Python's, so it is drained with the lock; columns are not copied.
    let batches: Vec<_> = reader.collect();
    from_batches(py, &schema, batches, options, bar)
}

/// A hierarchy from columns of Python objects: the names of the columns, and a list for each.
#[pyfunction]
pub(crate) fn from_columns(
    py: Python<'_>,
    names: Vec<String>,
    columns: Vec<Vec<Bound<'_, PyAny>>>,
    options: Options,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Hierarchy> {
    let columns = columns.iter().map(|column| column_of(column)).collect::<PyResult<Vec<_>>>()?;
    let fields: Vec<_> = (names.iter().zip(&columns))
        .map(|(name, column)| Field::new(name, column.data_type().clone(), true))
        .collect();
    let schema = Schema::new(fields);
    let batch = RecordBatch::try_new(Arc::new(schema.clone()), columns);
    from_batches(py, &schema, vec![batch], options, bar)
}

fn from_batches(
    py: Python<'_>,
    schema: &Schema,
    batches: Vec<Result<RecordBatch, ArrowError>>,
    options: Options,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Hierarchy> {
    let options = ReadOptions::try_from(options)?;
    let hierarchy = watched(py, bar, |watch| {
        binder::read::read_batches(schema, batches.into_iter(), "the table", &options, watch)
    })?;
    Ok(hierarchy.map_err(python)?.into())
}

/// What a cell of a table holds.
enum Cell {
    Nothing,
    Text(String),
    List(Vec<String>),
}

/// A column of cells: of texts, or of lists if one of them is a list.
fn column_of(values: &[Bound<'_, PyAny>]) -> PyResult<ArrayRef> {
    let cells = values.iter().map(cell).collect::<PyResult<Vec<_>>>()?;
    if !cells.iter().any(|cell| matches!(cell, Cell::List(_))) {
        let texts = cells.into_iter().map(|cell| match cell {
            Cell::Text(text) => Some(text),
            Cell::Nothing | Cell::List(_) => None,
        });
        return Ok(Arc::new(texts.collect::<LargeStringArray>()));
    }
    let mut lists = LargeListBuilder::new(LargeStringBuilder::new());
    for cell in cells {
        match cell {
            Cell::Nothing => lists.append_null(),
            Cell::Text(text) => lists.append_value([Some(text)]),
            Cell::List(names) => lists.append_value(names.into_iter().map(Some)),
        }
    }
    Ok(Arc::new(lists.finish()))
}

/// A cell: nothing is what tables have for nothing, and lists within a list are part of it.
fn cell(value: &Bound<'_, PyAny>) -> PyResult<Cell> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Cell::Text(text.to_str()?.to_owned()));
    }
    if value.is_none() || value.get_type().name().is_ok_and(|kind| kind == "NAType") {
        return Ok(Cell::Nothing);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        // Ids become these where a column has missing ones: 3.0 is 3, and NaN is nothing.
        let number = number.value();
        return Ok(if number.is_nan() { Cell::Nothing } else { Cell::Text(number.to_string()) });
    }
    let is_list = value.is_instance_of::<PyList>()
        || value.is_instance_of::<PyTuple>()
        || value.is_instance_of::<PySet>()
        || value.is_instance_of::<PyFrozenSet>()
        || value.hasattr("tolist")? && value.hasattr("__iter__")?;
    if !is_list {
        return Ok(Cell::Text(value.str()?.to_string()));
    }
    let mut names = Vec::new();
    for item in value.try_iter()? {
        match cell(&item?)? {
            Cell::Nothing => {}
            Cell::Text(name) => names.push(name),
            Cell::List(inner) => names.extend(inner),
        }
    }
    if value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>() {
        // Their order changes from run to run.
        names.sort_unstable();
    }
    Ok(Cell::List(names))
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
