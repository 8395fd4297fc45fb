//! Gives the compiler an identity: a hash of its own source text. A disk cache that another
//! version has filled is of no use, and version numbers do not change while one develops.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Whatever has a say in the code that comes out.
const CRATES: [&str; 8] = [
    "dtype",
    "diag",
    "hal",
    "ir",
    "passes",
    "codegen-llvm",
    "codegen-spirv",
    "compile",
];

/// All files below a folder, or the file itself; nothing if there is none.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| files(path)).collect()
}

fn main() {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let siblings = here.parent().expect("a crate lies in a folder");
    let mut sources = Vec::new();
    for name in CRATES {
        for part in ["src", "build.rs", "Cargo.toml"] {
            sources.push(siblings.join(name).join(part));
        }
    }
    // The versions of the libraries.
    sources.push(siblings.join("../Cargo.lock"));

    let mut hasher = DefaultHasher::new();
    for source in sources.iter().filter(|source| source.exists()) {
        println!("cargo:rerun-if-changed={}", source.display());
        for file in files(source) {
            // Where the sources lie must not matter, only what they are.
            file.strip_prefix(siblings)
                .unwrap_or(&file)
                .hash(&mut hasher);
            let text = std::fs::read(&file).expect("source files can be read");
            text.hash(&mut hasher);
        }
    }
    println!("cargo:rustc-env=COLOCATE_BUILD_ID={:016x}", hasher.finish());
}
