use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::OpenFolder;

/// What the names of drafts begin and end with: a later run recognises them.
const PREFIX: &str = ".binder-";
const SUFFIX: &str = ".draft";

/// A file that is being written. It has no name where the system allows that, and is locked, so
/// that a draft whose writer is gone can be told from one that is being written.
#[derive(Debug)]
pub(super) struct Draft {
    file: File,
    folder: PathBuf,
    /// Its name, as long as it has one that is not the final one.
    name: Option<PathBuf>,
}

impl Draft {
    pub(super) fn in_folder(folder: &Path) -> io::Result<Self> {
        sweep(folder);
        if let Some(file) = unnamed(folder) {
            lock(&file);
            return Ok(Self { file, folder: folder.to_owned(), name: None });
        }
        let (name, file) = free_name(folder, |name| File::create_new(name))?;
        lock(&file);
        Ok(Self { file, folder: folder.to_owned(), name: Some(name) })
    }

    /// Ends the writing: the draft takes the mode and the owner of what it replaces.
    pub(super) fn finish(&mut self, replaced: Option<&Metadata>) -> io::Result<()> {
        if let Some(replaced) = replaced {
            self.file.set_permissions(replaced.permissions())?;
            keep_owner(&self.file, replaced);
        }
        self.file.sync_all()
    }

    /// Puts a finished draft in place.
    pub(super) fn persist(mut self, path: &Path, replaces: bool) -> io::Result<File> {
        // From here on only naming and syncing can fail: whoever is told of an error should find
        // the old file.
        let (file, folder) = (self.file.try_clone()?, OpenFolder::open(&self.folder)?);
        if self.name.is_none() && (replaces || link(&self.file, path).is_err()) {
            let (name, ()) = free_name(&self.folder, |name| link(&self.file, name))?;
            self.name = Some(name);
        }
        if let Some(name) = &self.name {
            fs::rename(name, path)?;
            self.name = None;
        }
        folder.sync()?;
        Ok(file)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // The failure that led here is reported; this one would only hide it.
            let _ = fs::remove_file(name);
        }
    }
}

/// A folder that is being filled.
#[derive(Debug)]
pub(super) struct DraftFolder {
    name: PathBuf,
    parent: PathBuf,
    persisted: bool,
}

impl DraftFolder {
    pub(super) fn in_folder(parent: &Path) -> io::Result<Self> {
        sweep(parent);
        let (name, ()) = free_name(parent, |name| fs::create_dir(name))?;
        Ok(Self { name, parent: parent.to_owned(), persisted: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.name
    }

    pub(super) fn persist(mut self, path: &Path) -> io::Result<()> {
        let parent = OpenFolder::open(&self.parent)?;
        // Renaming over an empty folder is fine, over a full one it fails: nothing is lost.
        fs::rename(&self.name, path)?;
        self.persisted = true;
        parent.sync()
    }
}

impl Drop for DraftFolder {
    fn drop(&mut self) {
        if !self.persisted {
            let _ = fs::remove_dir_all(&self.name);
        }
    }
}

/// Tries short names until one is free. They do not depend on the final name, which may be as long
/// as names can be.
fn free_name<T>(
    folder: &Path,
    mut make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = folder.join(format!("{PREFIX}{}-{count}{SUFFIX}", std::process::id()));
        match make(&name) {
            Ok(made) => return Ok((name, made)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes drafts whose writers are gone. Whatever cannot be removed is left alone.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let Some(middle) = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX))
        else {
            continue;
        };
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && !is_running(middle) {
            let _ = fs::remove_dir_all(entry.path());
        } else if kind.is_file() && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether no process holds the lock of a draft.
fn is_abandoned(draft: &Path) -> bool {
    File::open(draft).is_ok_and(|file| file.try_lock().is_ok())
}

/// Whether the process whose number begins the middle of a draft's name is there. A folder cannot
/// be locked, so this has to do.
fn is_running(middle: &str) -> bool {
    let process = middle.split('-').next().unwrap_or_default();
    !cfg!(target_os = "linux") || Path::new("/proc").join(process).exists()
}

fn lock(file: &File) {
    // A file system without locks leaves drafts unlocked; they may be swept while they are written
    // only by another process in the same folder.
    let _ = file.try_lock();
}

/// A file without a name.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    open(folder, flags, Mode::from_raw_mode(0o666)).ok().map(File::from)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_folder: &Path) -> Option<File> {
    None
}

/// Gives a file without a name one that is free.
#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};
    let opened = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, opened, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_file: &File, _name: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives the draft the owner of what it replaces, if that is allowed.
#[cfg(unix)]
fn keep_owner(file: &File, replaced: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _replaced: &Metadata) {}
