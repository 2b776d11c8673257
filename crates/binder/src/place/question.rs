//! What is asked: a name and a definition as a profile, read with what is known.

use super::evidence::Known;
use super::profile::Profile;
use super::senses::first_name;
use super::space::of_text;
use super::words::{Word, without_examples, words};
use crate::bits::Id;

impl Known<'_> {
    /// The vector that was given for a concept of this name.
    pub(super) fn given(&self, concept: &str) -> Option<Vec<f32>> {
        self.embeddings.concepts.as_ref().and_then(|vectors| vectors.get(concept))
    }

    /// The vector of a concept that is asked for by its name alone. An encoder makes it of the name;
    /// without one it is that which was given.
    pub(super) fn given_by_name(&self, concept: &str, name: &str) -> Option<Vec<f32>> {
        self.embeddings.encoded(name, "").or_else(|| self.given(concept))
    }

    /// The profile of a query.
    pub(super) fn profile(&self, name: &str, definition: &str) -> Profile {
        let senses = &self.lexicon.senses;
        let mut definition = words(without_examples(definition));
        let said = sentence_start(&definition, &words(name));
        definition.drain(..said);
        let definition = match crossed(&definition, self) {
            Some(ancestor) => {
                // Said plainly: a dog, Labrador and poodle.
                let mut plain = words(first_name(self.hierarchy, ancestor));
                let first = plain.len();
                plain.extend(definition);
                plain.get_mut(first).into_iter().for_each(|word| word.after_break = true);
                plain
            }
            None => definition,
        };
        let mut profile = Profile::new(&[name], definition, senses);
        if let Some(vectors) = &self.embeddings.words {
            let text = [&profile.name[..], &profile.definition[..]].concat();
            profile.vectors[0] = of_text(&text, vectors, self.lexicon);
        }
        profile
    }
}

/// How many words a definition takes before it says something: four in `A guide dog is a dog …`,
/// which says the name again, and one in `To eat quickly`.
fn sentence_start(definition: &[Word], name: &[Word]) -> usize {
    if definition.len() > 1 && definition[0].text == "to" {
        return 1;
    }
    const ARTICLES: [&str; 3] = ["a", "an", "the"];
    const VERBS: [&str; 7] = ["is", "are", "wa", "were", "mean", "refer", "be"];
    let starts =
        |at: usize, word: &Word| definition.get(at).is_some_and(|other| other.text == word.text);
    let first = definition.first().is_some_and(|word| ARTICLES.contains(&word.text.as_str()));
    let start = usize::from(first);
    let named = !name.is_empty() && name.iter().zip(start..).all(|(word, at)| starts(at, word));
    let mut end = start + name.len();
    let says =
        |end: usize| definition.get(end).is_some_and(|word| VERBS.contains(&word.text.as_str()));
    if !named || !says(end) {
        return 0;
    }
    end += 1;
    end + usize::from(definition.get(end).is_some_and(|word| word.text == "to"))
}

/// Words for what has parents of two kinds, if one of [`BETWEEN`] follows.
const CROSSES: [&str; 5] = ["cross", "hybrid", "crossbreed", "crossing", "offspring"];
const BETWEEN: [&str; 3] = ["between", "of", "from"];

/// A cross is looked for among so many words.
const CROSS_WITHIN: usize = 5;

/// What a cross between two concepts is: the deepest concept above a sense of each of the first
/// names that follow.
fn crossed(definition: &[Word], known: &Known<'_>) -> Option<Id> {
    let is = |list: &[&str], at: usize| {
        definition.get(at).is_some_and(|word| list.contains(&word.text.as_str()))
    };
    let at = (0..CROSS_WITHIN).find(|&at| is(&CROSSES, at) && is(&BETWEEN, at + 1))?;
    let names = known.lexicon.senses.mentioned(&definition[at + 2..]);
    let senses: Vec<&[(u32, Id)]> = names
        .iter()
        .take(CROSS_WITHIN)
        .map(|(_, key)| known.lexicon.senses.of(key))
        .map(|senses| &senses[..senses.len().min(CROSS_WITHIN)])
        .collect();
    let ancestors = &known.lexicon.ancestors;
    let mut best: Option<(u32, Id)> = None;
    for (at, first) in senses.iter().enumerate() {
        let others = senses[at + 1..].iter().copied().flatten();
        for (&(_, a), &(_, b)) in others.flat_map(|b| first.iter().map(move |a| (a, b))) {
            let common = ancestors.row(a).iter().filter(|id| ancestors.row(b).contains(id));
            for &above in common {
                let depth = known.hierarchy.depth_of(above);
                if best.is_none_or(|(most, _)| depth > most) {
                    best = Some((depth, above));
                }
            }
        }
    }
    best.map(|(_, above)| above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_may_say_the_name_again() {
        let start = |definition: &str, name: &str| sentence_start(&words(definition), &words(name));
        assert_eq!(start("A guide dog is a dog that guides", "guide dog"), 4);
        assert_eq!(start("Gneiss refers to a rock", "gneiss"), 3);
        assert_eq!(start("a dog that guides", "guide dog"), 0);
        assert_eq!(start("guide dog", "guide dog"), 0);
        assert_eq!(start("is a dog", ""), 0);
        assert_eq!((start("To eat quickly", "wolf"), start("to", "wolf")), (1, 0));
    }
}
