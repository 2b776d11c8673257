//! Files that are replaced in one step.

use std::path::Path;

use binder::output;

use crate::Error;

/// Writes a file so that whoever opens `path` sees the old content or the new, never a part of it.
///
/// The text goes to a new file in the same folder, is synced, and takes the name in one step. The
/// folder is synced too, so that the name survives a power cut. If anything fails, the old file
/// stays and nothing is left behind.
pub fn replace(path: &Path, text: &str) -> Result<(), Error> {
    output::write(path, |file| file.write_all(text.as_bytes())).map_err(Error::file(path))
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
