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
    /// What takes the bytes refused them.
    #[error(transparent)]
    Stream(std::io::Error),
    /// A concept without a name, where a line begins with the name.
    #[error(
        "a concept's name is empty, which word2vec's format cannot hold; name it, or choose another format"
    )]
    EmptyName,
    /// Two names that are one where blanks are written as underscores.
    #[error(
        "the names {first:?} and {second:?} are both {both:?} in word2vec's format, which has no blanks in names; rename one of the concepts"
    )]
    SameName {
        /// One of them.
        first: String,
        /// The other.
        second: String,
        /// What both would be.
        both: String,
    },
    /// A text with a NUL in it, for a database.
    #[error(
        "the text {0:?} has a NUL in it, which no database takes in a script; rename the concept"
    )]
    Nul(String),
    /// A name that PostgreSQL cannot put into an index.
    #[error(
        "a name of {bytes} bytes, {start:?}…; PostgreSQL indexes at most {most}: shorten it, or choose another format"
    )]
    LongName {
        /// How it begins.
        start: String,
        /// Its length.
        bytes: usize,
        /// The longest there may be.
        most: usize,
    },
    /// A concept with more text than a column of a file takes.
    #[error("the texts of a concept have {bytes} bytes together; Parquet takes {most} at most")]
    LongTexts {
        /// How many.
        bytes: usize,
        /// How many there may be.
        most: usize,
    },
    /// A name that no table should have.
    #[error(
        "a table cannot be called {0:?}: give 1 to 40 bytes without control characters and dollar signs"
    )]
    Table(String),
}
