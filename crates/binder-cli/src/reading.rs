//! Options for reading data.

use binder::hierarchy::Cycles;
use binder::memory::Size;
use binder::read::{Column, Format, ReadOptions};
use clap::Args;

use crate::args::choice;

/// Options for reading data. The defaults suit most files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    columns: ColumnArgs,
}

/// Options that hold for lists of pairs, too.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct SourceArgs {
    /// The format [default: detected from name and content]
    #[arg(long, value_parser = choice::<Format>())]
    format: Option<Format>,
    /// Tables: the columns of child and parent, by name or by number from 1 [default: told by the
    /// header, or the only two]
    #[arg(long, value_name = "CHILD,PARENT", value_parser = two_columns)]
    columns: Option<(Column, Column)>,
    /// Tables: whether the first row is a header; alone it means yes [default: told by the rows]
    #[arg(long, value_name = "yes|no", num_args = 0..=1, require_equals = true,
          default_missing_value = "yes", value_parser = yes_or_no)]
    header: Option<bool>,
    /// Tables, path lines: the character between columns or parts of a path, or `tab` [default:
    /// told by the lines]
    #[arg(long, value_name = "CHARACTER", value_parser = character)]
    delimiter: Option<char>,
    /// Tables: what separates several parents or synonyms in one cell
    #[arg(long, value_name = "TEXT")]
    cell_separator: Option<String>,
    /// Tables, trees and graphs: the parent comes first
    #[arg(long)]
    reversed: bool,
    /// Tables, path lines, outlines: lines that start with this are comments
    #[arg(long, value_name = "MARK")]
    comment: Option<String>,
    /// What to do about cycles
    #[arg(long, value_parser = choice::<Cycles>(), default_value_t = Cycles::Refuse)]
    cycles: Cycles,
    /// Ontologies: another relation that counts as is-a, by name, IRI or prefixed name; `^` before
    /// it turns it round; can be repeated
    #[arg(long = "relation", value_name = "NAME")]
    relations: Vec<String>,
    /// OBO: leave out lines that are not valid, and say how many
    #[arg(long)]
    lenient: bool,
    /// RDF, OWL: the language of labels [default: en]
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// WordNet: read verbs instead of nouns
    #[arg(long)]
    verbs: bool,
    /// The longest name to accept, for example 1MB [default: 64KiB]
    #[arg(long, value_name = "SIZE")]
    max_name: Option<Size>,
}

/// What the columns of a table hold.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
struct ColumnArgs {
    /// Tables: the column of the child
    #[arg(long, value_name = "COLUMN", conflicts_with = "columns")]
    child: Option<String>,
    /// Tables: the column of the parent
    #[arg(long, value_name = "COLUMN", conflicts_with = "columns")]
    parent: Option<String>,
    /// Tables: the column of labels. RDF: their property
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// Tables: a column of synonyms. RDF: their property. Can be repeated
    #[arg(long = "alias", value_name = "COLUMN")]
    aliases: Vec<String>,
    /// Tables: the column of definitions. RDF: their property
    #[arg(long, value_name = "COLUMN")]
    definition: Option<String>,
    /// Tables: take only rows with this value in this column
    #[arg(long, value_name = "COLUMN=VALUE", value_parser = column_and_value)]
    relation_column: Option<(Column, String)>,
}

impl ReadingArgs {
    pub(crate) fn options(&self) -> ReadOptions {
        let mut options = self.source.options();
        let column = |name: &Option<String>| name.as_deref().map(Column::from);
        options.child = column(&self.columns.child);
        options.parent = column(&self.columns.parent);
        options.label = column(&self.columns.label);
        options.aliases = self.columns.aliases.iter().map(|name| name.as_str().into()).collect();
        options.definition = column(&self.columns.definition);
        options.relation_column.clone_from(&self.columns.relation_column);
        options
    }
}

impl SourceArgs {
    pub(crate) fn options(&self) -> ReadOptions {
        let mut options = ReadOptions::default();
        options.format = self.format;
        options.columns.clone_from(&self.columns);
        options.header = self.header;
        options.delimiter = self.delimiter;
        options.cell_separator.clone_from(&self.cell_separator);
        options.reversed = self.reversed;
        options.comment.clone_from(&self.comment);
        options.cycles = self.cycles;
        options.relations.clone_from(&self.relations);
        options.language.clone_from(&self.language);
        options.lenient = self.lenient;
        options.verbs = self.verbs;
        options.max_name_bytes =
            self.max_name.map(|Size(bytes)| usize::try_from(bytes).unwrap_or(usize::MAX));
        options
    }
}

/// The arguments with `--header yes` and `--header no` written as one: `--header` alone, before the
/// name of a file, has no value.
pub(crate) fn joined(
    arguments: impl Iterator<Item = std::ffi::OsString>,
) -> Vec<std::ffi::OsString> {
    let mut joined: Vec<std::ffi::OsString> = Vec::new();
    for argument in arguments {
        match joined.last_mut() {
            Some(last) if last == "--header" && (argument == "yes" || argument == "no") => {
                last.push("=");
                last.push(argument);
            }
            _ => joined.push(argument),
        }
    }
    joined
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("give yes or no".to_owned()),
    }
}

fn character(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("tab" | "\\t", ..) => Ok('\t'),
        (_, Some(character), None) => Ok(character),
        _ => Err("give one character, or tab".to_owned()),
    }
}

fn column_and_value(text: &str) -> Result<(Column, String), String> {
    let (column, value) =
        text.split_once('=').ok_or("give a column and a value, for example relation=is_a")?;
    Ok((column.trim().into(), value.trim().to_owned()))
}

fn two_columns(text: &str) -> Result<(Column, Column), String> {
    let (child, parent) =
        text.split_once(',').ok_or("give two columns, for example 1,2 or child,parent")?;
    let (child, parent): (Column, Column) = (child.trim().into(), parent.trim().into());
    if child == parent {
        Err("child and parent are the same column".to_owned())
    } else {
        Ok((child, parent))
    }
}
