//! Running a kernel of int64 parameters and contiguous arrays over groups, by the interpreter and as
//! machine code.

use colocate_compile::{Compiler, Options, Target};
use colocate_hal::{ALIGNMENT, HostPart, KernelCode};
use colocate_ir::interpret::{self, Argument, ArrayView, Memory, Scalar};
use colocate_ir::{DType, Kernel, Literal, ParamKind, verify};

/// What a kernel is called with.
#[derive(Clone)]
pub enum Given {
    /// An array of one axis, by its bytes.
    Array(DType, Vec<u8>),
    /// A number.
    Number(i64),
    /// A float.
    Float(f32),
}

/// The index space: extents, and those of a group.
#[derive(Clone, Copy)]
pub struct Space {
    pub global: [usize; 3],
    pub local: Option<[usize; 3]>,
}

/// The arrays after a run by the interpreter, and after one as machine code.
pub fn run(kernel: &Kernel, given: &[Given], space: Space) -> [Vec<Vec<u8>>; 2] {
    let violations = verify(kernel);
    assert!(violations.is_empty(), "{violations:?}");
    [
        interpreted(kernel, given, space),
        executed(kernel, given, space),
    ]
}

fn bytes_of(given: &[Given]) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
    for one in given {
        if let Given::Array(_, elements) = one {
            offsets.push(bytes.len());
            bytes.extend(elements);
            bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        }
    }
    (bytes, offsets)
}

fn arrays_in(bytes: &[u8], given: &[Given]) -> Vec<Vec<u8>> {
    let (_, offsets) = bytes_of(given);
    let arrays = given.iter().filter_map(|one| match one {
        Given::Array(_, elements) => Some(elements.len()),
        _ => None,
    });
    let placed = offsets.iter().zip(arrays);
    placed
        .map(|(&first, length)| bytes[first..first + length].to_vec())
        .collect()
}

fn interpreted(kernel: &Kernel, given: &[Given], space: Space) -> Vec<Vec<u8>> {
    let (bytes, offsets) = bytes_of(given);
    let mut next = offsets.iter();
    let arguments: Vec<Argument> = given
        .iter()
        .map(|one| match one {
            Given::Array(dtype, elements) => {
                let length = (elements.len() / dtype.itemsize()) as i64;
                let offset = *next.next().unwrap();
                Argument::Array(ArrayView::contiguous(*dtype, offset, &[length]))
            }
            Given::Number(number) => {
                Argument::Scalar(Scalar::from_literal(Literal::int64(*number)))
            }
            Given::Float(number) => Argument::Scalar(Scalar::Float32(*number)),
        })
        .collect();
    let mut memory = Memory { bytes };
    interpret::run(kernel, &mut memory, &arguments, space.global, space.local).unwrap();
    arrays_in(&memory.bytes, given)
}

fn executed(kernel: &Kernel, given: &[Given], space: Space) -> Vec<Vec<u8>> {
    let program = Compiler::new(None).program(kernel, &Target::Host, &Options::default());
    let program = program.unwrap();
    let KernelCode::Host(code) = &program.image.code else {
        panic!("a program of the host is machine code");
    };
    let (contents, offsets) = bytes_of(given);
    let mut bytes = vec![0u8; contents.len() + 2 * ALIGNMENT];
    let shift = bytes.as_ptr().align_offset(ALIGNMENT);
    bytes[shift..shift + contents.len()].copy_from_slice(&contents);
    let base = bytes[shift..].as_mut_ptr() as u64;
    let mut next = offsets.iter();
    let mut block = Vec::new();
    for (one, param) in given.iter().zip(&kernel.params) {
        match one {
            Given::Array(dtype, elements) => {
                block.push(base + *next.next().unwrap() as u64);
                block.push((elements.len() / dtype.itemsize()) as u64);
            }
            Given::Number(number) => block.push(*number as u64),
            Given::Float(number) => {
                assert_eq!(param.kind, ParamKind::Scalar(DType::Float32));
                block.push(number.to_bits().into());
            }
        }
    }
    let local = space.local.unwrap_or([1; 3]);
    let items =
        local[..2].iter().product::<usize>() * local[2].next_multiple_of(code.lanes) * code.lanes;
    let scratch = code.scratch_bytes + code.scratch_bytes_per_item * items;
    let mut working = vec![0u8; scratch + 2 * ALIGNMENT];
    let aligned = working.as_ptr().align_offset(ALIGNMENT);
    let part = HostPart {
        global: space.global.map(|extent| extent as i64),
        local: local.map(|extent| extent as i64),
        begin: [0; 3],
        end: [0, 1, 2].map(|axis| (space.global[axis] / local[axis]) as i64),
    };
    // SAFETY: the block fits the parameters, arrays and working memory outlive the call.
    unsafe { (code.entry)(block.as_ptr(), &part, working[aligned..].as_mut_ptr()) };
    arrays_in(&bytes[shift..shift + contents.len()], given)
}
