use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::remedy;

pub(crate) use binder_answers::{counted, counted_with, grouped, visible};

/// Prints a report on standard output, without colours if that is not a terminal.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints a report on standard error, because a result has standard output.
pub(crate) fn print_aside(text: &str) -> io::Result<()> {
    let mut out = anstream::stderr().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints the one JSON object of a verb. Nothing is taken out of it for terminals, as it is from
/// texts.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Prints an error on standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let _ = writeln!(
        anstream::stderr(),
        "{red}error:{red:#} {}",
        visible_lines(&remedy::message(error))
    );
}

/// Prints a note on standard error.
pub(crate) fn note(text: &str) {
    let yellow = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    let _ = writeln!(anstream::stderr(), "{yellow}note:{yellow:#} {}", visible_lines(text));
}

/// `bold` text in a report.
pub(crate) fn bold(text: &str) -> String {
    let bold = Style::new().bold();
    format!("{bold}{text}{bold:#}")
}

/// 12.3 ms for 0.0123.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// A text whose lines stay, with everything else escaped that a terminal would act on.
fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}
