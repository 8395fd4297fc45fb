//! Running a kernel over contiguous arrays, by the interpreter and as machine code.

use colocate_compile::{Compiler, Options, Target};
use colocate_hal::{ALIGNMENT, HostPart, KernelCode};
use colocate_ir::interpret::{self, Argument, ArrayView, Memory};
use colocate_ir::{DType, Kernel, Layout, ParamKind};

/// A contiguous array of one axis.
pub fn array(dtype: DType) -> ParamKind {
    ParamKind::Array {
        dtype,
        rank: 1,
        layout: Layout::Contiguous,
    }
}

/// Arrays of equal length, one behind the other.
pub struct Arrays {
    dtypes: Vec<DType>,
    items: usize,
    bytes: Vec<u8>,
}

impl Arrays {
    /// Zeros; one array for each dtype.
    pub fn new(dtypes: Vec<DType>, items: usize) -> Arrays {
        let bytes = vec![0; Arrays::stride(items) * dtypes.len() + ALIGNMENT];
        Arrays {
            dtypes,
            items,
            bytes,
        }
    }

    fn stride(items: usize) -> usize {
        (items * 16).next_multiple_of(ALIGNMENT)
    }

    /// The bytes from an element on.
    pub fn at(&mut self, array: usize, item: usize) -> &mut [u8] {
        let itemsize = self.dtypes[array].itemsize();
        let start = array * Arrays::stride(self.items) + item * itemsize;
        &mut self.bytes[start..start + itemsize]
    }

    /// What the interpreter makes of them.
    pub fn interpret(&self, kernel: &Kernel) -> Arrays {
        let stride = Arrays::stride(self.items);
        let arguments: Vec<Argument> = self
            .dtypes
            .iter()
            .enumerate()
            .map(|(number, &dtype)| {
                let shape = [self.items as i64];
                Argument::Array(ArrayView::contiguous(dtype, number * stride, &shape))
            })
            .collect();
        let mut memory = Memory {
            bytes: self.bytes.clone(),
        };
        let global = [self.items, 1, 1];
        interpret::run(kernel, &mut memory, &arguments, global, None).unwrap();
        Arrays {
            dtypes: self.dtypes.clone(),
            items: self.items,
            bytes: memory.bytes,
        }
    }

    /// What machine code makes of them.
    pub fn execute(&self, kernel: &Kernel) -> Arrays {
        let program = Compiler::new(None).program(kernel, &Target::Host, &Options::default());
        let program = program.unwrap();
        let KernelCode::Host(code) = &program.image.code else {
            panic!("a program of the host is machine code");
        };
        let mut bytes = vec![0; self.bytes.len() + ALIGNMENT];
        let shift = bytes.as_ptr().align_offset(ALIGNMENT);
        bytes[shift..shift + self.bytes.len()].copy_from_slice(&self.bytes);
        let base = bytes[shift..].as_mut_ptr() as u64;
        let stride = Arrays::stride(self.items) as u64;
        let block: Vec<u64> = (0..self.dtypes.len() as u64)
            .flat_map(|number| [base + number * stride, self.items as u64])
            .collect();
        let mut scratch =
            vec![0u64; (code.scratch_bytes + code.scratch_bytes_per_item * code.lanes) / 8 + 16];
        let aligned = scratch.as_ptr().align_offset(ALIGNMENT);
        let part = HostPart {
            global: [self.items as i64, 1, 1],
            local: [1; 3],
            begin: [0; 3],
            end: [self.items as i64, 1, 1],
        };
        // SAFETY: the arrays lie in `bytes`, as long as the block says, and the scratch memory is as
        // long as the code asks for.
        unsafe {
            let scratch = scratch[aligned..].as_mut_ptr().cast();
            (code.entry)(block.as_ptr(), &part, scratch);
        }
        Arrays {
            dtypes: self.dtypes.clone(),
            items: self.items,
            bytes: bytes[shift..shift + self.bytes.len()].to_vec(),
        }
    }
}
