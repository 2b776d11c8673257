use serde_json::Value;

use super::{ID, NAME, name, named};
use crate::read::collect::Collector;
use crate::read::table::words::{self, Role};
use crate::read::table::{Decided, Fault, Filler, Row};
use crate::read::{Format, Problem, ReadOptions};

/// How many records are looked at for their keys.
pub(super) const SAMPLE: usize = 100;

/// Whether the objects of a list are records that say their parent, not trees.
pub(super) fn are(items: &[Value]) -> bool {
    let keys = keys(&mut items.iter().take(SAMPLE));
    let parent = words::find(Role::Parent, keys.iter(), &[]);
    items.iter().all(Value::is_object)
        && parent.is_some_and(|parent| words::find(Role::Child, keys.iter(), &[parent]).is_some())
}

/// All keys of some records.
pub(super) fn keys(records: &mut dyn Iterator<Item = &Value>) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for key in records.filter_map(Value::as_object).flat_map(|members| members.keys()) {
        if !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    keys
}

pub(super) fn add(items: &[Value], collector: &mut Collector<'_>) -> Result<(), Problem> {
    let mut records = Records::new(&mut items.iter().take(SAMPLE), collector.options)?;
    let mut filler = Filler::new(collector, Format::Json);
    for (item, number) in items.iter().zip(1..) {
        records.add(item, number, &mut filler).map_err(|fault| {
            let problem = fault.into_problem();
            Problem::InRecord { number, problem: Box::new(problem) }
        })?;
    }
    filler.finish(Some(&records.decided))
}

/// Turns records into rows: their keys are the header.
pub(super) struct Records {
    keys: Vec<String>,
    pub(super) decided: Decided,
    row: Row,
}

impl Records {
    /// Decides from the first records.
    pub(super) fn new(
        sample: &mut dyn Iterator<Item = &Value>,
        options: &ReadOptions,
    ) -> Result<Self, Problem> {
        let keys = keys(sample);
        let decided = Decided::named(&keys, options).map_err(Fault::into_problem)?;
        Ok(Self { keys, decided, row: Row::numbered(1) })
    }

    pub(super) fn add(
        &mut self,
        record: &Value,
        number: u64,
        filler: &mut Filler<'_, '_>,
    ) -> Result<(), Fault> {
        self.row.clear(number);
        for key in &self.keys {
            match record.get(key) {
                Some(Value::Array(items)) => {
                    let names: Vec<String> = items.iter().map(cell).collect();
                    self.row.push_list(&names);
                }
                Some(value) => self.row.push(&cell(value)),
                None => self.row.push(""),
            }
        }
        filler.add(self.decided.layout(), &self.row)
    }
}

/// A value as text. An object stands for the id or the name it has.
fn cell(value: &Value) -> String {
    match value {
        Value::Object(_) => named(value, ID).or_else(|| named(value, NAME)),
        _ => name(value),
    }
    .unwrap_or_default()
}
