use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A file that no other writer of Binder's may replace for as long as this is kept.
///
/// The lock is advisory: it keeps writers apart that ask for it. A file that is replaced in one
/// step is another file afterwards, so whoever waited for the old one takes the lock of the new
/// one.
#[derive(Debug)]
pub struct Lock {
    /// Locked until it is closed.
    _file: File,
}

/// Why a file could not be locked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// Another process is writing it.
    #[error("{}: another process{} is writing it", path.display(), who(.by))]
    Held {
        /// The file.
        path: PathBuf,
        /// The process, where the system says.
        by: Option<u32>,
    },
    /// The file cannot be opened, or the file system has no locks.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

fn who(by: &Option<u32>) -> String {
    by.map_or(String::new(), |process| format!(" ({process})"))
}

impl Lock {
    /// Locks a file that is there, and waits for as long as another process has it.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, or the file system has no locks.
    pub fn wait_for(path: impl AsRef<Path>) -> Result<Self, LockError> {
        Self::take(path.as_ref(), |file| file.lock().map_err(TryLockError::Error))
    }

    /// Locks a file that is there, unless another process has it.
    ///
    /// # Errors
    ///
    /// When another process has it, when the file cannot be opened, and when the file system has no
    /// locks.
    pub fn try_for(path: impl AsRef<Path>) -> Result<Self, LockError> {
        Self::take(path.as_ref(), File::try_lock)
    }

    /// The lock of a file that is locked already.
    pub(super) fn of(file: File) -> Self {
        Self { _file: file }
    }

    fn take(
        path: &Path,
        lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Self, LockError> {
        let failed = |error| LockError::Io { path: path.to_owned(), error };
        loop {
            let file = File::open(path).map_err(failed)?;
            match lock(&file) {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(LockError::Held { path: path.to_owned(), by: holder(&file) });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // While we waited, the file may have been replaced by another of the same name.
            if is_still(path, &file).map_err(failed)? {
                return Ok(Self::of(file));
            }
        }
    }
}

#[cfg(unix)]
fn is_still(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (now, locked) = (std::fs::metadata(path)?, file.metadata()?);
    Ok((now.dev(), now.ino()) == (locked.dev(), locked.ino()))
}

#[cfg(not(unix))]
fn is_still(_path: &Path, _file: &File) -> io::Result<bool> {
    Ok(true)
}

/// The process that has the lock of a file, as `/proc/locks` says: a line has the process in its
/// fifth field and `device:inode` in its sixth.
#[cfg(target_os = "linux")]
fn holder(file: &File) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let inode = file.metadata().ok()?.ino().to_string();
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    locks.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let of_file = fields.get(5)?.rsplit(':').next() == Some(&inode);
        of_file.then(|| fields.get(4)?.parse().ok()).flatten()
    })
}

#[cfg(not(target_os = "linux"))]
fn holder(_file: &File) -> Option<u32> {
    None
}
