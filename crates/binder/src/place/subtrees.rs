//! A language model for every subtree, smoothed along the parents.
//!
//! ```text
//!     animal  P(bark) = 2/4             P_c(t) = (n_c(t) + μ · P_parent(t)) / (n_c + μ)
//!      /  \                             n_c      concepts in the subtree of c
//!    dog   cat   P_cat(bark)            n_c(t)   those of them that have the token t
//!     |            = (0 + μ/2)/(1 + μ)
//!   puppy
//! ```
//!
//! A concept that nobody is below is judged almost as its parent is; a large subtree by its own
//! words. The score of a concept for a text is the mean over the text's tokens of
//! ln P_c(t) − ln P_root(t).

use rayon::prelude::*;

use super::postings::Postings;
use super::profile::Profile;
use crate::bits::{Id, id};
use crate::graph::Rows;

/// μ: how many concepts the parent's opinion is worth.
pub(super) const SMOOTHING: f32 = 6.0;

/// Lists up to this length are searched from their beginning.
const SHORT: usize = 24;

/// How many concepts of each subtree have a token. Only subtrees of at least two concepts and
/// tokens of at least two concepts are counted.
#[derive(Debug, Default)]
pub(super) struct Subtrees {
    /// Where the counts of a concept begin; and where those of the last one end.
    starts: Vec<u32>,
    /// The numbers of tokens, ascending within a concept.
    tokens: Vec<u32>,
    /// One for each of `tokens`.
    counts: Vec<u32>,
    /// The number of concepts in each subtree, with its top.
    sizes: Vec<u32>,
}

impl Subtrees {
    pub(super) fn new(profiles: &[Profile], index: &Postings, ancestors: &Rows) -> Self {
        let count = profiles.len();
        let mut sizes = vec![1; count];
        for concept in 0..count {
            for &above in ancestors.row(id(concept)) {
                sizes[above as usize] += 1;
            }
        }
        let keys = |(concept, profile): (usize, &Profile)| {
            let concept = id(concept);
            let common = profile.tokens.iter().filter_map(|&(token, _)| {
                index.number(token).filter(|&number| index.rows_of(number).len() > 1)
            });
            let own = (sizes[concept as usize] > 1).then_some(concept);
            let tops: Vec<Id> = ancestors.row(concept).iter().copied().chain(own).collect();
            common
                .flat_map(|number| {
                    tops.iter().map(move |&top| u64::from(top) << 32 | u64::from(number))
                })
                .collect::<Vec<u64>>()
        };
        let mut keys: Vec<u64> = profiles.par_iter().enumerate().flat_map_iter(keys).collect();
        keys.par_sort_unstable();
        let mut made = Self { starts: vec![0; count + 1], sizes, ..Self::default() };
        for same in keys.chunk_by(|a, b| a == b) {
            made.starts[id_of(same[0] >> 32) as usize + 1] += 1;
            made.tokens.push(id_of(same[0] & 0xffff_ffff));
            made.counts.push(id(same.len()));
        }
        for at in 1..made.starts.len() {
            made.starts[at] += made.starts[at - 1];
        }
        made
    }

    /// The number of concepts in a subtree, with its top.
    pub(super) fn size(&self, top: Id) -> u32 {
        self.sizes[top as usize]
    }

    /// Says how many concepts of a subtree have each of the tokens at these places, if any has it.
    /// Tokens and places ascend.
    pub(super) fn find(
        &self,
        top: Id,
        tokens: &[u32],
        places: &[u32],
        mut found: impl FnMut(u32, f32),
    ) {
        let top = top as usize;
        let range = self.starts[top] as usize..self.starts[top + 1] as usize;
        let (mut own, counts) = (&self.tokens[range.clone()], &self.counts[range]);
        let mut passed = 0;
        for &place in places {
            let token = tokens[place as usize];
            let skip = match own.len() {
                ..=SHORT => own.iter().take_while(|&&other| other < token).count(),
                _ => own.partition_point(|&other| other < token),
            };
            (own, passed) = (&own[skip..], passed + skip);
            if own.first() == Some(&token) {
                found(place, counts[passed] as f32);
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "half of a key, which is an id")]
fn id_of(half: u64) -> u32 {
    half as u32
}
