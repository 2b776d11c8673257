mod check;

use std::borrow::Cow;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use check::{check_file, check_stream};

use super::collect::Collector;
use super::kind::Kind;
use super::table::{Decided, Filler, Row};
use super::unpack::Unpacked;
use super::{Format, Problem, ReadError};

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// Reads a Parquet or an Arrow file. The names of its columns are the header.
pub(super) fn read(source: Unpacked<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let (file, kind) = (source.file().to_owned(), source.kind());
    let format = if kind == Some(Kind::Parquet) { Format::Parquet } else { Format::Arrow };
    let syntax = |message: String| ReadError::of(&file, Problem::Syntax { format, message });
    let max_bytes = source.max_bytes();
    let bytes = source.into_bytes()?;
    let (schema, batches) = guarded(|| open(bytes, kind, max_bytes)).map_err(syntax)?;
    fill(&file, format, &schema, batches, collector)
}

/// Hands the rows of batches to a collector. The names of the columns are the header.
pub(super) fn fill(
    file: &str,
    format: Format,
    schema: &Schema,
    mut batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    collector: &mut Collector<'_>,
) -> Result<(), ReadError> {
    let syntax = |message: String| ReadError::of(file, Problem::Syntax { format, message });
    let headings: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let decided =
        Decided::named(&headings, collector.options).map_err(|fault| fault.in_file(file))?;
    let used = decided.layout().columns();
    let mut filler = Filler::new(collector, format);
    let (mut number, mut row) = (0, Row::numbered(0));
    while let Some(batch) = guarded(|| batches.next().transpose().map_err(wrong)).map_err(syntax)? {
        let columns = guarded(|| {
            let cells = |&column: &usize| Ok((column, Cells::of(batch.column(column).as_ref())?));
            used.iter().map(cells).collect::<Result<Vec<_>, String>>()
        });
        let columns = columns.map_err(syntax)?;
        for index in 0..batch.num_rows() {
            number += 1;
            row.clear(number);
            let mut next = 0;
            for column in 0..headings.len() {
                match columns.get(next) {
                    Some((used, cells)) if *used == column => {
                        next += 1;
                        guarded(|| cells.push(index, &mut row)).map_err(syntax)?;
                    }
                    _ => row.push(""),
                }
            }
            filler.add(decided.layout(), &row).map_err(|fault| fault.in_file(file))?;
        }
    }
    filler.finish(Some(&decided)).map_err(|problem| ReadError::of(file, problem))
}

/// Does something with a file that may be damaged. The crates for Arrow panic at some damages, such
/// as a buffer beyond the end of the file; that is an error like others.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("the file is damaged".to_owned()))
}

fn wrong(error: ArrowError) -> String {
    error.to_string()
}

/// The columns and the rows of a file.
fn open(
    bytes: Vec<u8>,
    kind: Option<Kind>,
    max_bytes: u64,
) -> Result<(SchemaRef, Batches), String> {
    match kind {
        Some(Kind::Parquet) => {
            let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes))
                .map_err(|error| error.to_string())?;
            let schema = builder.schema().clone();
            let reader = builder.build().map_err(|error| error.to_string())?;
            Ok((schema, Box::new(reader)))
        }
        Some(Kind::ArrowStream) => {
            check_stream(&bytes, max_bytes)?;
            let reader = StreamReader::try_new(Cursor::new(bytes), None).map_err(wrong)?;
            Ok((reader.schema(), Box::new(reader)))
        }
        _ => {
            check_file(&bytes, max_bytes)?;
            let reader = FileReader::try_new(Cursor::new(bytes), None).map_err(wrong)?;
            Ok((reader.schema(), Box::new(reader)))
        }
    }
}

/// The cells of a column.
enum Cells<'a> {
    Texts(Vec<Option<Cow<'a, str>>>),
    Lists(Vec<Option<ArrayRef>>),
}

impl<'a> Cells<'a> {
    fn of(column: &'a dyn Array) -> Result<Self, String> {
        let lists: Vec<Option<ArrayRef>> = match column.data_type() {
            DataType::List(_) => column.as_list::<i32>().iter().collect(),
            DataType::LargeList(_) => column.as_list::<i64>().iter().collect(),
            _ => return Ok(Self::Texts(texts(column)?)),
        };
        Ok(Self::Lists(lists))
    }

    /// Adds a cell to a row.
    fn push(&self, index: usize, row: &mut Row) -> Result<(), String> {
        match self {
            Self::Texts(texts) => row.push(texts[index].as_deref().unwrap_or_default()),
            Self::Lists(lists) => {
                let names = lists[index].as_deref().map(texts).transpose()?.unwrap_or_default();
                row.push_list(&names.into_iter().flatten().collect::<Vec<_>>());
            }
        }
        Ok(())
    }
}

/// The texts of a column; `None` where there is nothing.
fn texts(column: &dyn Array) -> Result<Vec<Option<Cow<'_, str>>>, String> {
    macro_rules! numbers {
        ($type:ty) => {
            column
                .as_primitive::<$type>()
                .iter()
                .map(|cell| cell.map(|number| number.to_string().into()))
                .collect()
        };
    }
    Ok(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().iter().map(|c| c.map(Cow::from)).collect(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().map(|c| c.map(Cow::from)).collect(),
        DataType::Utf8View => column.as_string_view().iter().map(|c| c.map(Cow::from)).collect(),
        DataType::Int8 => numbers!(Int8Type),
        DataType::Int16 => numbers!(Int16Type),
        DataType::Int32 => numbers!(Int32Type),
        DataType::Int64 => numbers!(Int64Type),
        DataType::UInt8 => numbers!(UInt8Type),
        DataType::UInt16 => numbers!(UInt16Type),
        DataType::UInt32 => numbers!(UInt32Type),
        DataType::UInt64 => numbers!(UInt64Type),
        // Ids become these where a column has missing ones: 3.0 is 3, and NaN is nothing.
        DataType::Float32 => numbers!(Float32Type),
        DataType::Float64 => numbers!(Float64Type),
        DataType::Null => vec![None; column.len()],
        DataType::Dictionary(..) => {
            let coded = column.as_any_dictionary();
            let values = texts(coded.values().as_ref())?;
            let keys = if values.is_empty() { Vec::new() } else { coded.normalized_keys() };
            (0..column.len())
                .map(|row| {
                    let key = keys.get(row).filter(|_| column.is_valid(row));
                    key.and_then(|&key| values[key].clone())
                })
                .collect()
        }
        other => return Err(format!("a column of names is text or numbers, and this is {other}")),
    })
}
