use super::*;
use crate::artifact::Code;

/// A directory of a test's own, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("colocate-cache-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn files(&self) -> usize {
        fs::read_dir(&self.0).map_or(0, |entries| entries.count())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn artifact(words: usize) -> Artifact {
    Artifact {
        entry: "entry".into(),
        local_bytes: 16,
        code: Code::SpirV((0..words as u32).collect()),
    }
}

/// Keys that do not make a write look whether there is too much.
fn key(number: u8) -> Key {
    Key::from_bytes([number | 1; 32])
}

#[test]
fn what_is_stored_is_found_and_nothing_else_is() {
    let folder = Folder::new("found");
    let cache = DiskCache::new(folder.0.join("below"), 1 << 20);
    assert_eq!(cache.load(&key(1)), Found::Nothing);
    cache.store(&key(1), &artifact(10)).unwrap();
    assert_eq!(cache.load(&key(1)), Found::Artifact(artifact(10)));
    assert_eq!(cache.load(&key(3)), Found::Nothing);
    // Stored anew, it replaces the old one.
    cache.store(&key(1), &artifact(20)).unwrap();
    assert_eq!(cache.load(&key(1)), Found::Artifact(artifact(20)));
    let mode = fs::metadata(cache.directory()).unwrap().mode();
    assert_eq!(mode & 0o077, 0, "others cannot write there");
}

#[test]
fn damaged_files_are_not_used_and_are_replaced() {
    let folder = Folder::new("damaged");
    let cache = DiskCache::new(&folder.0, 1 << 20);
    cache.store(&key(1), &artifact(3)).unwrap();
    let path = cache.path(&key(1));
    let good = fs::read(&path).unwrap();
    for position in 0..good.len() {
        let mut bad = good.clone();
        bad[position] ^= 0x10;
        fs::write(&path, &bad).unwrap();
        assert_eq!(cache.load(&key(1)), Found::Damaged);
        fs::write(&path, &good[..position]).unwrap();
        assert_eq!(cache.load(&key(1)), Found::Damaged);
    }
    // Somebody else's, whole as it is.
    fs::write(&path, artifact(3).to_bytes(&key(3))).unwrap();
    assert_eq!(cache.load(&key(1)), Found::Damaged);
    cache.store(&key(1), &artifact(3)).unwrap();
    assert_eq!(cache.load(&key(1)), Found::Artifact(artifact(3)));
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let folder = Folder::new("no-file");
    let cache = DiskCache::new(&folder.0, 1 << 20);
    fs::create_dir_all(cache.path(&key(1))).unwrap();
    assert_eq!(cache.load(&key(1)), Found::Damaged);
    assert!(cache.store(&key(1), &artifact(3)).is_err());

    let path = std::ffi::CString::new(cache.path(&key(3)).to_str().unwrap()).unwrap();
    // SAFETY: the path ends with a zero byte.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    assert_eq!(cache.load(&key(3)), Found::Damaged);
}

#[test]
fn what_was_used_longest_ago_goes_first() {
    let folder = Folder::new("prune");
    let size = artifact(100).to_bytes(&key(1)).len() as u64;
    let cache = DiskCache::new(&folder.0, 5 * size);
    let keys: Vec<Key> = (0..5).map(|n| key(2 * n + 1)).collect();
    for (age, key) in (1..).zip(&keys) {
        // The limit of this one never makes it look.
        DiskCache::new(&folder.0, u64::MAX)
            .store(key, &artifact(100))
            .unwrap();
        let used = SystemTime::now() - Duration::from_secs(10_000 * (10 - age));
        let file = File::options().write(true).open(cache.path(key)).unwrap();
        file.set_modified(used).unwrap();
    }
    let foreign = folder.0.join("notes.kernel");
    fs::write(&foreign, vec![0; 10 * size as usize]).unwrap();
    let abandoned = cache.unfinished_path(&keys[0]);
    fs::write(&abandoned, b"half").unwrap();
    let of_now = cache.unfinished_path(&keys[0]);
    fs::write(&of_now, b"half").unwrap();
    let file = File::options().write(true).open(&abandoned).unwrap();
    file.set_modified(SystemTime::now() - 2 * ABANDONED)
        .unwrap();

    // The oldest is used, which makes it the youngest.
    assert!(matches!(cache.load(&keys[0]), Found::Artifact(_)));
    cache.store(&key(21), &artifact(100)).unwrap();
    cache.prune();
    let left: Vec<bool> = keys.iter().map(|key| cache.path(key).exists()).collect();
    assert_eq!(left, [true, false, false, false, true]);
    assert!(cache.path(&key(21)).exists());
    assert!(foreign.exists() && of_now.exists() && !abandoned.exists());
}

#[test]
fn many_writes_stay_near_the_limit() {
    let folder = Folder::new("limit");
    let size = artifact(100).to_bytes(&key(1)).len() as u64;
    let cache = DiskCache::new(&folder.0, 20 * size);
    for number in 0..200u8 {
        cache
            .store(&Key::from_bytes([number; 32]), &artifact(100))
            .unwrap();
        assert!(folder.files() <= 24, "{}", folder.files());
    }
    assert!(folder.files() >= 14);
    assert!(cache.store(&key(1), &artifact(100 * 100)).is_err());
}

#[test]
fn a_directory_that_cannot_be_written_is_only_slower() {
    // Below a file no directory can be made, not even by the superuser.
    let folder = Folder::new("unwritable");
    fs::create_dir_all(&folder.0).unwrap();
    let file = folder.0.join("file");
    fs::write(&file, b"").unwrap();
    for directory in [
        file.clone(),
        file.join("below"),
        PathBuf::from("/proc/nowhere"),
    ] {
        let cache = DiskCache::new(directory, 1 << 20);
        assert!(cache.store(&key(1), &artifact(3)).is_err());
        assert!(!matches!(cache.load(&key(1)), Found::Artifact(_)));
    }
}

#[test]
fn a_directory_that_is_only_to_be_read_is_read() {
    let folder = Folder::new("read-only");
    let cache = DiskCache::new(&folder.0, 1 << 20);
    cache.store(&key(1), &artifact(3)).unwrap();
    let mode = |mode| std::os::unix::fs::PermissionsExt::from_mode(mode);
    fs::set_permissions(cache.path(&key(1)), mode(0o400)).unwrap();
    fs::set_permissions(&folder.0, mode(0o500)).unwrap();
    assert_eq!(cache.load(&key(1)), Found::Artifact(artifact(3)));
    fs::set_permissions(&folder.0, mode(0o700)).unwrap();
}

#[test]
fn the_environment_says_where() {
    let path = |text: &str| Some(PathBuf::from(text));
    let choose = choose_directory;
    assert_eq!(choose(path("/a"), path("/b"), path("/c")), path("/a"));
    assert_eq!(choose(None, path("/b"), path("/c")), path("/b/colocate"));
    assert_eq!(
        choose(None, path("b"), path("/c")),
        path("/c/.cache/colocate")
    );
    assert_eq!(
        choose(None, path(""), path("/c")),
        path("/c/.cache/colocate")
    );
    assert_eq!(choose(None, None, None), None);
    for off in ["", "0", "off"] {
        assert_eq!(choose(path(off), path("/b"), path("/c")), None);
    }
}

#[test]
fn sizes_have_units() {
    for (text, size) in [
        ("0", Some(0)),
        ("1000", Some(1000)),
        ("64K", Some(64 << 10)),
        ("256 MiB", Some(256 << 20)),
        ("2gb", Some(2 << 30)),
        ("much", None),
        ("", None),
        ("-1", None),
        ("1X", None),
        ("99999999999T", Some(u64::MAX)),
    ] {
        assert_eq!(parse_size(text), size, "{text}");
    }
}
