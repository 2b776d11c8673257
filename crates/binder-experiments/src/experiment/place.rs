//! Unseen concepts put into a hierarchy: hidden leaves, and SemEval-2016 task 14.

use std::collections::HashMap;
use std::path::Path;

use binder::encode::{Effort, EncodeParams};
use binder::place::{Asking, PlaceEvaluation, PlaceParams, Placer, evaluate, wu_palmer};
use binder::read::ReadOptions;
use binder::{Hierarchy, Id, encode_with};
use serde_json::{Value, json};

use crate::plan::Plan;
use crate::report::{Report, table, write_csv};
use crate::{Error, Listener};
use binder_answers::grouped;

const HEADER: &str = "set,seed,queries,hit1,hit5,hit10,mrr,wup,f1,safe_f1,f1_below_roots,\
    safe_f1_below_roots,ece,sure,sure_hit1,vote_hit1,vote_f1,first_word_hit1,first_word_f1";

const LEGEND: &str = "5 % of the leaves are hidden; the rest is encoded and learnt from; then every \
    hidden leaf is asked for by its first name and, unless the row says so, its definition. F1 is \
    the mean over queries of the F1 between the concepts above the answer (and itself) and those \
    above the truth; \"without roots\" leaves out roots, which any answer gets right. ECE is the \
    expected calibration error in ten ranges; \"sure\" is the share of queries with p ≥ 0.8 and, \
    after the slash, how many of those are right. Means over draws. \"Votes\" are those of the 60 \
    nearest texts by BM25, \"first word\" the first sense of the first known name in the \
    definition; neither learns.\n\n";

const SEMEVAL: &str = "\n## SemEval-2016 task 14\n\nWhere glossary terms go in WordNet 3.0, nouns \
    and verbs. Wu & Palmer's likeness of the answered synset and the key's, 1 for the same. Nothing \
    was fitted to these items: the placer learns from WordNet alone; but that definitions may \
    begin with \"A proband is …\" was learnt by reading the training part. The organisers' baseline is \
    their own key file under our scorer. Published on the test part, which is not among our data: \
    baseline .514, MSejrKU .523, ETF-FWFS .563, TaxoExpan-FWFS .566.\n\n";

/// The draws have the seeds from this on, so that nobody meets those that settings were tried on.
const FIRST_SEED: u64 = 1;

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let mut rows = Vec::new();
    let wordnet = Hierarchy::read("wordnet").map_err(binder::Error::from)?;
    rows.push(Row::new("WordNet nouns", &wordnet, false, plan)?);
    rows.push(Row::new("WordNet nouns, names only", &wordnet, true, plan)?);
    let data = plan.request.data.as_deref();
    if let Some(file) = data.map(|data| data.join("extra/hp.obo.gz")).filter(|f| f.is_file()) {
        let hpo = binder::read(&file, &ReadOptions::default(), plan.listener)?;
        plan.listener.finish();
        rows.push(Row::new("HPO", &hpo, false, plan)?);
    } else {
        plan.listener.note("HPO: skipped, the data folder has no extra/hp.obo.gz");
    }
    let lines: Vec<String> = rows.iter().flat_map(Row::csv).collect();
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let head = [
        "Data",
        "queries",
        "Hit@1",
        "Hit@10",
        "MRR",
        "Wu-P",
        "F1",
        "safe F1",
        "without roots",
        "ECE",
        "sure",
        "votes",
        "first word",
    ];
    let cells: Vec<_> = rows.iter().map(Row::cells).collect();
    let mut text = format!("{LEGEND}{}", table(&head, &cells));
    let folder = data.map(|data| data.join("semeval-2016-14")).filter(|folder| folder.is_dir());
    let mut items = Vec::new();
    match folder {
        Some(folder) => {
            items = semeval(&wordnet, &folder, plan.listener)?;
            let cells: Vec<_> = items.iter().map(Part::cells).collect();
            let head = ["Part", "items", "Wu&P", "of the safe answer", "organisers' baseline"];
            text += SEMEVAL;
            text += &table(&head, &cells);
        }
        None => plan.listener.note("SemEval-2016: skipped, it is not in the data folder"),
    }
    let values = json!({
        "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
        "semeval": items.iter().map(Part::json).collect::<Vec<_>>(),
    });
    Ok(Report { title: "Unseen concepts", text, values, drawings: Vec::new() })
}

/// A data set, judged on several draws.
struct Row {
    title: &'static str,
    draws: Vec<PlaceEvaluation>,
}

impl Row {
    fn new(
        title: &'static str,
        hierarchy: &Hierarchy,
        names_only: bool,
        plan: &Plan<'_>,
    ) -> Result<Self, Error> {
        let mut draws = Vec::new();
        for seed in (FIRST_SEED..).take(plan.seeds as usize) {
            let asking = Asking::default().seed(seed).names_only(names_only);
            let draw = evaluate(hierarchy, &asking, &PlaceParams::default(), plan.listener);
            draws.push(draw.map_err(binder::Error::from)?);
            plan.listener.finish();
        }
        Ok(Self { title, draws })
    }

    fn mean(&self, of: impl Fn(&PlaceEvaluation) -> f64) -> f64 {
        self.draws.iter().map(of).sum::<f64>() / self.draws.len().max(1) as f64
    }

    fn cells(&self) -> Vec<String> {
        let mean = |of: fn(&PlaceEvaluation) -> f64| format!("{:.3}", self.mean(of));
        let two = |a: fn(&PlaceEvaluation) -> f64, b: fn(&PlaceEvaluation) -> f64| {
            format!("{} / {}", mean(a), mean(b))
        };
        let queries: usize = self.draws.iter().map(|draw| draw.queries).sum();
        vec![
            self.title.to_owned(),
            grouped(queries),
            mean(|draw| draw.hit1),
            mean(|draw| draw.hit10),
            mean(|draw| draw.mrr),
            mean(|draw| draw.wup),
            mean(|draw| draw.f1),
            mean(|draw| draw.safe_f1),
            two(|draw| draw.f1_below_roots, |draw| draw.safe_f1_below_roots),
            mean(|draw| draw.ece),
            two(|draw| draw.sure, |draw| draw.sure_hit1),
            two(|draw| draw.vote.hit1, |draw| draw.vote.f1),
            two(|draw| draw.first_word.hit1, |draw| draw.first_word.f1),
        ]
    }

    fn csv(&self) -> Vec<String> {
        let line = |(seed, draw): (u64, &PlaceEvaluation)| {
            let figures = [
                draw.hit1,
                draw.hit5,
                draw.hit10,
                draw.mrr,
                draw.wup,
                draw.f1,
                draw.safe_f1,
                draw.f1_below_roots,
                draw.safe_f1_below_roots,
                draw.ece,
                draw.sure,
                draw.sure_hit1,
                draw.vote.hit1,
                draw.vote.f1,
                draw.first_word.hit1,
                draw.first_word.f1,
            ];
            let figures = figures.map(|figure| format!("{figure:.4}")).join(",");
            format!("{},{seed},{},{figures}", self.title.replace(", ", " "), draw.queries)
        };
        (FIRST_SEED..).zip(&self.draws).map(line).collect()
    }

    fn json(&self) -> Value {
        json!({
            "set": self.title,
            "hit1": self.mean(|draw| draw.hit1),
            "mrr": self.mean(|draw| draw.mrr),
            "f1": self.mean(|draw| draw.f1),
            "safe_f1": self.mean(|draw| draw.safe_f1),
        })
    }
}

/// A part of SemEval-2016 task 14, judged.
struct Part {
    name: &'static str,
    items: usize,
    wup: f64,
    safe: f64,
    baseline: f64,
}

impl Part {
    fn cells(&self) -> Vec<String> {
        let shown = |figure: f64| format!("{figure:.3}");
        let name = self.name.to_owned();
        let items = grouped(self.items);
        vec![name, items, shown(self.wup), shown(self.safe), shown(self.baseline)]
    }

    fn json(&self) -> Value {
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

fn semeval(nouns: &Hierarchy, folder: &Path, listener: &dyn Listener) -> Result<Vec<Part>, Error> {
    let verbs = Hierarchy::read("wordnet-verbs").map_err(binder::Error::from)?;
    let speeches =
        [("n", Synsets::new(nouns.clone(), listener)?), ("v", Synsets::new(verbs, listener)?)];
    ["training", "trial"].into_iter().map(|part| judge(part, folder, &speeches)).collect()
}

fn judge(
    name: &'static str,
    folder: &Path,
    speeches: &[(&str, Synsets); 2],
) -> Result<Part, Error> {
    let data = lines(&folder.join(format!("{name}.data.tsv")))?;
    let keys = keys(&folder.join(format!("{name}.key.tsv")))?;
    let baseline = keys_of_baseline(folder, name)?;
    let mut part = Part { name, items: 0, wup: 0.0, safe: 0.0, baseline: 0.0 };
    for line in &data {
        let fields: Vec<&str> = line.split('\t').collect();
        let [term, speech, item, definition, ..] = fields[..] else { continue };
        let Some(gold) = keys.get(item) else { continue };
        let synsets = speeches.iter().find(|(of, _)| speech.starts_with(of));
        let Some((of, synsets)) = synsets else { continue };
        let Some(gold) = synsets.of(gold, of) else { continue };
        let hierarchy = synsets.placer.model().hierarchy();
        let score =
            |answer: Option<Id>| answer.map_or(0.0, |answer| wu_palmer(hierarchy, answer, gold));
        let answer = synsets.placer.place(term, definition);
        let same = answer.same_as.map(|place| place.concept);
        part.items += 1;
        part.wup += score(same.or(answer.places.first().map(|place| place.concept)));
        part.safe += score(same.or(answer.safe.map(|place| place.concept)));
        part.baseline += score(baseline.get(item).and_then(|key| synsets.of(key, of)));
    }
    let items = part.items.max(1) as f64;
    for sum in [&mut part.wup, &mut part.safe, &mut part.baseline] {
        *sum /= items;
    }
    Ok(part)
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
