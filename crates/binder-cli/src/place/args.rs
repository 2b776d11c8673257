use std::path::PathBuf;

use binder::place::{Embeddings, Encoder, Hide, PlaceError, PlaceParams, Vectors};
use clap::{Args, Subcommand};

use crate::args::{Data, Json, choice};
use crate::files::Force;
use crate::reading::ReadingArgs;

#[derive(Debug, Args)]
pub(crate) struct PlaceArgs {
    #[command(subcommand)]
    pub(super) verb: PlaceVerb,
}

#[derive(Debug, Subcommand)]
pub(super) enum PlaceVerb {
    /// Learn from the names, definitions and places of all concepts where a new one belongs
    Fit(FitArgs),
    /// Ask where a concept belongs: one, a file of them, or at a prompt
    Ask(AskArgs),
    /// Hide concepts, learn from the rest, and see how well they are found again
    Eval(EvalArgs),
}

#[derive(Debug, Args)]
pub(super) struct FitArgs {
    /// Data or a model with texts: a path, `-` for standard input, or a built-in such as wordnet
    #[arg(value_name = "DATA|MODEL")]
    pub(super) source: PathBuf,
    /// The placer file to write; `-` is standard output
    #[arg(short, long, value_name = "PLACER")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) settings: SettingArgs,
    #[command(flatten)]
    pub(super) embeddings: EmbeddingArgs,
    #[command(flatten)]
    pub(super) json: Json,
    #[command(flatten)]
    pub(super) force: Force,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
}

/// The settings of a fit.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(super) struct SettingArgs {
    /// The most leaves that are hidden to learn from
    #[arg(long, value_name = "N", default_value_t = PlaceParams::default().hidden,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(20..=1_000_000))]
    hidden: usize,
    /// The number of trees that weigh the signs
    #[arg(long, value_name = "N", default_value_t = PlaceParams::default().trees,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    trees: usize,
}

/// Vectors that others have learnt.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(super) struct EmbeddingArgs {
    /// Vectors of words, as GloVe and word2vec write them: on each line a word and its numbers. Or
    /// a safetensors file with a matrix, and the words in a tensor called names or, a line each, in
    /// FILE.vocab.txt or vocab.txt beside it. The placer keeps them
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
    /// Vectors of concepts from any encoder: on each line a concept's name, a tab and its numbers.
    /// Or a safetensors file, as for --vectors, with the concepts' names. Who asks gives one too
    #[arg(long, value_name = "FILE", conflicts_with = "encoder")]
    embeddings: Option<PathBuf>,
    /// The folder of a sentence encoder, a BERT such as MiniLM: config.json, model.safetensors, and
    /// vocab.txt or tokenizer.json. It makes a vector of every concept's text, which may take
    /// minutes. Who asks gives it too
    #[arg(long, value_name = "FOLDER")]
    encoder: Option<PathBuf>,
}

impl EmbeddingArgs {
    /// The files that are read.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.vectors.iter().chain(&self.embeddings)
    }

    pub(super) fn read(&self) -> Result<Embeddings, binder::Error> {
        let read = |file: &PathBuf| Vectors::read(file).map_err(PlaceError::from);
        let mut embeddings = Embeddings::default();
        if let Some(file) = &self.vectors {
            embeddings = embeddings.words(read(file)?);
        }
        if let Some(file) = &self.embeddings {
            embeddings = embeddings.concepts(read(file)?);
        }
        if let Some(folder) = &self.encoder {
            embeddings = embeddings.encoder(Encoder::open(folder).map_err(PlaceError::from)?);
        }
        Ok(embeddings)
    }
}

impl SettingArgs {
    pub(super) fn params(&self) -> PlaceParams {
        PlaceParams::default().hidden(self.hidden).trees(self.trees)
    }
}

#[derive(Debug, Args)]
pub(super) struct AskArgs {
    /// The placer file
    pub(super) placer: PathBuf,
    /// The name of the concept; without it and --batch, a prompt
    pub(super) name: Option<String>,
    /// What the concept means, in a sentence
    #[arg(long, value_name = "TEXT", conflicts_with = "batch")]
    pub(super) definition: Option<String>,
    /// The concept's own vector, for a placer that was fitted with --embeddings: its numbers, with
    /// spaces or commas between them
    #[arg(long, value_name = "NUMBERS", conflicts_with = "batch", allow_hyphen_values = true)]
    pub(super) embedding: Option<String>,
    /// The folder of the encoder that the placer was fitted with; another one is refused
    #[arg(long, value_name = "FOLDER", conflicts_with = "embedding")]
    pub(super) encoder: Option<PathBuf>,
    /// A file of concepts, `-` for standard input: on each line a name, a tab and a definition, and
    /// perhaps a tab and the concept's vector. Answers are JSON lines in the same order
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    pub(super) batch: Option<PathBuf>,
    /// How many places to list
    #[arg(long, value_name = "K", default_value_t = 5,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub(super) top: usize,
    #[command(flatten)]
    pub(super) json: Json,
}

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    #[command(flatten)]
    pub(super) data: Data,
    /// Which concepts to hide
    #[arg(long, value_parser = choice::<Hide>(), default_value_t = Hide::Leaves)]
    pub(super) hide: Hide,
    /// The share of them to hide
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    pub(super) share: f64,
    /// Ask by name alone, without the definition
    #[arg(long)]
    pub(super) names_only: bool,
    /// The random seed of the draw; the same seed hides the same concepts
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) settings: SettingArgs,
    #[command(flatten)]
    pub(super) embeddings: EmbeddingArgs,
    #[command(flatten)]
    pub(super) json: Json,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
}

fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| *share > 0.0 && *share < 1.0)
        .ok_or_else(|| "give a number between 0 and 1, for example 0.05".to_owned())
}
