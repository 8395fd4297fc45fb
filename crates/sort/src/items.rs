//! What is moved about while sorting: ranks, alone or with the index they came from.
//!
//! What always holds: items with equal ranks may not be told apart by a sort, except by where
//! they stand; all sorts of items are stable.

use crate::vectors::Word;
use num_complex::Complex;
use std::cmp::Ordering;

/// Something to sort, as plain data: any pattern of bits is one.
pub trait Item: Copy + Send + Sync {
    /// What decides the order.
    type Rank: Copy + Ord + Send + Sync;
    /// Whether the word says all that the rank says.
    const EXACT: bool;
    /// Whether an item is one [`Item::Word`] and nothing else, and in the order of those: by its
    /// rank, and among equals by where it stood. Such items are sorted by vectors.
    const IS_WORD: bool = false;
    /// The word, if it is one.
    type Word: Word;

    /// Its rank.
    fn rank(&self) -> Self::Rank;

    /// The rank in one word, as well as it can be said: never greater for a lesser rank.
    fn word(&self) -> u64;

    /// Where it stood among items of the same rank, if it knows.
    fn tie(&self) -> u64 {
        0
    }
}

/// Items as the words that they are.
pub(crate) fn as_words<I: Item>(items: &mut [I]) -> &mut [I::Word] {
    const { assert!(!I::IS_WORD || size_of::<I>() == size_of::<I::Word>()) };
    assert!(I::IS_WORD);
    let (first, count) = (items.as_mut_ptr(), items.len());
    // SAFETY: an item is one word, and any word is an item.
    unsafe { std::slice::from_raw_parts_mut(first.cast(), count) }
}

macro_rules! plain {
    ($($key:ty, $is_word:literal, $word:ty);*) => {$(
        impl Item for $key {
            type Rank = $key;
            const EXACT: bool = true;
            const IS_WORD: bool = $is_word;
            type Word = $word;

            #[inline(always)]
            fn rank(&self) -> $key {
                *self
            }

            #[inline(always)]
            fn word(&self) -> u64 {
                u64::from(*self)
            }
        }
    )*};
}
plain!(u8, false, u64; u16, false, u64; u32, true, u32; u64, true, u64);

/// A rank of at most 32 bits above an index of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Narrow(u64);

impl Item for Narrow {
    type Rank = u64;
    const EXACT: bool = true;
    const IS_WORD: bool = true;
    type Word = u64;

    #[inline(always)]
    fn rank(&self) -> u64 {
        self.word()
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        self.0 >> 32
    }

    #[inline(always)]
    fn tie(&self) -> u64 {
        self.0 & 0xffff_ffff
    }
}

/// A rank of 64 bits and an index of 32, without a gap after them.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
pub struct Wide {
    rank: u64,
    index: u32,
}

impl Item for Wide {
    type Rank = u64;
    const EXACT: bool = true;
    type Word = u64;

    #[inline(always)]
    fn rank(&self) -> u64 {
        self.word()
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        self.rank
    }

    #[inline(always)]
    fn tie(&self) -> u64 {
        u64::from(self.index)
    }
}

/// A rank and an index of any size.
#[derive(Clone, Copy)]
pub struct Widest {
    rank: u64,
    index: u64,
}

impl Item for Widest {
    type Rank = u64;
    const EXACT: bool = true;
    type Word = u64;

    #[inline(always)]
    fn rank(&self) -> u64 {
        self.word()
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        self.rank
    }

    #[inline(always)]
    fn tie(&self) -> u64 {
        self.index
    }
}

/// An item that remembers where it was.
pub trait Indexed: Item {
    /// What it is made from.
    type From: Copy;

    /// The item of a rank at an index, which fits.
    fn new(rank: Self::From, index: usize) -> Self;

    /// Where it was.
    #[inline(always)]
    fn index(&self) -> i64 {
        self.tie() as i64
    }
}

impl Indexed for Narrow {
    type From = u64;

    #[inline(always)]
    fn new(rank: u64, index: usize) -> Narrow {
        Narrow(rank << 32 | index as u64)
    }
}

impl Indexed for Wide {
    type From = u64;

    #[inline(always)]
    fn new(rank: u64, index: usize) -> Wide {
        Wide {
            rank,
            index: index as u32,
        }
    }
}

impl Indexed for Widest {
    type From = u64;

    #[inline(always)]
    fn new(rank: u64, index: usize) -> Widest {
        Widest {
            rank,
            index: index as u64,
        }
    }
}

/// A part of a complex number.
pub trait Part: Copy + Send + Sync + 'static {
    /// Its place in the order of numbers: zeros are alike, and so are NaNs.
    fn place(self) -> u64;
    /// Whether it is not a number.
    fn is_nan(self) -> bool;
}

/// The rank of a complex number: NumPy's order, or the reverse of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ComplexRank<const DESCENDING: bool> {
    class: u8,
    real: u64,
    imaginary: u64,
}

impl<const DESCENDING: bool> ComplexRank<DESCENDING> {
    #[inline(always)]
    fn of<P: Part>(value: Complex<P>) -> Self {
        // Within the last class the imaginary part decides, and its NaNs are greatest anyway.
        let class = match (value.re.is_nan(), value.im.is_nan()) {
            (false, false) => 0,
            (false, true) => 1,
            (true, _) => 2,
        };
        ComplexRank {
            class,
            real: value.re.place(),
            imaginary: value.im.place(),
        }
    }

    /// The class, and as much of the real part as fits beside it.
    #[inline(always)]
    fn word(self) -> u64 {
        let word = match self.class {
            class @ (0 | 1) => u64::from(class) << 63 | self.real >> 1,
            _ => u64::MAX,
        };
        if DESCENDING { !word } else { word }
    }
}

impl<const DESCENDING: bool> Ord for ComplexRank<DESCENDING> {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = if DESCENDING {
            (other, self)
        } else {
            (self, other)
        };
        (a.class, a.real, a.imaginary).cmp(&(b.class, b.real, b.imaginary))
    }
}

impl<const DESCENDING: bool> PartialOrd for ComplexRank<DESCENDING> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A complex number to sort.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct ComplexItem<P, const DESCENDING: bool>(pub(crate) Complex<P>);

impl<P: Part, const DESCENDING: bool> Item for ComplexItem<P, DESCENDING> {
    type Rank = ComplexRank<DESCENDING>;
    const EXACT: bool = false;
    type Word = u64;

    #[inline(always)]
    fn rank(&self) -> Self::Rank {
        ComplexRank::of(self.0)
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        self.rank().word()
    }
}

/// A complex number to sort, and where it was.
#[derive(Clone, Copy)]
pub struct IndexedComplex<P, const DESCENDING: bool> {
    value: Complex<P>,
    index: u64,
}

impl<P: Part, const DESCENDING: bool> Item for IndexedComplex<P, DESCENDING> {
    type Rank = ComplexRank<DESCENDING>;
    const EXACT: bool = false;
    type Word = u64;

    #[inline(always)]
    fn rank(&self) -> Self::Rank {
        ComplexRank::of(self.value)
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        self.rank().word()
    }

    fn tie(&self) -> u64 {
        self.index
    }
}

impl<P: Part, const DESCENDING: bool> Indexed for IndexedComplex<P, DESCENDING> {
    type From = Complex<P>;

    #[inline(always)]
    fn new(value: Complex<P>, index: usize) -> Self {
        IndexedComplex {
            value,
            index: index as u64,
        }
    }
}
