use std::path::Path;

use super::*;

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

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
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn a_folder_that_has_files_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("split");
    write_folder(&path, |draft| fs::write(draft.join("a"), "1")).unwrap();
    assert!(write_folder(&path, |draft| fs::write(draft.join("b"), "2")).is_err());
    assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "1");
    assert!(!path.join("b").exists());
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn names_as_long_as_names_can_be_are_written_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x".repeat(255));
    for content in ["old", "new"] {
        write(&path, |file| file.write_all(content.as_bytes())).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn drafts_without_a_writer_are_swept() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join(".binder-1-0.draft");
    fs::write(&left, "half").unwrap();
    fs::create_dir(folder.path().join(".binder-999999999-0.draft")).unwrap();
    fs::write(folder.path().join(".binder.draft"), "somebody's").unwrap();
    let held = fs::File::create(folder.path().join(".binder-1-1.draft")).unwrap();
    held.try_lock().unwrap();
    write(folder.path().join("m"), |file| file.write_all(b"x")).unwrap();
    assert!(!left.exists());
    // What is left: the draft that is held, the file that is not a draft, and the new one.
    assert_eq!(files(folder.path()), 3);
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m");
        write(&path, |file| file.write_all(b"old")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o600, b"new".to_vec()));
    }

    #[test]
    fn a_symlink_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        symlink("real", &link).unwrap();
        for content in ["new", "newer"] {
            write(&link, |file| file.write_all(content.as_bytes())).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&real).unwrap(), content);
        }
        symlink("loop", folder.path().join("loop")).unwrap();
        assert!(write(folder.path().join("loop"), |_| Ok(())).is_err());
    }

    #[test]
    fn a_pipe_is_written_to_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        let read = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::read(pipe).unwrap())
        };
        write(&pipe, |file| file.write_all(b"through the pipe")).unwrap();
        assert_eq!(read.join().unwrap(), b"through the pipe");
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        let mut plan = Plan::new();
        assert!(matches!(plan.writes_file(&pipe), Err(OutputError::NotAStream(_))));
        assert!(plan.writes(&pipe).is_ok());
    }

    #[test]
    fn a_device_is_never_replaced() {
        write("/dev/null", |file| file.write_all(b"nothing")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn inputs_are_known_by_what_they_are_and_not_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("x.tsv");
        fs::write(&input, "dog\tanimal\n").unwrap();
        fs::hard_link(&input, folder.path().join("hard")).unwrap();
        symlink("x.tsv", folder.path().join("soft")).unwrap();
        let mut plan = Plan::new().force(true);
        plan.reads(&input);
        for name in ["x.tsv", "./x.tsv", "hard", "soft"] {
            let refused = plan.writes(folder.path().join(name));
            assert!(matches!(refused, Err(OutputError::IsInput { .. })), "{name}: {refused:?}");
        }
        plan.writes(folder.path().join("m")).unwrap();
        let twice = plan.writes(folder.path().join(".").join("m"));
        assert!(matches!(twice, Err(OutputError::Twice { .. })), "{twice:?}");
    }

    #[test]
    fn what_is_not_ours_or_read_only_needs_force() {
        let folder = tempfile::tempdir().unwrap();
        let thesis = folder.path().join("thesis.tex");
        fs::write(&thesis, "\\documentclass{article}").unwrap();
        assert!(matches!(Plan::new().writes(&thesis), Err(OutputError::NotOurs(_))));
        assert!(Plan::new().force(true).writes(&thesis).is_ok());
        let model = folder.path().join("m");
        fs::write(&model, "").unwrap();
        assert!(Plan::new().writes(&model).is_ok());
        fs::set_permissions(&model, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(Plan::new().writes(&model), Err(OutputError::ReadOnly(_))));
        assert!(Plan::new().force(true).writes(&model).is_ok());
        assert!(matches!(Plan::new().writes(folder.path()), Err(OutputError::IsFolder(_))));
        let nowhere = folder.path().join("no/m");
        assert!(matches!(Plan::new().writes(nowhere), Err(OutputError::NoFolder(_))));
        assert!(check_space(&model, u64::MAX).is_err() && check_space(&model, 1).is_ok());
    }

    #[test]
    fn a_lock_is_that_of_the_file_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m");
        write(&path, |file| file.write_all(b"1")).unwrap();
        let lock = Lock::try_for(&path).unwrap();
        assert!(matches!(Lock::try_for(&path), Err(LockError::Held { .. })));
        // The file is replaced while somebody waits, and the wait ends with the new one.
        let waiting = {
            let path = path.clone();
            std::thread::spawn(move || {
                let _lock = Lock::wait_for(&path).unwrap();
                fs::read(&path).unwrap()
            })
        };
        write(&path, |file| file.write_all(b"2")).unwrap();
        drop(lock);
        assert_eq!(waiting.join().unwrap(), b"2");
    }
}
