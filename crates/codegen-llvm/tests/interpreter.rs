//! Random kernels give on this machine's processor what they give in the reference interpreter,
//! with any number of lanes and however their index space is split.

use colocate_codegen_llvm::{Options, compile, load};
use colocate_ir::arbitrary::{Case, Config, cases, difference, run_interpreter};
use colocate_ir::{Layout, ParamKind};
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As `colocate-hal` has it, which this crate does not know.
#[repr(C)]
struct Part {
    global: [i64; 3],
    local: [i64; 3],
    begin: [i64; 3],
    end: [i64; 3],
}

type Entry = unsafe extern "C" fn(*const u64, *const Part, *mut u8);

/// Bytes at an address that is a multiple of 64.
struct Aligned {
    words: Vec<u128>,
    offset: usize,
    length: usize,
}

impl Aligned {
    fn new(bytes: &[u8]) -> Aligned {
        let mut words = vec![0u128; bytes.len() / 16 + 5];
        let offset = words.as_ptr().cast::<u8>().align_offset(64);
        // SAFETY: the vector has room for the bytes behind the offset, which is below 64.
        unsafe {
            let start = words.as_mut_ptr().cast::<u8>().add(offset);
            start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        let length = bytes.len();
        Aligned {
            words,
            offset,
            length,
        }
    }

    fn pointer(&mut self) -> *mut u8 {
        // SAFETY: see `new`.
        unsafe { self.words.as_mut_ptr().cast::<u8>().add(self.offset) }
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = self.length;
        // SAFETY: see `new`.
        unsafe { std::slice::from_raw_parts(self.pointer(), length) }.to_vec()
    }
}

/// Runs a case in `parts` pieces along the first axis; the final contents of its arrays.
fn run_native(case: &Case, lanes: Option<u32>, parts: i64) -> Vec<Vec<u8>> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let core = colocate_passes::to_core(case.kernel.clone());
    let violations = colocate_ir::verify_core(&core);
    assert!(violations.is_empty(), "{violations:?}");
    let entry = format!("case_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let object = compile(&core, &entry, &Options { lanes }).expect("verified kernels compile");
    let code = load(&object.bytes, &entry).expect("objects link");
    // SAFETY: the address of a function that the emitter gave this type.
    let run: Entry = unsafe { std::mem::transmute(code.address) };

    let mut buffers: Vec<Aligned> = case
        .arrays
        .iter()
        .map(|a| Aligned::new(&a.contents))
        .collect();
    let mut block = Vec::new();
    let (mut arrays, mut scalars) = (0, 0);
    for param in &case.kernel.params {
        match param.kind {
            ParamKind::Scalar(_) => {
                let mut bytes = case.scalars[scalars].to_bytes().to_vec();
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                for word in bytes.chunks(8) {
                    block.push(u64::from_le_bytes(word.try_into().expect("eight bytes")));
                }
                scalars += 1;
            }
            ParamKind::Array { layout, .. } => {
                let view = &case.arrays[arrays].view;
                block.push(buffers[arrays].pointer() as u64 + view.offset as u64);
                block.extend(view.shape.iter().map(|&extent| extent as u64));
                if layout == Layout::Strided {
                    block.extend(view.strides.iter().map(|&stride| stride as u64));
                }
                arrays += 1;
            }
        }
    }
    let global = case.global.map(|extent| extent as i64);
    let local = case.local.unwrap_or([1; 3]).map(|extent| extent as i64);
    let rows = local[..case.kernel.rank as usize - 1]
        .iter()
        .product::<i64>() as usize;
    let last = local[case.kernel.rank as usize - 1] as usize;
    let items = rows * last.next_multiple_of(object.lanes);
    let size = object.scratch_bytes + object.scratch_bytes_per_item * items;
    let mut scratch = Aligned::new(&vec![0xA5; size]);
    let whole = [0, 1, 2].map(|axis| global[axis] / local[axis]);
    for part in 0..parts {
        let mut part = Part {
            global,
            local,
            begin: [whole[0] * part / parts, 0, 0],
            end: [whole[0] * (part + 1) / parts, whole[1], whole[2]],
        };
        // Axes beyond the rank count one.
        for axis in case.kernel.rank as usize..3 {
            (part.begin[axis], part.end[axis]) = (0, 1);
        }
        // SAFETY: the block and the working memory are as the object says.
        unsafe { run(block.as_ptr(), &part, scratch.pointer()) };
    }
    buffers.iter_mut().map(Aligned::bytes).collect()
}

fn check(case: &Case) -> Result<(), TestCaseError> {
    let expected = run_interpreter(case);
    for (lanes, parts) in [
        (Some(1), 1),
        (Some(4), 3),
        (Some(8), 1),
        (Some(16), 2),
        (None, 2),
    ] {
        let found = run_native(case, lanes, parts);
        if let Some(what) = difference(case, &expected, &found) {
            return Err(TestCaseError::fail(format!(
                "with {lanes:?} lanes in {parts} parts: {what}\nglobal {:?} local {:?}\n{}\n{}",
                case.global,
                case.local,
                case.kernel,
                colocate_passes::to_core(case.kernel.clone()),
            )));
        }
    }
    Ok(())
}

fn config(nd_range: bool) -> Config {
    Config {
        exact: true,
        allow_float16: true,
        allow_complex: true,
        nd_range,
        core: false,
        unaligned: true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(20)
    ))]

    #[test]
    fn regions_give_what_the_interpreter_gives(case in cases(config(false))) {
        check(&case)?;
    }

    #[test]
    fn work_groups_give_what_the_interpreter_gives(case in cases(config(true))) {
        check(&case)?;
    }
}
