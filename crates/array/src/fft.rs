//! Fourier transforms along an axis.
//!
//! The input is first brought into a new contiguous array of the right dtype and extent, with zeros
//! beyond its end. On devices that run host tasks `colocate-fft` then works on that memory; on others
//! the elements are copied to the host, transformed there and copied back, and the call waits for it.

use crate::elementwise::{convert_into, converted};
use crate::{Array, Result, host_work};
use colocate_dtype::index::Item;
use colocate_dtype::{DType, Dims};
use colocate_fft::{self as host, Complex, Direction, Extents, Float, half_length};
use colocate_runtime::{Access, UsmKind};
use rayon::ThreadPool;
use smallvec::SmallVec;

/// Arrays with fewer elements are transformed where the call is made.
const SMALL: usize = 4096;

/// How to transform.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Along which axis.
    pub axis: usize,
    /// The extent of the axis: of real numbers for transforms from or to them. At least 1.
    pub length: usize,
    /// What the result is multiplied by.
    pub factor: f64,
    /// Of the result's memory.
    pub kind: UsmKind,
}

/// The transform of complex numbers.
pub fn transform(x: &Array, direction: Direction, request: Request) -> Result<Array> {
    let dtype = match x.dtype() {
        DType::Complex64 | DType::Float32 | DType::Float16 => DType::Complex64,
        _ => DType::Complex128,
    };
    let Request {
        axis, length, kind, ..
    } = request;
    let queue = x.queue();
    let as_it_is = queue.runs_host_tasks()
        && x.dtype() == dtype
        && x.shape()[axis] == length
        && x.layout().is_c_contiguous()
        && (x.pointer() as usize).is_multiple_of(dtype.alignment());
    let array = match as_it_is {
        true => Array::empty(x.shape(), dtype, kind, queue)?,
        false => prepared(x, dtype, axis, length, kind)?,
    };
    if array.size() == 0 {
        return Ok(array);
    }
    let work = Transform {
        extents: extents(array.shape(), axis, length),
        direction,
        factor: request.factor,
    };
    if queue.runs_host_tasks() {
        work.submit(as_it_is.then_some(x), &array)?;
        return Ok(array);
    }
    let mut elements = aside(&array)?;
    let places = Places {
        from: None,
        to: elements.as_mut_ptr() as usize,
        scratch: 0,
        scratched: 0,
    };
    let threads = host_work::threads();
    // SAFETY: the copy has all elements of the array.
    unsafe { work.run(dtype, &places, threads.as_deref()) };
    write_back(&array, &elements)?;
    Ok(array)
}

/// A transform of complex numbers.
#[derive(Clone, Copy)]
struct Transform {
    extents: Extents,
    direction: Direction,
    factor: f64,
}

/// Addresses, because a host task outlives the call.
struct Places {
    from: Option<usize>,
    to: usize,
    scratch: usize,
    scratched: usize,
}

impl Transform {
    /// As a host task: of `from` into `array`, or of `array` in place.
    fn submit(self, from: Option<&Array>, array: &Array) -> Result<()> {
        let (queue, dtype) = (array.queue(), array.dtype());
        let scratched = match self.extents {
            Extents {
                inner: 1, length, ..
            } if length > SMALL => length,
            _ => 0,
        };
        let memory = Array::empty(&[scratched], dtype, UsmKind::Device, queue)?;
        let places = Places {
            from: from.map(|from| from.pointer() as usize),
            to: array.pointer() as usize,
            scratch: memory.pointer() as usize,
            scratched,
        };
        let mut used: SmallVec<[_; 3]> = SmallVec::new();
        used.push((array, Access::Write));
        used.extend(from.map(|from| (from, Access::Read)));
        if scratched > 0 {
            used.push((&memory, Access::Write));
        }
        // SAFETY: both arrays are contiguous and of these extents, and the scratch has a line's
        // elements.
        unsafe {
            host_work::submit("fft", queue, &used, array.size() <= SMALL, move |pool| {
                self.run(dtype, &places, pool);
            })
        }
    }

    /// # Safety
    /// The places have as many elements of the dtype as is said; nobody writes to the first, and
    /// nobody else uses the others.
    unsafe fn run(self, dtype: DType, places: &Places, pool: Option<&ThreadPool>) {
        // SAFETY: the caller's word.
        unsafe {
            match dtype {
                DType::Complex64 => self.run_in::<f32>(places, pool),
                _ => self.run_in::<f64>(places, pool),
            }
        }
    }

    /// # Safety
    /// As for [`Transform::run`].
    unsafe fn run_in<T: Float>(self, places: &Places, pool: Option<&ThreadPool>) {
        let extents = self.extents;
        let size = extents.outer * extents.length * extents.inner;
        // SAFETY: the caller's word. An empty scratch has no memory.
        let (from, to, scratch) = unsafe {
            let scratch: &mut [Complex<T>] = match places.scratched {
                0 => &mut [],
                count => std::slice::from_raw_parts_mut(places.scratch as *mut _, count),
            };
            (
                places
                    .from
                    .map(|from| std::slice::from_raw_parts(from as *const _, size)),
                std::slice::from_raw_parts_mut(places.to as *mut _, size),
                scratch,
            )
        };
        host::transform(
            from,
            to,
            extents,
            self.direction,
            self.factor,
            scratch,
            pool,
        );
    }
}

/// The forward transform of real numbers: the half that says all.
pub fn real_to_complex(x: &Array, request: Request) -> Result<Array> {
    let (real, complex) = match x.dtype() {
        DType::Float32 | DType::Float16 => (DType::Float32, DType::Complex64),
        _ => (DType::Float64, DType::Complex128),
    };
    let from = prepared(x, real, request.axis, request.length, request.kind)?;
    between(&from, complex, half_length(request.length), request, true)
}

/// The inverse transform, to real numbers, of the half that says all.
pub fn complex_to_real(x: &Array, request: Request) -> Result<Array> {
    let (real, complex) = match x.dtype() {
        DType::Complex64 | DType::Float32 | DType::Float16 => (DType::Float32, DType::Complex64),
        _ => (DType::Float64, DType::Complex128),
    };
    let half = half_length(request.length);
    let from = prepared(x, complex, request.axis, half, request.kind)?;
    between(&from, real, request.length, request, false)
}

/// A transform into another array, whose axis has another extent.
fn between(
    from: &Array,
    dtype: DType,
    extent: usize,
    request: Request,
    forward: bool,
) -> Result<Array> {
    let Request {
        axis,
        length,
        factor,
        kind,
    } = request;
    let queue = from.queue();
    let mut shape = Dims::from_slice(from.shape());
    shape[axis] = extent;
    let result = Array::empty(&shape, dtype, kind, queue)?;
    if result.size() == 0 {
        return Ok(result);
    }
    let extents = extents(&shape, axis, length);
    let work = Halves {
        extents,
        factor,
        forward,
        single: matches!(dtype, DType::Float32 | DType::Complex64),
    };
    if queue.runs_host_tasks() {
        work.submit(from, &result)?;
        return Ok(result);
    }
    let from = aside(from)?;
    let mut to = vec![0_u128; result.nbytes().div_ceil(16)];
    let places = Places {
        from: Some(from.as_ptr() as usize),
        to: to.as_mut_ptr() as usize,
        scratch: 0,
        scratched: 0,
    };
    let threads = host_work::threads();
    // SAFETY: both copies have all elements of their arrays.
    unsafe { work.run(&places, threads.as_deref()) };
    write_back(&result, &to)?;
    Ok(result)
}

/// A transform from or to real numbers.
#[derive(Clone, Copy)]
struct Halves {
    extents: Extents,
    factor: f64,
    forward: bool,
    single: bool,
}

impl Halves {
    /// As a host task, from one array into another.
    fn submit(self, from: &Array, result: &Array) -> Result<()> {
        let queue = result.queue();
        let scratched = match self.extents {
            Extents {
                inner: 1, length, ..
            } if length > SMALL => length / 2,
            _ => 0,
        };
        let complex = match self.single {
            true => DType::Complex64,
            false => DType::Complex128,
        };
        let memory = Array::empty(&[scratched], complex, UsmKind::Device, queue)?;
        let places = Places {
            from: Some(from.pointer() as usize),
            to: result.pointer() as usize,
            scratch: memory.pointer() as usize,
            scratched,
        };
        let arrays = [
            (from, Access::Read),
            (result, Access::Write),
            (&memory, Access::Write),
        ];
        let used = if scratched > 0 {
            &arrays[..]
        } else {
            &arrays[..2]
        };
        let small = from.size().max(result.size()) <= SMALL;
        // SAFETY: both arrays are contiguous and of these extents, and the scratch has the elements
        // of half a line.
        unsafe {
            host_work::submit("fft", queue, used, small, move |pool| {
                self.run(&places, pool)
            })
        }
    }

    /// # Safety
    /// As for [`Transform::run`]; there is a place to read from.
    unsafe fn run(self, places: &Places, pool: Option<&ThreadPool>) {
        // SAFETY: the caller's word.
        unsafe {
            match self.single {
                true => self.run_in::<f32>(places, pool),
                false => self.run_in::<f64>(places, pool),
            }
        }
    }

    /// # Safety
    /// As for [`Halves::run`].
    unsafe fn run_in<T: Float>(self, places: &Places, pool: Option<&ThreadPool>) {
        let (extents, factor) = (self.extents, self.factor);
        let lines = extents.outer * extents.inner;
        let (whole, half) = (lines * extents.length, lines * half_length(extents.length));
        let from = places.from.expect("there is a place to read from");
        // SAFETY: the caller's word. An empty scratch has no memory.
        unsafe {
            let scratch: &mut [Complex<T>] = match places.scratched {
                0 => &mut [],
                count => std::slice::from_raw_parts_mut(places.scratch as *mut _, count),
            };
            if self.forward {
                let from = std::slice::from_raw_parts(from as *const T, whole);
                let to = std::slice::from_raw_parts_mut(places.to as *mut _, half);
                host::real_to_complex(from, to, extents, factor, scratch, pool);
            } else {
                let from = std::slice::from_raw_parts(from as *const _, half);
                let to = std::slice::from_raw_parts_mut(places.to as *mut T, whole);
                host::complex_to_real(from, to, extents, factor, scratch, pool);
            }
        }
    }
}

/// A new contiguous array with the elements of `x`, but `length` of them along an axis: the first
/// ones, or with zeros after the last.
fn prepared(x: &Array, dtype: DType, axis: usize, length: usize, kind: UsmKind) -> Result<Array> {
    let found = x.shape()[axis];
    if found == length {
        return converted(x, dtype, kind);
    }
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = length;
    let array = match found < length {
        true => Array::full(&shape, dtype, kind, x.queue(), &vec![0; dtype.itemsize()])?,
        false => Array::empty(&shape, dtype, kind, x.queue())?,
    };
    let all = Item::Slice {
        start: None,
        stop: None,
        step: 1,
    };
    let mut items = vec![all; axis + 1];
    items[axis] = Item::Slice {
        start: None,
        stop: Some(found.min(length) as isize),
        step: 1,
    };
    convert_into(&array.index(&items)?, &x.index(&items)?)?;
    Ok(array)
}

fn extents(shape: &[usize], axis: usize, length: usize) -> Extents {
    Extents {
        outer: shape[..axis].iter().product(),
        length,
        inner: shape[axis + 1..].iter().product(),
    }
}

/// A copy of a contiguous array's elements on the host, aligned for any of them.
fn aside(array: &Array) -> Result<Vec<u128>> {
    let mut bytes = vec![0_u128; array.nbytes().div_ceil(16)];
    // SAFETY: there is room for all elements.
    unsafe { array.read_into(bytes.as_mut_ptr().cast()) }?;
    Ok(bytes)
}

fn write_back(array: &Array, elements: &[u128]) -> Result<()> {
    // SAFETY: the same memory as bytes, as many as the array has.
    let bytes = unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), array.nbytes()) };
    array.write_from(bytes)
}
