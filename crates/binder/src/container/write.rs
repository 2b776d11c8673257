use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::bits::Id;
use crate::codes::Codes;
use crate::hierarchy::{Texts, packed};
use crate::output;

/// The metadata key of the checksum, up to its eight hexadecimal digits.
pub(crate) const CHECKSUM_KEY: &[u8] = b"\"checksum\":\"crc32:";

/// The placeholder for the checksum while it is computed.
pub(crate) const NO_CHECKSUM: &[u8; 8] = b"00000000";

/// The data starts at a multiple of this, so that rows of up to eight words do not straddle a cache
/// line needlessly.
const ALIGNMENT: usize = 64;

/// A tensor of the file: name, type, shape and little-endian bytes.
#[derive(Debug)]
pub struct Tensor<'a> {
    pub(crate) name: &'static str,
    pub(crate) dtype: &'static str,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Cow<'a, [u8]>,
}

impl<'a> Tensor<'a> {
    /// Codes, row by row. They are the largest part of a model, so they are not copied where memory
    /// has them as the file does.
    pub(crate) fn codes(name: &'static str, codes: &'a Codes) -> Self {
        let shape = vec![codes.len(), codes.words_per_row()];
        Self { name, dtype: "U64", shape, bytes: bytes_of(codes.words()) }
    }

    /// Pairs of ids.
    pub(crate) fn pairs(
        name: &'static str,
        count: usize,
        pairs: impl Iterator<Item = (Id, Id)>,
    ) -> Self {
        let mut bytes = Vec::with_capacity(2 * size_of::<Id>() * count);
        for (child, parent) in pairs {
            bytes.extend_from_slice(&child.to_le_bytes());
            bytes.extend_from_slice(&parent.to_le_bytes());
        }
        Self { name, dtype: "U32", shape: vec![count, 2], bytes: bytes.into() }
    }

    /// Integers.
    pub fn u32s(name: &'static str, shape: Vec<usize>, words: &[u32]) -> Self {
        Self { name, dtype: "U32", shape, bytes: little_endian(words, u32::to_le_bytes) }
    }

    /// The bytes of all strings, concatenated.
    pub(crate) fn texts(name: &'static str, texts: &'a Texts) -> Self {
        Self::u8s(name, texts.bytes())
    }

    /// The start of each string, and the end of the last.
    pub(crate) fn text_offsets(name: &'static str, texts: &Texts) -> Self {
        let offsets = texts.len() + 1;
        let mut bytes = Vec::with_capacity(size_of::<u64>() * offsets);
        for end in std::iter::once(0).chain(texts.ends().iter().copied()) {
            bytes.extend_from_slice(&(end as u64).to_le_bytes());
        }
        Self { name, dtype: "U64", shape: vec![offsets], bytes: bytes.into() }
    }

    /// Small integers.
    pub(crate) fn u8s(name: &'static str, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let bytes = bytes.into();
        Self { name, dtype: "U8", shape: vec![bytes.len()], bytes }
    }

    /// Compressed strings.
    pub(crate) fn packed_texts(name: &'static str, texts: &Texts) -> Self {
        Self::u8s(name, packed::pack(texts))
    }

    /// Short floating-point numbers.
    pub fn f32s(name: &'static str, shape: Vec<usize>, numbers: &[f32]) -> Self {
        Self { name, dtype: "F32", shape, bytes: little_endian(numbers, f32::to_le_bytes) }
    }

    /// Floating-point numbers.
    pub(crate) fn f64s(name: &'static str, numbers: &[f64]) -> Self {
        let bytes = little_endian(numbers, f64::to_le_bytes);
        Self { name, dtype: "F64", shape: vec![numbers.len()], bytes }
    }
}

/// Words as the file has them.
#[cfg(all(feature = "zero-copy", target_endian = "little"))]
fn bytes_of(words: &[u64]) -> Cow<'_, [u8]> {
    bytemuck::cast_slice(words).into()
}

/// Words as the file has them, copied.
#[cfg(not(all(feature = "zero-copy", target_endian = "little")))]
fn bytes_of(words: &[u64]) -> Cow<'_, [u8]> {
    little_endian(words, u64::to_le_bytes)
}

fn little_endian<'a, W: Copy, const N: usize>(
    words: &[W],
    bytes: fn(W) -> [u8; N],
) -> Cow<'a, [u8]> {
    // Words of a fixed size into places of that size: a plain copy, where `collect` goes byte by
    // byte.
    let mut all = vec![0; words.len() * N];
    all.chunks_exact_mut(N).zip(words).for_each(|(to, &word)| to.copy_from_slice(&bytes(word)));
    all.into()
}

/// The JSON header, padded with spaces, with its checksum filled in.
///
/// The safetensors crate writes metadata in the order of a hash map, which differs from run to run.
/// This header is sorted, so that equal models give equal files.
fn header(tensors: &[Tensor<'_>], mut metadata: BTreeMap<String, String>) -> Vec<u8> {
    metadata
        .insert("checksum".to_owned(), format!("crc32:{}", String::from_utf8_lossy(NO_CHECKSUM)));
    let mut entries = Map::new();
    entries.insert("__metadata__".to_owned(), json!(metadata));
    let mut start = 0;
    for Tensor { name, dtype, shape, bytes } in tensors {
        let entry =
            json!({"dtype": dtype, "shape": shape, "data_offsets": [start, start + bytes.len()]});
        entries.insert((*name).to_owned(), entry);
        start += bytes.len();
    }
    let mut header = Value::Object(entries).to_string().into_bytes();
    header.resize((header.len() + 8).next_multiple_of(ALIGNMENT) - 8, b' ');
    let mut crc = crc32fast::Hasher::new();
    crc.update(&header);
    tensors.iter().for_each(|tensor| crc.update(&tensor.bytes));
    let digits = checksum_digits(&header).expect("just written");
    header[digits].copy_from_slice(format!("{:08x}", crc.finalize()).as_bytes());
    header
}

/// The position of the checksum's digits in a header.
pub(crate) fn checksum_digits(header: &[u8]) -> Option<std::ops::Range<usize>> {
    // After a backslash, the quote is escaped: it is text inside a note, not the key.
    let is_key = |&at: &usize| at > 0 && header[at - 1] != b'\\';
    let key = memchr::memmem::find_iter(header, CHECKSUM_KEY).find(is_key)?;
    let start = key + CHECKSUM_KEY.len();
    (start + NO_CHECKSUM.len() <= header.len()).then_some(start..start + NO_CHECKSUM.len())
}

/// Writes a file atomically: a reader of `path` sees either the old file or the new one.
///
/// # Errors
///
/// When the file cannot be written. An existing file then stays as it is.
pub fn save(
    path: &Path,
    tensors: &[Tensor<'_>],
    metadata: BTreeMap<String, String>,
) -> io::Result<()> {
    let header = header(tensors, metadata);
    output::write(path, |file| write(file, &header, tensors))
}

/// The bytes of a file.
pub fn to_bytes(tensors: &[Tensor<'_>], metadata: BTreeMap<String, String>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, &header(tensors, metadata), tensors)
        .expect("writing to memory does not fail");
    bytes
}

fn write(file: &mut dyn Write, header: &[u8], tensors: &[Tensor<'_>]) -> io::Result<()> {
    file.write_all(&(header.len() as u64).to_le_bytes())?;
    file.write_all(header)?;
    tensors.iter().try_for_each(|tensor| file.write_all(&tensor.bytes))
}
