use binder::codes::RowSet;
use binder::hierarchy::Id;
use binder::query::{BitMeaning, Derived, Index};
use serde::Serialize;

use super::args::{ListArgs, Question};

/// The answer to a question, by names; as JSON it says what the question was.
#[derive(Debug, Serialize)]
#[serde(tag = "question", rename_all = "kebab-case")]
pub(crate) enum Answer {
    IsA { child: String, parent: String, is_a: bool },
    Hypernyms(List),
    Hyponyms(List),
    Meet(Place),
    Join(Place),
    Expr(Place),
    Complement(NotThat),
    Nearest { concept: String, by: &'static str, concepts: Vec<Scored> },
    Explain(Why),
    Describe(About),
    Formal { concept: String, intent: Vec<u16>, count: usize, extent: Vec<String> },
    Search { text: String, concepts: Vec<Found> },
    Picture { concept: String, left_out: usize, text: String },
}

#[derive(Debug, Serialize)]
pub(crate) struct List {
    pub(crate) concept: String,
    /// Of all, also where not all are listed.
    pub(crate) count: usize,
    pub(crate) concepts: Vec<String>,
}

/// Where a derived code stands.
#[derive(Debug, Serialize)]
pub(crate) struct Place {
    pub(crate) of: Vec<String>,
    pub(crate) bits: Vec<u16>,
    /// The concepts with this very code.
    pub(crate) named: Vec<String>,
    /// The most specific concepts at or above it: of a join, the lowest common hypernyms.
    pub(crate) nearest_above: Vec<String>,
    /// How many concepts are at or below it.
    pub(crate) count: usize,
    /// The most general of those.
    pub(crate) most_general_below: Vec<String>,
    pub(crate) below: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct NotThat {
    pub(crate) concept: String,
    pub(crate) bits: Vec<u16>,
    pub(crate) count: usize,
    /// Concepts that share no bit with it.
    pub(crate) shares_no_attribute: Vec<String>,
    pub(crate) disjoint_count: usize,
    /// The most general of the concepts that have no hyponym in common with it.
    pub(crate) disjoint: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Scored {
    pub(crate) concept: String,
    pub(crate) score: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Found {
    pub(crate) concept: String,
    pub(crate) found: String,
    pub(crate) typos: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Why {
    pub(crate) child: String,
    pub(crate) parent: String,
    pub(crate) is_a: bool,
    pub(crate) chain: Vec<String>,
    pub(crate) shared: Vec<u16>,
    pub(crate) missing: Vec<Bit>,
    pub(crate) lowest_common_hypernyms: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Bit {
    pub(crate) bit: u16,
    /// The most general concepts with it, at or above the one asked about.
    pub(crate) from: Vec<String>,
    /// How many most general concepts have it at all, and the first of them.
    pub(crate) owners: usize,
    pub(crate) first_owners: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct About {
    pub(crate) concept: String,
    pub(crate) label: Option<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) parents: Vec<String>,
    pub(crate) children: Vec<String>,
    pub(crate) hypernyms: u64,
    pub(crate) hyponyms: u64,
    pub(crate) information_content: f64,
    pub(crate) code: String,
    pub(crate) bits: Vec<Bit>,
}

/// How many owners of a bit are named.
const FIRST: usize = 5;

/// Answers a question.
pub(crate) fn answer(index: &Index, question: &Question) -> anyhow::Result<Answer> {
    let name = |concept: Id| index.name(concept).to_owned();
    Ok(match question {
        Question::IsA { child, parent, .. } => {
            let (child, parent) = (index.find(child)?, index.find(parent)?);
            Answer::IsA { child: name(child), parent: name(parent), is_a: index.is_a(child, parent) }
        }
        Question::Hypernyms(args) => {
            Answer::Hypernyms(list(index, args, Index::hypernyms, Index::most_specific)?)
        }
        Question::Hyponyms(args) => {
            Answer::Hyponyms(list(index, args, Index::hyponyms, Index::most_general)?)
        }
        Question::Meet { concepts } => {
            let ids = find_all(index, concepts)?;
            Answer::Meet(place(index, &names(index, ids.iter().copied()), &index.meet(&ids)))
        }
        Question::Join { concepts } => {
            let ids = find_all(index, concepts)?;
            Answer::Join(place(index, &names(index, ids.iter().copied()), &index.join(&ids)))
        }
        Question::Expr { words } => {
            let text = words.join(" ");
            let value = index.evaluate(&text)?;
            Answer::Expr(place(index, &[text], &value))
        }
        Question::Complement { concept } => Answer::Complement(not_that(index, index.find(concept)?)),
        Question::Nearest { concept, by, count } => {
            let to = index.find(concept)?;
            let scored = |(concept, score)| Scored { concept: name(concept), score };
            let concepts = index.nearest(to, *count, *by)?.into_iter().map(scored).collect();
            Answer::Nearest { concept: name(to), by: by.name(), concepts }
        }
        Question::Explain { child, parent } => {
            Answer::Explain(why(index, index.find(child)?, index.find(parent)?))
        }
        Question::Describe { concept } => Answer::Describe(about(index, index.find(concept)?)),
        Question::Formal { concept } => {
            let id = index.find(concept)?;
            let formal = index.formal_concept(id);
            let extent = names(index, index.by_generality(&formal.extent));
            Answer::Formal { concept: name(id), intent: formal.intent, count: extent.len(), extent }
        }
        Question::Search { words, count } => {
            let text = words.join(" ");
            let hits = index.names().search(&text, *count).into_iter();
            let concepts = hits
                .map(|hit| Found { concept: name(hit.concept), found: hit.text, typos: hit.typos })
                .collect();
            Answer::Search { text, concepts }
        }
        Question::Picture { concept, children, .. } => {
            let id = index.find(concept)?;
            let around = index.neighbourhood(id, *children);
            let text = crate::tree::text(&around.hierarchy, &around.codes);
            Answer::Picture { concept: name(id), left_out: around.left_out, text }
        }
    })
}

fn names(index: &Index, ids: impl IntoIterator<Item = Id>) -> Vec<String> {
    ids.into_iter().map(|concept| index.name(concept).to_owned()).collect()
}

fn find_all(index: &Index, concepts: &[String]) -> anyhow::Result<Vec<Id>> {
    Ok(concepts.iter().map(|name| index.find(name)).collect::<Result<_, _>>()?)
}

fn list(
    index: &Index,
    args: &ListArgs,
    all: fn(&Index, Id) -> RowSet,
    nearest: fn(&Index, &RowSet) -> Vec<Id>,
) -> anyhow::Result<List> {
    let concept = index.find(&args.concept)?;
    let found = all(index, concept);
    let mut concepts = if args.nearest { nearest(index, &found) } else { index.by_generality(&found) };
    let count = concepts.len();
    concepts.truncate(args.limit.unwrap_or(usize::MAX));
    Ok(List { concept: index.name(concept).to_owned(), count, concepts: names(index, concepts) })
}

fn place(index: &Index, of: &[String], derived: &Derived) -> Place {
    let below = index.by_generality(&derived.below);
    Place {
        of: of.to_vec(),
        bits: derived.bits(),
        named: names(index, derived.named()),
        nearest_above: names(index, index.most_specific(&derived.above)),
        count: below.len(),
        most_general_below: names(index, index.most_general(&derived.below)),
        below: names(index, below),
    }
}

fn not_that(index: &Index, concept: Id) -> NotThat {
    let complement = index.complement(concept);
    NotThat {
        concept: index.name(concept).to_owned(),
        bits: complement.derived.bits(),
        count: complement.unlike.count(),
        shares_no_attribute: names(index, index.by_generality(&complement.unlike)),
        disjoint_count: complement.disjoint.count(),
        disjoint: names(index, index.most_general(&complement.disjoint)),
    }
}

fn bit(index: &Index, meaning: &BitMeaning) -> Bit {
    Bit {
        bit: meaning.bit,
        from: names(index, meaning.from.iter().copied()),
        owners: meaning.owners.len(),
        first_owners: names(index, meaning.owners.iter().copied().take(FIRST)),
    }
}

fn why(index: &Index, child: Id, parent: Id) -> Why {
    let explanation = index.explain(child, parent);
    Why {
        child: index.name(child).to_owned(),
        parent: index.name(parent).to_owned(),
        is_a: explanation.is_a,
        chain: names(index, explanation.chain),
        shared: explanation.shared,
        missing: explanation.missing.iter().map(|missing| bit(index, missing)).collect(),
        lowest_common_hypernyms: names(index, explanation.common),
    }
}

fn about(index: &Index, concept: Id) -> About {
    let description = index.describe(concept);
    About {
        concept: index.name(concept).to_owned(),
        label: description.label,
        aliases: description.aliases,
        parents: names(index, description.parents),
        children: names(index, description.children),
        hypernyms: description.hypernyms,
        hyponyms: description.hyponyms,
        information_content: description.information_content,
        code: crate::tree::circles(index.codes(), concept),
        bits: description.bits.iter().map(|meaning| bit(index, meaning)).collect(),
    }
}
