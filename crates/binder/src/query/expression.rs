use super::{ExpressionError, Index, QueryError};
use crate::bits::Code;

/// A formula over concepts, in a small language whose values are codes:
///
/// ```text
/// join  = meet { "|" meet }              a | b   what both are: the bits they share
/// meet  = unary { "&" unary }            a & b   what is both: the bits of either
/// unary = "!" unary | "(" join ")" | name    !a  the bits that a lacks
/// name  = a word, or "anything in quotes"    in quotes, write \" for " and \\ for \
/// ```
///
/// The paper (appendix, "Binary Properties") calls the operations meet, join and complement. `a |
/// b` is the join: what `a` and `b` have in common. It does not mean "everything that is `a` or
/// `b`": no code can express that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    tree: Tree,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Tree {
    Name(String),
    Meet(Box<Tree>, Box<Tree>),
    Join(Box<Tree>, Box<Tree>),
    Not(Box<Tree>),
}

/// The maximum nesting depth of parentheses and negations, so that no input can overflow the stack.
const DEEPEST: usize = 200;

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    ///
    /// When the text is not an expression; the error has the column.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let mut parser = Parser { text, tokens: tokens(text)?, at: 0 };
        let tree = parser.join(0)?;
        match parser.peek() {
            None => Ok(Self { tree }),
            Some(Token::Name(_)) => Err(parser.error(
                "two names side by side; put & or | between them, or put a name with spaces in \
                 quotes",
            )),
            Some(Token::Sign(')')) => Err(parser.error("this parenthesis has no opening one")),
            Some(_) => Err(parser.error("& or | is missing before this")),
        }
    }

    /// The names, if the expression is only a meet of names, such as `a & b & c`.
    pub fn meet_of_names(&self) -> Option<Vec<&str>> {
        let (mut names, mut open) = (Vec::new(), vec![&self.tree]);
        while let Some(tree) = open.pop() {
            match tree {
                Tree::Name(name) => names.push(name.as_str()),
                Tree::Meet(a, b) => open.extend([&**b, &**a]),
                Tree::Join(..) | Tree::Not(_) => return None,
            }
        }
        Some(names)
    }

    /// All names in the expression, in order.
    pub fn names(&self) -> Vec<&str> {
        let (mut names, mut open) = (Vec::new(), vec![&self.tree]);
        while let Some(tree) = open.pop() {
            match tree {
                Tree::Name(name) => names.push(name.as_str()),
                Tree::Meet(a, b) | Tree::Join(a, b) => open.extend([&**b, &**a]),
                Tree::Not(a) => open.push(a),
            }
        }
        names
    }

    /// The expression's value in a model.
    pub(super) fn code(&self, index: &Index) -> Result<Code, QueryError> {
        value(&self.tree, index)
    }
}

fn value(tree: &Tree, index: &Index) -> Result<Code, QueryError> {
    Ok(match tree {
        Tree::Name(name) => index.codes().code(index.find(name)?),
        Tree::Meet(a, b) => &value(a, index)? | &value(b, index)?,
        Tree::Join(a, b) => &value(a, index)? & &value(b, index)?,
        Tree::Not(a) => !&value(a, index)?,
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(String),
    Sign(char),
}

struct Parser<'a> {
    text: &'a str,
    /// The tokens, each with its column.
    tokens: Vec<(usize, Token)>,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn takes(&mut self, sign: char) -> bool {
        let there = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(there);
        there
    }

    fn join(&mut self, depth: usize) -> Result<Tree, ExpressionError> {
        let mut tree = self.meet(depth)?;
        while self.takes('|') {
            tree = Tree::Join(Box::new(tree), Box::new(self.meet(depth)?));
        }
        Ok(tree)
    }

    fn meet(&mut self, depth: usize) -> Result<Tree, ExpressionError> {
        let mut tree = self.unary(depth)?;
        while self.takes('&') {
            tree = Tree::Meet(Box::new(tree), Box::new(self.unary(depth)?));
        }
        Ok(tree)
    }

    fn unary(&mut self, depth: usize) -> Result<Tree, ExpressionError> {
        if depth > DEEPEST {
            return Err(self.error("nested too deeply; split the expression"));
        }
        if self.takes('!') {
            return Ok(Tree::Not(Box::new(self.unary(depth + 1)?)));
        }
        if self.takes('(') {
            let tree = self.join(depth + 1)?;
            return if self.takes(')') {
                Ok(tree)
            } else {
                Err(self.error("a closing parenthesis is missing"))
            };
        }
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(Tree::Name(name))
            }
            Some(_) => Err(self.error("expected a name, ! or (")),
            None => Err(self.error("the expression ends, but a name, ! or ( is expected")),
        }
    }

    /// An error at the next token.
    fn error(&self, problem: &str) -> ExpressionError {
        let column =
            self.tokens.get(self.at).map_or(self.text.chars().count() + 1, |(column, _)| *column);
        error(self.text, column, problem)
    }
}

fn error(text: &str, column: usize, problem: &str) -> ExpressionError {
    ExpressionError { text: text.to_owned(), column, problem: problem.to_owned() }
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ExpressionError> {
    let mut tokens = Vec::new();
    let mut left = (1..).zip(text.chars()).peekable();
    while let Some((column, char)) = left.next() {
        match char {
            _ if char.is_whitespace() => {}
            '&' | '|' | '!' | '(' | ')' => tokens.push((column, Token::Sign(char))),
            '"' => match quoted(&mut left) {
                Some(name) => tokens.push((column, Token::Name(name))),
                None => return Err(error(text, column, "this quote is not closed")),
            },
            _ => {
                let mut name = String::from(char);
                while let Some((_, char)) = left.next_if(|(_, char)| !ends_a_word(*char)) {
                    name.push(char);
                }
                tokens.push((column, Token::Name(name)));
            }
        }
    }
    Ok(tokens)
}

fn ends_a_word(char: char) -> bool {
    char.is_whitespace() || matches!(char, '&' | '|' | '(' | ')' | '"')
}

/// The text up to the closing quote; `None` if there is no closing quote.
fn quoted(left: &mut impl Iterator<Item = (usize, char)>) -> Option<String> {
    let mut name = String::new();
    loop {
        match left.next()?.1 {
            '"' => return Some(name),
            '\\' => name.push(left.next()?.1),
            char => name.push(char),
        }
    }
}
