//! Writing and reading model files. `docs/model-format.md` describes the bytes.

use std::collections::BTreeMap;
use std::path::Path;

use super::Model;
use crate::container::{
    self, ContainerError, FileError, Format, Reader, Tensor, missing, read_file,
};

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
    let hierarchy = match reader.metadata("format_version") {
        Some("1") => reader.hierarchy_of_version_1()?,
        _ => reader.hierarchy()?,
    };
    let codes = reader.codes("codes", bits, hierarchy.len())?.ok_or_else(|| missing("codes"))?;
    let is_note = |(key, _): &(String, String)| !OWN_KEYS.contains(&key.as_str());
    let notes = reader.into_metadata().into_iter().filter(is_note).collect();
    Ok(Model { hierarchy: hierarchy.into(), codes, notes })
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
    let mut tensors = vec![Tensor::codes("codes", &model.codes)];
    tensors.extend(container::hierarchy_tensors(&model.hierarchy));
    container::widest_first(&mut tensors);
    tensors
}
