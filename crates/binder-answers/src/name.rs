use binder::Id;
use binder::query::Index;

/// The names of concepts.
pub fn names_of(index: &Index, concepts: impl IntoIterator<Item = Id>) -> Vec<String> {
    concepts.into_iter().map(|concept| name_of(index, concept)).collect()
}

/// The name of a concept.
pub(crate) fn name_of(index: &Index, concept: Id) -> String {
    index.name(concept).to_owned()
}
