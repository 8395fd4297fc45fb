//! Arrays against a plain model of what they should hold, on devices the host can and cannot see.

use colocate_array::{Array, Error};
use colocate_backend_native::{NativeBackend, NativeConfig};
use colocate_dtype::index::Item;
use colocate_dtype::{DType, Layout};
use colocate_runtime::{Queue, Registry, Usm, UsmKind};
use proptest::prelude::*;
use std::sync::Arc;

fn queues() -> Vec<Queue> {
    let mut queues = Vec::new();
    for discrete in [false, true] {
        let config = NativeConfig {
            devices: 2,
            discrete,
        };
        let registry = Registry::new(vec![Arc::new(NativeBackend::new(config))]);
        queues.extend(
            registry
                .devices()
                .unwrap()
                .iter()
                .map(|device| device.default_queue().unwrap()),
        );
    }
    queues
}

fn numbered(shape: &[usize], kind: UsmKind, queue: &Queue) -> Array {
    let array = Array::empty(shape, DType::UInt16, kind, queue).unwrap();
    let bytes: Vec<u8> = (0..array.size() as u16)
        .flat_map(u16::to_le_bytes)
        .collect();
    array.write_from(&bytes).unwrap();
    array
}

fn elements(array: &Array) -> Vec<u16> {
    let mut bytes = vec![0u8; array.nbytes()];
    // SAFETY: as many bytes as the array has.
    unsafe { array.read_into(bytes.as_mut_ptr()) }.unwrap();
    bytes
        .chunks(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect()
}

/// Where the elements of a layout lie, in row-major order.
fn positions(layout: &Layout) -> Vec<usize> {
    let mut all = vec![layout.offset()];
    for (&extent, &stride) in layout.shape().iter().zip(layout.strides()) {
        all = all
            .iter()
            .flat_map(|&base| (0..extent as isize).map(move |i| base + i * stride))
            .collect();
    }
    all.into_iter().map(|position| position as usize).collect()
}

fn some_slice() -> impl Strategy<Value = Item> {
    let end = || proptest::option::of(-6isize..6);
    (
        end(),
        end(),
        prop_oneof![Just(-2isize), Just(-1), Just(1), Just(2)],
    )
        .prop_map(|(start, stop, step)| Item::Slice { start, stop, step })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn views_read_what_lies_under_them(rows in some_slice(), columns in some_slice(), kind in 0usize..3, flip in any::<bool>()) {
        for queue in queues() {
            let array = numbered(&[4, 5], UsmKind::ALL[kind], &queue);
            let view = array.index(&[rows, columns]).unwrap();
            let view = if flip { view.transposed() } else { view };
            let wanted: Vec<u16> = positions(view.layout()).into_iter().map(|p| p as u16).collect();
            prop_assert_eq!(elements(&view), wanted);
        }
    }

    #[test]
    fn assignment_between_any_views_and_places_arrives(to in some_slice(), from in some_slice(), kinds in (0usize..3, 0usize..3)) {
        let queues = queues();
        for (i, target_queue) in queues.iter().enumerate() {
            // Neighbours in the list: the same device, another one, another kind of device.
            for source_queue in [target_queue, &queues[(i + 1) % queues.len()]] {
                let target = numbered(&[5, 3], UsmKind::ALL[kinds.0], target_queue);
                let source = numbered(&[5, 3], UsmKind::ALL[kinds.1], source_queue);
                let (a, b) = (target.index(&[to]).unwrap(), source.index(&[from]).unwrap());
                let outcome = a.assign(&b);
                let fits = a.shape() == b.shape() || b.shape()[0] == 1;
                prop_assert_eq!(outcome.is_ok(), fits);
                if !fits {
                    continue;
                }
                let mut wanted: Vec<u16> = (0..15).collect();
                let spread = b.layout().broadcast_to(a.shape()).unwrap();
                for (t, f) in positions(a.layout()).into_iter().zip(positions(&spread)) {
                    wanted[t] = f as u16;
                }
                prop_assert_eq!(elements(&target), wanted);
            }
        }
    }

    #[test]
    fn assignment_within_one_array_reads_first(to in some_slice(), from in some_slice()) {
        for queue in queues() {
            let array = numbered(&[5, 3], UsmKind::Device, &queue);
            let (a, b) = (array.index(&[to]).unwrap(), array.index(&[from]).unwrap());
            if a.shape() != b.shape() {
                continue;
            }
            let mut wanted: Vec<u16> = (0..15).collect();
            for (t, f) in positions(a.layout()).into_iter().zip(positions(b.layout())) {
                wanted[t] = f as u16;
            }
            a.assign(&b).unwrap();
            prop_assert_eq!(elements(&array), wanted);
        }
    }
}

#[test]
fn large_strided_copies_run_in_parts_and_arrive_whole() {
    let queue = &queues()[0];
    let (rows, columns) = (300, 200);
    let array = numbered(&[rows, columns], UsmKind::Device, queue);
    let turned = array.transposed().copy_to(queue, UsmKind::Device).unwrap();
    let got = elements(&turned);
    for column in 0..columns {
        for row in 0..rows {
            assert_eq!(got[column * rows + row], (row * columns + column) as u16);
        }
    }
}

#[test]
fn a_layout_that_leaves_its_memory_is_refused() {
    let queue = &queues()[0];
    let usm = Usm::allocate(queue, UsmKind::Device, 64).unwrap();
    for (shape, strides, offset) in [
        (&[33usize][..], &[1isize][..], 0),
        (&[4], &[1], -1),
        (&[2], &[-1], 0),
        (&[2], &[40], 0),
    ] {
        let layout = Layout::strided(shape, strides, offset, 2).unwrap();
        let outcome = Array::over(usm.clone(), layout, DType::UInt16, queue, true);
        assert!(
            matches!(outcome, Err(Error::OutsideMemory { .. })),
            "{shape:?} {strides:?}"
        );
    }
}

#[test]
fn read_only_and_differing_dtypes_are_refused() {
    let queue = &queues()[0];
    let array = numbered(&[3], UsmKind::Device, queue);
    let spread = array.broadcast_to(&[2, 3]).unwrap();
    assert!(matches!(spread.assign(&array), Err(Error::ReadOnly)));
    let other = Array::empty(&[3], DType::Int16, UsmKind::Device, queue).unwrap();
    assert!(matches!(array.assign(&other), Err(Error::DType { .. })));
}
