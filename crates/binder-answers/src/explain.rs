use binder::query::{BitMeaning, Index, QueryError, Term};
use serde::Serialize;

use crate::Page;
use crate::name::names_of;

/// Why a concept is, or is not, another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explanation {
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

impl Explanation {
    /// Why `child` is, or is not, a `parent`.
    ///
    /// # Errors
    ///
    /// When one of them is not known.
    pub fn new(index: &Index, child: impl Term, parent: impl Term) -> Result<Self, QueryError> {
        let (child, parent) = (index.concept(child)?, index.concept(parent)?);
        let why = index.explain(child, parent)?;
        Ok(Self {
            child: child.name().to_owned(),
            parent: parent.name().to_owned(),
            is_a: why.is_a,
            chain: names_of(index, why.chain),
            shared: why.shared,
            missing: why.missing.into_iter().map(|missing| Bit::new(index, missing)).collect(),
            lowest_common_hypernyms: names_of(index, why.common),
        })
    }
}

/// What a bit means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bit {
    /// The bit.
    pub bit: u16,
    /// The most general concepts with it, at or above the one asked about.
    pub from: Vec<String>,
    /// How many most general concepts have it at all.
    pub owners: usize,
    /// The first of them.
    pub first_owners: Vec<String>,
}

/// How many owners of a bit are named.
const FIRST: usize = 5;

impl Bit {
    fn new(index: &Index, meaning: BitMeaning) -> Self {
        Self {
            bit: meaning.bit,
            from: names_of(index, meaning.from),
            owners: meaning.owners.len(),
            first_owners: names_of(index, meaning.owners.into_iter().take(FIRST)),
        }
    }
}

/// All about a concept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Description {
    /// The concept.
    pub concept: String,
    /// What people call it.
    pub label: Option<String>,
    /// Its alternative ids.
    pub aliases: Vec<String>,
    /// What else people call it, the closest first.
    pub synonyms: Vec<String>,
    /// What it means.
    pub definition: Option<String>,
    /// Its nearest hypernyms.
    pub parents: Vec<String>,
    /// How many children there are, also where not all are listed.
    pub children_count: usize,
    /// Its nearest hyponyms, the most general first.
    pub children: Vec<String>,
    /// The cursor of the next page of children, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
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

impl Description {
    /// All about a concept. The page is that of its children.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn new(index: &Index, concept: impl Term, page: Page) -> Result<Self, QueryError> {
        let concept = index.concept(concept)?;
        let about = index.describe(concept)?;
        Ok(Self {
            concept: concept.name().to_owned(),
            label: about.label,
            aliases: about.aliases,
            synonyms: about.synonyms,
            definition: about.definition,
            parents: names_of(index, about.parents),
            children_count: about.children.len(),
            next: page.next(about.children.len()),
            children: page.names(index, about.children),
            hypernyms: about.hypernyms,
            hyponyms: about.hyponyms,
            information_content: about.information_content,
            code: concept.code().to_string(),
            bits: about.bits.into_iter().map(|meaning| Bit::new(index, meaning)).collect(),
        })
    }
}
