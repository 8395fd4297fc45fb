//! What the kernel says about cores, caches and NUMA nodes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Logical CPU numbers.
pub type CoreSet = BTreeSet<usize>;

/// The part of the machine this process may use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    /// CPUs the scheduler lets us run on.
    pub cores: CoreSet,
    /// CPUs of each NUMA node that has any of ours.
    pub numa: Vec<CoreSet>,
    /// Data and unified caches.
    pub caches: Vec<Cache>,
}

/// One cache and who shares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cache {
    pub level: u32,
    pub bytes: u64,
    pub line: u32,
    pub cores: CoreSet,
}

impl Topology {
    /// Reads the machine.
    pub fn of_this_machine() -> Topology {
        Topology::read(Path::new("/sys/devices/system"), allowed_cores())
    }

    /// Reads a sysfs tree. What is missing there is missing in the result; without any NUMA node
    /// all cores are one.
    pub fn read(sysfs: &Path, cores: CoreSet) -> Topology {
        let mine = |text: &str| -> CoreSet {
            parse_cpu_list(text).intersection(&cores).copied().collect()
        };
        let mut numa: Vec<CoreSet> = entries(&sysfs.join("node"), "node")
            .iter()
            .filter_map(|node| read_text(&node.join("cpulist")))
            .map(|list| mine(&list))
            .filter(|set| !set.is_empty())
            .collect();
        numa.sort();
        if numa.is_empty() {
            numa.push(cores.clone());
        }

        let mut caches: Vec<Cache> = Vec::new();
        for core in &cores {
            for index in entries(&sysfs.join(format!("cpu/cpu{core}/cache")), "index") {
                let field = |name: &str| read_text(&index.join(name));
                if field("type").as_deref() == Some("Instruction") {
                    continue;
                }
                let Some(level) = field("level").and_then(|text| text.parse().ok()) else {
                    continue;
                };
                let shared =
                    field("shared_cpu_list").map_or_else(|| CoreSet::from([*core]), |l| mine(&l));
                let cache = Cache {
                    level,
                    bytes: field("size")
                        .and_then(|text| parse_size(&text))
                        .unwrap_or(0),
                    line: field("coherency_line_size")
                        .and_then(|text| text.parse().ok())
                        .unwrap_or(0),
                    cores: shared,
                };
                if !caches.contains(&cache) {
                    caches.push(cache);
                }
            }
        }
        Topology {
            cores,
            numa,
            caches,
        }
    }

    /// `cores` split by the caches of a level; empty if the level does not cover all of them.
    pub fn split_by_cache(&self, cores: &CoreSet, level: u32) -> Vec<CoreSet> {
        split(
            cores,
            self.caches
                .iter()
                .filter(|c| c.level == level)
                .map(|c| &c.cores),
        )
    }

    /// `cores` split by NUMA node.
    pub fn split_by_numa(&self, cores: &CoreSet) -> Vec<CoreSet> {
        split(cores, self.numa.iter())
    }

    /// The largest cache.
    pub fn last_cache(&self) -> Option<&Cache> {
        self.caches
            .iter()
            .max_by_key(|cache| (cache.level, cache.bytes))
    }
}

fn split<'a>(cores: &CoreSet, domains: impl Iterator<Item = &'a CoreSet>) -> Vec<CoreSet> {
    let mut parts: Vec<CoreSet> = domains
        .map(|domain| domain.intersection(cores).copied().collect::<CoreSet>())
        .filter(|part| !part.is_empty())
        .collect();
    parts.sort();
    parts.dedup();
    let covered: usize = parts.iter().map(CoreSet::len).sum();
    if covered == cores.len() {
        parts
    } else {
        Vec::new()
    }
}

fn allowed_cores() -> CoreSet {
    // SAFETY: the set is plain data, zero is an empty one, and its true size is passed.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let ok = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) == 0;
        ok.then_some(set)
    };
    let cores: CoreSet = match set {
        // SAFETY: every index below the set's capacity may be asked for.
        Some(set) => (0..libc::CPU_SETSIZE as usize)
            .filter(|&core| unsafe { libc::CPU_ISSET(core, &set) })
            .collect(),
        None => CoreSet::new(),
    };
    if cores.is_empty() {
        // More CPUs than the fixed-size set holds: trust the standard library's count.
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        return (0..count).collect();
    }
    cores
}

fn entries(folder: &Path, prefix: &str) -> Vec<std::path::PathBuf> {
    let Ok(read) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<_> = read
        .flatten()
        .filter(|entry| {
            entry
                .file_name()
                .to_str()
                .and_then(|name| name.strip_prefix(prefix))
                .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn read_text(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

/// `0-3,8,10-11`.
fn parse_cpu_list(text: &str) -> CoreSet {
    text.split(',')
        .filter_map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            Some(first.trim().parse::<usize>().ok()?..=last.trim().parse::<usize>().ok()?)
        })
        .flatten()
        .collect()
}

/// `32K`, `8192K`, `1M`.
fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    Some(digits.parse::<u64>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sockets of four cores; an L2 for each pair, an L3 for each socket.
    fn two_sockets() -> (std::path::PathBuf, CoreSet) {
        let root = std::env::temp_dir().join(format!("colocate-topology-{}", std::process::id()));
        let write = |path: String, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("node/node0/cpulist".into(), "0-3\n");
        write("node/node1/cpulist".into(), "4-7\n");
        write("node/possible".into(), "0-1\n");
        for core in 0..8 {
            let pair = core / 2 * 2;
            let socket = core / 4 * 4;
            for (index, level, kind, shared, size) in [
                (0, "1", "Data", format!("{core}"), "32K"),
                (1, "1", "Instruction", format!("{core}"), "32K"),
                (2, "2", "Unified", format!("{pair}-{}", pair + 1), "1024K"),
                (3, "3", "Unified", format!("{socket}-{}", socket + 3), "32M"),
            ] {
                let folder = format!("cpu/cpu{core}/cache/index{index}");
                write(format!("{folder}/level"), level);
                write(format!("{folder}/type"), kind);
                write(format!("{folder}/shared_cpu_list"), &shared);
                write(format!("{folder}/size"), size);
                write(format!("{folder}/coherency_line_size"), "64");
            }
        }
        (root, (0..8).collect())
    }

    #[test]
    fn a_two_socket_machine_is_read_whole() {
        let (root, cores) = two_sockets();
        let topology = Topology::read(&root, cores.clone());
        // Only some cores allowed, as in a container.
        let some = Topology::read(&root, CoreSet::from([1, 2, 5]));
        fs::remove_dir_all(&root).unwrap();

        assert_eq!(topology.numa.len(), 2);
        assert_eq!(topology.split_by_cache(&cores, 1).len(), 8);
        assert_eq!(topology.split_by_cache(&cores, 2).len(), 4);
        assert_eq!(
            topology.split_by_cache(&cores, 3),
            topology.split_by_numa(&cores)
        );
        assert_eq!(topology.split_by_cache(&cores, 4), Vec::<CoreSet>::new());
        assert_eq!(topology.last_cache().unwrap().bytes, 32 << 20);

        let sets = some.split_by_numa(&some.cores);
        assert_eq!(sets, [CoreSet::from([1, 2]), CoreSet::from([5])]);
        assert_eq!(some.split_by_cache(&some.cores, 2).len(), 3);
    }

    #[test]
    fn a_machine_without_sysfs_is_one_node() {
        let topology = Topology::read(Path::new("/nowhere"), CoreSet::from([0, 1]));
        assert_eq!(
            topology.split_by_numa(&topology.cores),
            [CoreSet::from([0, 1])]
        );
        assert!(topology.caches.is_empty());
    }

    #[test]
    fn this_machine_has_a_core() {
        assert!(!Topology::of_this_machine().cores.is_empty());
    }

    #[test]
    fn lists_and_sizes_are_parsed() {
        assert_eq!(parse_cpu_list("0-2,7"), CoreSet::from([0, 1, 2, 7]));
        assert_eq!(parse_cpu_list(""), CoreSet::new());
        assert_eq!(parse_size("32K"), Some(32768));
        assert_eq!(parse_size("many"), None);
    }
}
