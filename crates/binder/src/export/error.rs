/// Why a model cannot be written in a format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A file could not be written.
    #[error("{path}: {error}")]
    Write {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// The output stream failed.
    #[error(transparent)]
    Stream(std::io::Error),
    /// A concept's name is empty, but in word2vec's format a line starts with the name.
    #[error(
        "a concept has an empty name, which word2vec's format cannot hold; rename it, or choose \
         another format"
    )]
    EmptyName,
    /// Two names become equal when blanks are written as underscores.
    #[error(
        "the names {first:?} and {second:?} are both {both:?} in word2vec's format, which has no \
         blanks in names; rename one of the concepts"
    )]
    SameName {
        /// One name.
        first: String,
        /// The other name.
        second: String,
        /// What both become.
        both: String,
    },
    /// A name that would not come back from the format.
    #[error(
        "the name {name:?} would not come back from {format}; rename it, or choose another format"
    )]
    Name {
        /// The name.
        name: String,
        /// The format.
        format: &'static str,
    },
    /// A text contains a NUL character, which databases do not accept.
    #[error(
        "the text {0:?} contains a NUL character, which a database script cannot hold; rename the \
         concept"
    )]
    Nul(String),
    /// A name is too long for PostgreSQL to index.
    #[error(
        "the name {start:?}… has {bytes} bytes, but PostgreSQL indexes at most {most}; shorten it, \
         or choose another format"
    )]
    LongName {
        /// The start of the name.
        start: String,
        /// Its length in bytes.
        bytes: usize,
        /// The maximum length.
        most: usize,
    },
    /// A concept has more text than Parquet can hold.
    #[error("the texts of a concept have {bytes} bytes in total; Parquet holds at most {most}")]
    LongTexts {
        /// The total length in bytes.
        bytes: usize,
        /// The maximum.
        most: usize,
    },
    /// The name of a table or a column is not allowed.
    #[error(
        "a table or column cannot be called {0:?}; give a name of 1 to 40 bytes without control characters \
         or dollar signs"
    )]
    Table(String),
}
