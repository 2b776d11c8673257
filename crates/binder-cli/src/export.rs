use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{bail, ensure};
use binder::export::{self, Dialect, ExportError, Format, Script};
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
    /// The format [default: from the extension of FILE: .tsv, .npy, .vec, .parquet, .sql]
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
        bits: model.codes().bits(),
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
            _ => bail!(
                "{}: unknown extension; give --format tsv, npy, word2vec, parquet or sql",
                self.output.display()
            ),
        }
    }

    /// The format with its options. An option of another format is an error.
    fn format(&self, kind: FormatArg) -> anyhow::Result<Format> {
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
        Ok(match kind {
            FormatArg::Tsv => Format::Tsv,
            FormatArg::Npy => Format::Npy { unpacked: self.unpacked },
            FormatArg::Word2vec => Format::Word2vec,
            FormatArg::Parquet => Format::Parquet { signed: self.signed },
            FormatArg::Sql => Format::Sql(Script {
                dialect: self.dialect()?,
                table: self.table.clone().unwrap_or(Script::TABLE.to_owned()),
            }),
        })
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
        ensure!(
            !self.json.json,
            "the export uses standard output; give --output a file, or leave out --json"
        );
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
        }
    }
}

#[derive(Serialize)]
struct Report {
    format: &'static str,
    paths: Vec<String>,
    entities: usize,
    bits: usize,
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
            "{}: {}, {} each, as {} in {} ({} bytes)\n",
            bold(&self.paths[0]),
            counted(self.entities, "concept"),
            counted(self.bits, "bit"),
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
