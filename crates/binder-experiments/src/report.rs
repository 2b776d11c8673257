//! What an experiment hands over, and the files it becomes.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::Plan;
use crate::output::replace;

/// What came out of an experiment.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) title: &'static str,
    /// Markdown: what was done, and the tables.
    pub(crate) text: String,
    /// For `--json`, an object.
    pub(crate) values: Value,
    /// Drawings: the end of their file's name, what they show, and the SVG.
    pub(crate) drawings: Vec<Drawing>,
}

#[derive(Debug)]
pub(crate) struct Drawing {
    /// After `EXPERIMENT`: "" or "-medical".
    pub(crate) suffix: String,
    pub(crate) shows: String,
    pub(crate) svg: String,
}

impl Report {
    /// Writes Markdown and drawings and names all files, the table of runs among them.
    pub(crate) fn write(&self, plan: &Plan<'_>) -> anyhow::Result<Vec<String>> {
        let (markdown, mut files) = (plan.file(".md"), vec![plan.file(".csv").display().to_string()]);
        for drawing in &self.drawings {
            let file = plan.file(&format!("{}.svg", drawing.suffix));
            replace(&file, &drawing.svg)?;
            files.push(file.display().to_string());
        }
        replace(&markdown, &self.markdown(plan))?;
        files.insert(0, markdown.display().to_string());
        Ok(files)
    }

    fn markdown(&self, plan: &Plan<'_>) -> String {
        let mut text = format!("# {}\n\n", self.title);
        if plan.args.quick && plan.args.experiment.is_shortened() {
            text += "**A quick run: few epochs and seeds. It shows what comes out, not how good it is.**\n\n";
        }
        let _ = write!(text, "Made by\n\n```sh\n{}\n```\n\n{}", command(std::env::args().skip(1)), self.text);
        for drawing in &self.drawings {
            let _ = write!(
                text,
                "\n![{}]({}{}.svg)\n",
                drawing.shows,
                plan.args.experiment.name(),
                drawing.suffix
            );
        }
        text
    }
}

/// The command line, quoted where a shell needs it.
fn command(args: impl Iterator<Item = String>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:+@%".contains(c);
    let quoted = args.map(|arg| match !arg.is_empty() && arg.chars().all(plain) {
        true => format!(" {arg}"),
        false => format!(" '{}'", arg.replace('\'', r"'\''")),
    });
    format!("binder{}", quoted.collect::<String>())
}

/// A CSV that is written whole; one that we did not write is left alone.
pub(crate) fn write_csv(path: &Path, header: &str, lines: &[String]) -> anyhow::Result<()> {
    if let Ok(old) = std::fs::read(path) {
        anyhow::ensure!(
            old.is_empty() || old.starts_with(format!("{header}\n").as_bytes()),
            "{}:1: not the header {header}; binder did not write this file: rename or remove it, or choose another \
             folder with -o",
            path.display()
        );
    }
    replace(path, &format!("{header}\n{}", lines.iter().map(|line| format!("{line}\n")).collect::<String>()))
}

/// A Markdown table; the first column to the left, the others to the right.
pub(crate) fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = (0..head.len()).map(|column| if column == 0 { "---" } else { "---:" }).collect::<Vec<_>>();
    let rows = rows.iter().map(|row| line(row));
    format!("{}| {} |\n{}", line(head), rule.join(" | "), rows.collect::<String>())
}
