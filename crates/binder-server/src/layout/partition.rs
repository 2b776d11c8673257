use binder::Hierarchy;
use binder::Id;

/// The whole hierarchy as an icicle plot: one row of cells per level, each cell as wide as the
/// number of leaves below it.
///
/// ```text
/// animal           [animal           ]
/// ├─ pet           [pet       ][dog  ]
/// │  ├─ cat        [cat][puppy]
/// │  └─ puppy      widths in leaves: animal 3, pet 2, dog 1
/// └─ dog
/// ```
///
/// A concept with several parents is placed below the first. Widths are integers, so edges meet at
/// every zoom level.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    /// The cells, level by level, from the left.
    cells: Vec<Cell>,
    /// The end of each level in `cells`.
    ends: Vec<u32>,
    /// The total width in leaves.
    leaves: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    concept: Id,
    start: u32,
    end: u32,
}

impl Partition {
    pub(crate) fn new(hierarchy: &Hierarchy) -> Self {
        let first = |concept: Id| hierarchy.parents(concept).first().copied();
        let mut widths = vec![0u32; hierarchy.len()];
        let mut levels = vec![0usize; hierarchy.len()];
        // Children before parents, then parents before children.
        for concept in hierarchy.ids().rev() {
            let width = widths[concept as usize].max(1);
            widths[concept as usize] = width;
            first(concept).into_iter().for_each(|parent| widths[parent as usize] += width);
        }
        let (mut free, mut roots_end) = (vec![0u32; hierarchy.len()], 0);
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for concept in hierarchy.ids() {
            let width = widths[concept as usize];
            let place = match first(concept) {
                None => &mut roots_end,
                Some(parent) => {
                    levels[concept as usize] = levels[parent as usize] + 1;
                    &mut free[parent as usize]
                }
            };
            let start = *place;
            *place += width;
            free[concept as usize] = start;
            let level = levels[concept as usize];
            if rows.len() <= level {
                rows.resize(level + 1, Vec::new());
            }
            rows[level].push(Cell { concept, start, end: start + width });
        }
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|cell| cell.start));
        let ends = rows
            .iter()
            .scan(0, |end, row| {
                *end += number(row.len());
                Some(*end)
            })
            .collect();
        Self { cells: rows.concat(), ends, leaves: roots_end }
    }

    /// The bytes for the page, little-endian: the numbers of leaves, levels and cells; the end of
    /// each level; then the start, the end and the concept of each cell.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let head = [self.leaves, number(self.ends.len()), number(self.cells.len())];
        let numbers = head.into_iter().chain(self.ends.iter().copied());
        let cells = || self.cells.iter();
        numbers
            .chain(cells().map(|cell| cell.start))
            .chain(cells().map(|cell| cell.end))
            .chain(cells().map(|cell| cell.concept))
            .flat_map(u32::to_le_bytes)
            .collect()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("no more cells than concepts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_as_wide_as_their_leaves() {
        let pets = [
            ("pet", "animal"),
            ("cat", "pet"),
            ("dog", "animal"),
            ("puppy", "pet"),
            ("puppy", "dog"),
        ];
        let hierarchy = Hierarchy::from_pairs(pets).expect("no cycle");
        let map = Partition::new(&hierarchy);
        let cells: Vec<_> = map
            .cells
            .iter()
            .map(|cell| (hierarchy.name(cell.concept), cell.start, cell.end))
            .collect();
        assert_eq!(map.ends, [1, 3, 5]);
        assert_eq!(map.leaves, 3);
        assert_eq!(cells[0], ("animal", 0, 3));
        assert!(cells.contains(&("pet", 0, 2)) && cells.contains(&("dog", 2, 3)), "{cells:?}");
        assert_eq!(map.to_bytes().len(), 4 * (3 + 3 + 3 * 5));
    }

    #[test]
    fn nothing_is_a_map_too() {
        assert_eq!(Partition::new(&Hierarchy::default()).to_bytes(), [0; 12]);
    }
}
