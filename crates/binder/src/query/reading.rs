use super::{Index, QueryError};
use crate::bits::Id;
use crate::hierarchy::Hierarchy;
use crate::lookup::{Match, NameIndex};

/// How a text in a question was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The concept that it was taken for.
    pub concept: Id,
    /// How the text leads to it.
    pub by: Match,
    /// What else it may mean, the likeliest first.
    pub others: Vec<Id>,
}

/// The maximum number of candidates that an error lists.
const LISTED: usize = 5;

impl Index {
    /// The concept that a text stands for: see [`read_as`](Self::read_as).
    ///
    /// # Errors
    ///
    /// When there is no such concept, or when the text is the beginning of several.
    pub fn find(&self, text: &str) -> Result<Id, QueryError> {
        match self.hierarchy().id(text) {
            Some(concept) => Ok(concept),
            None => self.read_as(text).map(|reading| reading.concept),
        }
    }

    /// The concept that a text stands for, if that is clear. Unlike [`find`](Self::find), it does
    /// not look for what else may have been meant, which takes far longer than an answer.
    pub fn known(&self, text: &str) -> Option<Id> {
        let hierarchy = self.hierarchy();
        if let Some(concept) = hierarchy.id(text) {
            return Some(concept);
        }
        if self.exact_names {
            return None;
        }
        let meanings = self.names().meanings(text, hierarchy)?;
        match meanings.concepts[..] {
            [_, _, ..] if meanings.by == Match::Beginning => None,
            [concept, ..] => Some(concept),
            [] => None,
        }
    }

    /// How a text is understood: as a name, an identifier, a label, a synonym, or the beginning of
    /// one ([`lookup`](crate::lookup)). Where several concepts share a word, it stands for the
    /// likeliest.
    ///
    /// # Errors
    ///
    /// When there is no such concept, or when the text is the beginning of several.
    ///
    /// # Examples
    ///
    /// ```
    /// use binder::Hierarchy;
    ///
    /// let pairs = [("dog.n.01", "animal"), ("dog.n.03", "man"), ("puppy", "dog.n.01")];
    /// let index = binder::encode(&Hierarchy::from_pairs(pairs)?)?.into_index();
    /// let dogs = index.read_as("dogs")?;
    /// assert_eq!(index.name(dogs.concept), "dog.n.01");
    /// assert_eq!(dogs.others.iter().map(|&id| index.name(id)).collect::<Vec<_>>(), ["dog.n.03"]);
    /// assert!(index.with_exact_names(true).find("dogs").is_err());
    /// # Ok::<(), binder::Error>(())
    /// ```
    pub fn read_as(&self, text: &str) -> Result<Reading, QueryError> {
        if self.exact_names {
            let concept = self.hierarchy().id(text);
            let concept = concept.ok_or_else(|| unknown(text, self.hierarchy(), self.names()))?;
            return Ok(Reading { concept, by: Match::Name, others: Vec::new() });
        }
        Reading::of(text, self.hierarchy(), || self.names())
    }
}

impl Reading {
    /// How a text is understood in a hierarchy, for which no model is needed: see
    /// [`Index::read_as`]. The names are asked for only if the text is not the name of a concept.
    ///
    /// # Errors
    ///
    /// When there is no such concept, or when the text is the beginning of several.
    pub fn of<'n>(
        text: &str,
        hierarchy: &Hierarchy,
        names: impl FnOnce() -> &'n NameIndex,
    ) -> Result<Self, QueryError> {
        if let Some(concept) = hierarchy.id(text) {
            return Ok(Self { concept, by: Match::Name, others: Vec::new() });
        }
        let names = names();
        let meanings = names.meanings(text, hierarchy);
        let meanings = meanings.ok_or_else(|| unknown(text, hierarchy, names))?;
        match &meanings.concepts[..] {
            [] => Err(unknown(text, hierarchy, names)),
            [_, _, ..] if meanings.by == Match::Beginning => Err(QueryError::Ambiguous {
                name: text.to_owned(),
                candidates: names_of(hierarchy, meanings.concepts.iter().copied().take(LISTED)),
                count: meanings.concepts.len(),
            }),
            [concept, others @ ..] => {
                Ok(Self { concept: *concept, by: meanings.by, others: others.to_vec() })
            }
        }
    }
}

fn unknown(text: &str, hierarchy: &Hierarchy, names: &NameIndex) -> QueryError {
    let hits = names.search(text, 3);
    let nearest = names_of(hierarchy, hits.iter().map(|hit| hit.concept));
    QueryError::Unknown { name: text.to_owned(), nearest }
}

fn names_of(hierarchy: &Hierarchy, concepts: impl Iterator<Item = Id>) -> Vec<String> {
    concepts.map(|concept| hierarchy.name(concept).to_owned()).collect()
}
