//! Files that appear whole or not at all, and never in place of something that must not be lost.
//!
//! Every file that this library writes goes through here.
//!
//! - A regular file, or a path where nothing is, is written beside and put in place in one step:
//!   whoever opens the path sees the old content or the new. A symlink is followed to its target. A
//!   file that is replaced keeps its mode and, where the system allows it, its owner.
//! - A device, a pipe or a socket is written to as a stream. It is never replaced.
//! - Nothing is left behind. Where the system has files without a name (Linux), a process that dies
//!   leaves nothing; elsewhere it may leave a draft, which the next write in the folder removes.
//!
//! [`Plan`] checks before the work what can be checked before: that no output is also an input,
//! that there is a place for each, and that nothing is overwritten that Binder did not write.

mod draft;
mod lock;
mod plan;
mod sniff;
mod target;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub use lock::{Lock, LockError};
pub use plan::{OutputError, Plan, check_space};
pub use sniff::is_ours;
pub use target::free_space;

use draft::{Draft, DraftFolder};
use target::Target;

/// Bytes that are collected before they go to the file.
const BUFFER: usize = 1 << 18;

/// Writes a file so that whoever opens `path` sees the old content or the new, never a part.
///
/// The content goes to a draft in the same folder, is synced, and takes the name in one step. The
/// folder is synced too, so that the name survives a power cut. If `fill` fails, or the process
/// dies, the old file stays. A device, a pipe or a socket is written to as it is.
///
/// # Errors
///
/// When `fill` fails, or the file cannot be written.
pub fn write(
    path: impl AsRef<Path>,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    Filled::new(path.as_ref(), fill)?.put_in_place().map(drop)
}

/// [`write()`], and the lock of the new file. A stream is not locked.
pub fn write_locked(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<Lock> {
    Filled::new(path, fill)?.put_in_place().map(Lock::of)
}

/// Files that belong together. All are complete and synced before the first takes its name, so only
/// the last few system calls lie between the old files and the new.
#[derive(Debug, Default)]
pub(crate) struct Together(Vec<(PathBuf, Filled)>);

impl Together {
    /// Fills one more file.
    pub(crate) fn fill(
        &mut self,
        path: &Path,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0.push((path.to_owned(), Filled::new(path, fill)?));
        Ok(())
    }

    /// Puts all files in place, in the order they were filled. The error names the file.
    pub(crate) fn put_in_place(self) -> Result<(), (PathBuf, io::Error)> {
        for (path, filled) in self.0 {
            filled.put_in_place().map_err(|error| (path, error))?;
        }
        Ok(())
    }
}

/// A file with its whole content that does not have its name yet, or a stream.
#[derive(Debug)]
enum Filled {
    Stream(fs::File),
    Draft { draft: Draft, path: PathBuf, replaces: bool },
}

impl Filled {
    fn new(
        path: &Path,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> io::Result<Self> {
        Ok(match Target::of(path)? {
            Target::Stream(path) => {
                let file = fs::File::options().write(true).open(path)?;
                Self::Stream(filled(file, fill)?)
            }
            Target::File { path, replaced } => {
                let mut draft = filled(Draft::in_folder(folder_of(&path))?, fill)?;
                draft.finish(replaced.as_ref())?;
                Self::Draft { draft, path, replaces: replaced.is_some() }
            }
        })
    }

    fn put_in_place(self) -> io::Result<fs::File> {
        match self {
            Self::Stream(file) => Ok(file),
            Self::Draft { draft, path, replaces } => draft.persist(&path, replaces),
        }
    }
}

fn filled<W: Write + Send>(
    out: W,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<W> {
    let mut buffered = BufWriter::with_capacity(BUFFER, out);
    fill(&mut buffered)?;
    buffered.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Fills a new folder so that `path` appears whole or not at all.
///
/// # Errors
///
/// When `fill` fails, when `path` exists and is not an empty folder, or when it cannot be written.
pub fn write_folder(
    path: impl AsRef<Path>,
    fill: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let path = path.as_ref();
    let parent = folder_of(path);
    fs::create_dir_all(parent)?;
    let draft = DraftFolder::in_folder(parent)?;
    fill(draft.path())?;
    draft.persist(path)
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Where a result goes that could not be written where it was to go: a file of the same name, with
/// `.rescued` behind it, in the current folder or else in that for temporary files.
pub fn rescue_paths(path: &Path) -> Vec<PathBuf> {
    let name = path.file_name().map_or("result".into(), std::ffi::OsStr::to_os_string);
    let rescued = |folder: PathBuf| {
        let mut name = name.clone();
        name.push(".rescued");
        folder.join(name)
    };
    [PathBuf::from("."), std::env::temp_dir()].map(rescued).into()
}

/// A folder that can be synced. It is opened before a file in it is named, because opening may
/// fail.
#[derive(Debug)]
struct OpenFolder {
    #[cfg(unix)]
    folder: fs::File,
}

#[cfg(unix)]
impl OpenFolder {
    fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self { folder: fs::File::open(folder)? })
    }

    fn sync(&self) -> io::Result<()> {
        self.folder.sync_all()
    }
}

/// Elsewhere a folder cannot be synced.
#[cfg(not(unix))]
impl OpenFolder {
    fn open(_folder: &Path) -> io::Result<Self> {
        Ok(Self {})
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
