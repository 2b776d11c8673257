//! Answers by name, as every interface gives them: the command line and the server write these very structures as JSON.

use serde::Serialize;

use super::{BitMeaning, Derived, Index, Measure, QueryError};
use crate::hierarchy::Id;

/// The part of a long list that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many to pass over.
    pub offset: usize,
    /// How many to give at most.
    pub limit: usize,
}

impl Page {
    /// All of it.
    pub const ALL: Self = Self { offset: 0, limit: usize::MAX };

    fn of(self, concepts: Vec<Id>) -> impl Iterator<Item = Id> {
        concepts.into_iter().skip(self.offset).take(self.limit)
    }
}

/// Concepts above or below one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct List {
    /// The concept.
    pub concept: String,
    /// Of all, also where not all are listed.
    pub count: usize,
    /// Those that were asked for, by name.
    pub concepts: Vec<String>,
}

/// Where a derived code stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Place {
    /// What it was derived from.
    pub of: Vec<String>,
    /// The bits.
    pub bits: Vec<u16>,
    /// The concepts with this very code.
    pub named: Vec<String>,
    /// The most specific concepts at or above it: of a join, the lowest common hypernyms.
    pub nearest_above: Vec<String>,
    /// How many concepts are at or below it.
    pub count: usize,
    /// The most general of those.
    pub most_general_below: Vec<String>,
    /// The concepts at or below it, the most general first.
    pub below: Vec<String>,
}

/// What a concept is not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotThat {
    /// The concept.
    pub concept: String,
    /// The bits.
    pub bits: Vec<u16>,
    /// How many there are.
    pub count: usize,
    /// Concepts that share no bit with it.
    pub shares_no_attribute: Vec<String>,
    /// How many concepts have no hyponym in common with it.
    pub disjoint_count: usize,
    /// The most general of the concepts that have no hyponym in common with it.
    pub disjoint: Vec<String>,
}

/// A concept and how alike it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scored {
    /// The concept.
    pub concept: String,
    /// How alike: a distance for Hamming, else a similarity up to 1.
    pub score: f64,
}

/// A concept that was found by name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Found {
    /// The concept.
    pub concept: String,
    /// What was found of its name, alias or label, in small letters.
    pub found: String,
    /// How many typing errors apart.
    pub typos: usize,
}

/// Why a concept is, or is not, another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Why {
    /// The child.
    pub child: String,
    /// The parent.
    pub parent: String,
    /// The answer.
    pub is_a: bool,
    /// From the child up to the parent; empty when the answer is no.
    pub chain: Vec<String>,
    /// The bits of the parent that the child has.
    pub shared: Vec<u16>,
    /// The bits of the parent that the child lacks.
    pub missing: Vec<Bit>,
    /// What both are.
    pub lowest_common_hypernyms: Vec<String>,
}

/// What a bit means.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bit {
    /// The bit.
    pub bit: u16,
    /// The most general concepts with it, at or above the one asked about.
    pub from: Vec<String>,
    /// How many most general concepts have it at all, and the first of them.
    pub owners: usize,
    /// The first of them.
    pub first_owners: Vec<String>,
}

/// All about a concept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct About {
    /// The concept.
    pub concept: String,
    /// What people call it.
    pub label: Option<String>,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its nearest hypernyms.
    pub parents: Vec<String>,
    /// How many children there are, also where not all are listed.
    pub children_count: usize,
    /// Its nearest hyponyms, the most general first.
    pub children: Vec<String>,
    /// How many are above it.
    pub hypernyms: u64,
    /// How many are below it.
    pub hyponyms: u64,
    /// How narrow it is, from 0 to 1.
    pub information_content: f64,
    /// Its code as ones and zeros, the first bit first.
    pub code: String,
    /// The bits.
    pub bits: Vec<Bit>,
}

/// How many owners of a bit are named.
const FIRST: usize = 5;

impl Index {
    /// What is above a concept, the most general first; only the nearest, if so wanted.
    pub fn list_hypernyms(&self, concept: Id, nearest: bool, page: Page) -> List {
        let found = self.hypernyms(concept);
        self.list(
            concept,
            if nearest { self.most_specific(&found) } else { self.by_generality(&found) },
            page,
        )
    }

    /// What is below a concept, the most general first; only the nearest, if so wanted.
    pub fn list_hyponyms(&self, concept: Id, nearest: bool, page: Page) -> List {
        let found = self.hyponyms(concept);
        self.list(concept, if nearest { self.tops(&found) } else { self.by_generality(&found) }, page)
    }

    fn list(&self, concept: Id, found: Vec<Id>, page: Page) -> List {
        List {
            concept: self.name(concept).to_owned(),
            count: found.len(),
            concepts: self.names_of(page.of(found)),
        }
    }

    /// Where a code stands that was derived from what `of` says.
    pub fn place(&self, of: Vec<String>, derived: &Derived, page: Page) -> Place {
        let below = self.by_generality(&derived.below);
        Place {
            of,
            bits: derived.bits(),
            named: self.names_of(derived.named()),
            nearest_above: self.names_of(page.of(self.most_specific(&derived.above))),
            count: below.len(),
            most_general_below: self.names_of(page.of(self.tops(&derived.below))),
            below: self.names_of(page.of(below)),
        }
    }

    /// What a concept is not.
    pub fn not_that(&self, concept: Id, page: Page) -> NotThat {
        let complement = self.complement(concept);
        NotThat {
            concept: self.name(concept).to_owned(),
            bits: complement.derived.bits(),
            count: complement.unlike.count(),
            shares_no_attribute: self.names_of(page.of(self.by_generality(&complement.unlike))),
            disjoint_count: complement.disjoint.count(),
            disjoint: self.names_of(page.of(self.tops(&complement.disjoint))),
        }
    }

    /// The concepts most like one.
    pub fn scored(&self, to: Id, most: usize, by: Measure) -> Result<Vec<Scored>, QueryError> {
        let scored = |(concept, score)| Scored { concept: self.name(concept).to_owned(), score };
        Ok(self.nearest(to, most, by)?.into_iter().map(scored).collect())
    }

    /// The concepts named much like a text.
    pub fn found(&self, text: &str, most: usize) -> Vec<Found> {
        let hits = self.names().search(text, most).into_iter();
        hits.map(|hit| Found {
            concept: self.name(hit.concept).to_owned(),
            found: hit.text,
            typos: hit.typos,
        })
        .collect()
    }

    /// Why `child` is, or is not, a `parent`.
    pub fn why(&self, child: Id, parent: Id) -> Why {
        let explanation = self.explain(child, parent);
        Why {
            child: self.name(child).to_owned(),
            parent: self.name(parent).to_owned(),
            is_a: explanation.is_a,
            chain: self.names_of(explanation.chain),
            shared: explanation.shared,
            missing: explanation.missing.iter().map(|missing| self.bit(missing)).collect(),
            lowest_common_hypernyms: self.names_of(explanation.common),
        }
    }

    /// All about a concept; the page is that of its children.
    pub fn about(&self, concept: Id, page: Page) -> About {
        let description = self.describe(concept);
        About {
            concept: self.name(concept).to_owned(),
            label: description.label,
            aliases: description.aliases,
            parents: self.names_of(description.parents),
            children_count: description.children.len(),
            children: self.names_of(page.of(description.children)),
            hypernyms: description.hypernyms,
            hyponyms: description.hyponyms,
            information_content: description.information_content,
            code: self.written(concept),
            bits: description.bits.iter().map(|meaning| self.bit(meaning)).collect(),
        }
    }

    /// The names of concepts.
    pub fn names_of(&self, concepts: impl IntoIterator<Item = Id>) -> Vec<String> {
        concepts.into_iter().map(|concept| self.name(concept).to_owned()).collect()
    }

    /// A code as ones and zeros, the first bit first.
    pub fn written(&self, concept: Id) -> String {
        (0..self.codes().bits()).map(|bit| if self.codes().get(concept, bit) { '1' } else { '0' }).collect()
    }

    fn bit(&self, meaning: &BitMeaning) -> Bit {
        Bit {
            bit: meaning.bit,
            from: self.names_of(meaning.from.iter().copied()),
            owners: meaning.owners.len(),
            first_owners: self.names_of(meaning.owners.iter().copied().take(FIRST)),
        }
    }
}
