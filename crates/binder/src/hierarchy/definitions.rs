use std::borrow::Cow;
use std::sync::OnceLock;

use super::Texts;
use super::packed::{self, DamagedTexts};
use crate::bits::Id;

/// What concepts mean: one text per concept, or none at all.
///
/// The definitions of a model file or a built-in stay compressed until they are asked for, because
/// few questions need them.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    /// Compressed; empty if there are no definitions, or if they were never compressed.
    packed: Cow<'static, [u8]>,
    /// The number of concepts.
    concepts: usize,
    /// One per concept, empty where a concept has none. Set on first use if `packed` is not empty,
    /// else from the start.
    texts: OnceLock<Result<Texts, DamagedTexts>>,
}

impl Definitions {
    /// Definitions of `concepts` concepts, compressed by [`packed::pack`].
    pub(crate) fn compressed(packed: Cow<'static, [u8]>, concepts: usize) -> Self {
        Self { packed, concepts, texts: OnceLock::new() }
    }

    /// The definition of a concept. There is none if the definitions are
    /// [damaged](Self::checked).
    pub fn of(&self, concept: Id) -> Option<&str> {
        let texts = self.checked().ok().filter(|texts| !texts.is_empty())?;
        Some(texts.get(concept as usize)).filter(|text| !text.is_empty())
    }

    /// All definitions: one per concept, empty where a concept has none; or none at all.
    ///
    /// # Errors
    ///
    /// When they come from a file that was not written by Binder: its checksum is right, but they
    /// cannot be unpacked.
    pub fn checked(&self) -> Result<&Texts, DamagedTexts> {
        let unpack = || match self.is_empty() {
            true => Ok(Texts::default()),
            false => packed::unpack(&self.packed, self.concepts),
        };
        self.texts.get_or_init(unpack).as_ref().map_err(|damage| *damage)
    }

    /// Whether no concept has a definition.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
            && self.texts.get().is_none_or(|texts| texts == &Ok(Texts::default()))
    }

    /// The definitions as a model file keeps them.
    pub(crate) fn packed(&self) -> Cow<'_, [u8]> {
        if !self.packed.is_empty() {
            return Cow::Borrowed(&self.packed);
        }
        match self.checked() {
            Ok(texts) if !texts.is_empty() => packed::pack(texts).into(),
            _ => Cow::Borrowed(&[]),
        }
    }
}

impl From<Texts> for Definitions {
    fn from(texts: Texts) -> Self {
        Self { concepts: texts.len(), texts: Ok(texts).into(), packed: Cow::default() }
    }
}

impl PartialEq for Definitions {
    fn eq(&self, other: &Self) -> bool {
        self.checked() == other.checked()
    }
}

impl Eq for Definitions {}
