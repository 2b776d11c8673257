use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::bits::Id;
use crate::codes::Columns;
use crate::hierarchy::Ranks;
use crate::model::Model;

/// Everything about a concept that a line or row needs.
pub(super) struct Concept<'a> {
    pub(super) id: Id,
    pub(super) name: &'a str,
    pub(super) label: Option<&'a str>,
    /// In the order of the model, each with the concept's id.
    aliases: &'a [(Id, &'a str)],
    pub(super) code: &'a [u64],
    pub(super) rank: Id,
}

impl<'a> Concept<'a> {
    pub(super) fn aliases(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        self.aliases.iter().map(|&(_, alias)| alias)
    }

    /// All its texts: name, label, aliases.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        std::iter::once(self.name).chain(self.label).chain(self.aliases())
    }
}

/// A model's concepts, each with its aliases. The model stores aliases in alias order.
pub(super) struct Concepts<'a> {
    model: &'a Model,
    /// In ascending order of concepts.
    aliases: Vec<(Id, &'a str)>,
    ranks: Ranks,
}

impl<'a> Concepts<'a> {
    pub(super) fn of(model: &'a Model) -> Self {
        let aliases = model.hierarchy().aliases().iter();
        let mut aliases: Vec<_> = aliases.map(|(alias, concept)| (concept, alias)).collect();
        aliases.sort_by_key(|&(concept, _)| concept);
        Self { model, aliases, ranks: model.hierarchy().ranks() }
    }

    pub(super) fn get(&self, id: Id) -> Concept<'_> {
        let (concepts, codes) = (self.model.hierarchy(), self.model.codes());
        let start = self.aliases.partition_point(|&(concept, _)| concept < id);
        let count = self.aliases[start..].iter().take_while(|&&(concept, _)| concept == id).count();
        Concept {
            id,
            name: concepts.name(id),
            label: concepts.label(id),
            aliases: &self.aliases[start..start + count],
            code: codes.row(id),
            rank: self.ranks.of(id),
        }
    }

    /// The ranks of every concept and all below it, as ranges: the concept, the lowest and the
    /// highest rank of each.
    pub(super) fn ranges(&self) -> Vec<(Id, Id, Id)> {
        let (codes, columns) = (self.model.codes(), Columns::new(self.model.codes()));
        let of = |concept: Id| {
            let mut below = Vec::new();
            columns.each_superset(codes.row(concept), |id| below.push(id));
            let all: Vec<RangeInclusive<Id>> = self.ranks.ranges(below);
            all.into_iter().map(move |range| (concept, *range.start(), *range.end()))
        };
        self.model.hierarchy().ids().into_par_iter().flat_map_iter(of).collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Concept<'_>> {
        self.model.hierarchy().ids().map(|id| self.get(id))
    }
}

/// The bits of a code, starting with bit 0.
pub(super) fn bits(code: &[u64], bits: usize) -> impl Iterator<Item = bool> {
    (0..bits).map(|bit| code[bit / 64] >> (bit % 64) & 1 == 1)
}
