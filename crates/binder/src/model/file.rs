//! Writing and reading model files. `docs/model-format.md` describes the bytes.

use std::collections::BTreeMap;
use std::path::Path;

use super::Model;
use crate::bits::Id;
use crate::choice::Choice;
use crate::container::{
    self, ContainerError, FileError, Format, Reader, Tensor, missing, read_file,
};
use crate::graph::Rows;
use crate::hierarchy::{Aliases, Carried, Definitions, Hierarchy, Names, Scope, Synonyms, Texts};

/// Version 2 compresses texts and adds synonyms and definitions.
pub(super) const FORMAT: Format = Format { name: "binder", versions: &["1", "2"], kind: "model" };

/// The metadata keys that are not notes.
pub(super) const OWN_KEYS: [&str; 4] = ["bits", "checksum", "format", "format_version"];

impl Model {
    /// Opens a model file. Everything is checked and copied into memory, so later changes to the
    /// file have no effect.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a complete and undamaged model file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let opened = read_file(path).and_then(|bytes| Self::from_bytes(&bytes));
        opened.map_err(|problem| FORMAT.error(path, problem))
    }

    /// Opens a model file by mapping it into memory; the codes are not copied. This is for models
    /// so large that copying takes too long. Everything is checked first.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a complete and undamaged model file.
    ///
    /// # Safety
    ///
    /// The file must not be written to or shortened while the model, or a clone of it, is in use.
    /// Otherwise answers change, or the process is killed. [`Model::save`] never writes in place,
    /// so saving to the same path is safe.
    #[cfg(feature = "mmap")]
    pub unsafe fn open_mapped(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        // SAFETY: the caller promises that the file stays as it is.
        let mapped = unsafe { container::map(path) };
        let opened = mapped.and_then(|map| read(Reader::read(&map, FORMAT)?.mapped(&map)));
        opened.map_err(|problem| FORMAT.error(path, problem))
    }

    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// When the bytes are not a complete and undamaged model file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContainerError> {
        read(Reader::read(bytes, FORMAT)?)
    }

    /// The bytes of the model's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        container::to_bytes(&tensors(self), metadata(self))
    }

    /// Writes the model file atomically: a reader of `path` sees either the old file or the new
    /// one.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. An existing file then stays as it is.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        container::save(path, &tensors(self), metadata(self))
            .map_err(|error| FORMAT.error(path, error))
    }
}

fn read(reader: Reader<'_>) -> Result<Model, ContainerError> {
    let bits = reader.metadata("bits").and_then(|bits| bits.parse().ok());
    let unknown = "the metadata has no valid number of bits";
    let bits = bits.ok_or_else(|| ContainerError::tensor("codes", unknown))?;
    let hierarchy = hierarchy(&reader)?;
    let codes = reader.codes("codes", bits, hierarchy.len())?.ok_or_else(|| missing("codes"))?;
    let is_note = |(key, _): &(String, String)| !OWN_KEYS.contains(&key.as_str());
    let notes = reader.into_metadata().into_iter().filter(is_note).collect();
    Ok(Model { hierarchy: hierarchy.into(), codes, notes })
}

fn hierarchy(reader: &Reader<'_>) -> Result<Hierarchy, ContainerError> {
    let names = reader.texts("names", "name_offsets")?.ok_or_else(|| missing("names"))?;
    let names = distinct(names, "names")?;
    let n = names.len();
    let pairs = reader.pairs("pairs")?.ok_or_else(|| missing("pairs"))?;
    if pairs.iter().any(|&(child, parent)| child.max(parent) as usize >= n) {
        return Err(ContainerError::tensor("pairs", "an id that is out of range"));
    }
    let parents = Rows::from_pairs(n, pairs.iter().copied());
    let carried = match reader.metadata("format_version") {
        Some("1") => carried_by_version_1(reader, n)?,
        _ => carried(reader, n)?,
    };
    Hierarchy::from_parts(names, parents, carried)
        .map_err(|problem| ContainerError::tensor("pairs", problem))
}

/// In version 1, texts are not compressed: a tensor holds where each begins.
fn carried_by_version_1(reader: &Reader<'_>, concepts: usize) -> Result<Carried, ContainerError> {
    let labels = reader.texts("labels", "label_offsets")?.unwrap_or_default();
    if !labels.is_empty() && labels.len() != concepts {
        return Err(ContainerError::tensor("label_offsets", "not one label for each concept"));
    }
    let aliases = match reader.texts("aliases", "alias_offsets")? {
        Some(texts) => aliases(texts, concepts_of(reader, "alias_concepts", concepts)?)?,
        None => Aliases::default(),
    };
    Ok(Carried { labels, aliases, ..Carried::default() })
}

fn carried(reader: &Reader<'_>, concepts: usize) -> Result<Carried, ContainerError> {
    let definitions = reader.u8s("definitions")?.map(|packed| packed.to_vec().into());
    Ok(Carried {
        labels: reader.packed_texts("labels", concepts)?.unwrap_or_default(),
        aliases: packed_aliases(reader, concepts)?,
        synonyms: synonyms(reader, concepts)?,
        definitions: definitions
            .map(|packed| Definitions::compressed(packed, concepts))
            .unwrap_or_default(),
    })
}

fn packed_aliases(reader: &Reader<'_>, concepts: usize) -> Result<Aliases, ContainerError> {
    if reader.u8s("aliases")?.is_none() {
        return Ok(Aliases::default());
    }
    let of = concepts_of(reader, "alias_concepts", concepts)?;
    aliases(reader.packed_texts("aliases", of.len())?.unwrap_or_default(), of)
}

fn aliases(texts: Texts, concepts: Vec<Id>) -> Result<Aliases, ContainerError> {
    if concepts.len() != texts.len() {
        return Err(ContainerError::tensor("alias_concepts", "not one concept for each alias"));
    }
    Ok(Aliases::new(distinct(texts, "aliases")?, concepts))
}

fn synonyms(reader: &Reader<'_>, concepts: usize) -> Result<Synonyms, ContainerError> {
    if reader.u8s("synonyms")?.is_none() {
        return Ok(Synonyms::default());
    }
    let of = concepts_of(reader, "synonym_concepts", concepts)?;
    let texts = reader.packed_texts("synonyms", of.len())?.unwrap_or_default();
    let scopes = reader.u8s("synonym_scopes")?.ok_or_else(|| missing("synonym_scopes"))?;
    let scope = |number: &u8| Scope::ALL.get(usize::from(*number)).copied();
    let scopes = scopes.iter().map(scope).collect::<Option<Vec<_>>>();
    let scopes =
        scopes.ok_or_else(|| ContainerError::tensor("synonym_scopes", "an unknown scope"))?;
    let ranks = reader.u32s("synonym_ranks")?.unwrap_or_else(|| vec![0; of.len()]);
    let problem = "not one concept, scope and rank for each synonym, in ascending order";
    Synonyms::from_columns(texts, of, scopes, ranks)
        .ok_or_else(|| ContainerError::tensor("synonym_concepts", problem))
}

/// The concepts that texts belong to.
fn concepts_of(
    reader: &Reader<'_>,
    tensor: &'static str,
    concepts: usize,
) -> Result<Vec<Id>, ContainerError> {
    let of = reader.u32s(tensor)?.ok_or_else(|| missing(tensor))?;
    if of.iter().any(|&id| id as usize >= concepts) {
        return Err(ContainerError::tensor(tensor, "an id that is out of range"));
    }
    Ok(of)
}

fn distinct(texts: Texts, tensor: &'static str) -> Result<Names, ContainerError> {
    if Id::try_from(texts.len()).is_err() {
        return Err(ContainerError::tensor(tensor, "more names than can be numbered"));
    }
    Names::from_distinct(texts)
        .map_err(|id| ContainerError::tensor(tensor, format!("name {id} is a duplicate")))
}

pub(super) fn metadata(model: &Model) -> BTreeMap<String, String> {
    let mut metadata = model.notes.clone();
    metadata.insert("bits".to_owned(), model.codes.bits().to_string());
    metadata.insert("format".to_owned(), FORMAT.name.to_owned());
    metadata.insert("format_version".to_owned(), FORMAT.version().to_owned());
    metadata
}

/// The tensors, widest numbers first, so that each one is aligned for its type.
pub(super) fn tensors(model: &Model) -> Vec<Tensor<'_>> {
    let (codes, concepts) = (&model.codes, &model.hierarchy);
    let pairs: Vec<u32> = concepts.pairs().flat_map(|(child, parent)| [child, parent]).collect();
    let mut tensors = vec![
        Tensor::codes("codes", codes),
        Tensor::text_offsets("name_offsets", concepts.names().texts()),
        Tensor::u32s("pairs", vec![pairs.len() / 2, 2], &pairs),
        Tensor::texts("names", concepts.names().texts()),
    ];
    if !concepts.labels().is_empty() {
        tensors.push(Tensor::packed_texts("labels", concepts.labels()));
    }
    if !concepts.aliases().is_empty() {
        let (texts, of): (Vec<&str>, Vec<u32>) = concepts.aliases().iter().unzip();
        tensors.push(Tensor::packed_texts("aliases", &texts.into_iter().collect()));
        tensors.push(Tensor::u32s("alias_concepts", vec![of.len()], &of));
    }
    if !concepts.all_synonyms().is_empty() {
        tensors.extend(synonym_tensors(concepts.all_synonyms()));
    }
    if !concepts.definitions().is_empty() {
        tensors.push(Tensor::u8s("definitions", concepts.definitions().packed()));
    }
    tensors.sort_by_key(|tensor| match tensor.dtype {
        "U64" => 0,
        "U32" => 1,
        _ => 2,
    });
    tensors
}

fn synonym_tensors(synonyms: &Synonyms) -> Vec<Tensor<'static>> {
    let of: Vec<u32> = synonyms.iter().map(|(concept, _)| concept).collect();
    let scopes = synonyms.iter().map(|(_, synonym)| synonym.scope as u8);
    let ranks: Vec<u32> = synonyms.iter().map(|(_, synonym)| synonym.rank).collect();
    let mut tensors = vec![
        Tensor::u32s("synonym_concepts", vec![of.len()], &of),
        Tensor::packed_texts("synonyms", synonyms.texts()),
        Tensor::u8s("synonym_scopes", scopes.collect::<Vec<u8>>()),
    ];
    if ranks.iter().any(|&rank| rank > 0) {
        tensors.push(Tensor::u32s("synonym_ranks", vec![ranks.len()], &ranks));
    }
    tensors
}
