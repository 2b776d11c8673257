//! An inverted index: for every token, the rows that have it, with a weight each.

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::bits::{Id, id};

/// For every token, its rows.
#[derive(Debug, Default)]
pub(super) struct Postings {
    /// The number of a token.
    numbers: HashMap<u64, u32, Mixed>,
    /// Where the rows of a token begin, by its number; and where those of the last one end.
    starts: Vec<u32>,
    /// Ascending within a token.
    rows: Vec<Id>,
    /// One for each of `rows`.
    weights: Vec<f32>,
}

/// Tokens are hashes already: they need no further hashing.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Mixed;

impl std::hash::BuildHasher for Mixed {
    type Hasher = Same;

    fn build_hasher(&self) -> Same {
        Same(0)
    }
}

/// The hasher of [`Mixed`].
#[derive(Debug)]
pub(super) struct Same(u64);

impl std::hash::Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

impl Postings {
    /// An index of entries (token, row, weight) in any order, each (token, row) once.
    pub(super) fn new(mut entries: Vec<(u64, Id, f32)>) -> Self {
        entries.par_sort_unstable_by_key(|&(token, row, _)| (token, row));
        let mut index = Self::default();
        for (at, tokens) in entries.chunk_by(|a, b| a.0 == b.0).enumerate() {
            index.numbers.insert(tokens[0].0, id(at));
            index.starts.push(id(index.rows.len()));
            index.rows.extend(tokens.iter().map(|&(_, row, _)| row));
            index.weights.extend(tokens.iter().map(|&(.., weight)| weight));
        }
        index.starts.push(id(index.rows.len()));
        index
    }

    /// The number of a token, if a row has it. Numbers ascend with tokens.
    pub(super) fn number(&self, token: u64) -> Option<u32> {
        self.numbers.get(&token).copied()
    }

    /// How many different tokens there are.
    pub(super) fn tokens(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The rows that have a token, ascending.
    pub(super) fn rows(&self, token: u64) -> &[Id] {
        self.number(token).map_or(&[], |number| self.rows_of(number))
    }

    fn range(&self, number: u32) -> std::ops::Range<usize> {
        self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize
    }

    /// The rows of the token with a number.
    pub(super) fn rows_of(&self, number: u32) -> &[Id] {
        &self.rows[self.range(number)]
    }

    /// The weight of a token for a row, 0 if the row does not have it.
    pub(super) fn weight(&self, token: u64, row: Id) -> f32 {
        let Some(number) = self.number(token) else { return 0.0 };
        let at = self.rows_of(number).binary_search(&row);
        at.map_or(0.0, |at| self.weights[self.range(number).start + at])
    }

    /// The weights of a token's rows, to be changed.
    pub(super) fn weights_of_mut(&mut self, number: u32) -> (&[Id], &mut [f32]) {
        let range = self.range(number);
        (&self.rows[range.clone()], &mut self.weights[range])
    }

    /// Adds up the weights of the rows that have these tokens, times the tokens' own weights.
    /// Tokens of more than `most` rows are left out.
    pub(super) fn add_up(&self, tokens: &[(u64, f32)], most: usize, into: &mut Tally) {
        for &(token, weight) in tokens {
            let Some(number) = self.number(token) else { continue };
            let range = self.range(number);
            if range.len() > most {
                continue;
            }
            for (&row, &own) in self.rows[range.clone()].iter().zip(&self.weights[range]) {
                into.add(row, weight * own);
            }
        }
    }
}

/// Sums for a few of many rows.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// One for each row, 0 unless it is in `touched`.
    sums: Vec<f32>,
    touched: Vec<Id>,
}

impl Tally {
    pub(super) fn new(rows: usize) -> Self {
        Self { sums: vec![0.0; rows], touched: Vec::new() }
    }

    /// Adds something greater than 0 to a row's sum.
    #[inline]
    pub(super) fn add(&mut self, row: Id, weight: f32) {
        let sum = &mut self.sums[row as usize];
        if *sum == 0.0 {
            self.touched.push(row);
        }
        *sum += weight;
    }

    pub(super) fn get(&self, row: Id) -> f32 {
        self.sums[row as usize]
    }

    /// Takes everything away that was added to rows, which ascend.
    pub(super) fn forget(&mut self, rows: &[Id]) {
        if rows.is_empty() {
            return;
        }
        self.touched.retain(|row| rows.binary_search(row).is_err());
        rows.iter().for_each(|&row| self.sums[row as usize] = 0.0);
    }

    /// The rows that something was added to, in the order of the first time.
    pub(super) fn touched(&self) -> &[Id] {
        &self.touched
    }

    pub(super) fn clear(&mut self) {
        for row in self.touched.drain(..) {
            self.sums[row as usize] = 0.0;
        }
    }

    /// The `count` rows with the largest sums, the largest first; of equal ones, the first row.
    pub(super) fn best(&self, count: usize) -> Vec<(Id, f32)> {
        let mut rows: Vec<(Id, f32)> =
            self.touched.iter().map(|&row| (row, self.get(row))).collect();
        let order = |a: &(Id, f32), b: &(Id, f32)| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0));
        if rows.len() > count && count > 0 {
            rows.select_nth_unstable_by(count - 1, order);
            rows.truncate(count);
        }
        rows.sort_unstable_by(order);
        rows.truncate(count);
        rows
    }
}
