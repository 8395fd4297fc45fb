//! The generators of `numpy.random` and of Python's module `random`, as jit functions draw from them.
//!
//! NumPy describes its generator in C (`numpy/random/bitgen.h`), so numbers are drawn without Python. While
//! that goes on the generator's lock is ours: it is taken at the first draw and given back before
//! anything else of Python's runs.

use crate::errors::{Class, error};
use colocate_array::mersenne_twister::{MersenneTwister, WORDS};
use colocate_frontend::program::{Drawn, Generator};
use colocate_jit::{self as jit, BitGenerator};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use std::mem::MaybeUninit;

/// From this many numbers on it is worth taking the whole state over, which takes NumPy some 20 µs each way.
const MANY: usize = 20_000;

/// So many normal numbers in a row are NumPy's own doing. It keeps every second one for later, in a place
/// that is reached only with the whole state.
const FEW_NORMALS: usize = 64;

/// So many numbers are scaled at a time, while they are near.
const NEAR: usize = 1 << 14;

/// NumPy's generator while it is ours.
struct Borrowed {
    /// The `RandomState`.
    owner: Py<PyAny>,
    generator: Py<PyAny>,
    lock: Py<PyAny>,
    interface: BitGenerator,
    /// The normal number that was kept for later, if that is known here.
    kept: Option<Option<f64>>,
}

/// What a running function draws from.
#[derive(Default)]
pub struct Generators {
    numpy: Option<Borrowed>,
    /// `random.random`.
    python: Option<Py<PyAny>>,
    /// `random.getrandbits`.
    python_bits: Option<Py<PyAny>>,
    /// Normal numbers that NumPy made since anything else ran.
    normals: usize,
}

/// An exception on its way through the executor.
fn raised(failure: PyErr) -> jit::Error {
    jit::Error::Raised(Box::new(failure))
}

/// A function of the module `random`, looked up once.
fn found<'f, 'py>(
    kept: &'f mut Option<Py<PyAny>>,
    py: Python<'py>,
    name: &str,
) -> PyResult<&'f Bound<'py, PyAny>> {
    let function = match kept {
        Some(function) => function,
        None => kept.insert(py.import("random")?.getattr(name)?.unbind()),
    };
    Ok(function.bind(py))
}

fn random_state(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static OWNER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    OWNER.import(py, "numpy.random.mtrand", "_rand")
}

impl Borrowed {
    fn new(py: Python<'_>) -> PyResult<Borrowed> {
        let owner = random_state(py)?;
        let generator = owner.getattr(pyo3::intern!(py, "_bit_generator"))?;
        let capsule = generator.getattr(pyo3::intern!(py, "capsule"))?;
        // SAFETY: a live object; the name is checked.
        let pointer =
            unsafe { pyo3::ffi::PyCapsule_GetPointer(capsule.as_ptr(), c"BitGenerator".as_ptr()) };
        if pointer.is_null() {
            return Err(PyErr::fetch(py));
        }
        // SAFETY: a capsule of this name holds a description of this form, by NumPy's documentation.
        let interface = unsafe { *pointer.cast::<BitGenerator>() };
        let lock = generator.getattr(pyo3::intern!(py, "lock"))?;
        lock.call_method0(pyo3::intern!(py, "acquire"))?;
        Ok(Borrowed {
            owner: owner.clone().unbind(),
            generator: generator.unbind(),
            lock: lock.unbind(),
            interface,
            kept: None,
        })
    }

    /// A normal number; the second one of a pair is kept for later.
    fn normal(&mut self) -> f64 {
        if let Some(kept) = self.kept.replace(None).flatten() {
            return kept;
        }
        // SAFETY: the generator lives as long as this, and its lock is ours.
        let [now, later] = unsafe { self.interface.normals() };
        self.kept = Some(Some(later));
        now
    }

    /// Everything there is to know of the state.
    fn whole_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        options.set_item("legacy", false)?;
        let owner = self.owner.bind(py);
        let state = owner.call_method("get_state", (), Some(&options))?;
        Ok(state.cast_into()?)
    }

    fn fetch_kept(&mut self) -> PyResult<()> {
        if self.kept.is_some() {
            return Ok(());
        }
        Python::attach(|py| {
            let state = self.whole_state(py)?;
            let item = |name: &str| state.as_any().get_item(name);
            let there: u32 = item("has_gauss")?.extract()?;
            let kept: f64 = item("gauss")?.extract()?;
            self.kept = Some((there != 0).then_some(kept));
            Ok(())
        })
    }

    fn give_back(&mut self, py: Python<'_>) -> PyResult<()> {
        let stored = match self.kept.take() {
            None => Ok(()),
            Some(kept) => self.whole_state(py).and_then(|state| {
                state.set_item("has_gauss", u32::from(kept.is_some()))?;
                state.set_item("gauss", kept.unwrap_or(0.0))?;
                let owner = self.owner.bind(py);
                owner.call_method1("set_state", (state,))?;
                Ok(())
            }),
        };
        let lock = self.lock.bind(py);
        lock.call_method0(pyo3::intern!(py, "release"))?;
        stored
    }

    /// Fills a lot of memory by means of `fill`, if the generator is one that is known here.
    fn fill_many(&self, mut fill: impl FnMut(&mut MersenneTwister)) -> PyResult<bool> {
        let taken = Python::attach(|py| -> PyResult<_> {
            static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let class = CLASS.import(py, "numpy.random", "MT19937")?;
            let generator = self.generator.bind(py);
            if !generator.get_type().is(class) {
                return Ok(None);
            }
            let state = generator.getattr("state")?;
            let inner = state.get_item("state")?;
            let words = inner.get_item("key")?.cast_into::<PyArray1<u32>>()?;
            let position: usize = inner.get_item("pos")?.extract()?;
            let key: Result<[u32; WORDS], _> = words.to_vec()?.try_into();
            Ok(match key {
                Ok(key) if position <= WORDS => {
                    Some((MersenneTwister { key, position }, state.unbind()))
                }
                _ => None,
            })
        })?;
        let Some((mut twister, state)) = taken else {
            return Ok(false);
        };
        fill(&mut twister);
        Python::attach(|py| {
            let state = state.bind(py);
            let inner = state.get_item("state")?;
            inner.set_item("key", PyArray1::from_slice(py, &twister.key))?;
            inner.set_item("pos", twister.position)?;
            self.generator.bind(py).setattr("state", state)
        })?;
        Ok(true)
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        Python::attach(|py| {
            if let Err(failure) = self.give_back(py) {
                failure.write_unraisable(py, None);
            }
        });
    }
}

impl Generators {
    /// Gives back what was borrowed, before other code runs.
    pub fn give_back(&mut self) {
        self.numpy = None;
        self.normals = 0;
    }

    fn borrowed(&mut self) -> jit::Result<&mut Borrowed> {
        if self.numpy.is_none() {
            self.numpy = Some(Python::attach(Borrowed::new).map_err(raised)?);
        }
        Ok(self.numpy.as_mut().expect("it is there now"))
    }

    /// NumPy's generator, until anything else here is called.
    pub fn bit_generator(&mut self) -> jit::Result<BitGenerator> {
        Ok(self.borrowed()?.interface)
    }

    /// A number that the generator's own interface does not make, as a word.
    pub fn draw(&mut self, from: Generator, what: Drawn, word: u64) -> jit::Result<u64> {
        match (from, what) {
            (Generator::NumPy, Drawn::Normal) => self.normal(),
            (Generator::NumPy, _) => Err(jit::Error::Internal("it is drawn elsewhere".into())),
            (Generator::Python, _) => self.draw_of_python(what, word),
        }
    }

    fn normal(&mut self) -> jit::Result<u64> {
        if self.normals < FEW_NORMALS {
            // The lock goes back, but they are counted on.
            self.numpy = None;
            self.normals += 1;
            let number = Python::attach(|py| -> PyResult<f64> {
                let name = pyo3::intern!(py, "standard_normal");
                random_state(py)?.call_method0(name)?.extract()
            });
            return Ok(number.map_err(raised)?.to_bits());
        }
        let generator = self.borrowed()?;
        generator.fetch_kept().map_err(raised)?;
        Ok(generator.normal().to_bits())
    }

    fn draw_of_python(&mut self, what: Drawn, word: u64) -> jit::Result<u64> {
        let drawn = Python::attach(|py| -> PyResult<u64> {
            match what {
                Drawn::Unit => {
                    let function = found(&mut self.python, py, "random")?;
                    let number: f64 = function.call0()?.extract()?;
                    Ok(number.to_bits())
                }
                Drawn::Bits => found(&mut self.python_bits, py, "getrandbits")?
                    .call1((64,))?
                    .extract(),
                Drawn::SomeBits => {
                    let function = found(&mut self.python_bits, py, "getrandbits")?;
                    let bits: i64 = function.call1((word as i64,))?.extract()?;
                    Ok(bits as u64)
                }
                // As `random.Random._randbelow` does it.
                Drawn::UpTo => {
                    let function = found(&mut self.python_bits, py, "getrandbits")?;
                    let count = match word.checked_add(1) {
                        Some(count) => u64::BITS - count.leading_zeros(),
                        None => u64::BITS + 1,
                    };
                    loop {
                        let drawn = function.call1((count,))?;
                        // One bit more than a word has is drawn for the whole range only.
                        match drawn.extract::<u64>() {
                            Ok(drawn) if drawn <= word => return Ok(drawn),
                            Ok(_) => {}
                            Err(_) if count > u64::BITS => {}
                            Err(failure) => return Err(failure),
                        }
                    }
                }
                _ => Err(error(
                    Class::InternalError,
                    "Python's generator makes no such numbers",
                )),
            }
        });
        drawn.map_err(raised)
    }

    /// Fills memory with numbers of NumPy's generator, from `low` on and below `low + span`.
    pub fn fill(
        &mut self,
        memory: &mut [MaybeUninit<f64>],
        low: f64,
        span: f64,
    ) -> jit::Result<()> {
        let borrowed = self.borrowed()?;
        let interface = borrowed.interface;
        let scale = |memory: &mut [MaybeUninit<f64>]| {
            if (low, span) == (0.0, 1.0) {
                return;
            }
            for number in memory {
                // SAFETY: it was filled before.
                let unit = unsafe { number.assume_init() };
                number.write(low + span * unit);
            }
        };
        if memory.len() >= MANY {
            let many = |twister: &mut MersenneTwister| {
                for part in memory.chunks_mut(NEAR) {
                    twister.fill(part);
                    scale(part);
                }
            };
            if borrowed.fill_many(many).map_err(raised)? {
                return Ok(());
            }
        }
        for part in memory.chunks_mut(NEAR) {
            // SAFETY: the generator is ours.
            unsafe { interface.fill(part) };
            scale(part);
        }
        Ok(())
    }
}
