use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{bail, ensure};
use binder::Choice;
use binder::export::{self, Dialect, ExportError, Format, Notation, Script};
use binder::read::ReadOptions;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::args::Json;
use crate::files::Force;
use crate::models;
use crate::terminal::{bold, counted, duration, grouped, print, print_json};

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The model file, or data to encode first: a path, or a built-in such as wordnet
    model: PathBuf,
    /// The file to write; `-` writes a text format to standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The format [default: from the extension of FILE: .tsv, .npy, .vec, .parquet, .sql; .csv,
    /// .json, .obo, .ttl, .dot, .graphml for the hierarchy itself]
    #[arg(long, value_enum)]
    format: Option<FormatArg>,
    /// npy: write one byte (0 or 1) per bit instead of 64-bit words
    #[arg(long)]
    unpacked: bool,
    /// parquet: write words as signed numbers with the same bits, for Spark, Trino and BigQuery
    #[arg(long)]
    signed: bool,
    /// sql: the database (required)
    #[arg(long, value_enum)]
    dialect: Option<DialectArg>,
    /// sql: the name of the table [default: concepts]
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// sql with postgres: write the code as one column bit(N) instead of bigint columns
    #[arg(long)]
    bit_column: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    json: Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// One line per concept: id, name, label, aliases, bits
    Tsv,
    /// NumPy: u64 [n, words], and the names in a separate text file
    Npy,
    /// Text for gensim's KeyedVectors.load_word2vec_format
    Word2vec,
    /// For DuckDB, Spark, ClickHouse, pandas and many others
    Parquet,
    /// A script with tables, data and a function is_a
    Sql,
    /// The hierarchy itself: a child and a parent per line, with a tab between them; names only
    Edges,
    /// The hierarchy itself as a table: id, label, parent, synonym, definition
    Csv,
    /// The hierarchy itself: a list of objects with id, label, parents, synonyms, definition
    Json,
    /// The hierarchy itself as OBO 1.2
    Obo,
    /// The hierarchy itself as Turtle: owl:Class, rdfs:subClassOf, labels, synonyms, definitions
    Ttl,
    /// The hierarchy itself for Graphviz; names and labels
    Dot,
    /// The hierarchy itself as GraphML, with labels, synonyms and definitions
    Graphml,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DialectArg {
    /// PostgreSQL; load with psql
    Postgres,
    #[value(name = "duckdb")]
    DuckDb,
}

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let kind = args.kind()?;
    if let Some(notation) = kind.notation() {
        return args.write_hierarchy(kind, notation, started);
    }
    let format = args.format(kind)?;
    if args.output.as_os_str() == "-" {
        return args.print(&format);
    }
    args.plan(&format)?;
    let model = models::model(&args.model)?;
    let work = Instant::now();
    let written = export::write(&model, &format, &args.output)?;
    let report = Report {
        format: kind.name(),
        paths: written.files.iter().map(|path| path.display().to_string()).collect(),
        entities: model.codes().len(),
        bits: Some(model.codes().bits()),
        bytes: written.bytes,
        renamed: written.renamed,
        seconds: work.elapsed().as_secs_f64(),
        total_seconds: started.elapsed().as_secs_f64(),
    };
    if args.json.json { print_json(&report) } else { Ok(print(&report.text(args))?) }
}

impl ExportArgs {
    fn kind(&self) -> anyhow::Result<FormatArg> {
        let ending = self.output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match (self.format, ending.as_deref()) {
            (Some(format), _) => Ok(format),
            (None, Some("tsv")) => Ok(FormatArg::Tsv),
            (None, Some("npy")) => Ok(FormatArg::Npy),
            (None, Some("vec" | "w2v" | "word2vec")) => Ok(FormatArg::Word2vec),
            (None, Some("parquet")) => Ok(FormatArg::Parquet),
            (None, Some("sql")) => Ok(FormatArg::Sql),
            (None, Some("csv")) => Ok(FormatArg::Csv),
            (None, Some("json")) => Ok(FormatArg::Json),
            (None, Some("obo")) => Ok(FormatArg::Obo),
            (None, Some("ttl")) => Ok(FormatArg::Ttl),
            (None, Some("dot" | "gv")) => Ok(FormatArg::Dot),
            (None, Some("graphml")) => Ok(FormatArg::Graphml),
            _ => bail!(
                "{}: unknown extension; give --format tsv, npy, word2vec, parquet or sql for the \
                 codes, or edges, csv, json, obo, ttl, dot or graphml for the hierarchy itself",
                self.output.display()
            ),
        }
    }

    /// The format with its options. An option of another format is an error.
    fn format(&self, kind: FormatArg) -> anyhow::Result<Format> {
        self.check_options(kind)?;
        Ok(match kind {
            FormatArg::Npy => Format::Npy { unpacked: self.unpacked },
            FormatArg::Word2vec => Format::Word2vec,
            FormatArg::Parquet => Format::Parquet { signed: self.signed },
            FormatArg::Sql => Format::Sql(Script {
                dialect: self.dialect()?,
                table: self.table.clone().unwrap_or(Script::TABLE.to_owned()),
            }),
            _ => Format::Tsv,
        })
    }

    fn check_options(&self, kind: FormatArg) -> anyhow::Result<()> {
        let options = [
            ("--unpacked", self.unpacked, FormatArg::Npy),
            ("--signed", self.signed, FormatArg::Parquet),
            ("--dialect", self.dialect.is_some(), FormatArg::Sql),
            ("--table", self.table.is_some(), FormatArg::Sql),
            ("--bit-column", self.bit_column, FormatArg::Sql),
        ];
        for (option, given, its) in options {
            ensure!(
                !given || its == kind,
                "{option} is for {}, not for {}",
                its.name(),
                kind.name()
            );
        }
        Ok(())
    }

    /// Writes the hierarchy itself, which needs no codes: data are not encoded.
    fn write_hierarchy(
        &self,
        kind: FormatArg,
        notation: Notation,
        started: Instant,
    ) -> anyhow::Result<()> {
        self.check_options(kind)?;
        if self.output.as_os_str() == "-" {
            self.check_stdout()?;
            let hierarchy = models::hierarchy(&self.model, &ReadOptions::default())?;
            let mut out = BufWriter::new(std::io::stdout());
            return match export::write_hierarchy_to(&hierarchy, notation, &mut out) {
                Err(ExportError::Stream(error)) => Err(error.into()),
                other => Ok(other?),
            };
        }
        let mut plan = self.force.plan();
        plan.reads(&self.model);
        plan.writes(&self.output)?;
        let hierarchy = models::hierarchy(&self.model, &ReadOptions::default())?;
        let work = Instant::now();
        let written = export::write_hierarchy(&hierarchy, notation, &self.output)?;
        let report = Report {
            format: kind.name(),
            paths: written.files.iter().map(|path| path.display().to_string()).collect(),
            entities: hierarchy.len(),
            bits: None,
            bytes: written.bytes,
            renamed: 0,
            seconds: work.elapsed().as_secs_f64(),
            total_seconds: started.elapsed().as_secs_f64(),
        };
        if self.json.json { print_json(&report) } else { Ok(print(&report.text(self))?) }
    }

    fn check_stdout(&self) -> anyhow::Result<()> {
        ensure!(
            !self.json.json,
            "the export uses standard output; give --output a file, or leave out --json"
        );
        Ok(())
    }

    fn dialect(&self) -> anyhow::Result<Dialect> {
        match self.dialect {
            Some(DialectArg::Postgres) => Ok(Dialect::Postgres { bit_string: self.bit_column }),
            Some(DialectArg::DuckDb) if self.bit_column => {
                bail!("--bit-column is for --dialect postgres")
            }
            Some(DialectArg::DuckDb) => Ok(Dialect::DuckDb),
            None => bail!("databases differ: give --dialect postgres or --dialect duckdb"),
        }
    }

    /// Checks before the work that every file has a place and none is the model.
    fn plan(&self, format: &Format) -> anyhow::Result<()> {
        let mut plan = self.force.plan();
        plan.reads(&self.model);
        match format {
            Format::Npy { .. } => {
                plan.writes_file(&self.output)?;
                // A list of names looks like any list. Beside an array of ours it is ours, and so
                // are the checksums.
                let beside_ours = self.output.is_file();
                let mut plan = plan.force(self.force.force || beside_ours);
                plan.writes_file(export::names_path(&self.output))?;
                plan.writes_file(export::checksums_path(&self.output))?;
            }
            format if export::has_ranges(format, &self.output) => {
                plan.writes(&self.output)?;
                let beside_ours = self.output.is_file();
                let mut plan = plan.force(self.force.force || beside_ours);
                plan.writes_file(export::ranges_path(&self.output))?;
            }
            _ => plan.writes(&self.output)?,
        }
        Ok(())
    }

    /// The export itself on standard output, where a report would be in the way.
    fn print(&self, format: &Format) -> anyhow::Result<()> {
        ensure!(
            format.is_text(),
            "this format is binary and cannot go to standard output; give --output a file"
        );
        self.check_stdout()?;
        let model = models::model(&self.model)?;
        match export::write_to(&model, format, &mut BufWriter::new(std::io::stdout())) {
            Err(ExportError::Stream(error)) => Err(error.into()),
            other => Ok(other?),
        }
    }
}

impl FormatArg {
    fn name(self) -> &'static str {
        match self {
            Self::Tsv => "tsv",
            Self::Npy => "npy",
            Self::Word2vec => "word2vec",
            Self::Parquet => "parquet",
            Self::Sql => "sql",
            _ => self.notation().map_or("", Choice::name),
        }
    }

    /// The notation of the hierarchy itself, if it is one.
    fn notation(self) -> Option<Notation> {
        Some(match self {
            Self::Edges => Notation::Edges,
            Self::Csv => Notation::Csv,
            Self::Json => Notation::Json,
            Self::Obo => Notation::Obo,
            Self::Ttl => Notation::Turtle,
            Self::Dot => Notation::Dot,
            Self::Graphml => Notation::GraphMl,
            Self::Tsv | Self::Npy | Self::Word2vec | Self::Parquet | Self::Sql => return None,
        })
    }
}

#[derive(Serialize)]
struct Report {
    format: &'static str,
    paths: Vec<String>,
    entities: usize,
    /// The width of the codes; absent for the hierarchy itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<usize>,
    /// The size of all files.
    bytes: u64,
    /// The number of names that had to be changed.
    renamed: usize,
    seconds: f64,
    total_seconds: f64,
}

impl Report {
    fn text(&self, args: &ExportArgs) -> String {
        let mut text = format!(
            "{}: {}{} as {} in {} ({} bytes)\n",
            bold(&self.paths[0]),
            counted(self.entities, "concept"),
            self.bits.map_or(String::new(), |bits| format!(", {} each,", counted(bits, "bit"))),
            self.format,
            duration(self.seconds),
            grouped(self.bytes),
        );
        let mut add = |line: String| text.extend(["  ", &line, "\n"]);
        if let [_, names, checksums] = &self.paths[..] {
            add(format!("names in the same order: {}", bold(names)));
            add(format!("checksums of both: {}", bold(checksums)));
        }
        if self.renamed > 0 {
            add(format!("{} with blanks, which are written as _", counted(self.renamed, "name")));
        }
        if let Some(dialect) = args.dialect {
            add(format!("load it with: {}", dialect.loader(&args.output)));
        }
        text
    }
}

impl DialectArg {
    fn loader(self, script: &Path) -> String {
        match self {
            Self::Postgres => format!("psql -d DATABASE -f {}", script.display()),
            Self::DuckDb => format!("duckdb DATABASE < {}", script.display()),
        }
    }
}
