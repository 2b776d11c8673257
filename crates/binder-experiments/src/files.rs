//! Files that are replaced in one step, if they are ours.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use binder::output;

use crate::Error;

/// What a file of an experiment holds. Each kind begins in a way that tells it from the files of
/// others.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A page in Markdown.
    Page,
    /// A drawing as SVG.
    Drawing,
    /// A table as CSV with this header.
    Table(&'static str),
    /// The epochs of a run as CSV.
    Curve,
}

/// How the paragraph of a page begins that says that its runs were quick.
pub(crate) const QUICK: &str = "**A quick run";

/// What a page says instead of a command.
pub(crate) const BY_LIBRARY: &str = "Made by `binder_experiments::run`.";

impl Kind {
    /// Whether a file is of this kind and ours.
    fn is(self, content: &[u8]) -> bool {
        let text = String::from_utf8_lossy(content);
        match self {
            Self::Page => is_page(&text),
            Self::Drawing => is_drawing(&text),
            Self::Table(header) => {
                text.strip_prefix(header).is_some_and(|rest| rest.starts_with('\n'))
            }
            Self::Curve => {
                let mut lines = text.lines();
                lines.next().is_some_and(|run| run.starts_with("# ") && run.contains(" data="))
                    && lines.next() == Some("epoch,loss,f1")
            }
        }
    }

    /// What is wrong with a file that is not of this kind.
    fn problem(self) -> String {
        match self {
            Self::Page => "not a page of an experiment".to_owned(),
            Self::Drawing => "not a drawing of an experiment".to_owned(),
            Self::Table(header) => format!("not the header {header}"),
            Self::Curve => "not the curve of a run".to_owned(),
        }
    }
}

/// A title, and the command that made the page; between them a quick run may say that it is one.
fn is_page(text: &str) -> bool {
    let mut paragraphs = text.split("\n\n");
    let has_title = paragraphs.next().is_some_and(|title| title.starts_with("# "));
    let made_by = paragraphs.find(|paragraph| !paragraph.starts_with(QUICK));
    let mut has_command = || paragraphs.next().is_some_and(|it| it.starts_with("```sh\nbinder "));
    has_title && (made_by == Some(BY_LIBRARY) || made_by == Some("Made by") && has_command())
}

/// The two elements that every drawing begins with: its size, and a white ground.
fn is_drawing(text: &str) -> bool {
    let mut lines = text.lines();
    let is_next = |line: Option<&str>, start, end| {
        line.is_some_and(|line| line.starts_with(start) && line.ends_with(end))
    };
    is_next(lines.next(), "<svg width=\"", " xmlns=\"http://www.w3.org/2000/svg\">")
        && is_next(
            lines.next(),
            "<rect x=\"0\" y=\"0\" width=\"",
            " opacity=\"1\" fill=\"#FFFFFF\" stroke=\"none\"/>",
        )
}

/// Refuses a file that we did not write. One that is empty or not there yet is fine.
pub(crate) fn check(path: &Path, kind: Kind) -> Result<(), Error> {
    match fs::read(path) {
        Ok(old) if old.is_empty() || kind.is(&old) => Ok(()),
        Ok(_) => Err(Error::foreign(path, 1, kind.problem())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::file(path)(error)),
    }
}

/// Writes a file, in a new folder if need be, so that whoever opens `path` sees the old content or
/// the new, never a part of it. A file that we did not write is left alone.
///
/// The text goes to a new file in the same folder, is synced, and takes the name in one step. The
/// folder is synced too, so that the name survives a power cut. If anything fails, the old file
/// stays and nothing is left behind.
pub(crate) fn replace(path: &Path, kind: Kind, text: &str) -> Result<(), Error> {
    check(path, kind)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
    }
    output::write(path, |file| file.write_all(text.as_bytes())).map_err(Error::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let (path, kind) = (folder.path().join("edges.csv"), Kind::Table("set,bits"));
        replace(&path, kind, "set,bits\nold, and longer than the new").unwrap();
        replace(&path, kind, "set,bits\nnew").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "set,bits\nnew");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_names_the_file_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edges.md");
        fs::create_dir(&path).unwrap();
        let error = replace(&path, Kind::Page, "new").unwrap_err();
        assert!(error.to_string().contains("edges.md: "), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn pages_and_drawings_of_older_versions_are_ours_and_those_of_others_are_not() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results");
        for (name, kind) in [
            ("edges.md", Kind::Page),
            ("best/representation.md", Kind::Page),
            ("edges.svg", Kind::Drawing),
            ("case-study.svg", Kind::Drawing),
        ] {
            check(&results.join(name), kind).unwrap();
        }
        for (name, kind) in [
            ("README.md", Kind::Page),
            ("alternatives.md", Kind::Page),
            ("baselines-speed.md", Kind::Page),
            ("scale.svg", Kind::Drawing),
        ] {
            let refused = check(&results.join(name), kind);
            assert!(matches!(refused, Err(Error::Foreign { .. })), "{name}: {refused:?}");
        }
        assert!(Kind::Page.is(b"# Edges\n\n**A quick run: few**\n\nMade by\n\n```sh\nbinder x"));
        assert!(!Kind::Page.is(b"# Notes\n\nMade by hand\n\n```sh\nbinder x\n```\n"));
    }
}
