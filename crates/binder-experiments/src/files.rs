//! Files that are replaced in one step.

#[cfg(unix)]
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::Error;

/// Writes a file so that whoever opens `path` sees the old content or the new, never a part of it.
///
/// The text goes to a new file in the same folder, is synced, and takes the name in one step. The
/// folder is synced too, so that the name survives a power cut. If anything fails, the old file
/// stays and nothing is left behind.
pub fn replace(path: &Path, text: &str) -> Result<(), Error> {
    write(path, text.as_bytes()).map_err(Error::file(path))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    // What `File::create` would give; temporary files are private otherwise.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut draft = builder.prefix(".binder-").tempfile_in(folder)?;
    draft.write_all(bytes)?;
    draft.as_file().sync_all()?;
    draft.persist(path).map_err(|failed| failed.error)?;
    sync_folder(folder)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edges.md");
        replace(&path, "old, and longer than the new").unwrap();
        replace(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_names_the_file_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edges.md");
        fs::create_dir(&path).unwrap();
        let error = replace(&path, "new").unwrap_err();
        assert!(error.to_string().contains("edges.md: "), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
