use binder::Id;
use binder::query::{Index, QueryError, Term};
use serde::Serialize;

use crate::name::names_of;

/// A concept in a few words: what it is called, what it means, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// Its number, which counts the concepts of the model from 0.
    pub id: Id,
    /// The concept.
    pub concept: String,
    /// What people call it.
    pub label: Option<String>,
    /// The same in short: one word where the label lists several, the name where there is none.
    pub called: String,
    /// What it means.
    pub definition: Option<String>,
    /// What else people call it, the closest first; not all where there are many.
    pub synonyms: Vec<String>,
    /// Its parents in the hierarchy.
    pub parents: Vec<String>,
    /// The numbers of its parents.
    pub parent_ids: Vec<Id>,
    /// What people call its first parent, that one's first parent, and so on; the nearest first,
    /// not all where there are many.
    pub path: Vec<String>,
    /// How many are below it.
    pub hyponyms: u64,
}

/// How many synonyms and steps are listed.
const MOST_SYNONYMS: usize = 6;
const MOST_STEPS: usize = 8;

impl Summary {
    /// A concept in a few words.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn new(index: &Index, concept: impl Term) -> Result<Self, QueryError> {
        let (concept, hierarchy) = (index.concept(concept)?, index.hierarchy());
        let parents = hierarchy.parents(concept.id());
        let synonyms = hierarchy.synonyms(concept.id()).map(|synonym| synonym.text.to_owned());
        let up = |&id: &Id| hierarchy.parents(id).first().copied();
        let steps = std::iter::successors(up(&concept.id()), up).take(MOST_STEPS);
        Ok(Self {
            id: concept.id(),
            concept: concept.name().to_owned(),
            label: concept.label().map(str::to_owned),
            called: called(index, concept.id()).to_owned(),
            definition: hierarchy.definition(concept.id()).map(str::to_owned),
            synonyms: synonyms.take(MOST_SYNONYMS).collect(),
            parents: names_of(index, parents.iter().copied()),
            parent_ids: parents.to_vec(),
            path: steps.map(|id| called(index, id).to_owned()).collect(),
            hyponyms: index.count_hyponyms(concept)?,
        })
    }
}

/// What people call a concept, in short: its label, or its name where it has none. Of a label that
/// lists synonyms, as in WordNet ("dog, domestic dog"), the first.
pub fn called(index: &Index, concept: Id) -> &str {
    let hierarchy = index.hierarchy();
    let Some(label) = hierarchy.label(concept) else { return index.name(concept) };
    let lists = |first: &str| label.strip_prefix(first).is_some_and(|rest| rest.starts_with(", "));
    let first = hierarchy.synonyms(concept).next().map(|synonym| synonym.text);
    first.filter(|first| lists(first)).unwrap_or(label)
}
