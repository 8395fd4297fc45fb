//! Sorting and splitting words by vectors, on processors with AVX-512.
//!
//! What always holds: both places, the words and the working memory, have room for all words of a
//! part, so that a part can go to either and its parts never meet.

#[cfg(target_arch = "x86_64")]
mod avx512;

/// Sorts the words with `scratch`, which is as long, as working memory. The processor has to be
/// able to ([`available`]).
pub(crate) fn sort<W: Word>(words: &mut [W], scratch: &mut [W]) {
    assert!(available() && scratch.len() >= words.len());
    #[cfg(target_arch = "x86_64")]
    {
        let depth = 2 * words.len().max(2).ilog2();
        // SAFETY: the processor has what it takes, and both places have that many words.
        unsafe {
            W::sort_with_avx512(words.as_mut_ptr(), scratch.as_mut_ptr(), words.len(), depth);
        }
    }
}

/// Splits the words at splitters, which ascend: those less than the first come first, then those
/// less than the second, and so on. Writes how many there are of each, one more than splitters.
/// The processor has to be able to ([`available`]), and `scratch` is as long as the words.
pub(crate) fn split<W: Word>(
    words: &mut [W],
    scratch: &mut [W],
    splitters: &[W],
    counts: &mut [usize],
) {
    assert!(available() && scratch.len() >= words.len() && counts.len() == splitters.len() + 1);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the processor has what it takes, and both places have that many words.
    unsafe {
        W::split_with_avx512(
            words.as_mut_ptr(),
            scratch.as_mut_ptr(),
            words.len(),
            splitters,
            counts,
        )
    }
}

/// Does some work, compiled for vectors as wide as those of sorting. The processor has to be able
/// to ([`available`]).
pub(crate) fn widely<R>(work: impl FnOnce() -> R) -> R {
    assert!(available());
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn compiled<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the processor has what it takes.
        unsafe { compiled(work) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    work()
}

/// Whether this processor can sort by vectors.
#[inline(always)]
pub(crate) fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("avx512vl");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// A word that vectors are made of.
pub trait Word: Copy + Ord + Send + Sync {
    /// Sorts `count` words at `here`.
    ///
    /// # Safety
    /// The processor has AVX-512F, and `count` words at both places are nobody else's.
    #[cfg(target_arch = "x86_64")]
    unsafe fn sort_with_avx512(here: *mut Self, there: *mut Self, count: usize, depth: u32);

    /// Splits `count` words at `here` as [`split`] does.
    ///
    /// # Safety
    /// As above.
    #[cfg(target_arch = "x86_64")]
    unsafe fn split_with_avx512(
        here: *mut Self,
        there: *mut Self,
        count: usize,
        splitters: &[Self],
        counts: &mut [usize],
    );
}
