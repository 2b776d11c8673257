use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::draft::Draft;
use super::target::{Target, free_space, is_same};
use super::{folder_of, is_ours};

/// Why a file cannot be written, known before the work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// It is also read.
    #[error("{}: would be written, but it is also read, as {}", output.display(), input.display())]
    IsInput {
        /// The file to write.
        output: PathBuf,
        /// The file to read.
        input: PathBuf,
    },
    /// Two results would go to it.
    #[error("{}: two results would go there, the other as {}", output.display(), other.display())]
    Twice {
        /// The file to write.
        output: PathBuf,
        /// How it was named before.
        other: PathBuf,
    },
    /// Its folder is not there.
    #[error("{}: no such folder; create it first", .0.display())]
    NoFolder(PathBuf),
    /// It is a folder.
    #[error("{}: is a folder; give the path of a file", .0.display())]
    IsFolder(PathBuf),
    /// It is read-only.
    #[error("{}: is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// It is there, and nothing in it says that Binder wrote it: tables and lists of pairs look
    /// like anybody's.
    #[error("{}: is there already, and nothing in it says that Binder wrote it", .0.display())]
    NotOurs(PathBuf),
    /// It is a device or a pipe, and the format needs a file.
    #[error("{}: not a regular file, and this format needs one", .0.display())]
    NotAStream(PathBuf),
    /// There is not enough space.
    #[error("{}: about {needed} bytes are needed, and {free} are free there", path.display())]
    NoSpace {
        /// The file to write.
        path: PathBuf,
        /// Bytes that the result takes.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// Its folder cannot be written to.
    #[error("{}: {error}", path.display())]
    Unwritable {
        /// The file to write.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// What a job reads and writes, checked before the work.
///
/// # Examples
///
/// ```
/// use binder::output::{OutputError, Plan};
/// # let folder = tempfile::tempdir()?;
/// # let taxonomy = folder.path().join("taxonomy.csv");
/// # std::fs::write(&taxonomy, "dog,animal\n")?;
/// let mut plan = Plan::new();
/// plan.reads(&taxonomy);
/// assert!(plan.writes(folder.path().join("model.safetensors")).is_ok());
/// assert!(matches!(plan.writes(&taxonomy), Err(OutputError::IsInput { .. })));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Plan {
    inputs: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
    force: bool,
}

impl Plan {
    /// A job that reads and writes nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets files be overwritten that are read-only or that Binder did not write. Inputs are never
    /// overwritten.
    #[must_use]
    pub fn force(self, force: bool) -> Self {
        Self { force, ..self }
    }

    /// A file, or a folder of files, that the job reads. What is not a path to anything is passed
    /// over.
    pub fn reads(&mut self, input: impl AsRef<Path>) {
        self.inputs.push(input.as_ref().to_owned());
    }

    /// A file that the job writes. Name what it reads first.
    ///
    /// # Errors
    ///
    /// When it is also read or written twice, when it cannot be written, and when it would be
    /// overwritten without being Binder's.
    pub fn writes(&mut self, output: impl AsRef<Path>) -> Result<(), OutputError> {
        let output = output.as_ref();
        self.check_apart(output)?;
        let folder = folder_of(output);
        if !folder.is_dir() {
            return Err(OutputError::NoFolder(folder.to_owned()));
        }
        let target = match Target::of(output) {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                return Err(OutputError::IsFolder(output.to_owned()));
            }
            Err(error) => return Err(unwritable(output, error)),
        };
        if let Target::File { path, replaced } = target {
            if replaced.is_some_and(|file| file.permissions().readonly()) && !self.force {
                return Err(OutputError::ReadOnly(output.to_owned()));
            }
            let exists = path.is_file();
            if exists
                && !self.force
                && !is_ours(&path).map_err(|error| unwritable(output, error))?
            {
                return Err(OutputError::NotOurs(output.to_owned()));
            }
            // A draft that is dropped leaves nothing, and says whether there could be one.
            Draft::in_folder(folder_of(&path)).map_err(|error| unwritable(output, error))?;
        }
        self.outputs.push(output.to_owned());
        Ok(())
    }

    /// [`writes`](Self::writes), for a format that needs a regular file.
    ///
    /// # Errors
    ///
    /// As for `writes`, and when the path is a device or a pipe.
    pub fn writes_file(&mut self, output: impl AsRef<Path>) -> Result<(), OutputError> {
        let output = output.as_ref();
        if let Ok(Target::Stream(_)) = Target::of(output) {
            return Err(OutputError::NotAStream(output.to_owned()));
        }
        self.writes(output)
    }

    fn check_apart(&self, output: &Path) -> Result<(), OutputError> {
        if let Some(input) = self.inputs.iter().find(|input| self.is_read(output, input)) {
            return Err(OutputError::IsInput {
                output: output.to_owned(),
                input: input.to_owned(),
            });
        }
        match self.outputs.iter().find(|other| is_same(output, other)) {
            Some(other) => {
                Err(OutputError::Twice { output: output.to_owned(), other: other.to_owned() })
            }
            None => Ok(()),
        }
    }

    /// Whether an output is an input, or a file in a folder that is one.
    fn is_read(&self, output: &Path, input: &Path) -> bool {
        let in_folder = || fs::metadata(output).is_ok() && is_same(folder_of(output), input);
        fs::metadata(input).is_ok() && (is_same(output, input) || in_folder())
    }
}

/// Checks that there is space for a result, where the system says how much there is.
///
/// # Errors
///
/// When there is too little.
pub fn check_space(path: impl AsRef<Path>, needed: u64) -> Result<(), OutputError> {
    let path = path.as_ref();
    match free_space(path) {
        Some(free) if free < needed => {
            Err(OutputError::NoSpace { path: path.to_owned(), needed, free })
        }
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, error: io::Error) -> OutputError {
    OutputError::Unwritable { path: path.to_owned(), error }
}
