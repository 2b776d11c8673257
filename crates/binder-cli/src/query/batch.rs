//! Answers a file of questions, one answer per line.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::Context;
use binder::query::Index;
use binder_answers::{Asked, Question, answer};
use memchr::{memchr, memrchr};
use rayon::prelude::*;

use super::args::QuestionArgs;
use crate::terminal::{counted, grouped};

/// The bytes of questions that one thread answers at a time.
const PART: usize = 1 << 18;

/// The number of parts that are read and answered before their answers are written, in order.
const PARTS: usize = 64;

/// The questions that could not be answered.
#[derive(Default)]
struct Failures {
    count: usize,
    /// The line number of the first, and the reason.
    first: Option<(usize, String)>,
}

/// The answers to a part of the questions.
struct Answered {
    text: Vec<u8>,
    lines: usize,
    /// Line numbers are relative to the start of the part.
    failures: Failures,
}

/// Answers the questions of a file; `-` is standard input. If a question cannot be answered, its
/// line is `error: …`, or `unknown` for a pair with an unknown name. Then the run ends with an
/// error that names the first such line.
pub(crate) fn run(index: &Index, file: &Path, json: bool) -> anyhow::Result<()> {
    let named = || file.display().to_string();
    let failures = match file.to_str() {
        Some("-") => answer_all(index, &mut io::stdin().lock(), json).context("standard input")?,
        _ => answer_all(index, &mut File::open(file).with_context(named)?, json)
            .with_context(named)?,
    };
    match failures.first {
        None => Ok(()),
        Some((line, why)) => anyhow::bail!(
            "{}: {} could not be answered; the first is line {}: {why}",
            file.display(),
            counted(failures.count, "question"),
            grouped(line as u64),
        ),
    }
}

/// Repeats until the end of the file: reads as many whole lines as fit, answers them in parts on
/// all threads, and writes the answers in order.
fn answer_all(index: &Index, from: &mut dyn Read, json: bool) -> io::Result<Failures> {
    let mut out = io::stdout().lock();
    let (mut failures, mut lines) = (Failures::default(), 0);
    let mut text = Vec::new();
    loop {
        let read = from.take((PARTS * PART) as u64).read_to_end(&mut text)?;
        let whole =
            if read == 0 { text.len() } else { memrchr(b'\n', &text).map_or(0, |at| at + 1) };
        let answered: Vec<Answered> = parts(&text[..whole])
            .into_par_iter()
            .map(|part| answer_part(index, part, json))
            .collect();
        for part in answered {
            out.write_all(&part.text)?;
            if let (None, Some((line, why))) = (&failures.first, part.failures.first) {
                failures.first = Some((lines + line, why));
            }
            failures.count += part.failures.count;
            lines += part.lines;
        }
        text.drain(..whole);
        if read == 0 {
            out.flush()?;
            return Ok(failures);
        }
    }
}

/// Splits the text into parts that end at a line break.
fn parts(mut text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let rest = &text[text.len().min(PART)..];
        let end = memchr(b'\n', rest).map_or(text.len(), |at| text.len() - rest.len() + at + 1);
        let (part, after) = text.split_at(end);
        parts.push(part);
        text = after;
    }
    parts
}

fn answer_part(index: &Index, mut part: &[u8], json: bool) -> Answered {
    let mut answered = Answered {
        text: Vec::with_capacity(part.len() / 4),
        lines: 0,
        failures: Failures::default(),
    };
    while !part.is_empty() {
        let end = memchr(b'\n', part).unwrap_or(part.len());
        let question = part[..end].strip_suffix(b"\r").unwrap_or(&part[..end]);
        part = &part[part.len().min(end + 1)..];
        answered.lines += 1;
        if let Err(why) = answer_line(index, question, json, &mut answered.text) {
            answered.failures.count += 1;
            answered.failures.first.get_or_insert((answered.lines, why));
        }
    }
    answered
}

/// Appends the answer to a line, and returns why there is none if it cannot be answered. The answer
/// to an empty line is an empty line.
fn answer_line(
    index: &Index,
    question: &[u8],
    json: bool,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let answer = match memchr(b'\t', question) {
        Some(tab) => is_a(index, &question[..tab], &question[tab + 1..], json, out),
        None => asked(index, question, json, out),
    };
    if let Err(why) = &answer {
        match (json, memchr(b'\t', question)) {
            (true, _) => out.extend(serde_json::json!({ "error": why }).to_string().bytes()),
            (false, Some(_)) => out.extend(b"unknown"),
            (false, None) => out.extend(format!("error: {}", why.replace('\n', " ")).bytes()),
        }
    }
    out.push(b'\n');
    answer
}

/// Answers a pair. Complete names and aliases are looked up directly; other texts are resolved as
/// in any question.
fn is_a(
    index: &Index,
    child: &[u8],
    parent: &[u8],
    json: bool,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let text = |name| std::str::from_utf8(name).map_err(|_| "a name is not UTF-8".to_owned());
    let (child, parent) = (text(child)?, text(parent)?);
    if json {
        let question = Question::IsA { child: child.to_owned(), parent: parent.to_owned() };
        let asked = Asked::new(index, &question).map_err(|error| error.to_string())?;
        serde_json::to_writer(out, &asked).map_err(|error| error.to_string())?;
        return Ok(());
    }
    let find = |name: &str| index.find(name).map_err(|error| error.to_string());
    let is_a = index.codes().is_a(find(child)?, find(parent)?);
    out.extend(if is_a { "yes" } else { "no" }.bytes());
    Ok(())
}

/// Answers a question that is written as on the command line.
fn asked(index: &Index, question: &[u8], json: bool, out: &mut Vec<u8>) -> Result<(), String> {
    let question = std::str::from_utf8(question).map_err(|_| "the line is not UTF-8".to_owned())?;
    if question.trim().is_empty() {
        return Ok(());
    }
    let args = QuestionArgs::parse(question).map_err(|error| error.to_string())?;
    let question = args.question();
    if json {
        let asked = Asked::new(index, &question).map_err(|error| error.to_string())?;
        serde_json::to_writer(out, &asked).map_err(|error| error.to_string())
    } else {
        let answer = answer(index, &question).map_err(|error| error.to_string())?;
        out.extend(answer.line().bytes());
        Ok(())
    }
}
