//! Links LLVM's components statically, so that the result needs nothing but the C library.

use std::process::Command;

/// Debian's name, then the plain one for machines that have LLVM from elsewhere.
const CONFIGS: [&str; 3] = [
    "llvm-config-19",
    "/usr/lib/llvm-19/bin/llvm-config",
    "llvm-config",
];

fn ask(config: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(config).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Where the C compiler finds a static library.
fn directory_of(library: &str) -> Option<String> {
    let question = format!("-print-file-name=lib{library}.a");
    let path = ask("cc", &[&question])?;
    let directory = std::path::Path::new(&path).parent()?;
    Some(directory.to_str()?.to_owned())
}

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    println!("cargo:rerun-if-changed=build.rs");
    let named = std::env::var("LLVM_CONFIG").ok();
    let candidates = named.iter().map(String::as_str).chain(CONFIGS);
    let version = |config: &&str| ask(config, &["--version"]);
    let Some(config) = candidates
        .into_iter()
        .find(|config| version(config).is_some_and(|v| v.starts_with("19.")))
    else {
        panic!(
            "LLVM 19 was not found. On Debian: apt-get install llvm-19-dev libpolly-19-dev \
             libzstd-dev zlib1g-dev; elsewhere set LLVM_CONFIG to its llvm-config."
        );
    };
    let directory = ask(config, &["--libdir"]).expect("llvm-config tells where its libraries are");
    println!("cargo:rustc-link-search=native={directory}");
    let components = ["--link-static", "--libs", "native", "passes", "orcjit"];
    let libraries = ask(config, &components).expect("llvm-config lists its libraries");
    for library in libraries.split_whitespace() {
        let name = library
            .strip_prefix("-l")
            .expect("libraries are given as -l");
        println!("cargo:rustc-link-lib=static={name}");
    }
    for library in ["stdc++", "z", "zstd"] {
        if let Some(directory) = directory_of(library) {
            println!("cargo:rustc-link-search=native={directory}");
        }
        println!("cargo:rustc-link-lib=static={library}");
    }
    for library in ["rt", "dl", "m"] {
        println!("cargo:rustc-link-lib={library}");
    }
}
