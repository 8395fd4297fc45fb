//! Copies larger than the caches.
//!
//! An ordinary store first reads the line it writes to; for data that no cache will keep, that is
//! a third of the traffic for nothing. `memcpy` knows this, but judges by the size of each call,
//! and we call it for one part at a time.

/// From here on the destination would push everything else out of the caches.
const STREAMED: usize = 16 << 20;

/// Copies `bytes` bytes.
///
/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
pub type Copier = unsafe fn(to: *mut u8, from: *const u8, bytes: usize);

/// How to copy a part of a copy of `total` bytes.
pub fn copier_for(total: usize) -> Copier {
    #[cfg(target_arch = "x86_64")]
    if total >= STREAMED && std::is_x86_feature_detected!("avx") {
        return x86::copy_avx;
    }
    let _ = total;
    copy_plain
}

/// # Safety
/// As for [`Copier`].
unsafe fn copy_plain(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: the caller's word.
    unsafe { from.copy_to_nonoverlapping(to, bytes) }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, _mm_sfence, _mm256_loadu_si256, _mm256_stream_si256};

    const WIDTH: usize = 32;

    /// # Safety
    /// As for [`super::Copier`], on a CPU with AVX.
    pub unsafe fn copy_avx(to: *mut u8, from: *const u8, bytes: usize) {
        // SAFETY: the caller's word.
        unsafe { stream(to, from, bytes) }
    }

    /// # Safety
    /// As for [`copy_avx`].
    #[target_feature(enable = "avx")]
    unsafe fn stream(to: *mut u8, from: *const u8, bytes: usize) {
        // SAFETY: all offsets stay below `bytes`; streaming stores go to aligned addresses only.
        unsafe {
            let head = to.align_offset(WIDTH).min(bytes);
            from.copy_to_nonoverlapping(to, head);
            let mut at = head;
            while at + 4 * WIDTH <= bytes {
                let source = from.add(at).cast::<__m256i>();
                let target = to.add(at).cast::<__m256i>();
                let (a, b) = (
                    _mm256_loadu_si256(source),
                    _mm256_loadu_si256(source.add(1)),
                );
                let (c, d) = (
                    _mm256_loadu_si256(source.add(2)),
                    _mm256_loadu_si256(source.add(3)),
                );
                _mm256_stream_si256(target, a);
                _mm256_stream_si256(target.add(1), b);
                _mm256_stream_si256(target.add(2), c);
                _mm256_stream_si256(target.add(3), d);
                at += 4 * WIDTH;
            }
            from.add(at).copy_to_nonoverlapping(to.add(at), bytes - at);
            // Streaming stores are not ordered with the store that says "done".
            _mm_sfence();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streamed_copies_are_copies_at_every_alignment() {
        let source: Vec<u8> = (0..5000u32).map(|i| (i * 7) as u8).collect();
        for (shift, offset, bytes) in [
            (0, 0, 4096),
            (1, 3, 4001),
            (31, 17, 130),
            (5, 0, 10),
            (0, 1, 0),
        ] {
            let mut target = vec![0u8; 5000];
            // SAFETY: both ranges lie inside their vectors.
            unsafe {
                copier_for(STREAMED)(
                    target.as_mut_ptr().add(shift),
                    source.as_ptr().add(offset),
                    bytes,
                )
            };
            assert_eq!(target[shift..shift + bytes], source[offset..offset + bytes]);
            assert!(
                target[..shift]
                    .iter()
                    .chain(&target[shift + bytes..])
                    .all(|&b| b == 0)
            );
        }
    }
}
