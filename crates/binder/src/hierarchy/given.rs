use super::Texts;
use crate::bits::Id;

/// Texts that a builder was given for concepts, in the order given: one kind of text, such as
/// labels. A text costs its bytes and twelve more.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// The concept of text `i`; has the same length as `texts`.
    concepts: Vec<Id>,
    texts: Texts,
}

impl Given {
    pub(super) fn push(&mut self, concept: Id, text: &str) {
        self.concepts.push(concept);
        self.texts.push(text);
    }

    pub(super) fn len(&self) -> usize {
        self.concepts.len()
    }

    /// All concepts and texts, in the order given.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (Id, &str)> + DoubleEndedIterator {
        self.concepts.iter().enumerate().map(|(at, &concept)| (concept, self.texts.get(at)))
    }

    /// About how many bytes the texts take.
    pub(super) fn bytes(&self) -> u64 {
        self.texts.bytes().len() as u64 + 12 * self.len() as u64
    }

    /// Gives the texts of each concept to another one: `to[old] = new`.
    pub(super) fn hand_over(&mut self, to: &[Id]) {
        self.concepts.iter_mut().for_each(|concept| *concept = to[*concept as usize]);
    }

    /// The first text of each of `concepts` concepts, empty where there is none, in the order of
    /// the new ids: `position[old] = new`. An empty list where no concept has a text.
    pub(super) fn first_of_each(self, position: &[Id], concepts: usize) -> Texts {
        if self.len() == 0 {
            return Texts::default();
        }
        let mut first = vec![""; concepts];
        for (concept, text) in self.iter().rev().filter(|(_, text)| !text.is_empty()) {
            if let Some(slot) = first.get_mut(position[concept as usize] as usize) {
                *slot = text;
            }
        }
        if first.iter().all(|text| text.is_empty()) {
            return Texts::default();
        }
        let mut texts = Texts::with_capacity(concepts, first.iter().map(|text| text.len()).sum());
        first.into_iter().for_each(|text| texts.push(text));
        texts
    }
}
