//! What differs between two versions of a hierarchy.
//!
//! A concept is the same in both versions if it has the same name, or if its name in one version is
//! an alias of it in the other: then it was *renamed*. If another concept has taken over the name
//! of one that is gone, as an alias, the two were *merged*.
//!
//! ```text
//!   old   animal           new   animal          added      rabbit
//!         /    \                /      \         removed    hamster
//!       pet    dog            pet      dog       moved      puppy, away from pet
//!      /   \   /             /   \      |        closure    (rabbit, pet) and (rabbit, animal)
//! hamster  puppy         rabbit  cat  puppy                 gained, three pairs lost
//! ```
//!
//! A concept is *moved* if its direct parents differ. It is *relocated* if something else is above
//! it than before, among the concepts that both versions have: then its code cannot stay.

use rayon::prelude::*;

use crate::bits::{Id, id};
use crate::hierarchy::Hierarchy;
use crate::progress::{Cancelled, Progress};

/// What differs between an old and a new version of a hierarchy; see the [module](self).
///
/// # Examples
///
/// ```
/// use binder::{Hierarchy, diff::Diff};
/// let old = Hierarchy::from_pairs([("puppy", "dog"), ("dog", "animal"), ("cat", "animal")])?;
/// let new = Hierarchy::from_pairs([("puppy", "dog"), ("dog", "pet"), ("pet", "animal")])?;
/// let diff = Diff::between(&old, &new, &())?;
/// let names = |version: &Hierarchy, ids: Vec<_>| -> Vec<String> {
///     ids.into_iter().map(|id| version.name(id).to_owned()).collect()
/// };
/// assert_eq!(names(&new, diff.added().collect()), ["pet"]);
/// assert_eq!(names(&old, diff.removed().collect()), ["cat"]);
/// assert_eq!(names(&new, diff.moved.iter().map(|moved| moved.concept).collect()), ["dog"]);
/// assert_eq!((diff.closure.gained, diff.closure.lost), (3, 1));
/// assert!(diff.relocated.is_empty()); // puppy is a dog and an animal, as before
/// # Ok::<(), binder::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// For each concept of the new version, the one of the old version that it was.
    pub before: Vec<Option<Id>>,
    /// For each concept of the old version, the one of the new version that it is.
    pub after: Vec<Option<Id>>,
    /// Concepts with another name, as (old id, new id).
    pub renamed: Vec<(Id, Id)>,
    /// Old concepts that are gone, and the new ones that have their names as aliases.
    pub merged: Vec<(Id, Id)>,
    /// Concepts with other direct parents.
    pub moved: Vec<Moved>,
    /// New ids of the concepts that have other concepts above them, among those that were kept.
    pub relocated: Vec<Id>,
    /// The pairs of the closure that differ.
    pub closure: ClosureDiff,
    /// The texts that differ.
    pub texts: TextsDiff,
}

/// A concept whose direct parents differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Its new id.
    pub concept: Id,
    /// The new ids of the parents that it did not have before.
    pub gained: Vec<Id>,
    /// The old ids of the parents that it does not have any more.
    pub lost: Vec<Id>,
}

/// How many pairs of the closure differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ClosureDiff {
    /// Pairs that only the new version has.
    pub gained: u64,
    /// Pairs that only the old version has.
    pub lost: u64,
    /// Those gained pairs whose concepts are in both versions.
    pub gained_among_kept: u64,
    /// Those lost pairs whose concepts are in both versions.
    pub lost_among_kept: u64,
}

/// How many of the kept concepts have other texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct TextsDiff {
    /// Another label, or one more or less.
    pub labels: usize,
    /// Other synonyms.
    pub synonyms: usize,
    /// Another definition.
    pub definitions: usize,
    /// Other alternative ids. Those of renamed concepts are not counted.
    pub alternative_ids: usize,
}

impl Diff {
    /// Compares two versions.
    ///
    /// # Errors
    ///
    /// When the work is cancelled.
    pub fn between(
        old: &Hierarchy,
        new: &Hierarchy,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let mut matching = Matching::by_name(old, new);
        matching.by_alias(old, new);
        let Matching { before, after, renamed, merged } = matching;
        let (closure, relocated) = compare_closures((old, new), (&before, &after), progress)?;
        Ok(Self {
            moved: moved((old, new), (&before, &after)),
            texts: compare_texts(old, new, &before),
            before,
            after,
            renamed,
            merged,
            relocated,
            closure,
        })
    }

    /// Whether both versions have the concept, and the same above it; then its code can stay.
    pub(crate) fn stays(&self, concept: Id) -> bool {
        self.before[concept as usize].is_some() && self.relocated.binary_search(&concept).is_err()
    }

    /// The new ids of the concepts that only the new version has.
    pub fn added(&self) -> impl Iterator<Item = Id> + '_ {
        unmatched(&self.before)
    }

    /// The old ids of the concepts that only the old version has.
    pub fn removed(&self) -> impl Iterator<Item = Id> + '_ {
        unmatched(&self.after)
    }

    /// The number of concepts that both versions have.
    pub fn kept(&self) -> usize {
        self.before.iter().flatten().count()
    }

    /// Whether the versions have the same concepts, pairs and texts, and know the same names.
    pub fn is_empty(&self) -> bool {
        let same_concepts = self.kept() == self.before.len() && self.kept() == self.after.len();
        same_concepts
            && self.renamed.is_empty()
            && self.moved.is_empty()
            && self.texts == TextsDiff::default()
    }
}

fn unmatched(other: &[Option<Id>]) -> impl Iterator<Item = Id> + '_ {
    (0..).zip(other).filter(|(_, other)| other.is_none()).map(|(concept, _)| concept)
}

/// Which concepts are the same.
struct Matching {
    before: Vec<Option<Id>>,
    after: Vec<Option<Id>>,
    renamed: Vec<(Id, Id)>,
    merged: Vec<(Id, Id)>,
}

impl Matching {
    fn by_name(old: &Hierarchy, new: &Hierarchy) -> Self {
        let mut before = vec![None; new.len()];
        let after: Vec<_> = old.names().texts().iter().map(|name| new.names().id(name)).collect();
        for (old, new) in (0..).zip(&after).filter_map(|(old, new)| Some((old, (*new)?))) {
            before[new as usize] = Some(old);
        }
        Self { before, after, renamed: Vec::new(), merged: Vec::new() }
    }

    /// Matches what has no name in common. The first of several concepts that became one was
    /// renamed, if the name of that one is new; the others were merged into it.
    fn by_alias(&mut self, old: &Hierarchy, new: &Hierarchy) {
        for gone in unmatched(&self.after.clone()) {
            let Some(taken) = new.aliases().concept(old.name(gone)) else { continue };
            if self.before[taken as usize].is_none() {
                self.rename(gone, taken);
            } else {
                self.merged.push((gone, taken));
            }
        }
        for unknown in unmatched(&self.before.clone()) {
            let known = old.aliases().concept(new.name(unknown));
            if let Some(gone) = known.filter(|&known| self.after[known as usize].is_none()) {
                self.merged.retain(|&(merged, _)| merged != gone);
                self.rename(gone, unknown);
            }
        }
    }

    fn rename(&mut self, old: Id, new: Id) {
        self.after[old as usize] = Some(new);
        self.before[new as usize] = Some(old);
        self.renamed.push((old, new));
    }
}

/// An old and a new version of something.
type Versions<T> = (T, T);

fn moved((old, new): Versions<&Hierarchy>, (before, after): Versions<&[Option<Id>]>) -> Vec<Moved> {
    let moved = |concept: Id| {
        let was = before[concept as usize]?;
        let (now, then) = (new.parents(concept), old.parents(was));
        let had = |parent: &Id| before[*parent as usize].is_some_and(|was| then.contains(&was));
        let has = |parent: &Id| after[*parent as usize].is_some_and(|is| now.contains(&is));
        let gained: Vec<Id> = now.iter().copied().filter(|parent| !had(parent)).collect();
        let lost: Vec<Id> = then.iter().copied().filter(|parent| !has(parent)).collect();
        (!gained.is_empty() || !lost.is_empty()).then_some(Moved { concept, gained, lost })
    };
    new.ids().filter_map(moved).collect()
}

/// How many pairs of kept concepts a concept is the child of, in each version and in both.
#[derive(Default)]
struct Common {
    old: u64,
    new: u64,
    both: u64,
}

/// Compares what is above each kept concept, and lists those with a difference.
fn compare_closures(
    (old, new): Versions<&Hierarchy>,
    (before, after): Versions<&[Option<Id>]>,
    progress: &dyn Progress,
) -> Result<(ClosureDiff, Vec<Id>), Cancelled> {
    let compare = |(concept, was): (usize, &Option<Id>)| {
        let was = (*was).filter(|_| !progress.is_cancelled())?;
        let now = new.ancestors(id(concept)).into_iter();
        let mut now: Vec<Id> = now.filter_map(|above| before[above as usize]).collect();
        now.sort_unstable();
        let kept = |above: &Id| after[*above as usize].is_some();
        let then: Vec<Id> = old.ancestors(was).into_iter().filter(kept).collect();
        let both = now.iter().filter(|above| then.binary_search(above).is_ok()).count();
        let [old, new, both] = [then.len(), now.len(), both].map(|pairs| pairs as u64);
        Some((id(concept), Common { old, new, both }))
    };
    let found: Vec<(Id, Common)> =
        before.par_iter().enumerate().with_min_len(256).filter_map(compare).collect();
    progress.go_on()?;
    let sum = |of: fn(&Common) -> u64| found.iter().map(|(_, common)| of(common)).sum::<u64>();
    let both = sum(|common| common.both);
    let closure = ClosureDiff {
        gained: new.closure_len() - both,
        lost: old.closure_len() - both,
        gained_among_kept: sum(|common| common.new) - both,
        lost_among_kept: sum(|common| common.old) - both,
    };
    let differs = |common: &Common| common.old != common.both || common.new != common.both;
    let relocated = found.iter().filter(|(_, common)| differs(common)).map(|&(concept, _)| concept);
    Ok((closure, relocated.collect()))
}

fn compare_texts(old: &Hierarchy, new: &Hierarchy, before: &[Option<Id>]) -> TextsDiff {
    let kept = || (0..).zip(before).filter_map(|(new, old)| Some(((*old)?, new)));
    let count = |differ: &dyn Fn(Id, Id) -> bool| kept().filter(|&(o, n)| differ(o, n)).count();
    let synonyms = |version: &Hierarchy, concept| {
        let mut texts: Vec<_> = version
            .synonyms(concept)
            .map(|synonym| (synonym.text.to_owned(), synonym.scope))
            .collect();
        texts.sort_unstable();
        texts
    };
    let mut aliases = [old, new].map(|version| version.aliases().of_each(version.len()));
    aliases.iter_mut().flatten().for_each(|aliases| aliases.sort_unstable());
    let [old_aliases, new_aliases] = &aliases;
    TextsDiff {
        labels: count(&|o, n| old.label(o) != new.label(n)),
        synonyms: count(&|o, n| synonyms(old, o) != synonyms(new, n)),
        definitions: count(&|o, n| old.definition(o) != new.definition(n)),
        alternative_ids: count(&|o, n| {
            old.name(o) == new.name(n) && old_aliases[o as usize] != new_aliases[n as usize]
        }),
    }
}
