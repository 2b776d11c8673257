//! Reads a container tensor by tensor. Nothing in the file is trusted.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use safetensors::tensor::{Dtype, Metadata, SafeTensorError, SafeTensors};

use super::write::{NO_CHECKSUM, checksum_digits};
use super::{ContainerError, Format, kind_of};
use crate::bits::words_per_code;
use crate::codes::Codes;
use crate::hierarchy::{Texts, packed};

/// The bytes of a regular file.
///
/// # Errors
///
/// When it cannot be read, or is a folder, a pipe or a device.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ContainerError> {
    check_regular(&File::open(path)?)?;
    Ok(std::fs::read(path)?)
}

/// A regular file, mapped into memory.
///
/// # Safety
///
/// The file must not change or shrink while it is mapped.
#[cfg(feature = "mmap")]
pub(crate) unsafe fn map(path: &Path) -> Result<Mapping, ContainerError> {
    let file = File::open(path)?;
    check_regular(&file)?;
    // SAFETY: the caller promises that the file stays as it is.
    Ok(std::sync::Arc::new(unsafe { memmap2::Mmap::map(&file) }?))
}

fn check_regular(file: &File) -> Result<(), ContainerError> {
    if file.metadata()?.is_file() { Ok(()) } else { Err(ContainerError::NotAFile) }
}

/// A mapped file that codes can borrow from.
#[cfg(feature = "mmap")]
pub(crate) type Mapping = std::sync::Arc<memmap2::Mmap>;

fn not_safetensors(error: SafeTensorError) -> ContainerError {
    match error {
        SafeTensorError::HeaderTooSmall
        | SafeTensorError::InvalidHeaderLength
        | SafeTensorError::MetadataIncompleteBuffer => ContainerError::Length,
        other => ContainerError::NotSafetensors(other.to_string()),
    }
}

fn check_sum(header: &[u8], data: &[u8]) -> Result<(), ContainerError> {
    let digits = checksum_digits(header).ok_or(ContainerError::Checksum)?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(&header[..digits.start]);
    crc.update(NO_CHECKSUM);
    crc.update(&header[digits.end..]);
    crc.update(data);
    let sum = format!("{:08x}", crc.finalize());
    if header[digits] == *sum.as_bytes() { Ok(()) } else { Err(ContainerError::Checksum) }
}

pub(crate) fn missing(name: &'static str) -> ContainerError {
    ContainerError::tensor(name, "is missing")
}

/// The tensors of a file that has been checked.
#[derive(Debug)]
pub struct Reader<'a> {
    file: &'a [u8],
    /// The mapping that `file` lies in, if it is mapped.
    #[cfg(feature = "mmap")]
    mapping: Option<&'a Mapping>,
    /// Where the data starts.
    data: usize,
    header: Metadata,
}

impl<'a> Reader<'a> {
    /// Checks that the bytes are a complete, undamaged file of this format and version.
    ///
    /// # Errors
    ///
    /// When they are not.
    pub fn read(file: &'a [u8], format: Format) -> Result<Self, ContainerError> {
        let (header_len, header) = SafeTensors::read_metadata(file).map_err(not_safetensors)?;
        let reader = Self {
            file,
            #[cfg(feature = "mmap")]
            mapping: None,
            data: 8 + header_len,
            header,
        };
        if reader.metadata("format") != Some(format.name) {
            let found = kind_of(reader.metadata("format"));
            return Err(ContainerError::OtherFormat { expected: format.kind, found });
        }
        check_sum(&file[8..reader.data], &file[reader.data..])?;
        match reader.metadata("format_version") {
            Some(found) if format.versions.contains(&found) => Ok(reader),
            found => Err(ContainerError::Version {
                found: found.unwrap_or_default().to_owned(),
                known: format.versions,
            }),
        }
    }

    /// The same reader, but codes stay in the mapping instead of being copied.
    #[cfg(feature = "mmap")]
    pub(crate) fn mapped(self, mapping: &'a Mapping) -> Self {
        Self { mapping: Some(mapping), ..self }
    }

    /// The metadata entry of a key.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.header.metadata().as_ref()?.get(key).map(String::as_str)
    }

    /// All of the metadata.
    pub fn into_metadata(self) -> HashMap<String, String> {
        self.header.metadata().clone().unwrap_or_default()
    }

    /// The position of a tensor, if the file has it. Its type and number of dimensions must be as
    /// expected.
    fn part(
        &self,
        name: &'static str,
        dtype: Dtype,
        dimensions: usize,
    ) -> Result<Option<Part>, ContainerError> {
        let Some(info) = self.header.info(name) else { return Ok(None) };
        if info.dtype != dtype || info.shape.len() != dimensions {
            let problem = format!(
                "is {:?} {:?}, not {dtype:?} of {dimensions} dimensions",
                info.dtype, info.shape
            );
            return Err(ContainerError::tensor(name, problem));
        }
        let (start, end) = info.data_offsets;
        Ok(Some(Part { shape: info.shape.clone(), bytes: self.data + start..self.data + end }))
    }

    /// Codes, if the file has them: one row per concept, with the given number of bits.
    pub(crate) fn codes(
        &self,
        name: &'static str,
        bits: usize,
        concepts: usize,
    ) -> Result<Option<Codes>, ContainerError> {
        let Some(part) = self.part(name, Dtype::U64, 2)? else { return Ok(None) };
        if part.shape != [concepts, words_per_code(bits)] {
            let problem = format!("is {:?}, not {concepts} rows of {bits} bits", part.shape);
            return Err(ContainerError::tensor(name, problem));
        }
        #[cfg(feature = "mmap")]
        if let Some(mapping) = self.mapping {
            let bytes = &self.file[part.bytes.clone()];
            let ready = cfg!(target_endian = "little")
                && bytemuck::try_cast_slice::<u8, u64>(bytes).is_ok();
            if ready {
                let codes = Codes::mapped(bits, mapping.clone(), part.bytes);
                return codes.map(Some).map_err(|error| ContainerError::tensor(name, error));
            }
        }
        let (words, _) = self.file[part.bytes].as_chunks::<8>();
        let words = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let codes = Codes::from_words(bits, words);
        codes.map(Some).map_err(|error| ContainerError::tensor(name, error))
    }

    /// Floating-point numbers, if the file has them.
    pub(crate) fn f64s(&self, name: &'static str) -> Result<Option<Vec<f64>>, ContainerError> {
        let part = self.part(name, Dtype::F64, 1)?;
        let number = |bytes| f64::from_bits(u64_at(bytes));
        Ok(part.map(|part| self.file[part.bytes].chunks_exact(8).map(number).collect()))
    }

    /// Short floating-point numbers of this shape.
    ///
    /// # Errors
    ///
    /// When the file does not have them, or in another shape.
    pub fn f32s(&self, name: &'static str, shape: &[usize]) -> Result<Vec<f32>, ContainerError> {
        let part = self.part(name, Dtype::F32, shape.len())?.ok_or_else(|| missing(name))?;
        if part.shape != shape {
            let problem = format!("is {:?}, not {shape:?}", part.shape);
            return Err(ContainerError::tensor(name, problem));
        }
        let (numbers, _) = self.file[part.bytes].as_chunks::<4>();
        Ok(numbers.iter().map(|&number| f32::from_le_bytes(number)).collect())
    }

    /// Integers, if the file has them.
    ///
    /// # Errors
    ///
    /// When they are not a list of such integers.
    pub fn u32s(&self, name: &'static str) -> Result<Option<Vec<u32>>, ContainerError> {
        Ok(self.part(name, Dtype::U32, 1)?.map(|part| self.numbers(part)))
    }

    /// Pairs of integers, if the file has them.
    pub(crate) fn pairs(
        &self,
        name: &'static str,
    ) -> Result<Option<Vec<(u32, u32)>>, ContainerError> {
        let Some(part) = self.part(name, Dtype::U32, 2)? else { return Ok(None) };
        if part.shape[1] != 2 {
            return Err(ContainerError::tensor(name, "rows are not pairs"));
        }
        let numbers = self.numbers(part);
        Ok(Some(numbers.as_chunks::<2>().0.iter().map(|&[a, b]| (a, b)).collect()))
    }

    fn numbers(&self, part: Part) -> Vec<u32> {
        let (words, _) = self.file[part.bytes].as_chunks::<4>();
        words.iter().map(|&word| u32::from_le_bytes(word)).collect()
    }

    /// Small integers, if the file has them.
    pub(crate) fn u8s(&self, name: &'static str) -> Result<Option<&'a [u8]>, ContainerError> {
        Ok(self.part(name, Dtype::U8, 1)?.map(|part| &self.file[part.bytes]))
    }

    /// Compressed strings, if the file has them.
    pub(crate) fn packed_texts(
        &self,
        name: &'static str,
        count: usize,
    ) -> Result<Option<Texts>, ContainerError> {
        let Some(packed) = self.u8s(name)? else { return Ok(None) };
        let texts = packed::unpack(packed, count);
        texts.map(Some).map_err(|damage| ContainerError::tensor(name, damage))
    }

    /// Strings, if the file has them. One tensor holds their bytes, the other the start of each
    /// string and the end of the last.
    pub(crate) fn texts(
        &self,
        name: &'static str,
        offsets: &'static str,
    ) -> Result<Option<Texts>, ContainerError> {
        let Some(bytes) = self.part(name, Dtype::U8, 1)? else { return Ok(None) };
        let starts = self.part(offsets, Dtype::U64, 1)?.ok_or_else(|| missing(offsets))?;
        let starts: Vec<usize> = self.file[starts.bytes]
            .chunks_exact(8)
            .map(|word| usize::try_from(u64_at(word)).unwrap_or(usize::MAX))
            .collect();
        let text = std::str::from_utf8(&self.file[bytes.bytes]);
        let text =
            text.map_err(|error| ContainerError::tensor(name, format!("is not UTF-8 ({error})")))?;
        if starts.first() != Some(&0) || starts.last() != Some(&text.len()) {
            return Err(ContainerError::tensor(
                offsets,
                format!("do not run from 0 to {}", text.len()),
            ));
        }
        let mut texts = Texts::with_capacity(starts.len(), text.len());
        for bounds in starts.windows(2) {
            let piece = text.get(bounds[0]..bounds[1]);
            texts.push(piece.ok_or_else(|| {
                ContainerError::tensor(offsets, "go back, or into the middle of a character")
            })?);
        }
        Ok(Some(texts))
    }
}

/// A tensor's shape and the range of its bytes in the file.
struct Part {
    shape: Vec<usize>,
    bytes: std::ops::Range<usize>,
}

fn u64_at(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
