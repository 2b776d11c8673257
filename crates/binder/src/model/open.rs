use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use safetensors::tensor::{Dtype, Metadata, SafeTensorError, SafeTensors};

use super::write::{NO_CHECKSUM, checksum_place};
use super::{FORMAT, Model, ModelError, ModelProblem, OWN_KEYS, VERSION};
use crate::hierarchy::{Aliases, Hierarchy, Id, Names, Rows, Texts};
use crate::{Codes, codes};

pub(super) fn open(path: &Path) -> Result<Model, ModelError> {
    let map = map(path).map_err(|problem| problem.of(path))?;
    read(&map, Some(&map)).map_err(|problem| problem.of(path))
}

fn map(path: &Path) -> Result<Arc<Mmap>, ModelProblem> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(ModelProblem::NotAFile);
    }
    // SAFETY: a mapped file must not shrink or change while it is used. We never write to a model file in place: `save`
    // gives the name to a new file, and the mapped one lives on without a name.
    Ok(Arc::new(unsafe { Mmap::map(&file) }?))
}

/// A model from the bytes of its file; where they are mapped, the codes stay there.
pub(super) fn read(file: &[u8], map: Option<&Arc<Mmap>>) -> Result<Model, ModelProblem> {
    let (header_len, header) = SafeTensors::read_metadata(file).map_err(not_safetensors)?;
    let notes = header.metadata().clone().unwrap_or_default();
    if notes.get("format").is_none_or(|format| format != FORMAT) {
        return Err(ModelProblem::NotBinder);
    }
    check_sum(&file[8..8 + header_len], &file[8 + header_len..])?;
    match notes.get("format_version") {
        Some(version) if version == VERSION => {}
        version => return Err(ModelProblem::Version(version.cloned().unwrap_or_default())),
    }
    let bits = notes.get("bits").and_then(|bits| bits.parse().ok());
    let bits =
        bits.ok_or_else(|| ModelProblem::tensor("codes", "the metadata does not say how many bits it has"))?;
    let parts = Parts { file, map, data: 8 + header_len, header: &header };
    let hierarchy = hierarchy(&parts)?;
    let codes = parts.codes(bits, hierarchy.len())?;
    let notes = notes.into_iter().filter(|(key, _)| !OWN_KEYS.contains(&key.as_str())).collect();
    Ok(Model { hierarchy, codes, notes })
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

fn hierarchy(parts: &Parts<'_>) -> Result<Hierarchy, ModelProblem> {
    let names = parts.texts("names", "name_offsets")?.ok_or_else(|| missing("names"))?;
    let names = distinct(names, "names")?;
    let n = names.len();
    let pairs = parts.u32s("pairs")?.ok_or_else(|| missing("pairs"))?;
    let (pairs, _) = pairs.as_chunks::<2>();
    if pairs.iter().flatten().any(|&id| id as usize >= n) {
        return Err(ModelProblem::tensor("pairs", "a number that is no concept's"));
    }
    let parents = Rows::from_pairs(n, pairs.iter().map(|&[child, parent]| (child, parent)));
    let labels = parts.texts("labels", "label_offsets")?.unwrap_or_default();
    if !labels.is_empty() && labels.len() != n {
        return Err(ModelProblem::tensor("label_offsets", "not one label for each concept"));
    }
    let aliases = aliases(parts, n)?;
    Hierarchy::from_parts(names, parents, labels, aliases)
        .map_err(|problem| ModelProblem::tensor("pairs", problem))
}

fn aliases(parts: &Parts<'_>, concepts: usize) -> Result<Aliases, ModelProblem> {
    let Some(texts) = parts.texts("aliases", "alias_offsets")? else { return Ok(Aliases::default()) };
    let of = parts.u32s("alias_concepts")?.ok_or_else(|| missing("alias_concepts"))?;
    if of.len() != texts.len() || of.iter().any(|&id| id as usize >= concepts) {
        return Err(ModelProblem::tensor("alias_concepts", "not one concept for each alias"));
    }
    Ok(Aliases::new(distinct(texts, "aliases")?, of))
}

fn distinct(texts: Texts, tensor: &'static str) -> Result<Names, ModelProblem> {
    if Id::try_from(texts.len()).is_err() {
        return Err(ModelProblem::tensor(tensor, "more names than can be numbered"));
    }
    Names::from_distinct(texts)
        .map_err(|id| ModelProblem::tensor(tensor, format!("name {id} is there twice")))
}

fn missing(name: &'static str) -> ModelProblem {
    ModelProblem::tensor(name, "is missing")
}

/// The parts of a file.
struct Parts<'a> {
    file: &'a [u8],
    /// The mapping that `file` is, if it is one.
    map: Option<&'a Arc<Mmap>>,
    /// Where the data starts.
    data: usize,
    header: &'a Metadata,
}

impl Parts<'_> {
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

    fn codes(&self, bits: usize, concepts: usize) -> Result<Codes, ModelProblem> {
        let part = self.part("codes", Dtype::U64, 2)?.ok_or_else(|| missing("codes"))?;
        if part.shape != [concepts, codes::stride(bits)] {
            let problem = format!("is {:?}, not {concepts} rows of {bits} bits", part.shape);
            return Err(ModelProblem::tensor("codes", problem));
        }
        let bytes = &self.file[part.bytes.clone()];
        let ready = cfg!(target_endian = "little") && bytemuck::try_cast_slice::<u8, u64>(bytes).is_ok();
        let codes = match self.map.filter(|_| ready) {
            Some(map) => Codes::mapped(bits, Arc::clone(map), part.bytes),
            None => Codes::from_words(bits, bytes.chunks_exact(8).map(u64_at).collect()),
        };
        codes.map_err(|error| ModelProblem::tensor("codes", error))
    }

    fn u32s(&self, name: &'static str) -> Result<Option<Vec<u32>>, ModelProblem> {
        let dimensions = if name == "pairs" { 2 } else { 1 };
        let Some(part) = self.part(name, Dtype::U32, dimensions)? else { return Ok(None) };
        if name == "pairs" && part.shape[1] != 2 {
            return Err(ModelProblem::tensor(name, "rows are not pairs"));
        }
        let (words, _) = self.file[part.bytes].as_chunks::<4>();
        Ok(Some(words.iter().map(|&word| u32::from_le_bytes(word)).collect()))
    }

    /// Strings from their bytes and where each starts, with the end of the last.
    fn texts(&self, name: &'static str, offsets: &'static str) -> Result<Option<Texts>, ModelProblem> {
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
