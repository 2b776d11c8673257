//! Writes files and folders that appear complete or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Writes a file atomically: a reader of `path` sees the old content or the new, never a part.
///
/// The content is written to a temporary file in the same folder, synced, and renamed. Then the
/// folder is synced, so that the name survives a power failure. If `fill` fails or the process
/// dies, the old file stays.
///
/// # Errors
///
/// When `fill` fails, or the file cannot be written.
pub fn write(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = BufWriter::with_capacity(1 << 18, sibling(path, folder)?);
    fill(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failed| failed.error)?;
    sync_folder(folder)
}

/// A temporary file next to `path`, with the permissions that `File::create` would give it.
fn sibling(path: &Path, folder: &Path) -> io::Result<NamedTempFile> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"))?;
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(&format!(".{}.", name.to_string_lossy())).tempfile_in(folder)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Writes a new folder so that `path` appears complete or not at all.
///
/// # Errors
///
/// When `fill` fails, when `path` exists and is not an empty folder, or when it cannot be written.
pub fn write_folder(path: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let parent =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let draft = Builder::new().prefix(".binder-").tempdir_in(parent)?;
    #[cfg(unix)]
    fs::set_permissions(draft.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fill(draft.path())?;
    // Renaming replaces an empty folder and fails on any other, so no files are lost.
    fs::rename(draft.path(), path)?;
    let _moved = draft.keep();
    sync_folder(parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_that_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        write(&path, |file| file.write_all(b"old")).unwrap();
        let failed = write(&path, |file| {
            file.write_all(b"new, but only hal")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_has_files_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("split");
        write_folder(&path, |draft| fs::write(draft.join("a"), "1")).unwrap();
        assert!(write_folder(&path, |draft| fs::write(draft.join("b"), "2")).is_err());
        assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "1");
        assert!(!path.join("b").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
