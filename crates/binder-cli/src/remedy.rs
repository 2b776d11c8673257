//! Advice about errors, with the options of the command line. The library only states facts.

use std::error::Error as StdError;

use binder::Choice;
use binder::checkpoint::ResumeError;
use binder::codes::CodesError;
use binder::container::{ContainerError, FileError};
use binder::encode::EncodeError;
use binder::grow::GrowError;
use binder::hierarchy::{ClosureError, CycleError, HierarchyError};
use binder::memory::{MemoryError, Stage};
use binder::model::ModelError;
use binder::output::{LockError, OutputError};
use binder::place::{EncoderError, PlaceError};
use binder::query::QueryError;
use binder::read::{ColumnsFault, Format, Problem, ReadError, ReadOption};
use binder::split::SplitError;
use binder::train::ParamError;
use binder::update::UpdateError;

/// The message for an error: what went wrong, and what to do about it if there is advice.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let remedy = error.chain().find_map(of);
    match wrong_setting(error) {
        Some(setting) => format!("--{setting}"),
        _ => match remedy {
            Some(remedy) => format!("{error:#}; {remedy}"),
            None => format!("{error:#}"),
        },
    }
}

/// The setting that the error is about, if it is about one that was given.
pub(crate) fn wrong_setting(error: &anyhow::Error) -> Option<&ParamError> {
    let setting = error.downcast_ref::<ParamError>().or_else(|| inner(error))?;
    (setting.name != "concepts").then_some(setting)
}

/// Options that mean nothing together, whatever the data, which the parser of options cannot tell.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WrongUse(pub(crate) String);

impl WrongUse {
    /// An error with this message where `holds` is false.
    pub(crate) fn unless(holds: bool, message: impl Into<String>) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self(message.into())) }
    }
}

/// Whether the command line cannot be obeyed, whatever the data.
pub(crate) fn is_wrong_use(error: &anyhow::Error) -> bool {
    let of_codes = error.downcast_ref::<CodesError>();
    error.is::<WrongUse>()
        || wrong_setting(error).is_some()
        || matches!(of_codes, Some(CodesError::Room { .. }))
}

/// The invalid setting inside the error of the library, of a baseline or of an experiment, if it is
/// one.
fn inner(error: &anyhow::Error) -> Option<&ParamError> {
    fn of_library(error: &binder::Error) -> Option<&ParamError> {
        if let binder::Error::Param(setting) = error { Some(setting) } else { None }
    }
    fn of_baseline(error: &binder_baselines::Error) -> Option<&ParamError> {
        if let binder_baselines::Error::Param(setting) = error { Some(setting) } else { None }
    }
    match error.downcast_ref() {
        Some(binder_experiments::Error::Binder(error)) => of_library(error),
        Some(binder_experiments::Error::Method(error)) => of_baseline(error),
        Some(_) => None,
        None => {
            let library = error.downcast_ref().and_then(of_library);
            library.or_else(|| error.downcast_ref().and_then(of_baseline))
        }
    }
}

fn of(error: &(dyn StdError + 'static)) -> Option<String> {
    if let Some(error) = memory_error(error) {
        return Some(of_memory(error));
    }
    if let Some(error) = error.downcast_ref::<binder::Error>() {
        return match error {
            binder::Error::Read(error) => of_read(error),
            binder::Error::File(error) => of_file(error),
            binder::Error::Resume(error) => Some(of_resume(error)),
            binder::Error::Grow(error) => of_growth(error),
            binder::Error::Model(error) => of_model(error),
            binder::Error::Hierarchy(HierarchyError::Cycle(error)) => Some(of_cycle(error)),
            binder::Error::Encode(error) => of_encode(error),
            binder::Error::Query(error) => of_query(error),
            binder::Error::Place(error) => of_place(error),
            binder::Error::Update(error) => of_update(error),
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<binder_baselines::Error>() {
        return match error {
            binder_baselines::Error::Diverged { .. } => Some("give a smaller --rate".to_owned()),
            binder_baselines::Error::Model(error) => of_model(error),
            binder_baselines::Error::File(error) => of_file(error),
            _ => None,
        };
    }
    let read = error.downcast_ref().and_then(of_read);
    read.or_else(|| error.downcast_ref().and_then(of_file))
        .or_else(|| error.downcast_ref().map(of_resume))
        .or_else(|| error.downcast_ref().and_then(of_growth))
        .or_else(|| error.downcast_ref().and_then(of_model))
        .or_else(|| error.downcast_ref().map(of_cycle))
        .or_else(|| error.downcast_ref().and_then(of_encode))
        .or_else(|| error.downcast_ref().and_then(of_output))
        .or_else(|| error.downcast_ref().and_then(of_query))
        .or_else(|| error.downcast_ref().and_then(of_lock))
        .or_else(|| error.downcast_ref().and_then(of_place))
}

fn of_update(error: &UpdateError) -> Option<String> {
    match error {
        UpdateError::Misses { .. } => {
            Some("encode the new version with binder encode".to_owned())
        }
        UpdateError::NothingInCommon => Some(
            "check that both name concepts alike, with binder info, or encode the new version with \
             binder encode"
                .to_owned(),
        ),
        _ => None,
    }
}

fn of_place(error: &PlaceError) -> Option<String> {
    match error {
        PlaceError::NoTexts => Some(
            "give data with texts: OBO, RDF and WordNet have them, and --label, --alias and \
             --definition name the columns of a table; a model keeps them unless it was made with \
             --texts none"
                .to_owned(),
        ),
        PlaceError::OtherModel { .. } => {
            Some("fit a placer to this model with binder place fit".to_owned())
        }
        PlaceError::Encoder(EncoderError::Other { .. }) => Some(
            "give the folder of that encoder with --encoder, or fit a placer with this one"
                .to_owned(),
        ),
        PlaceError::Encoder(EncoderError::NotFitted) => {
            Some("leave out --encoder, or fit a placer with it".to_owned())
        }
        _ => None,
    }
}

fn of_read(ReadError { problem, .. }: &ReadError) -> Option<String> {
    Some(match problem {
        Problem::Columns { likely, .. } => match likely {
            ColumnsFault::CommentLine => {
                "if lines that start with # are comments, give --comment '#'".to_owned()
            }
            ColumnsFault::OtherSeparator => "if the columns are separated by something else, give \
                                             --delimiter or --format tsv, csv or spaces"
                .to_owned(),
            ColumnsFault::Ragged => "every row must have as many columns as the first; if cells \
                                     between tabs are in quotes, give --format csv --delimiter tab"
                .to_owned(),
            ColumnsFault::NotChosen => {
                "choose child and parent with --columns, for example --columns 1,2".to_owned()
            }
        },
        Problem::NoRelation { .. } => "choose one of these with --relation".to_owned(),
        Problem::NoKnownRelation { seen } => {
            let first = seen.first().map_or("IRI", |(iri, _)| iri.as_str());
            format!("name the one that leads to the parent, for example --relation {first}")
        }
        Problem::Members { names, .. } if !names.is_empty() => {
            format!("name one behind the archive, for example ARCHIVE/{}", names[0])
        }
        Problem::OtherKind { found, .. } if found.contains("Binder model") => {
            "ask it with binder query, or give the data it was made from".to_owned()
        }
        Problem::OtherKind { found, .. } if found.contains("looks like") => {
            "leave out --format".to_owned()
        }
        Problem::SeveralInCell { separator, .. } => {
            format!("separate them with --cell-separator '{separator}'")
        }
        Problem::EmptyName => {
            "if an empty parent means a root, give the columns a header or choose --child and \
             --parent"
                .to_owned()
        }
        Problem::Syntax { .. } => {
            "correct the file, or force another format with --format".to_owned()
        }
        Problem::UnknownFormat => {
            let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
            format!("give --format with one of {}", names.join(", "))
        }
        Problem::NotAnEdgeList(_) => "force one with --format tsv".to_owned(),
        Problem::OptionIgnored { option, .. } => format!("leave out {}", flag(*option)),
        Problem::BuiltinOption { name, option } => {
            format!("leave out {}, or give ./{name} for a file", flag(*option))
        }
        Problem::EmptyCommentMark => "give the mark with --comment".to_owned(),
        Problem::UnknownConcept(_) => {
            "check the spelling, or use the model made from these data".to_owned()
        }
        Problem::Cycle(cycle) => of_cycle(cycle),
        Problem::TooLong { .. } => "if there is room, raise the limit with --memory".to_owned(),
        Problem::LongName { .. } => "if this is a name, raise the limit with --max-name".to_owned(),
        _ => return None,
    })
}

fn flag(option: ReadOption) -> String {
    match option {
        ReadOption::Relations => "--relation".to_owned(),
        other => format!("--{other}"),
    }
}

fn of_cycle(_: &CycleError) -> String {
    "remove one of these pairs, or merge every cycle into one concept with --cycles merge"
        .to_owned()
}

fn of_encode(error: &EncodeError) -> Option<String> {
    match error {
        EncodeError::TooManyBits { .. } | EncodeError::TooDense { .. } => Some(
            "encode a part of the hierarchy, or give --bits for codes that miss no pair and have \
             some false ones"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The memory error inside the error of any stage.
fn memory_error<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a MemoryError> {
    let of_all = error.downcast_ref().and_then(|error| match error {
        binder::Error::Memory(error) => Some(error),
        _ => None,
    });
    let of_codes = || match error.downcast_ref()? {
        CodesError::Memory(error) => Some(error),
        _ => None,
    };
    let of_split = || match error.downcast_ref()? {
        SplitError::Memory(error) => Some(error),
        _ => None,
    };
    let of_closure = || match error.downcast_ref()? {
        ClosureError::Memory(error) => Some(error),
        _ => None,
    };
    let of_encode = || match error.downcast_ref()? {
        EncodeError::Memory(error) => Some(error),
        _ => None,
    };
    of_all.or_else(of_codes).or_else(of_split).or_else(of_closure).or_else(of_encode)
}

fn of_memory(error: &MemoryError) -> String {
    let other = match error.stage {
        Stage::Closure | Stage::ClosureGraph => ", or use the direct pairs, which imply the others",
        Stage::Draws => ", or lower --negatives",
        Stage::Split => ", or split a part of the hierarchy",
        Stage::Codes | Stage::Columns | Stage::Search => ", or give a number of --bits",
        Stage::Placer => {
            ", or fit a model without definitions, made with binder encode --texts names"
        }
        _ => "",
    };
    format!("if there is room, raise the limit with --memory{other}")
}

fn of_file(FileError { kind, problem, .. }: &FileError) -> Option<String> {
    let is_model = *kind == "model";
    let is_kept = is_model || *kind == "baseline";
    let remedy = match problem {
        ContainerError::NotAFile => return Some(format!("give the path of a {kind} file")),
        ContainerError::Length | ContainerError::Checksum | ContainerError::Part { .. } => {
            if is_kept {
                "create or copy it again"
            } else {
                "remove it to start again"
            }
        }
        ContainerError::NotSafetensors(_) | ContainerError::OtherFormat { .. } => {
            if let ContainerError::OtherFormat { found: Some("baseline"), .. } = problem {
                "a baseline has no codes; binder eval judges it"
            } else if is_model {
                "create a model with binder encode or binder train"
            } else if *kind == "baseline" {
                "create one with binder baseline"
            } else {
                "give the path of a checkpoint, or of a file that does not exist yet"
            }
        }
        ContainerError::Version { .. } => {
            if is_kept {
                "use a newer binder"
            } else {
                "use the version of binder that wrote it"
            }
        }
        _ => return None,
    };
    Some(remedy.to_owned())
}

fn of_query(error: &QueryError) -> Option<String> {
    match error {
        QueryError::Unknown { name, .. } if name == "entity.n.01" => Some(
            "wordnet-nouns is the benchmark's set, without this root; wordnet has it".to_owned(),
        ),
        _ => None,
    }
}

fn of_output(error: &OutputError) -> Option<String> {
    let remedy = match error {
        OutputError::IsInput { .. } | OutputError::Twice { .. } => "choose another output",
        OutputError::NotOurs(_) | OutputError::ReadOnly(_) => {
            "choose another path, or overwrite it with --force"
        }
        OutputError::NotAStream(_) => "give the path of a file",
        _ => return None,
    };
    Some(remedy.to_owned())
}

fn of_lock(error: &LockError) -> Option<String> {
    matches!(error, LockError::Held { .. }).then(|| "try again when it has ended".to_owned())
}

fn of_resume(error: &ResumeError) -> String {
    match error {
        ResumeError::Past { done, .. } => format!("give --epochs {done} or more"),
        _ => "give the data and settings that it started with, or another --checkpoint to start again".to_owned(),
    }
}

fn of_growth(error: &GrowError) -> Option<String> {
    let remedy = match error {
        GrowError::Exists(_) => "choose another name",
        GrowError::Cycle(_) => "remove one of these pairs",
        GrowError::NoParent(_) => "add it first, or look for it with binder query MODEL search",
        _ => return None,
    };
    Some(remedy.to_owned())
}

fn of_model(error: &ModelError) -> Option<String> {
    match error {
        ModelError::Missing { .. } => Some("use the data that the model was made from".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_follows_the_fact() {
        let cycle = CycleError { names: vec!["a".to_owned(), "b".to_owned()] };
        let text = message(&cycle.into());
        assert!(text.starts_with("the pairs form a cycle: a is-a b is-a a; remove one"), "{text}");
        assert!(text.ends_with("--cycles merge"), "{text}");
    }

    #[test]
    fn settings_are_named_as_options() {
        let mut params = binder::train::Recipe::Best.params(true);
        params.bits = 0;
        let error: binder::Error = params.check(3).unwrap_err().into();
        assert_eq!(message(&error.into()), "--bits is 0; choose from 1 to 4096");
    }

    #[test]
    fn files_are_told_apart() {
        let error = binder::Model::open(".").unwrap_err();
        assert_eq!(message(&error.into()), ".: not a regular file; give the path of a model file");
        let error = binder::Checkpoint::open(".").unwrap_err();
        assert!(message(&error.into()).ends_with("give the path of a checkpoint file"));
    }
}
