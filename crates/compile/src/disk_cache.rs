//! Compiled code on disk, for later processes.
//!
//! One file an entry, named after its key. Files are written under another name and renamed, so
//! that several processes see whole files or none; what a reader finds damaged is compiled again and
//! replaced. The file system is never trusted and never needed: whatever fails here is only slower.
//!
//! A file's time of change is the time of its last use, to the minute. Those used longest ago go
//! when all together are too large; looking is left to one write in many.
//!
//! Entries are machine code, so files of other users are not read, except the superuser's.

use crate::artifact::Artifact;
use crate::key::Key;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// How large it may grow unless `COLOCATE_CACHE_SIZE` says otherwise.
const DEFAULT_LIMIT: u64 = 256 << 20;
const EXTENSION: &str = "kernel";
const UNFINISHED: &str = "part";
/// A use is noted if the last one noted is as long ago.
const NOTED: Duration = Duration::from_secs(60);
/// A file that was begun so long ago is nobody's any more.
const ABANDONED: Duration = Duration::from_secs(3600);
/// One write in so many looks whether there is too much.
const WRITES_A_LOOK: u8 = 64;

/// A directory of compiled code.
#[derive(Debug)]
pub struct DiskCache {
    directory: PathBuf,
    limit: u64,
    /// Bytes written since the last look.
    written: AtomicU64,
}

/// What there is for a key.
#[derive(Debug, PartialEq)]
pub(crate) enum Found {
    Artifact(Artifact),
    /// Something that is not to be used.
    Damaged,
    Nothing,
}

impl DiskCache {
    /// In a directory that need not exist yet, of about so many bytes at most.
    pub fn new(directory: impl Into<PathBuf>, limit: u64) -> DiskCache {
        DiskCache {
            directory: directory.into(),
            limit,
            written: AtomicU64::new(0),
        }
    }

    /// Where `COLOCATE_CACHE_DIR` says, else in the user's own cache directory; `None` if it is turned
    /// off or there is no such directory. `COLOCATE_CACHE_SIZE` limits its size.
    pub fn from_environment() -> Option<DiskCache> {
        let variable = |name: &str| std::env::var_os(name);
        let directory = choose_directory(
            variable("COLOCATE_CACHE_DIR").map(PathBuf::from),
            variable("XDG_CACHE_HOME").map(PathBuf::from),
            variable("HOME").map(PathBuf::from),
        )?;
        let limit = std::env::var("COLOCATE_CACHE_SIZE").ok();
        let limit = limit.and_then(|text| parse_size(&text));
        Some(DiskCache::new(directory, limit.unwrap_or(DEFAULT_LIMIT)))
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.directory.join(key.hex()).with_extension(EXTENSION)
    }

    /// What there is for a key.
    pub(crate) fn load(&self, key: &Key) -> Found {
        match self.read(key) {
            Ok(bytes) => match Artifact::from_bytes(&bytes, key) {
                Some(artifact) => Found::Artifact(artifact),
                None => Found::Damaged,
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Found::Nothing,
            Err(_) => Found::Damaged,
        }
    }

    fn read(&self, key: &Key) -> io::Result<Vec<u8>> {
        // Opening something that is no file, such as a pipe, must not wait for its other end.
        let mut file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW)
            .open(self.path(key))?;
        let about = file.metadata()?;
        // SAFETY: asks who we are.
        let ours = [unsafe { libc::geteuid() }, 0].contains(&about.uid());
        if !about.is_file() || !ours || about.len() > self.limit {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut bytes = Vec::with_capacity(about.len() as usize);
        Read::by_ref(&mut file)
            .take(about.len())
            .read_to_end(&mut bytes)?;
        let now = SystemTime::now();
        if about.modified()?.elapsed().is_ok_and(|age| age > NOTED) {
            // In a directory that is only to be read, order is by time of writing.
            let _ = file.set_modified(now);
        }
        Ok(bytes)
    }

    /// Keeps an artifact, in place of what there was for its key.
    pub(crate) fn store(&self, key: &Key, artifact: &Artifact) -> io::Result<()> {
        let bytes = artifact.to_bytes(key);
        let size = bytes.len() as u64;
        if size > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if !self.directory.is_dir() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&self.directory)?;
        }
        let unfinished = self.unfinished_path(key);
        let outcome =
            write_new(&unfinished, &bytes).and_then(|()| fs::rename(&unfinished, self.path(key)));
        if outcome.is_err() {
            let _ = fs::remove_file(&unfinished);
            // A full disk may be full of us.
            self.prune();
        }
        outcome?;
        let written = self.written.fetch_add(size, Ordering::Relaxed) + size;
        // Keys are random, so this is one write in so many over all processes.
        if key.as_bytes()[0].is_multiple_of(WRITES_A_LOOK) || written > self.limit / 8 {
            self.prune();
        }
        Ok(())
    }

    /// A name that no other writer has.
    fn unfinished_path(&self, key: &Key) -> PathBuf {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (hex, process) = (key.hex(), std::process::id());
        self.directory
            .join(format!("{hex}-{process}-{number}"))
            .with_extension(UNFINISHED)
    }

    /// Removes what was used longest ago until there is some room again. Touches no file that is not
    /// ours by its name.
    fn prune(&self) {
        self.written.store(0, Ordering::Relaxed);
        let mut entries = Vec::new();
        let now = SystemTime::now();
        for file in fs::read_dir(&self.directory)
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = file.path();
            let (Some(kind), Ok(about)) = (kind_of(&path), file.metadata()) else {
                continue;
            };
            let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            match kind {
                EXTENSION => entries.push((used, about.len(), path)),
                _ if now.duration_since(used).is_ok_and(|age| age > ABANDONED) => {
                    let _ = fs::remove_file(path);
                }
                _ => {}
            }
        }
        let mut total: u64 = entries.iter().map(|(_, size, _)| size).sum();
        if total <= self.limit {
            return;
        }
        entries.sort();
        // A little more than needed, so that not every look finds too much.
        for (_, size, path) in entries {
            if total <= self.limit / 4 * 3 {
                break;
            }
            // Another process may have been faster; then there is more room, too.
            let _ = fs::remove_file(path);
            total -= size;
        }
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)
}

/// The extension of a file whose name is one of ours.
fn kind_of(path: &Path) -> Option<&'static str> {
    let name = path.file_stem()?.to_str()?;
    let hex = name.split('-').next()?;
    if hex.len() != 64 || !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let extension = path.extension()?.to_str()?;
    [EXTENSION, UNFINISHED]
        .into_iter()
        .find(|&known| known == extension)
}

fn choose_directory(
    asked: Option<PathBuf>,
    cache_home: Option<PathBuf>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    if let Some(asked) = asked {
        let off = ["", "0", "off"]
            .iter()
            .any(|word| asked.as_os_str() == *word);
        return (!off).then_some(asked);
    }
    let absolute = |path: &PathBuf| path.is_absolute();
    let home = || Some(home.filter(absolute)?.join(".cache"));
    Some(cache_home.filter(absolute).or_else(home)?.join("colocate"))
}

/// `1000`, `64K`, `256M`, `2G`; also `MB` and `MiB`, in any case.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_uppercase();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number: u64 = text[..text.len() - unit.len()].parse().ok()?;
    let unit = unit.trim();
    let unit = unit
        .strip_suffix("IB")
        .or(unit.strip_suffix('B'))
        .unwrap_or(unit);
    let shift = match unit {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return None,
    };
    Some(number.saturating_mul(1 << shift))
}

#[cfg(test)]
mod tests;
