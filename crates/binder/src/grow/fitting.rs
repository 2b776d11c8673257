use crate::bits::{Block, Code, Id, IdSet, covers, id, ones};
use crate::codes::{Codes, CodesError, Columns};

/// An appended column is given to at most so many concepts at once. To check more of them would
/// take longer than to append another.
const MOST_REUSED: usize = 2000;

/// Codes that stay as they are, to which the codes of more concepts are fitted one by one.
#[derive(Debug)]
pub(crate) struct Fitting {
    /// The code of each concept, and the same codes by columns.
    codes: Codes,
    columns: Columns,
    /// Columns from here on were appended.
    given_bits: usize,
    /// For each appended column, the topmost concepts that have it: every other concept with the
    /// column has all bits of one of them.
    tops: Vec<Vec<Id>>,
}

/// Where a new concept belongs among those that have codes.
pub(crate) struct Position<'a> {
    /// Its parents.
    pub(crate) parents: &'a [Id],
    /// Everything above it, its parents too.
    pub(crate) above: &'a IdSet,
    /// Everything below it. Their codes must have all bits of its ancestors.
    pub(crate) below: &'a IdSet,
}

impl Fitting {
    pub(crate) fn new(codes: Codes) -> Self {
        let (columns, given_bits) = (Columns::new(&codes), codes.bits());
        Self { codes, columns, given_bits, tops: Vec::new() }
    }

    pub(crate) fn codes(&self) -> &Codes {
        &self.codes
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    pub(crate) fn into_codes(self) -> Codes {
        self.codes
    }

    pub(crate) fn appended_bits(&self) -> usize {
        self.codes.bits() - self.given_bits
    }

    /// A code for a new concept: the bits of its parents, and enough additional bits that no other
    /// concept looks below it. Columns are appended where that is not possible without.
    /// `descendants` are some concepts and everything below them.
    pub(crate) fn fit(
        &mut self,
        position: &Position<'_>,
        descendants: impl FnOnce(&[Id]) -> IdSet,
    ) -> Result<Vec<u64>, CodesError> {
        self.uncover(position.parents, position.above, descendants)?;
        if let Some(code) = self.separated_code(position) {
            return Ok(code);
        }
        let bit = self.separating_column(position)?;
        let mut code = self.inherited(position.parents);
        code[bit / 64] |= 1 << (bit % 64);
        Ok(code)
    }

    /// The code that [`fit`](Self::fit) would find without a column more, if that can be.
    pub(crate) fn free_fit(&self, position: &Position<'_>) -> Option<Code> {
        if !self.covered(position.parents, position.above).is_empty() {
            return None;
        }
        Some(Code::from_row(self.codes.bits(), &self.separated_code(position)?))
    }

    /// A code without a column more. `own` are bits that told the concept from its siblings before:
    /// they are taken if that separates it from all others, or if nothing does.
    pub(crate) fn nearest_fit(&self, position: &Position<'_>, own: &[u64]) -> Vec<u64> {
        let shared = self.shared_by(position.below);
        let mut code = self.inherited(position.parents);
        for ((word, own), shared) in code.iter_mut().zip(own).zip(&shared) {
            *word |= own & shared;
        }
        if self.is_separated(&code, position) {
            return code;
        }
        self.separated_code(position).unwrap_or(code)
    }

    /// Whether only those concepts look above or below a code that are.
    fn is_separated(&self, code: &[u64], position: &Position<'_>) -> bool {
        let looks_above = self.columns.subsets(code);
        looks_above.iter().all(|concept| position.above.contains(concept))
            && self.looking_below(code, position.below).is_empty()
    }

    /// Appends the code of one more concept.
    pub(crate) fn push(&mut self, code: &[u64]) {
        let concept = id(self.codes.len());
        self.codes.push(code);
        self.columns.push(code);
        for bit in self.given_bits..self.codes.bits() {
            if self.codes.get(concept, bit) {
                self.note_top(bit, concept);
            }
        }
    }

    /// All bits of the parents.
    pub(crate) fn inherited(&self, parents: &[Id]) -> Vec<u64> {
        let mut code = vec![0; self.codes.words_per_row()];
        for &parent in parents {
            code.iter_mut().zip(self.codes.row(parent)).for_each(|(all, word)| *all |= word);
        }
        code
    }

    /// Gives a column to the concepts whose bits the parents have together without being below
    /// them, and to everything below those concepts.
    pub(crate) fn uncover(
        &mut self,
        parents: &[Id],
        above: &IdSet,
        descendants: impl FnOnce(&[Id]) -> IdSet,
    ) -> Result<(), CodesError> {
        let covered = self.covered(parents, above);
        if covered.is_empty() {
            return Ok(());
        }
        let having = descendants(&covered);
        let inherited = self.inherited(parents);
        let lacks = |bit: usize| inherited[bit / 64] >> (bit % 64) & 1 == 0;
        let bit = match self.reusable_column(&having, lacks) {
            Some(bit) => bit,
            None => self.append_column()?,
        };
        self.give(bit, &having);
        Ok(())
    }

    /// The concepts that are not above the parents, but whose bits the parents have together.
    fn covered(&self, parents: &[Id], above: &IdSet) -> Vec<Id> {
        let looks_above = self.columns.subsets(&self.inherited(parents));
        looks_above.iter().filter(|&concept| !above.contains(concept)).collect()
    }

    /// A code between those above and those below that no other concept looks below.
    fn separated_code(&self, position: &Position<'_>) -> Option<Vec<u64>> {
        let mut code = self.inherited(position.parents);
        let mut rivals = self.looking_below(&code, position.below);
        let shared = self.shared_by(position.below);
        while !rivals.is_empty() {
            let bit = self.best_bit(&code, &rivals, position.above, &shared)?;
            code[bit / 64] |= 1 << (bit % 64);
            rivals.retain(|&concept| self.codes.get(concept, bit));
        }
        Some(code)
    }

    /// The concepts that have all bits of a code, except those that may.
    fn looking_below(&self, code: &[u64], below: &IdSet) -> Vec<Id> {
        self.columns.supersets(code).iter().filter(|&concept| !below.contains(concept)).collect()
    }

    /// The bits that all of the concepts have.
    fn shared_by(&self, concepts: &IdSet) -> Vec<u64> {
        let mut shared = vec![u64::MAX; self.codes.words_per_row()];
        for concept in concepts {
            shared.iter_mut().zip(self.codes.row(concept)).for_each(|(all, word)| *all &= word);
        }
        shared
    }

    /// The bit that most rivals lack, among the bits that everything below the new concept has and
    /// that make no other concept look above it.
    fn best_bit(
        &self,
        code: &[u64],
        rivals: &[Id],
        above: &IdSet,
        shared: &[u64],
    ) -> Option<usize> {
        let may = |bit: usize| (shared[bit / 64] & !code[bit / 64]) >> (bit % 64) & 1 == 1;
        let mut free: Vec<bool> = (0..self.codes.bits()).map(may).collect();
        self.columns.near_above(code, |block, _, one| {
            let others = one
                .iter()
                .map(|at| id(block * Block::SIZE) + at)
                .filter(|&concept| !above.contains(concept));
            for concept in others {
                for (word, (mine, other)) in code.iter().zip(self.codes.row(concept)).enumerate() {
                    ones(other & !mine).for_each(|bit| free[word * 64 + bit as usize] = false);
                }
            }
        });
        let having = self.codes.column_counts(rivals);
        let best =
            (0..self.codes.bits()).filter(|&bit| free[bit]).min_by_key(|&bit| having[bit])?;
        ((having[best] as usize) < rivals.len()).then_some(best)
    }

    /// A column that separates a new concept, with its parents' bits, from all that look below it
    /// without being so. Everything that is below it has the column.
    fn separating_column(&mut self, position: &Position<'_>) -> Result<usize, CodesError> {
        let code = self.inherited(position.parents);
        let rivals = self.looking_below(&code, position.below);
        let lack = |bit: usize| rivals.iter().all(|&rival| !self.codes.get(rival, bit));
        let fits = |bit: usize| lack(bit) && !self.covers_another(&code, bit);
        let reusable = (!position.below.is_empty())
            .then(|| self.reusable_column(position.below, fits))
            .flatten();
        let bit = match reusable {
            Some(bit) => bit,
            None => self.append_column()?,
        };
        self.give(bit, position.below);
        Ok(bit)
    }

    /// An appended column that can be given to these concepts, which are closed under children. It
    /// can if none of them then has all bits of another concept that has the column: with the
    /// ancestors it shares, it has the column already.
    fn reusable_column(&self, having: &IdSet, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let concepts: Vec<Id> = having.iter().take(MOST_REUSED + 1).collect();
        if concepts.len() > MOST_REUSED {
            return None;
        }
        let may_have = |concept: Id, bit: usize| {
            self.codes.get(concept, bit) || !self.covers_another(self.codes.row(concept), bit)
        };
        let mut appended = self.given_bits..self.codes.bits();
        appended.find(|&bit| fits(bit) && concepts.iter().all(|&concept| may_have(concept, bit)))
    }

    /// Whether a code that lacks an appended bit would, with it, have all bits of a concept that
    /// has it. Then it has those of a topmost one, too.
    fn covers_another(&self, code: &[u64], bit: usize) -> bool {
        let mut code = code.to_vec();
        code[bit / 64] |= 1 << (bit % 64);
        self.covers_a_top(&code, bit)
    }

    /// Whether a code has all bits of one of the topmost concepts that have an appended column.
    fn covers_a_top(&self, code: &[u64], bit: usize) -> bool {
        let tops = &self.tops[bit - self.given_bits];
        tops.iter().any(|&top| covers(code, self.codes.row(top)))
    }

    /// Keeps a concept that has got an appended column, unless it is below one that is kept.
    fn note_top(&mut self, bit: usize, concept: Id) {
        if !self.covers_a_top(self.codes.row(concept), bit) {
            self.tops[bit - self.given_bits].push(concept);
        }
    }

    /// Appends a column that no concept has.
    fn append_column(&mut self) -> Result<usize, CodesError> {
        let bit = self.codes.bits();
        self.codes = self.codes.widened(1)?;
        self.columns.append_column();
        self.tops.push(Vec::new());
        Ok(bit)
    }

    fn give(&mut self, bit: usize, concepts: &IdSet) {
        for concept in concepts {
            self.codes.set(concept, bit, true);
            self.columns.set(concept, bit, true);
            self.note_top(bit, concept);
        }
    }
}
