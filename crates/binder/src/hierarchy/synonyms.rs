use super::Texts;
use super::given::Given;
use crate::bits::Id;
use crate::choice::choices;

choices! {
    /// How close a synonym is to the concept, as OBO has it. The closest comes first.
    #[derive(Default, PartialOrd, Ord)]
    pub enum Scope {
        /// The same meaning
        Exact = "exact",
        /// A narrower meaning than the concept's
        Narrow = "narrow",
        /// A broader meaning than the concept's
        Broad = "broad",
        /// A related meaning
        Related = "related",
        /// The source does not say
        #[default]
        Other = "other",
    }
}

/// What else people call a concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synonym<'a> {
    /// The synonym.
    pub text: &'a str,
    /// How close it is to the concept.
    pub scope: Scope,
    /// The place of the concept among those that share the text, from 1; 0 if the source has no
    /// order. WordNet orders the senses of a word by how often they are meant.
    pub rank: u32,
}

/// The synonyms of all concepts.
///
/// Unlike [aliases](super::Aliases), which are ids, several concepts may share a synonym.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synonyms {
    /// In the order of their concepts; those of one concept in the order given.
    texts: Texts,
    /// The concept of synonym `i`, ascending; these three have the same length as `texts`.
    concepts: Vec<Id>,
    scopes: Vec<Scope>,
    ranks: Vec<u32>,
}

impl Synonyms {
    /// The synonyms of a concept.
    pub fn of(&self, concept: Id) -> impl ExactSizeIterator<Item = Synonym<'_>> {
        let start = self.concepts.partition_point(|&other| other < concept);
        let count = self.concepts[start..].partition_point(|&other| other == concept);
        (start..start + count).map(|at| self.get(at))
    }

    /// All synonyms and their concepts, ascending by concept.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Id, Synonym<'_>)> {
        self.concepts.iter().enumerate().map(|(at, &concept)| (concept, self.get(at)))
    }

    /// The number of synonyms.
    pub fn len(&self) -> usize {
        self.concepts.len()
    }

    /// Whether there are no synonyms.
    pub fn is_empty(&self) -> bool {
        self.concepts.is_empty()
    }

    /// Synonyms from columns, for a model file. `None` unless there is one of everything for each
    /// synonym, and the concepts ascend.
    pub(crate) fn from_columns(
        texts: Texts,
        concepts: Vec<Id>,
        scopes: Vec<Scope>,
        ranks: Vec<u32>,
    ) -> Option<Self> {
        let lengths = [texts.len(), scopes.len(), ranks.len()];
        let fits = concepts.is_sorted() && lengths.iter().all(|&length| length == concepts.len());
        fits.then_some(Self { texts, concepts, scopes, ranks })
    }

    /// The texts alone.
    pub(crate) fn texts(&self) -> &Texts {
        &self.texts
    }

    fn get(&self, at: usize) -> Synonym<'_> {
        Synonym { text: self.texts.get(at), scope: self.scopes[at], rank: self.ranks[at] }
    }

    fn push(&mut self, concept: Id, synonym: Synonym<'_>) {
        self.concepts.push(concept);
        self.texts.push(synonym.text);
        self.scopes.push(synonym.scope);
        self.ranks.push(synonym.rank);
    }
}

/// Synonyms that a builder was given, in the order given.
#[derive(Debug, Default)]
pub(super) struct GivenSynonyms {
    texts: Given,
    /// Scope and rank of synonym `i`; has the same length as `texts`.
    kinds: Vec<(Scope, u32)>,
}

impl GivenSynonyms {
    pub(super) fn push(&mut self, concept: Id, synonym: Synonym<'_>) {
        self.texts.push(concept, synonym.text);
        self.kinds.push((synonym.scope, synonym.rank));
    }

    pub(super) fn bytes(&self) -> u64 {
        self.texts.bytes() + 8 * self.kinds.len() as u64
    }

    pub(super) fn hand_over(&mut self, to: &[Id]) {
        self.texts.hand_over(to);
    }

    /// The synonyms under the new ids (`position[old] = new`), and how many were left out: empty
    /// ones, and texts that a concept has more than once, of which the closest stays.
    pub(super) fn in_order(self, position: &[Id]) -> (Synonyms, usize) {
        let synonym = |at: usize, text| {
            let (scope, rank) = self.kinds[at];
            Synonym { text, scope, rank }
        };
        let renumbered = self
            .texts
            .iter()
            .enumerate()
            .map(|(at, (old, text))| (position[old as usize], at, text));
        let mut kept: Vec<_> = renumbered.filter(|(new, ..)| *new != Id::MAX).collect();
        let given = kept.len();
        kept.retain(|(.., text)| !text.is_empty());
        kept.sort_unstable_by_key(|&(new, at, text)| (new, text, self.kinds[at].0, at));
        kept.dedup_by_key(|(new, _, text)| (*new, *text));
        kept.sort_unstable_by_key(|&(new, at, _)| (new, at));
        let left_out = given - kept.len();
        let mut synonyms = Synonyms::default();
        kept.into_iter().for_each(|(new, at, text)| synonyms.push(new, synonym(at, text)));
        (synonyms, left_out)
    }
}
