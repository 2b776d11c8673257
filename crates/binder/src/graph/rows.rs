use crate::bits::{Id, id};

/// One short list of ids per concept, in compressed sparse rows: two allocations in all.
///
/// ```text
/// rows  [[], [0], [0], [1], [1, 2]]
/// ends  [0, 1, 2, 3, 5]
/// items [0, 0, 1, 1, 2]
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// Where row `i` ends in `items`; it starts where row `i - 1` ends. Never decreasing.
    ends: Vec<usize>,
    /// All rows, one after the other.
    items: Vec<Id>,
}

impl Rows {
    /// No rows yet, with room for `rows` of them and `items` ids in all.
    pub(crate) fn with_capacity(rows: usize, items: usize) -> Self {
        Self { ends: Vec::with_capacity(rows), items: Vec::with_capacity(items) }
    }

    /// `rows` rows from (row, item) pairs; items keep the order in which the pairs come.
    pub(crate) fn from_pairs(rows: usize, pairs: impl Iterator<Item = (Id, Id)> + Clone) -> Self {
        let mut ends = vec![0; rows + 1];
        for (row, _) in pairs.clone() {
            ends[row as usize + 1] += 1;
        }
        for row in 0..rows {
            ends[row + 1] += ends[row];
        }
        let mut items = vec![0; ends[rows]];
        // While filling, `ends[row]` is where the next item of `row` goes; it stops at the row's
        // end.
        for (row, item) in pairs {
            items[ends[row as usize]] = item;
            ends[row as usize] += 1;
        }
        ends.truncate(rows);
        Self { ends, items }
    }

    /// The same rows, each ascending.
    pub(super) fn with_sorted_rows(mut self) -> Self {
        let mut start = 0;
        for &end in &self.ends {
            self.items[start..end].sort_unstable();
            start = end;
        }
        self
    }

    /// Where each row lies among all items, and the items.
    pub(crate) fn into_parts(self) -> (Vec<std::ops::Range<usize>>, Vec<Id>) {
        let ranges = (0..id(self.len())).map(|row| self.start(row)..self.ends[row as usize]);
        (ranges.collect(), self.items)
    }

    /// Appends a row.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = Id>) {
        self.items.extend(row);
        self.ends.push(self.items.len());
    }

    /// The row of `id`.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[inline]
    pub fn row(&self, id: Id) -> &[Id] {
        &self.items[self.start(id)..self.ends[id as usize]]
    }

    /// Where the row of `id` starts among all items.
    pub(super) fn start(&self, id: Id) -> usize {
        if id == 0 { 0 } else { self.ends[id as usize - 1] }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of items in all rows together.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// All (row, item) pairs, row by row.
    pub fn pairs(&self) -> impl Iterator<Item = (Id, Id)> + Clone + '_ {
        (0..id(self.len())).flat_map(|row| self.row(row).iter().map(move |&item| (row, item)))
    }

    /// The rows in the opposite direction: `b` in row `a` becomes `a` in row `b`.
    pub(crate) fn transposed(&self) -> Self {
        Self::from_pairs(self.len(), self.pairs().map(|(row, item)| (item, row)))
    }
}
