//! A generator of random bits, as NumPy describes its own in C, and what NumPy's functions make of the bits.
//!
//! Programs count on the numbers of a seed, so each is made of the same operations as there.

use colocate_frontend::program::Drawn;
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// `bitgen_t` of `numpy/random/bitgen.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BitGenerator {
    state: *mut c_void,
    next_uint64: unsafe extern "C" fn(*mut c_void) -> u64,
    next_uint32: unsafe extern "C" fn(*mut c_void) -> u32,
    next_double: unsafe extern "C" fn(*mut c_void) -> f64,
    next_raw: unsafe extern "C" fn(*mut c_void) -> u64,
}

impl BitGenerator {
    /// From 0 to below 1.
    ///
    /// # Safety
    /// Of this method and the others: the generator is alive, and nobody else uses it meanwhile.
    pub unsafe fn unit(&self) -> f64 {
        // SAFETY: the caller's word.
        unsafe { (self.next_double)(self.state) }
    }

    /// 64 bits.
    ///
    /// # Safety
    /// See [`BitGenerator::unit`].
    pub unsafe fn bits(&self) -> u64 {
        // SAFETY: the caller's word.
        unsafe { (self.next_uint64)(self.state) }
    }

    /// From 0 to a largest one: bits under a mask, until they fit.
    ///
    /// # Safety
    /// See [`BitGenerator::unit`].
    pub unsafe fn up_to(&self, largest: u64) -> u64 {
        if largest == 0 {
            return 0;
        }
        let mask = u64::MAX >> largest.leading_zeros();
        loop {
            // SAFETY: the caller's word.
            let bits = unsafe {
                match largest <= u64::from(u32::MAX) {
                    true => u64::from((self.next_uint32)(self.state)),
                    false => self.bits(),
                }
            };
            if bits & mask <= largest {
                return bits & mask;
            }
        }
    }

    /// Two normal numbers, by Marsaglia's polar method.
    ///
    /// # Safety
    /// See [`BitGenerator::unit`].
    pub unsafe fn normals(&self) -> [f64; 2] {
        loop {
            // SAFETY: the caller's word.
            let (x, y) = unsafe { (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0) };
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                return [factor * y, factor * x];
            }
        }
    }

    /// Whether [`BitGenerator::draw`] makes it. Normal numbers are made in pairs.
    pub fn draws(what: Drawn) -> bool {
        !matches!(what, Drawn::Normal | Drawn::SomeBits)
    }

    /// A random number as a word; `largest` counts for [`Drawn::UpTo`].
    ///
    /// # Safety
    /// See [`BitGenerator::unit`].
    pub unsafe fn draw(&self, what: Drawn, largest: u64) -> u64 {
        // SAFETY: the caller's word.
        unsafe {
            match what {
                Drawn::Unit => self.unit().to_bits(),
                Drawn::Exponential => (-(1.0 - self.unit()).ln()).to_bits(),
                Drawn::UpTo => self.up_to(largest),
                Drawn::Bits | Drawn::Normal | Drawn::SomeBits => self.bits(),
            }
        }
    }

    /// Fills memory with units.
    ///
    /// # Safety
    /// See [`BitGenerator::unit`].
    pub unsafe fn fill(&self, memory: &mut [MaybeUninit<f64>]) {
        for number in memory {
            // SAFETY: the caller's word.
            number.write(unsafe { self.unit() });
        }
    }
}
