//! The mixed-hop task: is a pair of concepts is-a, when a tenth of the direct pairs is not known?

use std::collections::HashMap;

use binder::encode::{Effort, EncodeParams};
use binder::hierarchy::{Cycles, HierarchyBuilder};
use binder::place::{Place, PlaceParams, Placer};
use binder::split::Pair;
use binder::{Hierarchy, Id, encode_with};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::classes::Classes;
use super::leaves::FIRST_SEED;
use super::pairs::{Asked, MixedHop};
use super::reach::{Orphan, Reach};
use crate::plan::Plan;
use crate::{Error, Listener};

pub(super) const MIXED_HOP: &str = "\n## The mixed-hop task\n\nOf He et al. 2024 (HiT), on the \
    74,401 kinds among WordNet's nouns: 90 % of the 75,850 direct pairs are known; a pair is is-a \
    or not. Asked are 5 % of the direct and 5 % of the 587,658 indirect pairs, with ten negatives \
    each: concepts drawn evenly, or siblings first (hard). Names are first lemmas, as there. The \
    published draw is not among our data: pairs are drawn anew. A concept without a known parent \
    is placed; chances are added up along all ways; what chance suffices, given how much is known \
    to be below the parent, is counted on the validation pairs, for random and hard negatives \
    apart, as the published thresholds are. \"Size\" does the same with closure and size alone, \
    without any text. Scores are means over as many draws as above.\n\n";

pub(super) const MIXED_HOP_HEAD: [&str; 3] =
    ["Known", "F1, random negatives", "F1, hard negatives"];

/// The best published figures: a language model trained on the known pairs.
const PUBLISHED: [f64; 2] = [0.900, 0.871];

/// A pair is is-a from this share of positives on, among the validation pairs like it: about half
/// of the best F1, which is where F1 is best. Chosen on the validation pairs of draw 101.
const SHARE: f64 = 0.45;

/// F1 with random and with hard negatives.
type Scores = [f64; 2];

/// A way to tell which pairs are is-a.
pub(super) struct Way {
    title: &'static str,
    draws: Vec<Scores>,
}

impl Way {
    fn mean(&self, at: usize) -> f64 {
        self.draws.iter().map(|scores| scores[at]).sum::<f64>() / self.draws.len().max(1) as f64
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let mean = |at| format!("{:.3}", self.mean(at));
        vec![self.title.to_owned(), mean(0), mean(1)]
    }

    pub(super) fn json(&self) -> Value {
        json!({ "way": self.title, "random_f1": self.mean(0), "hard_f1": self.mean(1) })
    }
}

/// Judges every way on every draw.
pub(super) fn mixed_hop(nouns: &Hierarchy, plan: &Plan<'_>) -> Result<Vec<Way>, Error> {
    let classes = Classes::new(nouns);
    let way = |title| Way { title, draws: Vec::new() };
    let mut ways = [
        way("closure of the known pairs"),
        way("… and size"),
        way("names"),
        way("names and definitions"),
        Way { title: "names, best published (HiT)", draws: vec![PUBLISHED] },
    ];
    for seed in (FIRST_SEED..).take(plan.seeds as usize) {
        let task = MixedHop::draw(&classes, seed);
        for (at, definitions) in [(2, false), (3, true)] {
            let known = known(&classes.hierarchy, &task.known, definitions);
            if !definitions {
                let reach = Reach::new(&known, &[]);
                let signs = Signs::new(&classes.hierarchy, &known, &reach);
                ways[0].draws.push(signs.closure(&task.test));
                ways[1].draws.push(signs.judge(&task));
            }
            let orphans = orphans(&known, plan.listener)?;
            plan.listener.finish();
            let reach = Reach::new(&known, &orphans);
            ways[at].draws.push(Signs::new(&classes.hierarchy, &known, &reach).judge(&task));
        }
    }
    Ok(ways.into())
}

/// The known part of a hierarchy, with names as the benchmark has them: the first lemma.
fn known(whole: &Hierarchy, pairs: &[Pair], definitions: bool) -> Hierarchy {
    let fewer = "a part of a hierarchy has at most as many names as the whole";
    let mut builder = HierarchyBuilder::default();
    for concept in whole.ids() {
        let given = builder.concept(whole.name(concept)).expect(fewer);
        if let Some(name) = whole.synonyms(concept).next() {
            builder.label(given, name.text);
        }
        if let Some(definition) = whole.definition(concept).filter(|_| definitions) {
            builder.definition(given, definition);
        }
    }
    for &(child, parent) in pairs {
        builder.pair(whole.name(child), whole.name(parent)).expect(fewer);
    }
    builder.build(Cycles::Refuse).expect("a part of an acyclic graph is acyclic")
}

/// Where the concepts may belong that have no known parent, except the one that most are below. A
/// placer learns from what is known. Concepts that neither have a child are unseen; the others are
/// asked for as if they were.
fn orphans(known: &Hierarchy, listener: &dyn Listener) -> Result<Vec<Orphan>, Error> {
    let below = known.descendant_counts();
    let root = known.roots().max_by_key(|&root| below[root as usize]);
    let orphans: Vec<Id> = known.roots().filter(|&concept| Some(concept) != root).collect();
    let alone = |id: Id| known.parents(id).is_empty() && known.children(id).is_empty();
    let kept: Vec<Id> = known.ids().filter(|&concept| !alone(concept)).collect();
    let fast = EncodeParams::default().effort(Effort::Fast);
    let model = encode_with(known.restricted(&kept), &fast, listener);
    let model = model.map_err(binder::Error::from)?.model;
    let placer = Placer::fit(model, &PlaceParams::default(), listener);
    let placer = placer.map_err(binder::Error::from)?;
    let rest = placer.model().hierarchy();
    let ask = |&concept: &Id| {
        let answer = match rest.id(known.name(concept)) {
            Some(own) => placer.reconsider(own),
            None => {
                let definition = known.definition(concept).unwrap_or("");
                placer.place(known.label(concept).unwrap_or(""), definition)
            }
        };
        #[expect(clippy::cast_possible_truncation, reason = "a chance needs few digits")]
        let place = |place: &Place| Some((known.id(rest.name(place.concept))?, place.p as f32));
        Orphan { concept, places: answer.places.iter().filter_map(place).collect() }
    };
    Ok(orphans.par_iter().map(ask).collect())
}

/// What tells whether a pair is is-a: its chance, and how much is known to be below the parent.
struct Signs<'a> {
    reach: &'a Reach,
    /// For each concept of the whole hierarchy, its id in the known part.
    known_ids: Vec<Id>,
    /// By concept of the known part.
    below: Vec<u64>,
}

/// Pairs are alike whose chances differ by less than a third, and whose parents' sizes differ by
/// less than a half.
type Kind = (u32, u32);

/// The kind of chance of a known pair.
const SURE: u32 = 0;

impl<'a> Signs<'a> {
    fn new(whole: &Hierarchy, known: &Hierarchy, reach: &'a Reach) -> Self {
        let known_id = |concept| known.id(whole.name(concept)).unwrap_or(Id::MAX);
        let known_ids = whole.ids().map(known_id).collect();
        Self { reach, known_ids, below: known.descendant_counts() }
    }

    fn chance(&self, (child, parent): Pair) -> f32 {
        let known = |concept: Id| self.known_ids[concept as usize];
        self.reach.chance(known(child), known(parent))
    }

    fn kind(&self, pair: Pair) -> Kind {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 30")]
        let chance = match self.chance(pair) {
            chance if chance >= 1.0 => SURE,
            chance => (-3.0 * chance.max(1e-4).ln()) as u32 + 1,
        };
        let parent = self.known_ids[pair.1 as usize];
        (chance, (1 + self.below[parent as usize]).ilog2())
    }

    fn kinds(&self, pairs: &[Pair]) -> Vec<Kind> {
        pairs.par_iter().map(|&pair| self.kind(pair)).collect()
    }

    /// F1 on the test pairs, with what the validation pairs tell.
    fn judge(&self, task: &MixedHop) -> Scores {
        let of_negatives = |negatives: fn(&Asked) -> &[Pair]| {
            let mut counts: HashMap<Kind, [f64; 2]> = HashMap::new();
            for kind in self.kinds(&task.valid.positives) {
                counts.entry(kind).or_default()[0] += 1.0;
            }
            for kind in self.kinds(negatives(&task.valid)) {
                counts.entry(kind).or_default()[1] += 1.0;
            }
            let said = |kind: &Kind| {
                counts.get(kind).is_some_and(|[right, wrong]| *right >= SHARE * (right + wrong))
            };
            let count = |pairs: &[Pair]| self.kinds(pairs).iter().filter(|kind| said(kind)).count();
            let positives = &task.test.positives;
            f1(count(positives), count(negatives(&task.test)), positives.len())
        };
        [of_negatives(|asked| &asked.random), of_negatives(|asked| &asked.hard)]
    }

    /// F1 on the test pairs if only what follows from known pairs is said.
    fn closure(&self, test: &Asked) -> Scores {
        let count = |pairs: &[Pair]| pairs.iter().filter(|&&pair| self.chance(pair) >= 1.0).count();
        let said = count(&test.positives);
        [&test.random, &test.hard].map(|wrong| f1(said, count(wrong), test.positives.len()))
    }
}

/// F1 of so many pairs said rightly and wrongly, of all that are right.
fn f1(rightly: usize, wrongly: usize, right: usize) -> f64 {
    2.0 * rightly as f64 / (rightly + wrongly + right).max(1) as f64
}
