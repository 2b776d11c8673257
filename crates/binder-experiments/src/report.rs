//! What an experiment hands over, and the files that it becomes.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Error;
use crate::files::{self, Kind, replace};
use crate::plan::Plan;

/// The results of an experiment.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) title: &'static str,
    /// Markdown: the legend and the tables.
    pub(crate) text: String,
    /// The results as a JSON object.
    pub(crate) values: Value,
    pub(crate) drawings: Vec<Drawing>,
}

/// A drawing, which becomes a file of its own.
#[derive(Debug)]
pub(crate) struct Drawing {
    /// What follows the experiment's name in the name of the file: "" or "-medical".
    pub(crate) suffix: String,
    /// What it shows, for readers who cannot see it.
    pub(crate) shows: String,
    pub(crate) svg: String,
}

impl Report {
    /// Writes the Markdown file and the drawings. Returns all files of the experiment; the CSV file
    /// has been written before.
    pub(crate) fn write(&self, plan: &Plan<'_>) -> Result<Vec<PathBuf>, Error> {
        let mut files = vec![plan.file(".md"), plan.file(".csv")];
        if !plan.request.methods.is_empty() {
            files.push(plan.file("-methods.csv"));
        }
        let drawing = |it: &Drawing| plan.file(&format!("{}.svg", it.suffix));
        // Nothing is written where one of the files is not ours.
        files::check(&files[0], Kind::Page)?;
        self.drawings.iter().try_for_each(|it| files::check(&drawing(it), Kind::Drawing))?;
        for it in &self.drawings {
            replace(&drawing(it), Kind::Drawing, &it.svg)?;
            files.push(drawing(it));
        }
        replace(&files[0], Kind::Page, &self.markdown(plan))?;
        Ok(files)
    }

    fn markdown(&self, plan: &Plan<'_>) -> String {
        let request = plan.request;
        let mut text = format!("# {}\n\n", self.title);
        text += &plan.quick();
        let _ = match &request.command {
            Some(command) => write!(text, "Made by\n\n```sh\n{command}\n```\n\n"),
            None => write!(text, "{}\n\n", files::BY_LIBRARY),
        };
        text += &self.text;
        for Drawing { suffix, shows, .. } in &self.drawings {
            let _ = write!(text, "\n![{shows}]({}{suffix}.svg)\n", request.experiment.name());
        }
        text
    }
}

/// Writes a CSV file as a whole. A file that binder did not write is left alone.
pub(crate) fn write_csv(path: &Path, header: &'static str, lines: &[String]) -> Result<(), Error> {
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    replace(path, Kind::Table(header), &format!("{header}\n{lines}"))
}

/// A Markdown table with the first column aligned left and the others aligned right.
pub(crate) fn table(head: &[impl AsRef<str>], rows: &[Vec<String>]) -> String {
    let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
    let rule = (0..head.len()).map(|column| if column == 0 { "---" } else { "---:" });
    let rows = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
    format!(
        "| {} |\n| {} |\n{}",
        head.join(" | "),
        rule.collect::<Vec<_>>().join(" | "),
        rows.collect::<String>()
    )
}

/// A row of a table: its name and its cells.
pub(crate) fn row(name: impl Into<String>, cells: impl IntoIterator<Item = String>) -> Vec<String> {
    std::iter::once(name.into()).chain(cells).collect()
}
