//! SemEval-2016 task 14: glossary terms for WordNet.

use std::collections::HashMap;
use std::path::Path;

use binder::encode::{Effort, EncodeParams};
use binder::place::{PlaceParams, Placer, wu_palmer};
use binder::{Hierarchy, Id, encode_with};
use binder_answers::grouped;
use serde_json::{Value, json};

use crate::{Error, Listener};

pub(super) const SEMEVAL: &str = "\n## SemEval-2016 task 14\n\nWhere glossary terms go in WordNet 3.0, nouns \
    and verbs. Wu & Palmer's likeness of the answered synset and the key's, 1 for the same. Nothing \
    was fitted to these items: the placer learns from WordNet alone; but that definitions may \
    begin with \"A proband is …\" was learnt by reading the training part, and that a known word in \
    another sense is no synonym and definitions may begin with \"To …\", by reading the trial part. \
    WordNet's verbs are a forest: an answer in another tree than the key's scores 0. The \
    organisers' baseline is their own key file under our scorer. Published on the test part, which is not among our data: \
    baseline .514, MSejrKU .523, ETF-FWFS .563, TaxoExpan-FWFS .566.\n\n";

/// A part of SemEval-2016 task 14, judged.
pub(super) struct Part {
    name: String,
    items: usize,
    wup: f64,
    safe: f64,
    baseline: f64,
}

impl Part {
    /// The means over some items.
    fn new(name: String, items: &[&Item]) -> Self {
        let mut part = Self { name, items: 0, wup: 0.0, safe: 0.0, baseline: 0.0 };
        for item in items {
            part.items += 1;
            part.wup += item.wup;
            part.safe += item.safe;
            part.baseline += item.baseline;
        }
        let items = part.items.max(1) as f64;
        for sum in [&mut part.wup, &mut part.safe, &mut part.baseline] {
            *sum /= items;
        }
        part
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let shown = |figure: f64| format!("{figure:.3}");
        let name = self.name.clone();
        let items = grouped(self.items);
        vec![name, items, shown(self.wup), shown(self.safe), shown(self.baseline)]
    }

    pub(super) fn json(&self) -> Value {
        let Self { name, items, wup, safe, baseline } = self;
        json!({ "part": name, "items": items, "wup": wup, "safe": safe, "baseline": baseline })
    }
}

/// WordNet's synsets by lemma and sense: `dog#n#1`.
struct Synsets {
    placer: Placer,
    by_sense: HashMap<(String, u32), Id>,
}

impl Synsets {
    fn new(hierarchy: Hierarchy, listener: &dyn Listener) -> Result<Self, Error> {
        let by_sense = hierarchy
            .all_synonyms()
            .iter()
            .map(|(concept, synonym)| ((lemma(synonym.text), synonym.rank), concept))
            .collect();
        let fast = EncodeParams::default().effort(Effort::Fast);
        let model = encode_with(hierarchy, &fast, listener).map_err(binder::Error::from)?.model;
        let placer = Placer::fit(model, &PlaceParams::default(), listener);
        listener.finish();
        Ok(Self { placer: placer.map_err(binder::Error::from)?, by_sense })
    }

    /// The synset of a key, if it is of this part of speech.
    fn of(&self, key: &str, speech: &str) -> Option<Id> {
        let mut parts = key.rsplitn(3, '#');
        let (sense, of) = (parts.next()?.parse().ok()?, parts.next()?);
        let lemma = lemma(parts.next()?);
        (of == speech).then(|| self.by_sense.get(&(lemma, sense)).copied()).flatten()
    }
}

fn lemma(text: &str) -> String {
    text.to_lowercase().replace('_', " ")
}

pub(super) fn semeval(
    nouns: &Hierarchy,
    folder: &Path,
    listener: &dyn Listener,
) -> Result<Vec<Part>, Error> {
    let verbs = Hierarchy::read("wordnet-verbs").map_err(binder::Error::from)?;
    let speeches =
        [("n", Synsets::new(nouns.clone(), listener)?), ("v", Synsets::new(verbs, listener)?)];
    let mut parts = Vec::new();
    for name in ["training", "trial"] {
        let items = judge(name, folder, &speeches)?;
        parts.push(Part::new(name.to_owned(), &items.iter().collect::<Vec<_>>()));
        for (speech, title) in [("n", "nouns"), ("v", "verbs")] {
            let of_speech: Vec<_> = items.iter().filter(|item| item.speech == speech).collect();
            parts.push(Part::new(format!("{name}, {title}"), &of_speech));
        }
    }
    Ok(parts)
}

/// An item, judged: Wu and Palmer's likeness of the answers and the key.
struct Item {
    speech: &'static str,
    wup: f64,
    safe: f64,
    baseline: f64,
}

fn judge(
    name: &str,
    folder: &Path,
    speeches: &[(&'static str, Synsets); 2],
) -> Result<Vec<Item>, Error> {
    let data = lines(&folder.join(format!("{name}.data.tsv")))?;
    let keys = keys(&folder.join(format!("{name}.key.tsv")))?;
    let baseline = keys_of_baseline(folder, name)?;
    let mut items = Vec::new();
    for line in &data {
        let fields: Vec<&str> = line.split('\t').collect();
        let [term, speech, item, definition, ..] = fields[..] else { continue };
        let Some(gold) = keys.get(item) else { continue };
        let synsets = speeches.iter().find(|(of, _)| speech.starts_with(of));
        let Some(&(speech, ref synsets)) = synsets else { continue };
        let Some(gold) = synsets.of(gold, speech) else { continue };
        let hierarchy = synsets.placer.model().hierarchy();
        let score =
            |answer: Option<Id>| answer.map_or(0.0, |answer| wu_palmer(hierarchy, answer, gold));
        let answer = synsets.placer.place(term, definition);
        let same = answer.same_as.map(|place| place.concept);
        items.push(Item {
            speech,
            wup: score(same.or(answer.places.first().map(|place| place.concept))),
            safe: score(same.or(answer.safe.map(|place| place.concept))),
            baseline: score(baseline.get(item).and_then(|key| synsets.of(key, speech))),
        });
    }
    Ok(items)
}

fn keys_of_baseline(folder: &Path, part: &str) -> Result<HashMap<String, String>, Error> {
    keys(&folder.join(format!("{part}.first-word-first-sense.key.tsv")))
}

/// The synset of each item.
fn keys(path: &Path) -> Result<HashMap<String, String>, Error> {
    let lines = lines(path)?;
    let key = |line: &String| {
        let (item, rest) = line.split_once('\t')?;
        Some((item.to_owned(), rest.split('\t').next()?.to_owned()))
    };
    Ok(lines.iter().filter_map(key).collect())
}

fn lines(path: &Path) -> Result<Vec<String>, Error> {
    let text = std::fs::read(path).map_err(Error::file(path))?;
    Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
}
