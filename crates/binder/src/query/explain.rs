use super::{Index, QueryError, Term};
use crate::bits::{Code, Id};

/// Why a concept is, or is not, another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The answer.
    pub is_a: bool,
    /// From the child up to the parent, each the nearest hypernym of the one before on this way;
    /// empty when the answer is no.
    pub chain: Vec<Id>,
    /// The bits of the parent that the child has.
    pub shared: Vec<u16>,
    /// The bits of the parent that the child lacks: any one of them is a reason for no.
    pub missing: Vec<BitMeaning>,
    /// The lowest common hypernyms of both.
    pub common: Vec<Id>,
}

/// Who has a bit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitMeaning {
    /// The bit.
    pub bit: u16,
    /// The most general concepts with it, at or above the one that was asked about: where it has
    /// the bit from.
    pub from: Vec<Id>,
    /// The most general concepts with it, in the whole model.
    pub owners: Vec<Id>,
}

/// All about a concept.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// What people call it, where the model knows.
    pub label: Option<String>,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its nearest hypernyms.
    pub parents: Vec<Id>,
    /// Its nearest hyponyms.
    pub children: Vec<Id>,
    /// How many are above it.
    pub hypernyms: u64,
    /// How many are below it.
    pub hyponyms: u64,
    /// Its bits and what each means.
    pub bits: Vec<BitMeaning>,
    /// How narrow it is: from 0 for what covers everything to 1 for what covers nothing else.
    pub information_content: f64,
}

impl Index {
    /// Why `child` is, or is not, a `parent`.
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
            common: self.most_specific(&self.derived(&below & &above).above),
        })
    }

    /// All about a concept.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn describe(&self, concept: impl Term) -> Result<Description, QueryError> {
        let concept = concept.resolve(self)?;
        let hierarchy = self.hierarchy();
        let aliases = hierarchy.aliases().iter().filter(|&(_, of)| of == concept);
        let bits = self.codes().code(concept);
        Ok(Description {
            label: hierarchy.label(concept).map(str::to_owned),
            aliases: aliases.map(|(alias, _)| alias.to_owned()).collect(),
            parents: self.parents(concept)?,
            children: self.children(concept)?,
            hypernyms: self.count_hypernyms(concept)?,
            hyponyms: self.count_hyponyms(concept)?,
            bits: bits.ones().map(|bit| self.meaning(bit, concept)).collect(),
            information_content: self.information_content(concept)?,
        })
    }

    /// The most general concepts that have a bit. Found once, then kept.
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

    /// A way up in which every step goes to the most specific concept that is still at or below the
    /// goal.
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
