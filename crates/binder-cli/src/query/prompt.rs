//! A prompt with history and completion.

use std::path::{Path, PathBuf};

use binder::query::Index;
use binder_answers::Asked;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::args::QuestionArgs;
use super::picture::Drawing;
use super::{picture, say_taken, style};
use crate::terminal::{error, grouped, print};

/// The maximum number of completions.
const OFFERED: usize = 30;

const HELP: &str = "\
  dog.n.01                    everything about a concept; Tab completes names
  dog.n.01 | cat.n.01         an expression: & both, | in common, ! not, ( ), \"quotes\"
  is-a A B                    yes or no;              explain A B says why
  hypernyms A, hyponyms A     --nearest, --limit N
  meet A B, join A B, complement A, formal A
  nearest A                   --by hamming|jaccard|path|wu-palmer|lin, --count N
  search TEXT                 by words in any order; typing errors are tolerated
  picture A                   its place and bits; -o FILE.svg for a file
  quit                        or Ctrl-D
";

pub(crate) fn run(index: &Index, model: &Path) -> anyhow::Result<()> {
    let config =
        Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let mut editor: Editor<NameHelper<'_>, FileHistory> = Editor::with_config(config)?;
    editor.set_helper(Some(NameHelper { index, words: QuestionArgs::words() }));
    let history = history();
    if let Some(history) = &history {
        // A missing history is not an error.
        let _ = editor.load_history(history);
    }
    let concepts = grouped(index.codes().len() as u64);
    print(&format!(
        "{}: {concepts} concepts of {} bits; type help for the questions\n",
        model.display(),
        index.codes().bits()
    ))?;
    loop {
        match editor.readline("› ") {
            Ok(line) => match line.trim() {
                "quit" | "exit" => break,
                "" => {}
                "help" | "?" => print(HELP)?,
                line => respond(index, model, line)?,
            },
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(other) => return Err(other.into()),
        }
    }
    if let Some(history) = &history {
        // Failing to save the history is not an error.
        let _ = history.parent().map(std::fs::create_dir_all);
        let _ = editor.save_history(history);
    }
    Ok(())
}

/// Answers a line; a question that has no answer does not end the prompt.
fn respond(index: &Index, model: &Path, line: &str) -> anyhow::Result<()> {
    let answered = question(line).and_then(|question| match &question {
        QuestionArgs::Picture { concept, children, output: Some(output), force } => {
            let drawing = Drawing { concept, children: *children, output, force: *force };
            picture::save(index, model, &drawing, false)
        }
        question => {
            let asked = Asked::new(index, &question.question())?;
            say_taken(&asked);
            Ok(print(&asked.answer.text(index, &style()))?)
        }
    });
    if let Err(why) = answered {
        if why.downcast_ref::<std::io::Error>().is_some() {
            return Err(why);
        }
        error(&why);
    }
    Ok(())
}

/// Interprets a line: a question if the first word names one, else an expression, else a concept to
/// describe.
fn question(line: &str) -> anyhow::Result<QuestionArgs> {
    let first = line.split_whitespace().next().unwrap_or_default();
    if QuestionArgs::words().iter().any(|word| word == first) {
        QuestionArgs::parse(line)
    } else if line.contains(['&', '|', '!', '(', '"']) {
        Ok(QuestionArgs::Expr { words: vec![line.to_owned()] })
    } else {
        Ok(QuestionArgs::Describe { concept: line.to_owned() })
    }
}

/// The path of the history file, in the usual folder for state.
fn history() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    let state = std::env::var_os("XDG_STATE_HOME")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .or_else(home)?;
    Some(state.join("binder/history"))
}

/// Completes the names of questions and concepts.
struct NameHelper<'a> {
    index: &'a Index,
    words: Vec<String>,
}

impl Completer for NameHelper<'_> {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let start = line[..at].rfind([' ', '&', '|', '!', '(', ')']).map_or(0, |place| place + 1);
        let begun = &line[start..at];
        let words = self
            .words
            .iter()
            .filter(|word| line[..start].trim().is_empty() && word.starts_with(begun));
        let words =
            words.map(|word| Pair { display: word.clone(), replacement: format!("{word} ") });
        let hits =
            self.index.names().search(begun, OFFERED).into_iter().filter(|hit| hit.typos == 0);
        let names = hits.map(|hit| {
            let name = self.index.name(hit.concept);
            Pair { display: name.to_owned(), replacement: quoted(name) }
        });
        Ok((start, words.chain(names).collect()))
    }
}

/// A name, quoted if questions and expressions need it.
fn quoted(name: &str) -> String {
    let plain = !name.contains(|char: char| char.is_whitespace() || "&|!()\"\\".contains(char));
    if plain {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

impl Hinter for NameHelper<'_> {
    type Hint = String;
}

impl Highlighter for NameHelper<'_> {}

impl Validator for NameHelper<'_> {}

impl Helper for NameHelper<'_> {}
