//! Files that are whole or absent.

use super::*;

/// An empty folder of this test's own, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("biela-file-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn an_error_leaves_the_old_file_and_nothing_else() {
    let folder = Folder::new("error");
    let path = folder.0.join("out.csv");
    write_atomically(&path, |w| w.write_all(b"old")).unwrap();
    let failed = write_atomically(&path, |w| {
        w.write_all(&[b'x'; 100_000])?;
        Err(io::Error::other("the pen broke"))
    });
    assert!(failed.unwrap_err().message().contains("the pen broke"));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(folder.names(), ["out.csv"]);
    write_atomically(&path, |w| w.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(folder.names(), ["out.csv"]);
}

#[test]
fn leftovers_of_a_killed_program_go_with_the_next_file() {
    let folder = Folder::new("leftover");
    let path = folder.0.join("out.csv");
    let plant = |name: &str| fs::write(folder.0.join(name), "half a table").unwrap();
    plant(".out.csv.0123456789abcdef.tmp");
    plant(".out.csv.fedcba9876543210.tmp");
    // Those that are no temporary files, or those of other files, stay.
    let others =
        [".out.csv.0123456789ABCDEF.tmp", ".out.csv.0123.tmp", ".out.csv.tmp", ".out.json.0123456789abcdef.tmp"];
    others.iter().for_each(|name| plant(name));
    // One that somebody is writing stays too.
    let busy = folder.0.join(".out.csv.00000000000000aa.tmp");
    let held = File::create(&busy).unwrap();
    held.lock().unwrap();
    write_atomically(&path, |w| w.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    let mut due: Vec<&str> = others.to_vec();
    due.extend([".out.csv.00000000000000aa.tmp", "out.csv"]);
    due.sort_unstable();
    assert_eq!(folder.names(), due);
    drop(held);
    tidy(&folder.0);
    assert!(!busy.exists() && !folder.0.join(".out.json.0123456789abcdef.tmp").exists() && path.exists());
}

/// Links, pipes and folders under the names that temporary files have are neither followed, nor waited for, nor harmed.
#[cfg(unix)]
#[test]
fn what_is_planted_is_neither_written_through_nor_waited_for() {
    let folder = Folder::new("planted");
    let (path, secret) = (folder.0.join("out.csv"), folder.0.join("secret"));
    fs::write(&secret, "secret").unwrap();
    let planted = |k: u32| folder.0.join(format!(".out.csv.{k:016x}.tmp"));
    std::os::unix::fs::symlink(&secret, planted(1)).unwrap();
    fs::hard_link(&secret, planted(2)).unwrap();
    nix::unistd::mkfifo(&planted(3), nix::sys::stat::Mode::S_IRWXU).unwrap();
    fs::create_dir(planted(4)).unwrap();
    std::os::unix::fs::symlink(planted(3), planted(5)).unwrap();
    write_atomically(&path, |w| w.write_all(b"new")).unwrap();
    assert_eq!((fs::read(&path).unwrap(), fs::read(&secret).unwrap()), (b"new".to_vec(), b"secret".to_vec()));
    // A temporary file that exists already is not taken.
    let place = Place::of(&path).unwrap();
    for k in [1, 3, 4, 5] {
        let name = planted(k);
        let made = place.create_new(name.file_name().unwrap(), None);
        assert_eq!(made.unwrap_err().kind(), ErrorKind::AlreadyExists, "{k}");
    }
}

#[test]
fn names_of_temporary_files_cannot_be_foretold_and_fit() {
    let folder = Folder::new("names");
    let seen: std::collections::BTreeSet<OsString> = (0..100)
        .map(|_| {
            let place = Place::of(&folder.0.join("out.csv")).unwrap();
            let (_file, name) = temporary_beside(&place, None).unwrap();
            assert!(is_temporary(&name, &beginning(OsStr::new("out.csv"))));
            name
        })
        .collect();
    assert_eq!(seen.len(), 100);
    // The longest name that a file can have.
    let long = folder.0.join(format!("{}.csv", "x".repeat(251)));
    write_atomically(&long, |w| w.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&long).unwrap(), b"new");
}

/// A pipe that is put where a file was: the reader sees it and does not wait; the writer waits for a reader, and not for ever.
#[cfg(unix)]
#[test]
fn pipes_in_the_place_of_files_hold_nobody_up() {
    let folder = Folder::new("pipes");
    let pipe = folder.0.join("pipe.csv");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    // As if it had been a file when it was looked at first.
    let meta = open_path(&pipe).unwrap().metadata().unwrap();
    assert!(check_regular(&meta, 100).unwrap_err().message().contains("not a regular file"));
    assert!(open_stream(&pipe, Duration::from_millis(50)).unwrap_err().to_string().contains("nobody reads"));
    let there = std::thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read(&pipe).unwrap());
        write_atomically(&pipe, |w| w.write_all(&[b'x'; 300_000])).unwrap();
        reader.join().unwrap()
    });
    assert_eq!(there.len(), 300_000);
}

#[cfg(unix)]
#[test]
fn below_a_folder_nothing_leads_out_of_it() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("below");
    let root = folder.0.join("root");
    fs::create_dir_all(root.join("inner")).unwrap();
    let secret = folder.0.join("secret.toml");
    fs::write(&secret, "secret").unwrap();
    symlink(&folder.0, root.join("out")).unwrap();
    symlink(&secret, root.join("link.toml")).unwrap();
    symlink(folder.0.join("new.toml"), root.join("dangling.toml")).unwrap();
    fs::hard_link(&secret, root.join("hard.toml")).unwrap();
    nix::unistd::mkfifo(&root.join("pipe.toml"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let opened = Root::open(&root).unwrap();
    let write = |name: &str| opened.write(Path::new(name), |w| w.write_all(b"new"));
    let read = |name: &str| opened.read(Path::new(name), 100);
    for name in [
        "out/secret.toml",
        "out/new.toml",
        "link.toml",
        "dangling.toml",
        "pipe.toml",
        "inner",
        "../secret.toml",
        "no/new.toml",
    ] {
        assert!(write(name).is_err(), "{name}");
        assert!(read(name).is_err(), "{name}");
    }
    // The name goes over to the new file; the old one keeps its other name, and its content.
    write("hard.toml").unwrap();
    write("inner/new.toml").unwrap();
    assert_eq!(read("hard.toml").unwrap(), b"new");
    assert_eq!(read("inner/new.toml").unwrap(), b"new");
    assert_eq!(fs::read(&secret).unwrap(), b"secret");
    assert_eq!(folder.names(), ["root", "secret.toml"]);
    assert!(opened.holds(Path::new("dangling.toml")) && !opened.holds(Path::new("no.toml")));
    // Another folder under its name is not the one that was opened.
    fs::rename(&root, folder.0.join("moved")).unwrap();
    symlink(&folder.0, &root).unwrap();
    write("late.toml").unwrap();
    assert_eq!(fs::read(folder.0.join("moved/late.toml")).unwrap(), b"new");
    assert_eq!(folder.names(), ["moved", "root", "secret.toml"]);
}

#[test]
fn writers_at_once_leave_one_whole_file() {
    let folder = Folder::new("at-once");
    let path = folder.0.join("out.csv");
    std::thread::scope(|scope| {
        for letter in b'a'..b'i' {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..100 {
                    write_atomically(path, |w| w.write_all(&[letter; 20_000])).unwrap();
                    let found = fs::read(path).unwrap();
                    assert!(found.len() == 20_000 && found.iter().all(|b| *b == found[0]));
                }
            });
        }
    });
    assert_eq!(folder.names(), ["out.csv"]);
}

#[cfg(unix)]
#[test]
fn only_regular_files_of_bounded_size_are_read() {
    let folder = Folder::new("read");
    let path = folder.0.join("in.csv");
    fs::write(&path, [b'x'; 100]).unwrap();
    assert_eq!(read_whole(&path, 100).unwrap().len(), 100);
    let told = |path: &Path| read_whole(path, 99).unwrap_err().to_string();
    assert!(told(&path).contains("at most 0 are read"));
    assert!(told(Path::new("/dev/zero")).contains("not a regular file"));
    assert!(told(&folder.0).contains("a folder"));
    assert!(told(&folder.0.join("no")).contains("no such file"));
}

#[test]
fn folders_and_missing_folders_are_refused_with_advice() {
    let folder = Folder::new("refuse");
    let told = write_atomically(&folder.0, |_| Ok(())).unwrap_err().to_string();
    assert!(told.contains("it is a folder") && told.contains("name of a file"));
    let told = write_atomically(&folder.0.join("no/out.csv"), |_| Ok(())).unwrap_err().to_string();
    assert!(told.contains("no/out.csv") && told.contains("the folder does not exist"));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_device_a_device() {
    let folder = Folder::new("link");
    let (real, link) = (folder.0.join("real.csv"), folder.0.join("link.csv"));
    fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_atomically(&link, |w| w.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    write_atomically(Path::new("/dev/null"), |w| w.write_all(b"new")).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn the_mode_of_the_old_file_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("mode");
    let path = folder.0.join("out.csv");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    write_atomically(&path, |w| w.write_all(b"new")).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
    assert!(write_atomically(&path, |_| Ok(())).unwrap_err().message().contains("read-only"));
}
