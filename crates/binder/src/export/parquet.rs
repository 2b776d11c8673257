use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int32Type,
    Int64Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::ExportError;
use super::concepts::{Concept, Concepts};
use crate::bits::{Id, id};
use crate::model::Model;

/// The rows of a row group: they are written together, and a reader can process them as one unit.
const GROUP: usize = 1 << 17;

/// The maximum text of one concept in bytes. A page holds up to 1,024 values, and its size must fit
/// in 31 bits.
const MOST_TEXT: usize = 1 << 20;

pub(super) fn check(model: &Model) -> std::result::Result<(), ExportError> {
    let concepts = Concepts::of(model);
    let lengths = concepts.iter().map(|concept| concept.texts().map(str::len).sum());
    match lengths.max() {
        Some(bytes) if bytes > MOST_TEXT => Err(ExportError::LongTexts { bytes, most: MOST_TEXT }),
        _ => Ok(()),
    }
}

/// Writes the columns id, name, label, aliases, c0, c1, …, code and rank, compressed with zstd.
///
/// It uses Parquet's own types instead of Arrow, whose crates take three times as long to build.
pub(super) fn write(model: &Model, signed: bool, out: &mut (dyn Write + Send)) -> io::Result<()> {
    tables(model, signed, out).map_err(io_error)
}

/// Writes the ranges of ranks of each concept: the columns concept, low and high.
pub(super) fn write_ranges(model: &Model, out: &mut (dyn Write + Send)) -> io::Result<()> {
    ranges(model, out).map_err(io_error)
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => io::Error::other(error),
        error => io::Error::other(error),
    }
}

fn ranges(model: &Model, out: &mut (dyn Write + Send)) -> Result<()> {
    let schema = "message ranges {
        required int32 concept (INTEGER(32, false));
        required int32 low (INTEGER(32, false));
        required int32 high (INTEGER(32, false)); }";
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false);
    let schema = Arc::new(parse_message_type(schema)?);
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?;
    for rows in Concepts::of(model).ranges().chunks(GROUP) {
        let mut group = file.next_row_group()?;
        for column in 0..3 {
            let values = rows.iter().map(|&(concept, low, high)| [concept, low, high][column]);
            self::column::<Int32Type, _>(&mut group, values.map(u32::cast_signed), None, None)?;
        }
        group.close()?;
    }
    file.close().map(|_| ())
}

fn tables(model: &Model, signed: bool, out: &mut (dyn Write + Send)) -> Result<()> {
    let words = model.codes().words_per_row();
    let schema = Arc::new(parse_message_type(&schema(words, signed))?);
    // Names, codes and nearly all labels are distinct, so a dictionary would only add to the size.
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(vec![KeyValue::new(
            "bits".to_owned(),
            model.codes().bits().to_string(),
        )]));
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?;
    let concepts = Concepts::of(model);
    for start in (0..model.codes().len()).step_by(GROUP) {
        let ids: std::ops::Range<Id> = id(start)..id((start + GROUP).min(model.codes().len()));
        let rows: Vec<_> = ids.map(|id| concepts.get(id)).collect();
        let mut group = file.next_row_group()?;
        write_group(&mut group, &rows, words)?;
        group.close()?;
    }
    file.close().map(|_| ())
}

/// The schema, in the notation of Parquet's documentation.
fn schema(words: usize, signed: bool) -> String {
    let mut text = "message concepts {
        required int32 id (INTEGER(32, false));
        required binary name (STRING);
        optional binary label (STRING);
        required group aliases (LIST) { repeated group list { required binary element (STRING); } }\n"
        .to_owned();
    for word in 0..words {
        let _ = writeln!(text, "required int64 c{word} (INTEGER(64, {signed}));");
    }
    let _ = writeln!(text, "required fixed_len_byte_array({}) code;", words * 8);
    text.push_str("required int32 rank (INTEGER(32, false)); }\n");
    text
}

type Group<'a, W> = SerializedRowGroupWriter<'a, W>;

fn write_group<W: Write + Send>(
    group: &mut Group<'_, W>,
    rows: &[Concept<'_>],
    words: usize,
) -> Result<()> {
    // The format stores signed integers. The schema says how to read their bits: the id as
    // unsigned, the words as chosen.
    column::<Int32Type, W>(group, rows.iter().map(|row| row.id.cast_signed()), None, None)?;
    column::<ByteArrayType, W>(
        group,
        rows.iter().map(|row| ByteArray::from(row.name)),
        None,
        None,
    )?;
    let there: Vec<i16> = rows.iter().map(|row| row.label.is_some().into()).collect();
    column::<ByteArrayType, W>(
        group,
        rows.iter().filter_map(|row| row.label).map(ByteArray::from),
        Some(&there),
        None,
    )?;
    write_aliases(group, rows)?;
    for word in 0..words {
        column::<Int64Type, W>(
            group,
            rows.iter().map(|row| row.code[word].cast_signed()),
            None,
            None,
        )?;
    }
    let code = |row: &Concept<'_>| {
        let bytes: Vec<u8> = row.code.iter().flat_map(|word| word.to_le_bytes()).collect();
        FixedLenByteArray::from(bytes)
    };
    column::<FixedLenByteArrayType, W>(group, rows.iter().map(code), None, None)?;
    column::<Int32Type, W>(group, rows.iter().map(|row| row.rank.cast_signed()), None, None)
}

/// Writes the lists of aliases. Each entry has two levels: whether there is a value, and whether it
/// continues the row before. An empty list is one entry without a value.
fn write_aliases<W: Write + Send>(group: &mut Group<'_, W>, rows: &[Concept<'_>]) -> Result<()> {
    let (mut there, mut goes_on) = (Vec::new(), Vec::new());
    for row in rows {
        let count = row.aliases().len();
        there.extend(std::iter::repeat_n(i16::from(count > 0), count.max(1)));
        goes_on.extend((0..count.max(1)).map(|place| i16::from(place > 0)));
    }
    let aliases = rows.iter().flat_map(Concept::aliases).map(ByteArray::from);
    column::<ByteArrayType, W>(group, aliases, Some(&there), Some(&goes_on))
}

/// The next column of a group.
fn column<T: DataType, W: Write + Send>(
    group: &mut Group<'_, W>,
    values: impl Iterator<Item = T::T>,
    there: Option<&[i16]>,
    goes_on: Option<&[i16]>,
) -> Result<()> {
    let mut column =
        group.next_column()?.ok_or_else(|| ParquetError::EOF("no column is left".to_owned()))?;
    column.typed::<T>().write_batch(&values.collect::<Vec<_>>(), there, goes_on)?;
    column.close()
}
