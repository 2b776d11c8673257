use std::collections::HashMap;

use super::collect::Collector;
use super::owl::{Axioms, Part};
use super::relations;
use super::text::{LINE_LIMIT, Text};
use super::{Format, Problem, ReadError};
use crate::hierarchy::Reading;

/// Reads an ontology in OWL's functional syntax, as `robot` and Protégé write it to `.ofn` files.
///
/// ```text
/// Prefix(:=<http://example.org/>)
/// Ontology(<http://example.org/pets>
///   SubClassOf(:dog :animal)
///   AnnotationAssertion(rdfs:label :dog "dog"@en)
/// )
/// ```
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let mut tokens = Tokens::default();
    let mut reader = Reader::new(collector);
    text.for_each_line(|number, line| {
        let mut at = 0;
        let in_line = |byte: usize, problem| {
            let column = line[..byte].chars().count() as u64 + 1;
            ReadError::at(&file, number, Some(column), problem)
        };
        loop {
            match tokens.next(line, at).map_err(|problem| in_line(at, problem))? {
                None => return Ok(()),
                Some((token, end)) => {
                    reader.add(token).map_err(|problem| in_line(at, problem))?;
                    at = end;
                }
            }
        }
    })?;
    let end = tokens.end().and_then(|()| reader.end());
    end.map_err(|problem| ReadError::of(&file, problem))?;
    reader.axioms.finish();
    collector.reading = Reading::new(
        Format::Functional,
        "the first class of SubClassOf",
        "the second, or a class in its intersection",
    );
    Ok(())
}

fn syntax(message: impl Into<String>) -> Problem {
    Problem::Syntax { format: Format::Functional, message: message.into() }
}

#[derive(Debug)]
enum Token {
    Open,
    Close,
    Equals,
    /// A whole IRI without its brackets.
    Iri(String),
    /// A keyword, a prefixed name, a number or a blank node.
    Word(String),
    Quoted(String),
    /// The language after a quoted text.
    Language(String),
    /// The mark between a quoted text and its type.
    Type,
}

/// Cuts lines into tokens. Quoted texts may go over several lines.
#[derive(Default)]
struct Tokens {
    quoted: Option<String>,
}

impl Tokens {
    fn next(&mut self, line: &str, mut at: usize) -> Result<Option<(Token, usize)>, Problem> {
        if self.quoted.is_some() {
            return self.quoted(line, at);
        }
        let rest = line[at..].trim_start();
        at = line.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let single = |token, bytes| Ok(Some((token, at + bytes)));
        match first {
            '#' => Ok(None),
            '(' => single(Token::Open, 1),
            ')' => single(Token::Close, 1),
            '=' => single(Token::Equals, 1),
            '<' => match rest.find('>') {
                Some(end) => single(Token::Iri(rest[1..end].to_owned()), end + 1),
                None => Err(syntax("an IRI is not closed on its line")),
            },
            '"' => {
                self.quoted = Some(String::new());
                self.quoted(line, at + 1)
            }
            '^' if rest.starts_with("^^") => single(Token::Type, 2),
            '@' => {
                let end = end_of_word(rest, 1);
                single(Token::Language(rest[1..end].to_owned()), end)
            }
            _ => {
                let end = end_of_word(rest, 0);
                if end == 0 {
                    return Err(syntax(format!("{first:?} where a name was expected")));
                }
                single(Token::Word(rest[..end].to_owned()), end)
            }
        }
    }

    fn quoted(&mut self, line: &str, at: usize) -> Result<Option<(Token, usize)>, Problem> {
        let Some(text) = self.quoted.as_mut() else { return Ok(None) };
        let mut characters = line[at..].char_indices();
        while let Some((index, character)) = characters.next() {
            match character {
                '"' => {
                    let text = self.quoted.take().unwrap_or_default();
                    return Ok(Some((Token::Quoted(text), at + index + 1)));
                }
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                other => text.push(other),
            }
        }
        text.push('\n');
        if text.len() > LINE_LIMIT { Err(syntax("a quote is not closed")) } else { Ok(None) }
    }

    fn end(&self) -> Result<(), Problem> {
        if self.quoted.is_some() { Err(syntax("a quote is not closed")) } else { Ok(()) }
    }
}

/// Where a word ends that starts before `from`.
fn end_of_word(rest: &str, from: usize) -> usize {
    let is_end = |c: char| c.is_whitespace() || ['(', ')', '=', '<', '"', '^', '@'].contains(&c);
    rest[from..].find(is_end).map_or(rest.len(), |length| from + length)
}

/// More expressions within one another than any ontology has.
const DEEPEST: usize = 1000;

struct Reader<'c, 'o> {
    axioms: Axioms<'c, 'o>,
    prefixes: HashMap<String, String>,
    /// The open expressions below the ontology, with their parts so far.
    open: Vec<(String, Vec<Part>)>,
    /// A word that may turn out to be the name of an expression.
    word: Option<String>,
    /// Whether the next word is the type of a text.
    is_type: bool,
    in_ontology: bool,
    is_done: bool,
}

impl<'c, 'o> Reader<'c, 'o> {
    fn new(collector: &'c mut Collector<'o>) -> Self {
        Self {
            axioms: Axioms::new(collector),
            prefixes: HashMap::new(),
            open: Vec::new(),
            word: None,
            is_type: false,
            in_ontology: false,
            is_done: false,
        }
    }

    fn add(&mut self, token: Token) -> Result<(), Problem> {
        if self.is_done {
            return Err(syntax("more after the end of the ontology"));
        }
        if std::mem::take(&mut self.is_type) {
            return match token {
                Token::Iri(_) | Token::Word(_) => Ok(()),
                _ => Err(syntax("^^ without a type after it")),
            };
        }
        if !matches!(token, Token::Open) {
            self.settle_word()?;
        }
        match token {
            Token::Open => self.begin(),
            Token::Close => self.close(),
            Token::Equals => match self.open.last() {
                Some((name, _)) if name == "Prefix" => Ok(()),
                _ => Err(syntax("an equals sign outside Prefix")),
            },
            Token::Iri(iri) => self.part(Part::Iri(iri)),
            Token::Word(word) => {
                self.word = Some(word);
                Ok(())
            }
            Token::Quoted(text) => self.part(Part::Text(text, None)),
            Token::Language(tag) => {
                match self.open.last_mut().and_then(|(_, parts)| parts.last_mut()) {
                    Some(Part::Text(_, language)) => {
                        *language = Some(tag);
                        Ok(())
                    }
                    _ => Err(syntax("a language without a text before it")),
                }
            }
            Token::Type => {
                self.is_type = true;
                Ok(())
            }
        }
    }

    /// A word that no bracket follows is a name.
    fn settle_word(&mut self) -> Result<(), Problem> {
        let Some(word) = self.word.take() else { return Ok(()) };
        if self.open.last().is_some_and(|(name, _)| name == "Prefix") {
            return self.part(Part::Iri(word));
        }
        if word.starts_with("_:") || word.chars().all(|c| c.is_ascii_digit()) {
            return self.part(Part::Expression(word, Vec::new()));
        }
        let Some((prefix, local)) = word.split_once(':') else {
            return Err(syntax(format!("{word:?} is neither an IRI nor a prefixed name")));
        };
        let known = |prefix: &str| self.prefixes.get(prefix).cloned();
        match known(prefix).map(|start| start + local).or_else(|| relations::expand(&word, known)) {
            Some(iri) => self.part(Part::Iri(iri)),
            None => Err(syntax(format!("the prefix {prefix:?} was not declared"))),
        }
    }

    fn begin(&mut self) -> Result<(), Problem> {
        let Some(name) = self.word.take() else {
            return Err(syntax("a bracket without a name before it"));
        };
        if name == "Ontology" && self.open.is_empty() {
            self.in_ontology = true;
            return Ok(());
        }
        if !self.in_ontology && name != "Prefix" {
            return Err(syntax(format!("{name:?} where Prefix or Ontology was expected")));
        }
        if self.open.len() == DEEPEST {
            return Err(syntax("too many expressions within one another"));
        }
        self.open.push((name, Vec::new()));
        Ok(())
    }

    fn part(&mut self, part: Part) -> Result<(), Problem> {
        match self.open.last_mut() {
            Some((_, parts)) => parts.push(part),
            // The IRI and the version of the ontology.
            None if self.in_ontology => {}
            None => return Err(syntax("a name outside the ontology")),
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        let Some((name, parts)) = self.open.pop() else {
            if !self.in_ontology {
                return Err(syntax("a bracket closes that was not opened"));
            }
            self.in_ontology = false;
            self.is_done = true;
            return Ok(());
        };
        if name == "Prefix" && self.open.is_empty() {
            return self.prefix(parts);
        }
        match self.open.last_mut() {
            Some((_, outer)) => {
                outer.push(Part::Expression(name, parts));
                Ok(())
            }
            None => self.axioms.add(&name, parts),
        }
    }

    fn prefix(&mut self, parts: Vec<Part>) -> Result<(), Problem> {
        match parts.as_slice() {
            [Part::Iri(prefix), Part::Iri(start)] => {
                self.prefixes.insert(prefix.trim_end_matches(':').to_owned(), start.clone());
                Ok(())
            }
            _ => Err(syntax("a prefix without a name and an IRI")),
        }
    }

    fn end(&self) -> Result<(), Problem> {
        if self.is_done {
            Ok(())
        } else {
            Err(syntax("the file ends before its ontology is closed"))
        }
    }
}
