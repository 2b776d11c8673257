use super::{Index, QueryError, Term};
use crate::bits::{Code, Id};

/// Why a concept is or is not another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The answer.
    pub is_a: bool,
    /// The path from the child up to the parent. Each step goes to a nearest hypernym. Empty if the
    /// answer is no.
    pub chain: Vec<Id>,
    /// The bits of the parent that the child has.
    pub shared: Vec<u16>,
    /// The bits of the parent that the child lacks. Each of them alone makes the answer no.
    pub missing: Vec<BitMeaning>,
    /// The lowest common hypernyms of both.
    pub common: Vec<Id>,
}

/// What a bit means: which concepts have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitMeaning {
    /// The bit.
    pub bit: u16,
    /// The most general concepts with the bit at or above the given concept: where it inherits the
    /// bit from.
    pub from: Vec<Id>,
    /// The most general concepts with the bit in the whole model.
    pub owners: Vec<Id>,
}

/// Everything that a model knows about a concept.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// Its label, if the model has one.
    pub label: Option<String>,
    /// Its alternative ids.
    pub aliases: Vec<String>,
    /// What else people call it, the closest first.
    pub synonyms: Vec<String>,
    /// What it means, if the model says it.
    pub definition: Option<String>,
    /// Its nearest hypernyms.
    pub parents: Vec<Id>,
    /// Its nearest hyponyms.
    pub children: Vec<Id>,
    /// The number of concepts above it.
    pub hypernyms: u64,
    /// The number of concepts below it.
    pub hyponyms: u64,
    /// Its bits and their meanings.
    pub bits: Vec<BitMeaning>,
    /// How specific it is, from 0 (everything is below it) to 1 (nothing is below it).
    pub information_content: f64,
}

impl Index {
    /// Explains why `child` is or is not a `parent`.
    ///
    /// # Errors
    ///
    /// When one of them is not known.
    pub fn explain(&self, child: impl Term, parent: impl Term) -> Result<Explanation, QueryError> {
        let (child, parent) = (child.resolve(self)?, parent.resolve(self)?);
        let (below, above) = (self.codes().code(child), self.codes().code(parent));
        let is_a = below.covers(&above);
        let missing = &above & &!&below;
        Ok(Explanation {
            is_a,
            chain: if is_a { self.chain(child, parent) } else { Vec::new() },
            shared: (&below & &above).ones().collect(),
            missing: missing.ones().map(|bit| self.meaning(bit, parent)).collect(),
            common: self.bottoms(&self.derived(&below & &above).above),
        })
    }

    /// Everything that the model knows about a concept.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn describe(&self, concept: impl Term) -> Result<Description, QueryError> {
        let concept = concept.resolve(self)?;
        let hierarchy = self.hierarchy();
        let aliases = hierarchy.aliases().iter().filter(|&(_, of)| of == concept);
        let mut synonyms: Vec<_> = hierarchy.synonyms(concept).collect();
        synonyms.sort_by_key(|synonym| synonym.scope);
        let bits = self.codes().code(concept);
        Ok(Description {
            label: hierarchy.label(concept).map(str::to_owned),
            aliases: aliases.map(|(alias, _)| alias.to_owned()).collect(),
            synonyms: synonyms.into_iter().map(|synonym| synonym.text.to_owned()).collect(),
            definition: hierarchy.definition(concept).map(str::to_owned),
            parents: self.parents(concept)?,
            children: self.children(concept)?,
            hypernyms: self.count_hypernyms(concept)?,
            hyponyms: self.count_hyponyms(concept)?,
            bits: bits.ones().map(|bit| self.meaning(bit, concept)).collect(),
            information_content: self.information_content(concept)?,
        })
    }

    /// The most general concepts that have a bit. Computed on first use and cached.
    pub fn owners(&self, bit: u16) -> &[Id] {
        let find = || {
            let mut code = Code::zeros(self.codes().bits());
            code.insert(bit.into());
            self.tops(&self.columns.supersets(code.words()))
        };
        self.owners[usize::from(bit)].get_or_init(find)
    }

    /// What a bit of a concept means.
    fn meaning(&self, bit: u16, concept: Id) -> BitMeaning {
        let owners = self.owners(bit);
        let from =
            owners.iter().copied().filter(|&owner| self.codes().is_a(concept, owner)).collect();
        BitMeaning { bit, from, owners: owners.to_vec() }
    }

    /// A path up from `child`. Each step goes to the most specific concept that is still at or
    /// below `parent`.
    fn chain(&self, child: Id, parent: Id) -> Vec<Id> {
        let goal = self.columns.supersets(self.codes().row(parent));
        let between = self.above(child) & goal;
        let mut chain = vec![child];
        let mut order = self.by_generality(&between);
        order.retain(|&step| step != parent && step != child);
        for &step in order.iter().rev() {
            let here = chain[chain.len() - 1];
            if self.codes().is_a(here, step) && !self.codes().is_a(step, here) {
                chain.push(step);
            }
        }
        if child != parent {
            chain.push(parent);
        }
        chain
    }
}
