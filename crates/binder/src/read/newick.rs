use super::collect::Collector;
use super::text::{LINE_LIMIT, Text};
use super::{Format, Problem, ReadError};
use crate::hierarchy::Reading;

/// Reads trees in Newick form: `(dog,cat)animal;`. Branch lengths and comments are left out.
///
/// A group without a name is called after its first and its last leaf: `dog+cat`. A number as the
/// name of a group is how well it is supported, and no name.
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let mut tree = Tree::default();
    let mut tokens = Tokens::default();
    text.for_each_line(|number, line| {
        let mut at = 0;
        while let Some((token, end)) = tokens.next(line, at) {
            let start = at;
            at = end;
            tree.add(token).map_err(|problem| {
                let column = line[..start].chars().count() as u64 + 1;
                ReadError::at(&file, number, Some(column), problem)
            })?;
        }
        tokens.line_end().map_err(|problem| ReadError::at(&file, number, None, problem))
    })?;
    let end = tokens.end().and_then(|()| tree.end());
    let unnamed = end.and_then(|()| tree.hand_over(collector));
    let unnamed = unnamed.map_err(|problem| ReadError::of(&file, problem))?;
    collector.reading = Reading::new(Format::Newick, "what stands in brackets", "the group");
    if unnamed > 0 {
        let note = format!("{unnamed} groups without a name, called after their leaves");
        collector.reading.note(note);
    }
    Ok(())
}

fn syntax(message: &str) -> Problem {
    Problem::Syntax { format: Format::Newick, message: message.to_owned() }
}

enum Token {
    Open,
    Close,
    Comma,
    End,
    Name(String),
    /// A colon: the next name is a length.
    Colon,
}

/// Cuts lines into tokens. Quoted names and comments may go over several lines.
#[derive(Default)]
struct Tokens {
    /// The open quoted name.
    quoted: Option<String>,
    /// How many comments are open.
    comments: usize,
}

impl Tokens {
    /// The next token from a byte on, and the byte after it.
    fn next(&mut self, line: &str, from: usize) -> Option<(Token, usize)> {
        let mut at = from;
        loop {
            if self.comments > 0 {
                let found = line[at..].find(['[', ']'])?;
                at += found + 1;
                let is_open = line.as_bytes()[at - 1] == b'[';
                self.comments = if is_open { self.comments + 1 } else { self.comments - 1 };
                continue;
            }
            if self.quoted.is_some() {
                return self.quoted(line, at);
            }
            let rest = line[at..].trim_start();
            at = line.len() - rest.len();
            let single = |token| Some((token, at + 1));
            match rest.chars().next()? {
                '(' => return single(Token::Open),
                ')' => return single(Token::Close),
                ',' => return single(Token::Comma),
                ';' => return single(Token::End),
                ':' => return single(Token::Colon),
                '[' => {
                    self.comments = 1;
                    at += 1;
                }
                ']' => return Some((Token::Name("]".to_owned()), at + 1)),
                '\'' => {
                    self.quoted = Some(String::new());
                    at += 1;
                }
                _ => {
                    let length = rest.find(['(', ')', ',', ';', ':', '[', ']', '\'']);
                    let name = rest[..length.unwrap_or(rest.len())].trim_end();
                    // Underscores stand for spaces in names without quotes.
                    return Some((Token::Name(name.replace('_', " ")), at + name.len()));
                }
            }
        }
    }

    /// Goes on with a quoted name.
    fn quoted(&mut self, line: &str, mut at: usize) -> Option<(Token, usize)> {
        let name = self.quoted.as_mut()?;
        loop {
            let Some(quote) = line[at..].find('\'') else {
                name.push_str(&line[at..]);
                name.push('\n');
                return None;
            };
            name.push_str(&line[at..at + quote]);
            at += quote + 1;
            if !line[at..].starts_with('\'') {
                return self.quoted.take().map(|name| (Token::Name(name), at));
            }
            name.push('\'');
            at += 1;
        }
    }

    fn line_end(&self) -> Result<(), Problem> {
        let is_long = self.quoted.as_ref().is_some_and(|name| name.len() > LINE_LIMIT);
        if is_long { Err(syntax("a quote is not closed")) } else { Ok(()) }
    }

    fn end(&self) -> Result<(), Problem> {
        if self.quoted.is_some() {
            return Err(syntax("a quote is not closed"));
        }
        if self.comments > 0 { Err(syntax("a comment is not closed")) } else { Ok(()) }
    }
}

/// What was read last of a part.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum After {
    Name,
    Group,
    Colon,
    Length,
}

#[derive(Debug)]
struct Node {
    group: Option<usize>,
    name: Option<String>,
}

#[derive(Debug, Default)]
struct Tree {
    /// A group comes before its parts.
    nodes: Vec<Node>,
    /// The groups that are open, innermost last.
    open: Vec<usize>,
    /// The part that was read last, if a comma or a bracket may follow.
    last: Option<(usize, After)>,
}

impl Tree {
    fn add(&mut self, token: Token) -> Result<(), Problem> {
        let is_after_colon = matches!(self.last, Some((_, After::Colon)));
        if is_after_colon && !matches!(token, Token::Name(_)) {
            return Err(syntax("a colon without a length after it"));
        }
        match token {
            Token::Open => self.begin_group(),
            Token::Comma => self.end_part("a comma outside brackets").map(|_| ()),
            Token::Close => {
                let group = self.end_part("a bracket closes that was not opened")?;
                self.open.pop();
                self.last = Some((group, After::Group));
                Ok(())
            }
            Token::Colon => match &mut self.last {
                Some((_, after @ (After::Name | After::Group))) => {
                    *after = After::Colon;
                    Ok(())
                }
                _ => Err(syntax("a colon without a name before it")),
            },
            Token::End => self.end_tree(),
            Token::Name(name) => self.name(name),
        }
    }

    fn node(&mut self, name: Option<String>) -> usize {
        self.nodes.push(Node { group: self.open.last().copied(), name });
        self.nodes.len() - 1
    }

    fn begin_group(&mut self) -> Result<(), Problem> {
        if self.last.is_some() {
            return Err(syntax("a bracket opens where a comma was expected"));
        }
        let group = self.node(None);
        self.open.push(group);
        Ok(())
    }

    /// Ends a part of the innermost group. Returns the group.
    fn end_part(&mut self, outside: &str) -> Result<usize, Problem> {
        let group = self.open.last().copied().ok_or_else(|| syntax(outside))?;
        self.last.take().ok_or(Problem::EmptyName)?;
        Ok(group)
    }

    fn end_tree(&mut self) -> Result<(), Problem> {
        if !self.open.is_empty() {
            return Err(syntax("the tree ends before its brackets are closed"));
        }
        self.last.take().map(|_| ()).ok_or(Problem::EmptyName)
    }

    fn name(&mut self, name: String) -> Result<(), Problem> {
        let is_number = name.parse::<f64>().is_ok();
        match self.last {
            None => {
                let leaf = self.node(Some(name));
                self.last = Some((leaf, After::Name));
            }
            Some((part, After::Colon)) if is_number => self.last = Some((part, After::Length)),
            Some((_, After::Colon)) => return Err(syntax("a length that is no number")),
            Some((group, After::Group)) => {
                self.nodes[group].name = Some(name).filter(|_| !is_number);
                self.last = Some((group, After::Name));
            }
            Some(_) => return Err(syntax("a name where a comma was expected")),
        }
        Ok(())
    }

    fn end(&self) -> Result<(), Problem> {
        if !self.open.is_empty() {
            return Err(syntax("the file ends before its brackets are closed"));
        }
        if self.last.is_some() { Err(syntax("no semicolon at the end")) } else { Ok(()) }
    }

    /// Hands the tree to the collector. Returns how many groups had no name.
    fn hand_over(self, collector: &mut Collector<'_>) -> Result<usize, Problem> {
        let leaves = self.leaves();
        let leaf = |node: usize| self.nodes[node].name.as_deref().unwrap_or_default();
        let (mut concepts, mut unnamed) = (Vec::with_capacity(self.nodes.len()), 0);
        for (node, (first, last)) in self.nodes.iter().zip(&leaves) {
            let concept = match &node.name {
                Some(name) => collector.concept(name)?,
                None => {
                    unnamed += 1;
                    collector.concept(&format!("{}+{}", leaf(*first), leaf(*last)))?
                }
            };
            concepts.push(concept);
            if let Some(group) = node.group {
                collector.directed_link(concept, concepts[group]);
            }
        }
        Ok(unnamed)
    }

    /// The first and the last leaf below each node.
    fn leaves(&self) -> Vec<(usize, usize)> {
        let mut leaves: Vec<Option<(usize, usize)>> = vec![None; self.nodes.len()];
        for node in (0..self.nodes.len()).rev() {
            let (first, last) = *leaves[node].get_or_insert((node, node));
            if let Some(group) = self.nodes[node].group {
                let last = leaves[group].map_or(last, |(_, last)| last);
                leaves[group] = Some((first, last));
            }
        }
        leaves.into_iter().map(Option::unwrap_or_default).collect()
    }
}
