//! Arrays of names to arrays of ids, without a Python loop.

use std::collections::HashMap;

use arrow_array::Array;
use binder::lookup::NameIndex;
use binder::{Hierarchy, Id};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyFloat, PyString, PyStringMethods};
use rayon::prelude::*;

use crate::arrays;
use crate::arrow;
use crate::errors::Kind;
use crate::memo::Memo;
use crate::pool::{with_lock, without_lock};

/// How many Python strings are read at a time with the interpreter's lock held. In between, other
/// threads get it.
const CHUNK: usize = 1 << 16;

/// Names that a thread takes at a time.
const PART: usize = 1 << 11;

/// Up to this many names, one thread looks them up alone.
const FEW: usize = 4 * PART;

/// A name that no concept has.
pub(crate) struct Unknown(pub(crate) String);

/// Stands for a name that no concept has, where that is no error.
const NOBODY: Id = Id::MAX;

/// From names to ids.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    /// Labels, synonyms and other spellings; made when a name is none of the hierarchy's.
    pub(crate) index: &'a (dyn Fn() -> &'a NameIndex + Sync),
    /// Whether [`NOBODY`] stands for unknown and missing names, which are errors otherwise.
    pub(crate) lenient: bool,
}

impl Lookup<'_> {
    /// The concept of a whole name, label or synonym.
    pub(crate) fn id(&self, name: &str) -> Option<Id> {
        self.hierarchy.id(name).or_else(|| self.by_other_name(name))
    }

    fn by_other_name(&self, name: &str) -> Option<Id> {
        let meanings = (self.index)().whole(name, self.hierarchy)?;
        meanings.concepts.first().copied()
    }

    /// Writes the ids of names; the error is the first unknown name.
    fn all(&self, names: &[&str], ids: &mut [Id]) -> Result<(), Unknown> {
        let parts = names.par_chunks(PART).zip(ids.par_chunks_mut(PART));
        let unknown = parts.find_map_first(|(names, ids)| self.one_by_one(names, ids).err());
        unknown.map_or(Ok(()), Err)
    }

    fn one_by_one(&self, names: &[&str], ids: &mut [Id]) -> Result<(), Unknown> {
        // Columns repeat their labels, and a label takes much longer to find than a name.
        let mut others: HashMap<&str, Option<Id>> = HashMap::new();
        for (&name, id) in names.iter().zip(ids) {
            let known = self
                .hierarchy
                .id(name)
                .or_else(|| *others.entry(name).or_insert_with(|| self.by_other_name(name)));
            *id = match known {
                Some(known) => known,
                None if self.lenient => NOBODY,
                None => return Err(Unknown(name.to_owned())),
            };
        }
        Ok(())
    }

    /// Appends the ids of names; the error is the first unknown name.
    fn append(&self, names: &[&str], ids: &mut Vec<Id>) -> Result<(), Unknown> {
        let start = ids.len();
        ids.resize(start + names.len(), 0);
        self.all(names, &mut ids[start..])
    }
}

type Found<'py> = PyResult<Result<Bound<'py, PyArray1<Id>>, Unknown>>;

/// The ids of Python strings.
pub(crate) fn of_objects<'py>(
    py: Python<'py>,
    lookup: Lookup<'_>,
    names: &PyReadonlyArray1<'py, Py<PyAny>>,
) -> Found<'py> {
    let names = names.as_slice()?;
    let (mut ids, mut memo) = (Vec::with_capacity(names.len()), Memo::new(names.len()));
    for chunk in names.chunks(CHUNK) {
        if let Err(unknown) = of_chunk(py, lookup, chunk, &mut memo, &mut ids)? {
            return Ok(Err(unknown));
        }
        py.check_signals()?;
        py.detach(|| ());
    }
    Ok(Ok(arrays::ids(py, ids)))
}

/// The ids of some Python strings: of those seen before from the memo, of the others by name on all
/// threads.
fn of_chunk(
    py: Python<'_>,
    lookup: Lookup<'_>,
    names: &[Py<PyAny>],
    memo: &mut Memo,
    ids: &mut Vec<Id>,
) -> PyResult<Result<(), Unknown>> {
    let (mut places, mut texts) = (Vec::new(), Vec::new());
    for name in names {
        let known = memo.get(name);
        ids.push(known.unwrap_or(NOBODY));
        if known.is_some() || lookup.lenient && is_missing(name.bind(py)) {
            continue;
        }
        places.push((ids.len() - 1, name));
        texts.push(text(name.bind(py))?);
    }
    let mut found = vec![0; texts.len()];
    // Waking other threads for a few names takes longer than looking them up, on a busy machine
    // much longer.
    let looked_up = if texts.len() <= FEW {
        lookup.one_by_one(&texts, &mut found)
    } else {
        with_lock(py, || lookup.all(&texts, &mut found))?
    };
    if looked_up.is_err() {
        return Ok(looked_up);
    }
    for ((place, name), id) in places.into_iter().zip(found) {
        ids[place] = id;
        memo.put(py, name, id);
    }
    Ok(looked_up)
}

/// Whether this is what tables have where there is no name: None, NaN, pandas' NA.
fn is_missing(name: &Bound<'_, PyAny>) -> bool {
    name.is_none()
        || name.is_instance_of::<PyFloat>()
        || name.get_type().name().is_ok_and(|kind| kind == "NAType")
}

/// A Python string's own text.
pub(crate) fn text<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let string = name.cast::<PyString>().map_err(|_| {
        let kind =
            name.get_type().name().map_or("something else".to_owned(), |name| name.to_string());
        let remedy = match is_missing(name) {
            true => "leave it out, or, in a question, say what its answer is with missing=",
            false => "convert it with str() first",
        };
        Kind::Value.error(&format!("names are strings, and this is {kind}; {remedy}"))
    })?;
    string.to_str()
}

/// The ids of fixed-width strings, NumPy's `U` type seen as an array [n, width] of characters.
pub(crate) fn of_characters<'py>(
    py: Python<'py>,
    lookup: Lookup<'_>,
    names: &PyReadonlyArray2<'py, u32>,
) -> Found<'py> {
    let (view, slice) = (names.as_array(), names.as_slice()?);
    let width = view.ncols().max(1);
    let found = without_lock(py, || {
        let mut ids = Vec::with_capacity(slice.len() / width);
        for rows in slice.chunks(CHUNK * width) {
            let texts: Vec<String> = rows.par_chunks(width).map(characters).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            lookup.append(&texts, &mut ids)?;
        }
        Ok(ids)
    })?;
    Ok(found.map(|ids| arrays::ids(py, ids)))
}

/// The text of a row, which is padded with zeros.
fn characters(row: &[u32]) -> String {
    let end = row.iter().rposition(|&char| char != 0).map_or(0, |last| last + 1);
    row[..end]
        .iter()
        .map(|&char| char::from_u32(char).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The ids of the names in the first column of an Arrow stream.
pub(crate) fn of_arrow<'py>(
    py: Python<'py>,
    lookup: Lookup<'_>,
    capsule: &Bound<'py, PyCapsule>,
) -> Found<'py> {
    let (reader, mut ids) = (arrow::batches(capsule)?, Vec::new());
    for batch in reader {
        let batch = batch.map_err(|error| arrow::wrong(&error))?;
        let column = batch.column(0);
        let texts = arrow::texts(column.as_ref(), lookup.lenient)?;
        let start = ids.len();
        if let Err(unknown) = without_lock(py, || lookup.append(&texts, &mut ids))? {
            return Ok(Err(unknown));
        }
        if column.null_count() > 0 {
            let missing = (0..column.len()).filter(|&row| column.is_null(row));
            missing.for_each(|row| ids[start + row] = NOBODY);
        }
        py.check_signals()?;
    }
    Ok(Ok(arrays::ids(py, ids)))
}
