use super::collect::Collector;
use super::text::{LINE_LIMIT, Text};
use super::{Format, Problem, ReadError};
use crate::hierarchy::Reading;

/// Reads a graph in Graphviz's DOT: `dog -> animal` is a pair. The attribute `label` of a node is
/// its label.
///
/// ```text
/// digraph pets { dog [label="domestic dog"]; dog -> animal; { cat puppy } -> animal }
/// ```
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let mut tokens = Tokens::default();
    let mut graph = Graph::new(collector);
    text.for_each_line(|number, line| {
        let mut at = 0;
        let at_column = |byte: usize, problem| {
            let column = line[..byte].chars().count() as u64 + 1;
            ReadError::at(&file, number, Some(column), problem)
        };
        loop {
            match tokens.next(line, at) {
                Ok(None) => return Ok(()),
                Ok(Some((token, end))) => {
                    graph.add(token).map_err(|problem| at_column(at, problem))?;
                    at = end;
                }
                Err(problem) => return Err(at_column(at.min(line.len()), problem)),
            }
        }
    })?;
    let end = tokens.end().and_then(|()| graph.end());
    end.map_err(|problem| ReadError::of(&file, problem))?;
    let ends = if collector.options.reversed { ("head", "tail") } else { ("tail", "head") };
    collector.reading =
        Reading::new(Format::Dot, format!("the {} of an arrow", ends.0), format!("its {}", ends.1));
    Ok(())
}

fn syntax(message: impl Into<String>) -> Problem {
    Problem::Syntax { format: Format::Dot, message: message.into() }
}

#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// A name, a number, a quoted text or an HTML text.
    Id(String),
    /// A name without quotes, which may be a keyword.
    Word(String),
    Arrow,
    Line,
    /// One of `{}[]=;,:+`.
    Mark(char),
}

/// Cuts lines into tokens. Quoted texts, HTML and comments may go over several lines.
#[derive(Default)]
struct Tokens {
    in_comment: bool,
    quoted: Option<String>,
    /// An HTML text and how many brackets are open in it.
    html: Option<(String, usize)>,
}

type Next = Result<Option<(Token, usize)>, Problem>;

impl Tokens {
    fn next(&mut self, line: &str, mut at: usize) -> Next {
        loop {
            if self.in_comment {
                let Some(end) = line[at..].find("*/") else { return Ok(None) };
                at += end + 2;
                self.in_comment = false;
            }
            if self.quoted.is_some() {
                return self.quoted(line, at);
            }
            if self.html.is_some() {
                return self.html(line, at);
            }
            let rest = line[at..].trim_start();
            at = line.len() - rest.len();
            let Some(first) = rest.chars().next() else { return Ok(None) };
            if rest.starts_with("//") || (first == '#' && line[..at].trim().is_empty()) {
                return Ok(None);
            }
            match first {
                '/' if rest.starts_with("/*") => {
                    self.in_comment = true;
                    at += 2;
                }
                '"' => {
                    self.quoted = Some(String::new());
                    at += 1;
                }
                '<' => {
                    self.html = Some((String::new(), 1));
                    at += 1;
                }
                _ if rest.starts_with("->") => return Ok(Some((Token::Arrow, at + 2))),
                _ if rest.starts_with("--") => return Ok(Some((Token::Line, at + 2))),
                '{' | '}' | '[' | ']' | '=' | ';' | ',' | ':' | '+' => {
                    return Ok(Some((Token::Mark(first), at + 1)));
                }
                _ => return word(rest, at),
            }
        }
    }

    fn quoted(&mut self, line: &str, at: usize) -> Next {
        let Some(text) = self.quoted.as_mut() else { return Ok(None) };
        let mut characters = line[at..].char_indices();
        while let Some((index, character)) = characters.next() {
            match character {
                '"' => {
                    let text = self.quoted.take().unwrap_or_default();
                    return Ok(Some((Token::Id(text), at + index + 1)));
                }
                '\\' => match characters.next() {
                    Some((_, '"')) => text.push('"'),
                    Some((_, other)) => text.extend(['\\', other]),
                    // The text goes on in the next line.
                    None => return Ok(None),
                },
                other => text.push(other),
            }
        }
        text.push('\n');
        if text.len() > LINE_LIMIT { Err(syntax("a quote is not closed")) } else { Ok(None) }
    }

    fn html(&mut self, line: &str, at: usize) -> Next {
        let Some((text, open)) = self.html.as_mut() else { return Ok(None) };
        for (index, character) in line[at..].char_indices() {
            match character {
                '<' => *open += 1,
                '>' => *open -= 1,
                _ => {}
            }
            if *open == 0 {
                let text = std::mem::take(text);
                self.html = None;
                return Ok(Some((Token::Id(text), at + index + 1)));
            }
            text.push(character);
        }
        text.push('\n');
        if text.len() > LINE_LIMIT { Err(syntax("an HTML text is not closed")) } else { Ok(None) }
    }

    fn end(&self) -> Result<(), Problem> {
        if self.quoted.is_some() {
            return Err(syntax("a quote is not closed"));
        }
        if self.html.is_some() {
            return Err(syntax("an HTML text is not closed"));
        }
        if self.in_comment { Err(syntax("a comment is not closed")) } else { Ok(()) }
    }
}

/// A name or a number at the start of `rest`.
fn word(rest: &str, at: usize) -> Next {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || !c.is_ascii();
    let signed = rest.strip_prefix('-').map_or(0, |_| 1);
    let length = rest[signed..].find(|c| !is_part(c)).unwrap_or(rest.len() - signed) + signed;
    if length == signed {
        let found: String = rest.chars().take(1).collect();
        return Err(syntax(format!("{found:?} where a name was expected")));
    }
    Ok(Some((Token::Word(rest[..length].to_owned()), at + length)))
}

/// What may come next.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum State {
    /// Before `digraph`, `{` and so on.
    Head,
    /// A statement may begin.
    Statement,
    /// After a node or a subgraph: an arrow, attributes or another statement.
    Node,
    /// After an arrow.
    Arrow,
    /// In square brackets: a key, its value, or what comes after it.
    Key,
    Equals,
    Value,
    /// After a colon: a port.
    Port,
    /// After `subgraph`.
    Subgraph,
    /// After the value of `key = value` outside brackets.
    Assigned,
    /// After the closing bracket of the graph.
    Done,
}

/// A statement that is being read: the nodes on each side of its arrows.
#[derive(Debug, Default)]
struct Statement {
    /// The nodes before the last arrow.
    left: Vec<String>,
    /// The nodes after it, or the only ones.
    right: Vec<String>,
    has_arrow: bool,
    /// Whether it is about all nodes or edges: `node [shape=box]`.
    is_default: bool,
}

struct Graph<'c, 'o> {
    collector: &'c mut Collector<'o>,
    state: State,
    /// The statements around the open subgraphs, and the nodes of each subgraph so far.
    around: Vec<(Statement, Vec<String>)>,
    statement: Statement,
    /// All nodes of the innermost open subgraph.
    members: Vec<String>,
    key: String,
    is_directed: bool,
}

/// More subgraphs within one another than any drawing has.
const DEEPEST: usize = 1000;

/// More pairs than any arrow between two subgraphs stands for.
const MOST_PAIRS: usize = 1 << 24;

impl<'c, 'o> Graph<'c, 'o> {
    fn new(collector: &'c mut Collector<'o>) -> Self {
        Self {
            collector,
            state: State::Head,
            around: Vec::new(),
            statement: Statement::default(),
            members: Vec::new(),
            key: String::new(),
            is_directed: false,
        }
    }

    fn add(&mut self, token: Token) -> Result<(), Problem> {
        match self.state {
            State::Head => self.head(token),
            State::Done => Err(syntax("more after the end of the graph")),
            State::Key | State::Equals | State::Value => self.attribute(token),
            State::Port => {
                self.state = State::Node;
                match token {
                    Token::Id(_) | Token::Word(_) => Ok(()),
                    _ => Err(syntax("a colon without a port after it")),
                }
            }
            State::Assigned => {
                self.state = State::Statement;
                match token {
                    Token::Id(_) | Token::Word(_) => {
                        self.statement = Statement::default();
                        Ok(())
                    }
                    _ => Err(syntax("an equals sign without a value after it")),
                }
            }
            State::Statement | State::Node | State::Arrow | State::Subgraph => self.body(token),
        }
    }

    fn head(&mut self, token: Token) -> Result<(), Problem> {
        match token {
            Token::Mark('{') if self.is_directed => {
                self.state = State::Statement;
                Ok(())
            }
            Token::Mark('{') => Err(syntax("a graph without arrows has no child and parent")),
            Token::Word(word) if word.eq_ignore_ascii_case("digraph") => {
                self.is_directed = true;
                Ok(())
            }
            Token::Word(_) | Token::Id(_) => Ok(()),
            other => Err(syntax(format!("{other:?} before the graph"))),
        }
    }

    fn body(&mut self, token: Token) -> Result<(), Problem> {
        match (token, self.state) {
            (Token::Mark('{'), _) => self.open(),
            (Token::Mark('}'), State::Arrow) => Err(syntax("an arrow that leads nowhere")),
            (Token::Mark('}'), _) => self.close(),
            (Token::Arrow, State::Node) => self.arrow(),
            (Token::Line, State::Node) => Err(syntax("a line without direction")),
            (Token::Mark('['), State::Node) => {
                self.state = State::Key;
                Ok(())
            }
            (Token::Mark(':'), State::Node) => {
                self.state = State::Port;
                Ok(())
            }
            (Token::Mark('='), State::Node) => {
                self.statement = Statement::default();
                self.state = State::Assigned;
                Ok(())
            }
            (Token::Mark(';' | ','), State::Node | State::Statement) => self.end_statement(),
            (Token::Word(word), State::Statement | State::Node | State::Arrow)
                if word.eq_ignore_ascii_case("subgraph") =>
            {
                if self.state == State::Node {
                    self.end_statement()?;
                }
                self.state = State::Subgraph;
                Ok(())
            }
            (Token::Id(_) | Token::Word(_), State::Subgraph) => Ok(()),
            (Token::Word(word), State::Statement | State::Node)
                if ["node", "edge", "graph"].iter().any(|key| word.eq_ignore_ascii_case(key)) =>
            {
                self.end_statement()?;
                self.statement.is_default = true;
                self.state = State::Node;
                Ok(())
            }
            (Token::Id(name) | Token::Word(name), State::Node) => {
                self.end_statement()?;
                self.node(name)
            }
            (Token::Id(name) | Token::Word(name), _) => self.node(name),
            (token, _) => Err(syntax(format!("{} is not expected here", shown(&token)))),
        }
    }

    fn node(&mut self, name: String) -> Result<(), Problem> {
        self.statement.right.push(name);
        self.link()
    }

    /// After an arrow: pairs of what is on its two sides.
    fn link(&mut self) -> Result<(), Problem> {
        self.state = State::Node;
        let Statement { left, right, has_arrow, .. } = &self.statement;
        if *has_arrow {
            if left.len().saturating_mul(right.len()) > MOST_PAIRS {
                return Err(syntax("an arrow between too many nodes"));
            }
            for child in left {
                for parent in right {
                    self.collector.directed(child, parent)?;
                }
            }
        }
        Ok(())
    }

    fn arrow(&mut self) -> Result<(), Problem> {
        if self.statement.is_default {
            return Err(syntax("an arrow after a keyword"));
        }
        let passed = std::mem::take(&mut self.statement.right);
        self.remember(&passed);
        self.statement.left = passed;
        self.statement.has_arrow = true;
        self.state = State::Arrow;
        Ok(())
    }

    fn end_statement(&mut self) -> Result<(), Problem> {
        let Statement { right, .. } = std::mem::take(&mut self.statement);
        for name in &right {
            self.collector.concept(name)?;
        }
        self.remember(&right);
        self.state = State::Statement;
        Ok(())
    }

    /// Keeps the nodes of a subgraph: an arrow may lead from all of them.
    fn remember(&mut self, nodes: &[String]) {
        if !self.around.is_empty() {
            self.members.extend_from_slice(nodes);
        }
    }

    fn open(&mut self) -> Result<(), Problem> {
        if self.state == State::Node {
            self.end_statement()?;
        }
        if self.around.len() == DEEPEST {
            return Err(syntax("too many subgraphs within one another"));
        }
        let statement = std::mem::take(&mut self.statement);
        self.around.push((statement, std::mem::take(&mut self.members)));
        self.state = State::Statement;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        self.end_statement()?;
        let Some((statement, outer)) = self.around.pop() else {
            self.state = State::Done;
            return Ok(());
        };
        let members = std::mem::replace(&mut self.members, outer);
        self.statement = statement;
        self.statement.right = members;
        self.link()
    }

    fn attribute(&mut self, token: Token) -> Result<(), Problem> {
        match (self.state, token) {
            (State::Key, Token::Mark(']')) => {
                self.state = State::Node;
                Ok(())
            }
            (State::Key, Token::Mark(';' | ',')) => Ok(()),
            (State::Key, Token::Id(key) | Token::Word(key)) => {
                self.key = key;
                self.state = State::Equals;
                Ok(())
            }
            (State::Equals, Token::Mark('=')) => {
                self.state = State::Value;
                Ok(())
            }
            (State::Value, Token::Id(value) | Token::Word(value)) => {
                self.state = State::Key;
                self.attribute_of(&value)
            }
            (_, token) => Err(syntax(format!("{} in square brackets", shown(&token)))),
        }
    }

    fn attribute_of(&mut self, value: &str) -> Result<(), Problem> {
        let Statement { right, has_arrow, is_default, .. } = &self.statement;
        if self.key.eq_ignore_ascii_case("label") && !has_arrow && !is_default {
            for name in right {
                let concept = self.collector.concept(name)?;
                // \N stands for the name of the node.
                if value != "\\N" {
                    self.collector.label(concept, &unescaped(value));
                }
            }
        }
        Ok(())
    }

    fn end(&self) -> Result<(), Problem> {
        match self.state {
            State::Done => Ok(()),
            State::Head => Err(syntax("no digraph")),
            _ => Err(syntax("the file ends before its brackets are closed")),
        }
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Id(text) | Token::Word(text) => format!("{text:?}"),
        Token::Arrow => "an arrow".to_owned(),
        Token::Line => "a line".to_owned(),
        Token::Mark(mark) => format!("{mark:?}"),
    }
}
/// A label without escapes: \n, \l and \r are line ends, and two backslashes are one.
fn unescaped(label: &str) -> String {
    let (mut text, mut characters) = (String::with_capacity(label.len()), label.chars());
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n' | 'l' | 'r') => text.push(' '),
                Some('\\') | None => text.push('\\'),
                Some(other) => text.extend(['\\', other]),
            },
            other => text.push(other),
        }
    }
    text
}
