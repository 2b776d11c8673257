use std::collections::HashMap;

use memchr::memmem;

use super::{Format, Problem};

/// The most bytes that an entity may stand for. They stand for the start of an IRI, which is much
/// shorter.
const LIMIT: usize = 1024;

const DECLARATION: &str = "<!ENTITY";

/// Watches the entity declarations of an XML file go by and refuses those that grow too long.
///
/// The XML parser replaces entities by what they stand for while it reads their declarations,
/// without a limit: twelve lines like `<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">`, each ten
/// times the one before, would fill any memory.
#[derive(Debug, Default)]
pub(super) struct Entities {
    /// A declaration whose end was not seen yet, after its keyword.
    open: Option<String>,
    /// How many bytes each entity stands for, at most.
    lengths: HashMap<String, usize>,
}

impl Entities {
    /// Looks at the next line before the parser sees it.
    pub(super) fn watch(&mut self, line: &[u8]) -> Result<(), Problem> {
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

    /// Notes the open declaration if its end is there: ` name "value"`, with any white space.
    fn declare(&mut self) -> Result<(), Problem> {
        let Some(open) = &self.open else { return Ok(()) };
        let mut quotes = open.splitn(3, '"');
        let (Some(name), Some(value), Some(_)) = (quotes.next(), quotes.next(), quotes.next())
        else {
            // A declaration has no `<`: what goes on after one is something else that was taken for
            // it.
            let over = open.contains('<');
            let long = open.len() > 2 * LIMIT && !over;
            self.open = self.open.take().filter(|_| !over);
            return if long { Err(too_long()) } else { Ok(()) };
        };
        let name = name.trim_start().trim_start_matches('%').trim().to_owned();
        let length = self.length(value);
        self.lengths.insert(name, length);
        self.open = None;
        if length > LIMIT { Err(too_long()) } else { Ok(()) }
    }

    /// How long a value is once every `&name;` in it is replaced, at most.
    fn length(&self, value: &str) -> usize {
        let references = value.split('&').skip(1).filter_map(|rest| rest.split_once(';'));
        let grown = references.filter_map(|(name, _)| self.lengths.get(name)).sum::<usize>();
        value.len() + grown
    }
}

fn too_long() -> Problem {
    let message = format!("an XML entity that stands for more than {LIMIT} bytes");
    Problem::Syntax { format: Format::RdfXml, message }
}
