//! `binder query`: one question, a file of them, or a prompt.

mod args;
mod batch;
mod picture;
mod prompt;

use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;

use binder::query::Index;
use binder_answers::{Answer, Asked, IsA, Style};
use clap::error::ErrorKind;

pub(crate) use args::QueryArgs;

use crate::models;
use crate::terminal::{bold, note, print, print_json};
use args::QuestionArgs;
use picture::Drawing;

/// The answer to is-a is no, and --exit-code was given.
#[derive(Debug, thiserror::Error)]
#[error("no")]
pub(crate) struct No;

pub(crate) fn run(args: &QueryArgs) -> anyhow::Result<()> {
    let index = models::index(&args.model)?.with_exact_names(args.exact_names);
    match (&args.question, &args.batch) {
        (Some(_), Some(_)) => {
            let both = "--batch FILE and a question on the command line; give one of them\n";
            clap::Error::raw(ErrorKind::ArgumentConflict, both).exit()
        }
        (Some(question), None) => answer_one(&index, &args.model, question, args.json),
        (None, Some(file)) => batch::run(&index, file, args.json),
        (None, None) if stdin().is_terminal() && !args.json => prompt::run(&index, &args.model),
        (None, None) => batch::run(&index, Path::new("-"), args.json),
    }
}

fn answer_one(index: &Index, model: &Path, args: &QuestionArgs, json: bool) -> anyhow::Result<()> {
    if let QuestionArgs::Picture { concept, children, output: Some(output), force } = args {
        let drawing = Drawing { concept, children: *children, output, force: *force };
        return picture::save(index, model, &drawing, json);
    }
    let asked = Asked::new(index, &args.question())?;
    if json {
        print_json(&asked)?;
    } else {
        say_taken(&asked);
        print(&asked.answer.text(index, &style()))?;
    }
    match (&asked.answer, args) {
        (Answer::IsA(IsA { is_a: false, .. }), QuestionArgs::IsA { exit_code: true, .. }) => {
            Err(No.into())
        }
        _ => Ok(()),
    }
}

/// Says which concepts words were taken for.
fn say_taken(asked: &Asked) {
    asked.taken.iter().for_each(|taken| note(&taken.line()));
}

/// The maximum number of concepts listed on a terminal.
const ON_TERMINAL: usize = 40;

/// The style of answers on standard output. On a terminal, long lists are cut.
fn style() -> Style {
    let rows = if stdout().is_terminal() { ON_TERMINAL } else { usize::MAX };
    Style { bold, rows, rest: "; all are printed if piped" }
}
