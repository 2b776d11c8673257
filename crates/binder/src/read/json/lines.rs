use serde_json::Value;

use super::records::{Records, SAMPLE};
use super::{is_two, syntax, without_place};
use crate::hierarchy::Reading;
use crate::read::collect::Collector;
use crate::read::table::Filler;
use crate::read::text::Text;
use crate::read::{Format, ReadError};

/// Reads JSON lines: a record, or a pair of names in brackets, on each line.
pub(in crate::read) fn read(
    text: Text<'_>,
    collector: &mut Collector<'_>,
) -> Result<(), ReadError> {
    let (file, options) = (text.file().to_owned(), collector.options);
    let mut filler = Filler::new(collector, Format::JsonLines);
    let mut sample: Vec<(u64, Value)> = Vec::new();
    let mut records: Option<Records> = None;
    let decide = |sample: &mut Vec<(u64, Value)>, filler: &mut Filler<'_, '_>| {
        let records = Records::new(&mut sample.iter().map(|(_, value)| value), options);
        let mut records = records.map_err(|problem| ReadError::of(&file, problem))?;
        for (number, value) in sample.drain(..) {
            records.add(&value, number, filler).map_err(|fault| fault.in_file(&file))?;
        }
        Ok::<_, ReadError>(records)
    };
    let mut twos = false;
    text.for_each_line(|number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        let at = |column, problem| ReadError::at(&file, number, column, problem);
        let value: Value = serde_json::from_str(line).map_err(|error| {
            let problem = syntax(Format::JsonLines, without_place(&error));
            at(Some(error.column() as u64), problem)
        })?;
        if is_two(&value) && records.is_none() && sample.is_empty() {
            twos = true;
            return filler.pair(&value).map_err(|problem| at(None, problem));
        }
        if !value.is_object() {
            return Err(at(None, syntax(Format::JsonLines, "not an object, as a record is")));
        }
        if let Some(records) = &mut records {
            return records.add(&value, number, &mut filler).map_err(|fault| fault.in_file(&file));
        }
        sample.push((number, value));
        if sample.len() == SAMPLE {
            records = Some(decide(&mut sample, &mut filler)?);
        }
        Ok(())
    })?;
    if records.is_none() && !sample.is_empty() {
        records = Some(decide(&mut sample, &mut filler)?);
    }
    let decided = records.as_ref().map(|records| &records.decided);
    filler.finish(decided).map_err(|problem| ReadError::of(&file, problem))?;
    if twos {
        let (child, parent) = if options.reversed { (2, 1) } else { (1, 2) };
        let value = |number: i32| format!("value {number} of each line");
        collector.reading = Reading::new(Format::JsonLines, value(child), value(parent));
    }
    Ok(())
}

/// Whether each of the first lines is a whole object or array.
pub(in crate::read) fn is_like_lines(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(3);
    let mut count = 0;
    let is_whole = |line: &str| {
        (line.starts_with('{') && line.ends_with('}'))
            || (line.starts_with('[') && line.ends_with(']'))
    };
    let all = lines.all(|line| {
        count += 1;
        is_whole(line)
    });
    all && count > 1
}
