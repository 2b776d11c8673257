//! One concept, a file of them, or a prompt.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write, stdin};
use std::path::Path;

use anyhow::Context;
use binder::place::{Placer, vector};
use binder_answers::{Placed, Style};
use rayon::prelude::*;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::args::AskArgs;
use super::open::open_placer;
use crate::terminal::{bold, grouped, print, print_json};

/// So many lines are read and answered on all threads before their answers are written, in order.
const AT_A_TIME: usize = 1024;

/// A line of a file is not longer than this; a definition of a megabyte is answered.
const LONGEST_LINE: u64 = 16 << 20;

pub(super) fn run(args: &AskArgs) -> anyhow::Result<()> {
    let placer = open_placer(&args.placer, args.encoder.as_deref())?;
    match (&args.name, &args.definition, &args.batch) {
        (None, None, Some(file)) => batch(&placer, file, args.top),
        (None, None, None) if stdin().is_terminal() && !args.json.json => prompt(&placer, args.top),
        (None, None, None) => batch(&placer, Path::new("-"), args.top),
        (name, definition, _) => {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            let (name, definition) = (text(name), text(definition));
            anyhow::ensure!(
                !(name.trim().is_empty() && definition.trim().is_empty()),
                "nothing to place; give a name, a --definition, or both"
            );
            let placed = match &args.embedding {
                Some(numbers) => with_vector(&placer, &name, &definition, numbers, args.top)?,
                None => Placed::new(&placer, &name, &definition, args.top),
            };
            match args.json.json {
                true => print_json(&placed),
                false => Ok(print(&placed.text(&style()))?),
            }
        }
    }
}

fn style() -> Style {
    Style { bold, ..Style::PLAIN }
}

/// Answers the lines of a file, each `name⇥definition`, as JSON lines.
fn batch(placer: &Placer, file: &Path, top: usize) -> anyhow::Result<()> {
    let named = || file.display().to_string();
    match file.to_str() {
        Some("-") => answer_all(placer, &mut stdin().lock(), top).context("standard input"),
        _ => {
            let file = File::open(file).with_context(named)?;
            answer_all(placer, &mut BufReader::new(file), top).with_context(named)
        }
    }
}

fn answer_all(placer: &Placer, from: &mut dyn BufRead, top: usize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let mut number = 0;
    loop {
        let mut lines = Vec::new();
        while lines.len() < AT_A_TIME {
            let Some(line) = next_line(from, number + lines.len() + 1)? else { break };
            lines.push(line);
        }
        if lines.is_empty() {
            return Ok(out.flush()?);
        }
        number += lines.len();
        let answers: Vec<anyhow::Result<String>> =
            lines.par_iter().map(|line| answer(placer, line, top)).collect();
        for answer in answers {
            writeln!(out, "{}", answer?)?;
        }
    }
}

fn answer(placer: &Placer, line: &str, top: usize) -> anyhow::Result<String> {
    let (name, rest) = line.split_once('\t').unwrap_or((line, ""));
    let (definition, numbers) = match &placer.embeddings().concepts {
        Some(_) => rest.split_once('\t').unwrap_or((rest, "")),
        None => (rest, ""),
    };
    let (name, definition) = (name.trim(), definition.trim());
    let placed = match numbers.trim() {
        "" => Placed::new(placer, name, definition, top),
        numbers => with_vector(placer, name, definition, numbers, top)
            .with_context(|| format!("the line of {name:?}"))?,
    };
    Ok(serde_json::to_string(&placed)?)
}

/// The answer for a concept whose vector is known.
fn with_vector(
    placer: &Placer,
    name: &str,
    definition: &str,
    numbers: &str,
    top: usize,
) -> anyhow::Result<Placed> {
    anyhow::ensure!(
        placer.embeddings().concepts.is_some(),
        "the placer was fitted without --embeddings and cannot use one; leave out --embedding"
    );
    let answer = placer.place_with(name, definition, &vector(numbers)?)?;
    Ok(Placed::from_answer(placer, name, answer, top))
}

/// The next line without its end.
fn next_line(from: &mut dyn BufRead, number: usize) -> anyhow::Result<Option<String>> {
    let mut line = Vec::new();
    io::Read::take(from, LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let number = grouped(number as u64);
    anyhow::ensure!(
        line.len() as u64 != LONGEST_LINE,
        "line {number} is longer than 16 MiB; give a name, a tab and a definition on each line"
    );
    let line = String::from_utf8(line);
    let line = line.with_context(|| format!("line {number} is not UTF-8; convert the file"))?;
    Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()))
}

const HELP: &str = "\
  labradoodle: a cross between a Labrador retriever and a poodle
                              a name, a colon and a definition; a name alone says less
  quit                        or Ctrl-D
";

fn prompt(placer: &Placer, top: usize) -> anyhow::Result<()> {
    let mut editor = DefaultEditor::new()?;
    let concepts = grouped(placer.model().hierarchy().len() as u64);
    print(&format!("{concepts} concepts; type name: definition, or help\n"))?;
    loop {
        match editor.readline("› ") {
            Ok(line) => match line.trim() {
                "quit" | "exit" => return Ok(()),
                "" => {}
                "help" | "?" => print(HELP)?,
                line => {
                    let (name, definition) = line.split_once(':').unwrap_or((line, ""));
                    let placed = Placed::new(placer, name.trim(), definition.trim(), top);
                    print(&placed.text(&style()))?;
                    // The line can be had again; if not, that is no error.
                    let _ = editor.add_history_entry(line);
                }
            },
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return Ok(()),
            Err(other) => return Err(other.into()),
        }
    }
}
