use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::folder_of;

/// What a path that is to be written stands for.
#[derive(Debug)]
pub(super) enum Target {
    /// A regular file, or nothing yet. Symlinks are followed.
    File {
        path: PathBuf,
        /// The file that is replaced, if there is one.
        replaced: Option<Metadata>,
    },
    /// A device, a pipe or a socket: something that takes bytes and must not be replaced.
    Stream(PathBuf),
}

/// Symlinks that are followed before they are taken for a loop, as systems do.
const MOST_LINKS: usize = 40;

impl Target {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let path = followed(path)?;
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self::File { path, replaced: None })
            }
            Err(error) => Err(error),
            Ok(found) if found.is_dir() => {
                Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"))
            }
            Ok(found) if found.is_file() => Ok(Self::File { path, replaced: Some(found) }),
            Ok(found) if takes_bytes(found.file_type()) => Ok(Self::Stream(path)),
            Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, "cannot be written to")),
        }
    }
}

/// The path that a chain of symlinks leads to, whether there is anything or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&path) {
            // A link of the kernel's own, such as /dev/stdout, leads to what no path may name.
            Ok(found)
                if found.is_symlink() && fs::metadata(&path).is_ok_and(|it| !it.is_file()) =>
            {
                return Ok(path);
            }
            Ok(found) if found.is_symlink() => path = folder_of(&path).join(fs::read_link(&path)?),
            _ => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "symbolic links lead round in a circle"))
}

#[cfg(unix)]
fn takes_bytes(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn takes_bytes(_kind: FileType) -> bool {
    false
}

/// Bytes that are free for whoever runs this, on the file system that `path` is or will be on; none
/// where the system does not say.
#[cfg(unix)]
pub fn free_space(path: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder_of(path)).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

/// Bytes that are free; not known on this system.
#[cfg(not(unix))]
pub fn free_space(_path: &Path) -> Option<u64> {
    None
}

/// Whether two paths are one and the same file, now or once both are written.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (followed(one), followed(other)) else { return false };
    match (fs::metadata(&one), fs::metadata(&other)) {
        (Ok(a), Ok(b)) => same_file(&a, &b, &one, &other),
        (Err(_), Err(_)) => {
            let folders = (fs::metadata(folder_of(&one)), fs::metadata(folder_of(&other)));
            let (Ok(a), Ok(b)) = folders else { return one == other };
            one.file_name() == other.file_name()
                && same_file(&a, &b, folder_of(&one), folder_of(&other))
        }
        _ => false,
    }
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata, _: &Path, _: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same_file(_: &Metadata, _: &Metadata, one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(a), Ok(b)) if a == b)
}
