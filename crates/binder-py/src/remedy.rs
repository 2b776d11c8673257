//! What to do about an error, in the words of Python. The library states facts only.

use binder::checkpoint::ResumeError;
use binder::container::{ContainerError, FileError};
use binder::encode::EncodeError;
use binder::grow::GrowError;
use binder::hierarchy::HierarchyError;
use binder::model::ModelError;
use binder::place::{EncoderError, PlaceError};
use binder::query::QueryError;
use binder::read::{ColumnsFault, Format, Problem, ReadOption};
use binder::update::UpdateError;
use binder::{Choice, Error};

/// What to do about a file that another process is writing.
pub(crate) const OF_LOCK: &str = "try again when it has ended";

/// What to do about an error, where that is known.
pub(crate) fn of(error: &Error) -> Option<String> {
    match error {
        Error::Read(error) => of_read(&error.problem),
        Error::Hierarchy(HierarchyError::Cycle(_)) => Some(of_cycle()),
        Error::File(error) => of_file(error),
        Error::Grow(error) => of_growth(error),
        Error::Encode(EncodeError::TooManyBits { .. } | EncodeError::TooDense { .. }) => Some(
            "encode a part of the hierarchy, or choose bits= for codes that miss no pair and have \
             some false ones"
                .to_owned(),
        ),
        Error::Memory(_) => {
            Some("if there is room, raise the limit with binder.set_memory_limit".to_owned())
        }
        Error::Query(QueryError::Unknown { name, .. }) if name == "entity.n.01" => Some(
            "\"wordnet-nouns\" is the benchmark's set, without this root; \"wordnet\" has it"
                .to_owned(),
        ),
        Error::Place(error) => of_place(error),
        Error::Resume(ResumeError::Differs(_)) => Some(
            "give the settings of that run, or remove the checkpoint to start again".to_owned(),
        ),
        Error::Update(error) => of_update(error),
        Error::Model(ModelError::Missing { .. }) => {
            Some("use the hierarchy that the model was made from".to_owned())
        }
        _ => None,
    }
}

fn of_update(error: &UpdateError) -> Option<String> {
    let remedy = match error {
        UpdateError::Misses { .. } => "encode the new version with binder.encode()",
        UpdateError::NothingInCommon => {
            "check that both name concepts alike, or encode the new version with binder.encode()"
        }
        _ => return None,
    };
    Some(remedy.to_owned())
}

fn of_place(error: &PlaceError) -> Option<String> {
    let remedy = match error {
        PlaceError::NoTexts => {
            "give data with texts: OBO, RDF and WordNet have them, and label=, aliases= and \
             definition= name the columns of a table; a model keeps them unless it was made with \
             texts=\"none\""
        }
        PlaceError::OtherModel { .. } => "fit a placer to this model with binder.Placer.fit(model)",
        PlaceError::Encoder(EncoderError::Other { .. }) => {
            "give the folder of that encoder, or fit a placer with this one"
        }
        PlaceError::Encoder(EncoderError::NotFitted) => {
            "leave out encoder=, or fit a placer with it"
        }
        _ => return None,
    };
    Some(remedy.to_owned())
}

/// The same for a file of pairs: there is no way to say how it is to be read.
pub(crate) fn of_pairs_file(problem: &Problem) -> Option<String> {
    let remedy = match problem {
        Problem::UnknownConcept(_) => "check the spelling, or use the hierarchy of these pairs",
        Problem::Columns { .. }
        | Problem::NoColumn { .. }
        | Problem::Syntax { .. }
        | Problem::UnknownFormat
        | Problem::NotAnEdgeList(_) => {
            "write child and parent in two columns of a .tsv or .csv file, or give the pairs \
             themselves instead of a file"
        }
        _ => return None,
    };
    Some(remedy.to_owned())
}

fn of_read(problem: &Problem) -> Option<String> {
    Some(match problem {
        Problem::Columns { likely, .. } => of_columns(*likely).to_owned(),
        Problem::Syntax { .. } => {
            "correct the file, or choose another format, for example format=\"tsv\"".to_owned()
        }
        Problem::UnknownFormat => {
            let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
            format!("choose it with format= and one of {}", names.join(", "))
        }
        Problem::OptionIgnored { option, .. } | Problem::BuiltinOption { option, .. } => {
            format!("leave out {}", argument(*option))
        }
        Problem::SeveralInCell { separator, .. } => {
            format!("separate them with binder.Hierarchy(source, cell_separator={separator:?})")
        }
        Problem::NoRelation { .. } => "choose one of these with relations=[…]".to_owned(),
        Problem::NoKnownRelation { seen } => {
            let first = seen.first().map_or("IRI", |(iri, _)| iri.as_str());
            format!("name the one that leads to the parent, for example relations=[{first:?}]")
        }
        Problem::OtherKind { found, .. } if found.contains("Binder model") => {
            "open it with binder.Model.load()".to_owned()
        }
        Problem::EmptyName => {
            "if an empty parent means a root, name the columns: child=\"id\", parent=\"parent\""
                .to_owned()
        }
        Problem::EmptyCommentMark => "choose a mark, for example comment=\"#\"".to_owned(),
        Problem::Cycle(_) => of_cycle(),
        _ => return None,
    })
}

fn of_columns(likely: ColumnsFault) -> &'static str {
    match likely {
        ColumnsFault::CommentLine => {
            "if lines that start with # are comments, add the argument comment=\"#\""
        }
        ColumnsFault::OtherSeparator => {
            "if the columns are separated by something else, choose format=\"tsv\", \"csv\" or \
             \"spaces\""
        }
        ColumnsFault::Ragged => "every row must have as many columns as the first",
        ColumnsFault::NotChosen => {
            "choose two with binder.Hierarchy(source, columns=(\"child\", \"parent\")) or by \
             number, columns=(1, 2); child=, parent= and label= name them one by one"
        }
    }
}

/// An option for reading by the name of its argument.
fn argument(option: ReadOption) -> &'static str {
    match option {
        ReadOption::Reversed => "reverse",
        ReadOption::Aliases => "aliases",
        ReadOption::RelationColumn => "relation_column",
        ReadOption::CellSeparator => "cell_separator",
        other => other.name(),
    }
}

fn of_cycle() -> String {
    "remove one of these pairs, or merge every cycle into one concept with \
     binder.Hierarchy(source, cycles=\"merge\")"
        .to_owned()
}

fn of_file(FileError { problem, .. }: &FileError) -> Option<String> {
    let remedy = match problem {
        ContainerError::NotAFile => "give the path of a model file",
        ContainerError::Length | ContainerError::Checksum | ContainerError::Part { .. } => {
            "make or copy it again"
        }
        ContainerError::NotSafetensors(_) | ContainerError::OtherFormat { .. } => {
            "make a model with binder.encode() or binder.train()"
        }
        ContainerError::Version { .. } => "use a newer version of binder-codes",
        _ => return None,
    };
    Some(remedy.to_owned())
}

fn of_growth(error: &GrowError) -> Option<String> {
    let remedy = match error {
        GrowError::Exists(_) => "choose another name",
        GrowError::Cycle(_) => "remove one of these pairs",
        GrowError::NoParent(_) => "add it first, or look for it with model.search()",
        _ => return None,
    };
    Some(remedy.to_owned())
}
