use std::collections::HashMap;
use std::io::BufReader;

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use super::lines::LineByLine;
use super::text::Text;
use super::{Format, Problem, ReadError};

/// A piece of an XML file. Names are without their prefix.
pub(super) enum Piece<'p> {
    Start(Tag<'p>),
    End(&'p str),
    Text(&'p str),
}

/// A tag and its attributes.
pub(super) struct Tag<'p> {
    pub(super) name: &'p str,
    attributes: &'p [(String, String)],
}

impl<'p> Tag<'p> {
    /// An attribute by its name without prefix.
    pub(super) fn get(&self, name: &str) -> Option<&'p str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// An attribute that must be there.
    pub(super) fn need(&self, name: &str, format: Format) -> Result<&'p str, Problem> {
        let no = || syntax(format, format!("<{}> without the attribute {name}", self.name));
        self.get(name).ok_or_else(no)
    }
}

pub(super) fn syntax(format: Format, message: impl Into<String>) -> Problem {
    Problem::Syntax { format, message: message.into() }
}

/// Calls `each` with every piece of an XML file, in order.
pub(super) fn for_each(
    text: Text<'_>,
    format: Format,
    mut each: impl FnMut(Piece<'_>) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let lines = BufReader::new(LineByLine::new(text, ""));
    let mut reader = Reader::from_reader(lines);
    reader.config_mut().check_end_names = true;
    let mut parser = Parser { format, entities: HashMap::new(), open: 0, has_root: false };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        let line = reader.get_ref().get_ref().lines_read.max(1);
        let at = |problem| ReadError::at(&file, line, None, problem);
        let event = match event {
            Ok(event) => event,
            Err(quick_xml::Error::Io(error)) => {
                let error = std::sync::Arc::try_unwrap(error)
                    .unwrap_or_else(|shared| std::io::Error::other(shared.to_string()));
                return Err(ReadError::from_io(&file, error));
            }
            Err(error) => return Err(at(syntax(format, error.to_string()))),
        };
        if parser.take(event, &mut each).map_err(at)? {
            return Ok(());
        }
    }
}

struct Parser {
    format: Format,
    /// What the entities that the file declares stand for.
    entities: HashMap<String, String>,
    /// How many tags are open.
    open: usize,
    has_root: bool,
}

impl Parser {
    /// Passes a piece on. True at the end.
    fn take(
        &mut self,
        event: Event<'_>,
        each: &mut impl FnMut(Piece<'_>) -> Result<(), Problem>,
    ) -> Result<bool, Problem> {
        match event {
            Event::Start(tag) => {
                self.open += 1;
                self.tag(&tag, each)?;
            }
            Event::Empty(tag) => {
                self.tag(&tag, each)?;
                each(Piece::End(&local(tag.name().as_ref())))?;
            }
            Event::End(tag) => {
                self.open = self.open.saturating_sub(1);
                each(Piece::End(&local(tag.name().as_ref())))?;
            }
            Event::Text(text) => {
                let text = text
                    .unescape_with(|name| self.entity(name))
                    .map_err(|error| syntax(self.format, error.to_string()))?;
                if !text.is_empty() {
                    each(Piece::Text(&text))?;
                }
            }
            Event::CData(text) => each(Piece::Text(&String::from_utf8_lossy(&text)))?,
            Event::DocType(text) => self.declare(&String::from_utf8_lossy(&text)),
            Event::Eof if self.open > 0 => {
                return Err(syntax(self.format, "the file ends before its tags are closed"));
            }
            Event::Eof if !self.has_root => return Err(syntax(self.format, "no tag at all")),
            Event::Eof => return Ok(true),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
        }
        Ok(false)
    }

    fn tag(
        &mut self,
        tag: &BytesStart<'_>,
        each: &mut impl FnMut(Piece<'_>) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.has_root = true;
        let wrong = |error: String| syntax(self.format, error);
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| wrong(error.to_string()))?;
            let value = attribute
                .unescape_value_with(|name| self.entity(name))
                .map_err(|error| wrong(error.to_string()))?;
            attributes.push((local(attribute.key.as_ref()), value.into_owned()));
        }
        let name = local(tag.name().as_ref());
        each(Piece::Start(Tag { name: &name, attributes: &attributes }))
    }

    fn entity(&self, name: &str) -> Option<&str> {
        resolve_predefined_entity(name).or_else(|| self.entities.get(name).map(String::as_str))
    }

    /// Keeps the entities of a document type. How long they may be was checked line by line.
    fn declare(&mut self, text: &str) {
        for declaration in text.split("<!ENTITY").skip(1) {
            let mut parts = declaration.splitn(3, '"');
            if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
                let name = name.trim().trim_start_matches('%').trim().to_owned();
                let value = self.expanded(value);
                self.entities.insert(name, value);
            }
        }
    }

    fn expanded(&self, value: &str) -> String {
        let mut pieces = value.split('&');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            match piece.split_once(';').and_then(|(name, rest)| Some((self.entity(name)?, rest))) {
                Some((known, rest)) => {
                    text += known;
                    text += rest;
                }
                None => {
                    text.push('&');
                    text += piece;
                }
            }
        }
        text
    }
}

/// A name without its prefix.
fn local(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    name.rsplit_once(':').map_or(name.as_ref(), |(_, local)| local).to_owned()
}
