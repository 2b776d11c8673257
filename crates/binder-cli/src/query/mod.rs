//! `binder query`: one question, a file of them, or a prompt.

mod answer;
mod args;
mod batch;
mod picture;
mod prompt;
mod text;

use std::io::{IsTerminal, stdin};
use std::path::Path;

use binder::Model;
use binder::query::Index;
use clap::error::ErrorKind;

pub(crate) use args::QueryArgs;

use crate::output::{print, print_json};
use args::Question;

/// The answer to is-a was no, and the exit code is to say so.
#[derive(Debug, thiserror::Error)]
#[error("no")]
pub(crate) struct No;

pub(crate) fn run(args: &QueryArgs) -> anyhow::Result<()> {
    let index = Index::new(Model::open(&args.model)?);
    match (&args.question, &args.batch) {
        (Some(_), Some(_)) => {
            let both = "--batch FILE and a question on the command line; give one of them\n";
            clap::Error::raw(ErrorKind::ArgumentConflict, both).exit()
        }
        (Some(question), None) => answer_one(&index, question, args.json),
        (None, Some(file)) => batch::run(&index, file, args.json),
        (None, None) if stdin().is_terminal() && !args.json => prompt::run(&index, &args.model),
        (None, None) => batch::run(&index, Path::new("-"), args.json),
    }
}

fn answer_one(index: &Index, question: &Question, json: bool) -> anyhow::Result<()> {
    if let Question::Picture { concept, children, output: Some(output) } = question {
        return picture::save(index, concept, *children, output, json);
    }
    let answer = answer::answer(index, question)?;
    if json {
        print_json(&answer)?;
    } else {
        print(&text::text(index, &answer, question))?;
    }
    match (&answer, question) {
        (answer::Answer::IsA { is_a: false, .. }, Question::IsA { exit_code: true, .. }) => {
            Err(No.into())
        }
        _ => Ok(()),
    }
}
