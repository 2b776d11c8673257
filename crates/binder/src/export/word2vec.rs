use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use super::ExportError;
use super::concepts::bits;
use crate::hierarchy::Hierarchy;
use crate::model::Model;

/// Checks that no name is empty and that all written names are distinct: of two equal ones, gensim
/// silently keeps the first.
pub(super) fn check(model: &Model) -> Result<(), ExportError> {
    let names = || model.hierarchy().names().texts().iter();
    if names().any(str::is_empty) {
        return Err(ExportError::EmptyName);
    }
    // Names are distinct, so only a changed name can equal another.
    let changed = names().filter(|name| matches!(word(name), Cow::Owned(_)));
    let mut words = HashMap::new();
    for name in changed {
        let word = word(name);
        let kept = model.hierarchy().names().id(&word).map(|id| model.hierarchy().name(id));
        if let Some(first) = kept.or_else(|| words.insert(word.to_string(), name)) {
            let (first, second, both) = (first.to_owned(), name.to_owned(), word.into_owned());
            return Err(ExportError::SameName { first, second, both });
        }
    }
    Ok(())
}

/// The number of names that are changed when written.
pub(super) fn renamed(concepts: &Hierarchy) -> usize {
    concepts.names().texts().iter().filter(|name| matches!(word(name), Cow::Owned(_))).count()
}

/// Writes a line with the number of concepts and of bits, then one line per concept: its name and
/// its bits as 0 and 1.
pub(super) fn write(model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let (concepts, codes) = (model.hierarchy(), model.codes());
    writeln!(out, "{} {}", codes.len(), codes.bits())?;
    let mut line = Vec::new();
    for (name, code) in concepts.names().texts().iter().zip(codes.rows()) {
        line.clear();
        line.extend(word(name).as_bytes());
        bits(code, codes.bits()).for_each(|bit| line.extend([b' ', b'0' + u8::from(bit)]));
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

/// A name as the format can hold it. Readers split lines at blanks, so blanks become underscores,
/// as is usual: `New_York`.
fn word(name: &str) -> Cow<'_, str> {
    let blank = |letter: char| letter.is_whitespace() || letter.is_control();
    if name.contains(blank) { name.replace(blank, "_").into() } else { name.into() }
}
