//! What compiled code depends on, as a hash.

use crate::{Options, Target};
use colocate_codegen_llvm as llvm;
use colocate_ir::{Kernel, walk};
use std::sync::OnceLock;

/// The major version that `codegen-llvm` links.
const LLVM: &str = "LLVM 19";

/// Identifies compiled code: equal keys, equal code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key([u8; 32]);

impl Key {
    /// Of a kernel for a target.
    pub fn new(kernel: &Kernel, target: &Target, options: &Options) -> Key {
        let mut parts = Parts::new();
        parts.add(compiler_id());
        parts.add(kernel.to_string().as_bytes());
        match target {
            Target::Host => {
                parts.add(b"host");
                parts.add(host_id());
            }
            Target::SpirV {
                float64,
                int64_atomics,
            } => {
                parts.add(b"spirv");
                parts.add(&[u8::from(*float64), u8::from(*int64_atomics)]);
            }
            Target::Cuda { arch } => {
                parts.add(b"cuda");
                parts.add(arch.as_bytes());
            }
        }
        parts.add(&options.lanes.unwrap_or(0).to_le_bytes());
        parts.add(&[u8::from(options.debug)]);
        if options.debug {
            // The checks know places of the source, of which the kernel's text says nothing.
            walk(&kernel.body, &mut |statement| {
                let (file, span) = (statement.site.file, statement.site.span);
                for number in [file as u64, span.start.into(), span.end.into()] {
                    parts.0.update(&number.to_le_bytes());
                }
            });
        }
        parts.finish()
    }

    /// As hexadecimal digits.
    pub fn hex(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// The name of an entry point that only code of this key has.
    pub fn entry(&self) -> String {
        format!("k_{}", &self.hex()[..32])
    }

    /// The hash.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    #[cfg(test)]
    pub fn from_bytes(bytes: [u8; 32]) -> Key {
        Key(bytes)
    }
}

/// Parts that cannot run into one another.
struct Parts(blake3::Hasher);

impl Parts {
    fn new() -> Parts {
        Parts(blake3::Hasher::new())
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn finish(self) -> Key {
        Key(*self.0.finalize().as_bytes())
    }
}

/// Which compiler this is.
fn compiler_id() -> &'static [u8] {
    concat!(env!("CARGO_PKG_VERSION"), "-", env!("COLOCATE_BUILD_ID")).as_bytes()
}

/// Which processor this is, and what its code may call.
fn host_id() -> &'static [u8; 32] {
    static ID: OnceLock<Key> = OnceLock::new();
    let id = ID.get_or_init(|| {
        let mut parts = Parts::new();
        let host = llvm::Target::host();
        for text in [
            LLVM,
            llvm::PIPELINE,
            &host.triple,
            &host.cpu,
            &host.features,
        ] {
            parts.add(text.as_bytes());
        }
        for name in llvm::symbols::vector_names() {
            parts.add(name.as_bytes());
        }
        parts.finish()
    });
    id.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{KernelBuilder, KernelKind, Site, Span};

    fn kernel(name: &str, start: u32) -> Kernel {
        let kind = KernelKind::Region { reductions: vec![] };
        let mut builder = KernelBuilder::new(name, 1, kind);
        builder.site = Site {
            file: 0,
            span: Span::new(start, 100),
        };
        builder.int64(1);
        builder.finish()
    }

    #[test]
    fn whatever_makes_a_difference_makes_another_key() {
        let spirv = |float64, int64_atomics| Target::SpirV {
            float64,
            int64_atomics,
        };
        let cuda = |arch: &str| Target::Cuda { arch: arch.into() };
        let targets = [
            Target::Host,
            spirv(true, true),
            spirv(true, false),
            spirv(false, true),
            cuda("sm_80"),
            cuda("sm_90"),
        ];
        let mut keys = std::collections::HashSet::new();
        let mut count = 0;
        for kernel in [kernel("a", 1), kernel("b", 1)] {
            for target in &targets {
                for lanes in [None, Some(1), Some(8)] {
                    for debug in [false, true] {
                        keys.insert(Key::new(&kernel, target, &Options { debug, lanes }));
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn where_a_function_stands_matters_for_debugging_only() {
        let (here, there) = (kernel("a", 1), kernel("a", 2));
        for debug in [false, true] {
            let options = Options {
                debug,
                ..Options::default()
            };
            let target = Target::Cuda {
                arch: "sm_90".into(),
            };
            let same = Key::new(&here, &target, &options) == Key::new(&there, &target, &options);
            assert_eq!(same, !debug);
        }
    }

    #[test]
    fn entry_points_are_identifiers() {
        let entry = Key::from_bytes([0xab; 32]).entry();
        assert_eq!(entry, format!("k_{}", "ab".repeat(16)));
    }
}
