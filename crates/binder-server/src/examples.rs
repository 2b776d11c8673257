//! Questions that show at first sight what a model can answer.

use binder::Id;
use binder::query::Index;
use serde::Serialize;
use utoipa::ToSchema;

/// A question worth asking this model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Example {
    /// `is-a` (child and parent) or `join` (what both are)
    question: &'static str,
    /// The two concepts
    concepts: [String; 2],
}

/// Well-known words, taken if the model knows them by exactly these words.
const KNOWN: [(&str, [&str; 2]); 3] =
    [("is-a", ["puppy", "animal"]), ("is-a", ["bat", "bird"]), ("join", ["guitar", "drum"])];

/// A yes, a no, and what two concepts have in common: about well-known words where the model has
/// them all, otherwise around a concept that has children and parents.
pub(crate) fn examples(index: &Index, around: Option<Id>) -> Vec<Example> {
    let known: Vec<Example> = KNOWN
        .iter()
        .filter_map(|&(question, [a, b])| {
            Some(Example { question, concepts: [word(index, a)?, word(index, b)?] })
        })
        .collect();
    if known.len() == KNOWN.len() {
        return known;
    }
    around.map_or_else(Vec::new, |concept| nearby(index, concept))
}

/// The concept that a word means, unless it is merely the beginning of another word.
fn word(index: &Index, text: &str) -> Option<String> {
    let concept = index.read_as(text).ok()?.concept;
    let hierarchy = index.hierarchy();
    let called = hierarchy.label(concept).unwrap_or_else(|| hierarchy.name(concept));
    (called == text || hierarchy.synonyms(concept).any(|synonym| synonym.text == text))
        .then(|| hierarchy.name(concept).to_owned())
}

/// A child of the concept and its farthest ancestor; the same child and another branch; two of its
/// children.
fn nearby(index: &Index, concept: Id) -> Vec<Example> {
    let hierarchy = index.hierarchy();
    let example = |question, a: Id, b: Id| Example {
        question,
        concepts: [a, b].map(|id| hierarchy.name(id).to_owned()),
    };
    let children = hierarchy.children(concept);
    let low = children.first().copied().unwrap_or(concept);
    let top = hierarchy.ancestors(concept).into_iter().min_by_key(|&id| hierarchy.depth_of(id));
    let aside =
        hierarchy.ids().rev().find(|&id| !hierarchy.is_a(low, id) && !hierarchy.is_a(id, concept));
    let pair = children.get(..2).map(|two| (two[0], two[1]));
    let yes = top.map(|top| example("is-a", low, top));
    let no = aside.map(|other| example("is-a", low, other));
    let common = pair.map(|(a, b)| example("join", a, b));
    [yes, no, common].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use binder::Hierarchy;

    #[test]
    fn there_is_a_yes_a_no_and_something_in_common() {
        let pairs = [("b", "a"), ("c", "b"), ("d", "b"), ("e", "a")];
        let hierarchy = Hierarchy::from_pairs(pairs).expect("no cycle");
        let index = binder::encode(&hierarchy).expect("it can be encoded").into_index();
        let found = examples(&index, hierarchy.id("b"));
        let is_a = |at: usize| {
            let [child, parent] = &found[at].concepts;
            index.is_a(child.as_str(), parent.as_str()).expect("both are known")
        };
        assert_eq!(found.len(), 3);
        assert!(is_a(0) && !is_a(1) && found[2].question == "join", "{found:?}");
    }
}
