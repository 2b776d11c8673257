//! Reading a safetensors file of ours part by part, nothing of which is trusted.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use safetensors::tensor::{Dtype, Metadata, SafeTensorError, SafeTensors};

use super::ModelProblem;
use super::write::{NO_CHECKSUM, checksum_place};
use crate::hierarchy::Texts;
use crate::{Codes, codes};

pub(crate) fn map(path: &Path) -> Result<Arc<Mmap>, ModelProblem> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(ModelProblem::NotAFile);
    }
    // SAFETY: a mapped file must not shrink or change while it is used. We never write to a model file in place: `save`
    // gives the name to a new file, and the mapped one lives on without a name.
    Ok(Arc::new(unsafe { Mmap::map(&file) }?))
}

fn not_safetensors(error: SafeTensorError) -> ModelProblem {
    match error {
        SafeTensorError::HeaderTooSmall
        | SafeTensorError::InvalidHeaderLength
        | SafeTensorError::MetadataIncompleteBuffer => ModelProblem::Length,
        other => ModelProblem::NotSafetensors(other.to_string()),
    }
}

fn check_sum(header: &[u8], data: &[u8]) -> Result<(), ModelProblem> {
    let digits = checksum_place(header).ok_or(ModelProblem::Checksum)?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(&header[..digits.start]);
    crc.update(NO_CHECKSUM);
    crc.update(&header[digits.end..]);
    crc.update(data);
    let sum = format!("{:08x}", crc.finalize());
    if header[digits] == *sum.as_bytes() { Ok(()) } else { Err(ModelProblem::Checksum) }
}

pub(super) fn missing(name: &'static str) -> ModelProblem {
    ModelProblem::tensor(name, "is missing")
}

/// The parts of a file.
pub(crate) struct Parts<'a> {
    file: &'a [u8],
    /// The mapping that `file` is, if it is one.
    map: Option<&'a Arc<Mmap>>,
    /// Where the data starts.
    data: usize,
    header: Metadata,
}

impl<'a> Parts<'a> {
    /// Checks that the bytes are a whole file of this format and version, not a bit of it changed.
    pub(crate) fn read(
        file: &'a [u8],
        map: Option<&'a Arc<Mmap>>,
        format: &str,
        version: &str,
    ) -> Result<Self, ModelProblem> {
        let (header_len, header) = SafeTensors::read_metadata(file).map_err(not_safetensors)?;
        let parts = Self { file, map, data: 8 + header_len, header };
        if parts.note("format") != Some(format) {
            return Err(ModelProblem::NotBinder);
        }
        check_sum(&file[8..parts.data], &file[parts.data..])?;
        match parts.note("format_version") {
            Some(found) if found == version => Ok(parts),
            found => Err(ModelProblem::Version(found.unwrap_or_default().to_owned())),
        }
    }

    /// What the metadata says under a key.
    pub(crate) fn note(&self, key: &str) -> Option<&str> {
        self.header.metadata().as_ref()?.get(key).map(String::as_str)
    }

    /// All of the metadata.
    pub(crate) fn into_notes(self) -> HashMap<String, String> {
        self.header.metadata().clone().unwrap_or_default()
    }

    /// The bytes of a part, if the file has it; its type and number of dimensions must be as expected.
    fn part(
        &self,
        name: &'static str,
        dtype: Dtype,
        dimensions: usize,
    ) -> Result<Option<Part>, ModelProblem> {
        let Some(info) = self.header.info(name) else { return Ok(None) };
        if info.dtype != dtype || info.shape.len() != dimensions {
            let problem =
                format!("is {:?} {:?}, not {dtype:?} of {dimensions} dimensions", info.dtype, info.shape);
            return Err(ModelProblem::tensor(name, problem));
        }
        let (start, end) = info.data_offsets;
        Ok(Some(Part { shape: info.shape.clone(), bytes: self.data + start..self.data + end }))
    }

    /// Codes, if the file has them: so many rows, of so many bits.
    pub(crate) fn codes(
        &self,
        name: &'static str,
        bits: usize,
        concepts: usize,
    ) -> Result<Option<Codes>, ModelProblem> {
        let Some(part) = self.part(name, Dtype::U64, 2)? else { return Ok(None) };
        if part.shape != [concepts, codes::stride(bits)] {
            let problem = format!("is {:?}, not {concepts} rows of {bits} bits", part.shape);
            return Err(ModelProblem::tensor(name, problem));
        }
        let bytes = &self.file[part.bytes.clone()];
        let ready = cfg!(target_endian = "little") && bytemuck::try_cast_slice::<u8, u64>(bytes).is_ok();
        let codes = match self.map.filter(|_| ready) {
            Some(map) => Codes::mapped(bits, Arc::clone(map), part.bytes),
            None => Codes::from_words(bits, bytes.chunks_exact(8).map(u64_at).collect()),
        };
        codes.map(Some).map_err(|error| ModelProblem::tensor(name, error))
    }

    /// Floating-point numbers, if the file has them.
    pub(crate) fn f64s(&self, name: &'static str) -> Result<Option<Vec<f64>>, ModelProblem> {
        let part = self.part(name, Dtype::F64, 1)?;
        let number = |bytes| f64::from_bits(u64_at(bytes));
        Ok(part.map(|part| self.file[part.bytes].chunks_exact(8).map(number).collect()))
    }

    pub(super) fn u32s(&self, name: &'static str) -> Result<Option<Vec<u32>>, ModelProblem> {
        let dimensions = if name == "pairs" { 2 } else { 1 };
        let Some(part) = self.part(name, Dtype::U32, dimensions)? else { return Ok(None) };
        if name == "pairs" && part.shape[1] != 2 {
            return Err(ModelProblem::tensor(name, "rows are not pairs"));
        }
        let (words, _) = self.file[part.bytes].as_chunks::<4>();
        Ok(Some(words.iter().map(|&word| u32::from_le_bytes(word)).collect()))
    }

    /// Strings from their bytes and where each starts, with the end of the last.
    pub(super) fn texts(
        &self,
        name: &'static str,
        offsets: &'static str,
    ) -> Result<Option<Texts>, ModelProblem> {
        let Some(bytes) = self.part(name, Dtype::U8, 1)? else { return Ok(None) };
        let starts = self.part(offsets, Dtype::U64, 1)?.ok_or_else(|| missing(offsets))?;
        let starts: Vec<usize> = self.file[starts.bytes]
            .chunks_exact(8)
            .map(|word| usize::try_from(u64_at(word)).unwrap_or(usize::MAX))
            .collect();
        let text = std::str::from_utf8(&self.file[bytes.bytes]);
        let text = text.map_err(|error| ModelProblem::tensor(name, format!("is not UTF-8 ({error})")))?;
        if starts.first() != Some(&0) || starts.last() != Some(&text.len()) {
            return Err(ModelProblem::tensor(offsets, format!("do not run from 0 to {}", text.len())));
        }
        let mut texts = Texts::with_capacity(starts.len(), text.len());
        for bounds in starts.windows(2) {
            let piece = text.get(bounds[0]..bounds[1]);
            texts.push(piece.ok_or_else(|| {
                ModelProblem::tensor(offsets, "go back, or into the middle of a character")
            })?);
        }
        Ok(Some(texts))
    }
}

/// A part's shape and where its bytes are in the file.
struct Part {
    shape: Vec<usize>,
    bytes: std::ops::Range<usize>,
}

fn u64_at(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
