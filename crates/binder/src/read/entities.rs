use std::collections::HashMap;

use memchr::memmem;

use super::{Format, Problem};

/// The largest number of bytes that an entity may stand for. In real files an entity stands for the
/// start of an IRI, which is much shorter.
const LIMIT: usize = 1024;

const DECLARATION: &str = "<!ENTITY";

/// Checks the entity declarations of an XML file and refuses those that expand to too many bytes.
///
/// The XML parser expands entities without a limit while it reads their declarations. Twelve lines
/// like `<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">`, each ten times as long as the one before,
/// would fill any memory.
#[derive(Debug, Default)]
pub(super) struct Entities {
    /// The text after the keyword of a declaration whose end was not read yet.
    open: Option<String>,
    /// An upper bound for the number of bytes that each entity stands for.
    lengths: HashMap<String, usize>,
}

impl Entities {
    /// Checks the next line before the parser reads it.
    pub(super) fn check(&mut self, line: &[u8]) -> Result<(), Problem> {
        if self.open.is_none() && memmem::find(line, DECLARATION.as_bytes()).is_none() {
            return Ok(());
        }
        let line = String::from_utf8_lossy(line);
        let mut pieces = line.split(DECLARATION);
        let rest = pieces.next().unwrap_or_default();
        if let Some(open) = &mut self.open {
            open.push_str(rest);
            self.declare()?;
        }
        for piece in pieces {
            self.open = Some(piece.to_owned());
            self.declare()?;
        }
        Ok(())
    }

    /// Records the open declaration if it is complete: ` name "value"`, with any white space.
    fn declare(&mut self) -> Result<(), Problem> {
        let Some(open) = &self.open else { return Ok(()) };
        let mut quotes = open.splitn(3, '"');
        let (Some(name), Some(value), Some(_)) = (quotes.next(), quotes.next(), quotes.next())
        else {
            // A declaration has no `<` outside its value, so text with one is something else.
            let is_other = open.contains('<');
            let is_long = open.len() > 2 * LIMIT && !is_other;
            self.open = self.open.take().filter(|_| !is_other);
            return if is_long { Err(too_long()) } else { Ok(()) };
        };
        let name = name.trim_start().trim_start_matches('%').trim().to_owned();
        let length = self.length(value);
        self.lengths.insert(name, length);
        self.open = None;
        if length > LIMIT { Err(too_long()) } else { Ok(()) }
    }

    /// An upper bound for the length of a value after every `&name;` in it is expanded.
    fn length(&self, value: &str) -> usize {
        let references = value.split('&').skip(1).filter_map(|rest| rest.split_once(';'));
        let expanded = references.filter_map(|(name, _)| self.lengths.get(name)).sum::<usize>();
        value.len() + expanded
    }
}

fn too_long() -> Problem {
    let message = format!("an XML entity that stands for more than {LIMIT} bytes");
    Problem::Syntax { format: Format::RdfXml, message }
}
