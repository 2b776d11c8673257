//! Boxes in layers, joined by lines that go around other boxes (Sugiyama, Tagawa & Toda 1981).
//!
//! ```text
//!    animal           animal        A line over several layers gets a place in each of them,
//!    /    \           /    \        a *way*, like a narrow box. Rows are ordered by the mean
//!  pet     |        pet    (way)    place of neighbours, from the top down and back, a few
//!    \     |          \    /        times. Then every box moves to the mean of its neighbours,
//!     puppy            puppy        as far as the boxes beside it allow.
//! ```

/// Something with a place in a row.
#[derive(Debug, Clone, Default)]
pub(super) struct Item {
    pub(super) width: f64,
    /// The row, from the top.
    pub(super) row: usize,
    /// The middle.
    pub(super) x: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// Rows of items.
#[derive(Debug, Default)]
pub(super) struct Layers {
    pub(super) items: Vec<Item>,
    rows: Vec<Vec<usize>>,
    gap: f64,
}

/// The number of passes over the rows.
const SWEEPS: usize = 8;

impl Layers {
    pub(super) fn new(gap: f64) -> Self {
        Self { gap, ..Self::default() }
    }

    /// Adds a box to a row and returns its number.
    pub(super) fn add(&mut self, row: usize, width: f64) -> usize {
        let number = self.items.len();
        self.items.push(Item { width, row, ..Item::default() });
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        self.rows[row].push(number);
        number
    }

    /// Joins a box to one in a lower row and returns all items on the line, including both ends.
    pub(super) fn join(&mut self, upper: usize, lower: usize) -> Vec<usize> {
        let mut way = vec![upper];
        for row in self.items[upper].row + 1..self.items[lower].row {
            let next = self.add(row, 0.0);
            way.push(next);
        }
        way.push(lower);
        for step in way.windows(2) {
            self.items[step[0]].below.push(step[1]);
            self.items[step[1]].above.push(step[0]);
        }
        way
    }

    /// Places every item and returns the total width.
    pub(super) fn arrange(&mut self) -> f64 {
        self.spread();
        for sweep in 0..SWEEPS {
            self.each_row(sweep, Self::order);
        }
        self.spread();
        for sweep in 0..SWEEPS {
            self.each_row(sweep, Self::straighten);
        }
        let left =
            self.items.iter().map(|item| item.x - item.width / 2.0).fold(f64::INFINITY, f64::min);
        self.items.iter_mut().for_each(|item| item.x -= left);
        self.items.iter().map(|item| item.x + item.width / 2.0).fold(0.0, f64::max)
    }

    fn each_row(&mut self, sweep: usize, work: fn(&mut Self, usize, bool)) {
        for at in 0..self.rows.len() {
            let down = sweep.is_multiple_of(2);
            work(self, if down { at } else { self.rows.len() - 1 - at }, down);
        }
    }

    /// Puts the items of each row side by side, the middle of the row at zero.
    fn spread(&mut self) {
        for row in &self.rows {
            let whole: f64 = row.iter().map(|&item| self.items[item].width + self.gap).sum();
            let mut x = -whole / 2.0;
            for &item in row {
                let wide = self.items[item].width + self.gap;
                self.items[item].x = x + wide / 2.0;
                x += wide;
            }
        }
    }

    /// The preferred place of an item: the mean of its neighbours above or below, or its current
    /// place.
    fn wish(&self, item: usize, down: bool) -> f64 {
        let near = if down { &self.items[item].above } else { &self.items[item].below };
        if near.is_empty() {
            return self.items[item].x;
        }
        near.iter().map(|&other| self.items[other].x).sum::<f64>() / near.len() as f64
    }

    fn order(&mut self, row: usize, down: bool) {
        let mut order = std::mem::take(&mut self.rows[row]);
        order.sort_by(|&a, &b| self.wish(a, down).total_cmp(&self.wish(b, down)));
        self.rows[row] = order;
        self.spread();
    }

    /// Moves each item of a row towards its preferred place without changing the order. Items are
    /// pushed to the right where they would overlap; then the whole row moves back by the mean
    /// error.
    fn straighten(&mut self, row: usize, down: bool) {
        let wishes: Vec<f64> = self.rows[row].iter().map(|&item| self.wish(item, down)).collect();
        let (mut free, mut excess) = (f64::NEG_INFINITY, 0.0);
        for (&item, &wish) in self.rows[row].iter().zip(&wishes) {
            let half = self.items[item].width / 2.0;
            let x = wish.max(free + half);
            (free, excess) = (x + half + self.gap, excess + x - wish);
            self.items[item].x = x;
        }
        let back = excess / wishes.len().max(1) as f64;
        self.rows[row].iter().for_each(|&item| self.items[item].x -= back);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_a_row_do_not_overlap_and_ways_pass_beside_them() {
        let mut layers = Layers::new(10.0);
        let boxes = [(0, 60.0), (1, 80.0), (1, 50.0), (2, 90.0), (3, 40.0)]
            .map(|(row, width)| layers.add(row, width));
        let [animal, pet, dog, puppy, poodle] = boxes;
        for (upper, lower) in
            [(animal, pet), (animal, dog), (pet, puppy), (dog, puppy), (puppy, poodle)]
        {
            layers.join(upper, lower);
        }
        let way = layers.join(animal, poodle);
        assert_eq!(way.len(), 4);
        let whole = layers.arrange();
        for row in &layers.rows {
            for two in row.windows(2) {
                let [a, b] = [&layers.items[two[0]], &layers.items[two[1]]];
                assert!(a.x + a.width / 2.0 + 9.99 <= b.x - b.width / 2.0, "{a:?} {b:?}");
            }
        }
        assert!(
            layers.items.iter().all(|item| item.x >= item.width / 2.0 - 1e-9
                && item.x + item.width / 2.0 <= whole + 1e-9)
        );
    }
}
