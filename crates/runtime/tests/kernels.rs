//! Launching kernels on the native backend: what is checked, and what is ordered. The code is
//! written by hand.

use colocate_backend_native::{NativeBackend, NativeConfig};
use colocate_runtime::hal::{HostCode, HostPart, KernelCode, SlotKind};
use colocate_runtime::{
    Access, Device, Error, KernelImage, LoadedKernel, Needs, Queue, QueueProperties, Registry, Use,
    Usm, UsmKind, geometry,
};
use std::sync::Arc;

/// Adds the second argument to every element of the first.
unsafe extern "C" fn add(arguments: *const u64, part: *const HostPart, _scratch: *mut u8) {
    // SAFETY: launched with an array of as many numbers as items, and a number.
    unsafe {
        let array = *arguments as *mut u64;
        let local = (*part).local[0];
        for i in (*part).begin[0] * local..(*part).end[0] * local {
            *array.add(i as usize) += *arguments.add(1);
        }
    }
}

fn registry() -> Registry {
    Registry::new(vec![Arc::new(NativeBackend::new(NativeConfig {
        devices: 2,
        discrete: false,
    }))])
}

fn queue(index: usize, in_order: bool) -> Queue {
    queue_of(&registry().devices().unwrap()[index], in_order)
}

fn queue_of(device: &Device, in_order: bool) -> Queue {
    let properties = QueueProperties {
        in_order,
        enable_profiling: false,
    };
    let context = device.default_context().unwrap();
    context.create_queue(device, properties).unwrap()
}

fn image(grouped: bool) -> KernelImage {
    KernelImage {
        name: "entry_7".into(),
        slots: vec![SlotKind::Pointer, SlotKind::Word],
        grouped,
        code: KernelCode::Host(HostCode {
            entry: add,
            scratch_bytes: 0,
            scratch_bytes_per_item: 0,
            lanes: 1,
            item_cost: 1e3,
            keep: Arc::new(()),
        }),
    }
}

fn load(queue: &Queue, grouped: bool, needs: Needs) -> LoadedKernel {
    // SAFETY: the code does what the image says.
    unsafe { LoadedKernel::load(queue, &image(grouped), "adder", needs) }.unwrap()
}

fn refusal(kernel: &LoadedKernel, global: &[usize], local: Option<&[usize]>) -> String {
    let space = geometry(global, local).unwrap();
    match kernel.check(&space) {
        Err(Error::Launch { kernel, why }) => {
            assert_eq!(kernel, "adder", "the user's name, not the entry point's");
            why
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn launches_on_one_allocation_are_ordered_on_any_queue() {
    let device = &registry().devices().unwrap()[0];
    let (first, second) = (queue_of(device, false), queue_of(device, true));
    let usm = Usm::allocate(&first, UsmKind::Host, 8 * 1000).unwrap();
    first.fill(&usm, 0, &[0; 8], 1000).unwrap();
    let uses = [Use {
        usm: &usm,
        access: Access::Write,
    }];
    let space = geometry(&[1000], None).unwrap();
    for turn in 0..20 {
        let queue = if turn % 3 == 0 { &second } else { &first };
        let kernel = load(queue, false, Needs::default());
        let block = [usm.pointer() as u64, 1];
        // SAFETY: the array has as many elements as items, and is named in `uses`.
        unsafe { queue.launch(&kernel, &block, &space, &uses, &[]) }.unwrap();
    }
    usm.wait_for(Access::Read).unwrap();
    // SAFETY: the work on it is over.
    let seen = unsafe { std::slice::from_raw_parts(usm.pointer() as *const u64, 1000) };
    assert!(seen.iter().all(|&one| one == 20));
}

#[test]
fn a_kernel_is_loaded_once_for_a_root_device() {
    let registry = registry();
    let device = &registry.devices().unwrap()[0];
    let queue = device.default_queue().unwrap();
    let first = load(&queue, false, Needs::default());
    let again = load(&queue, false, Needs::default());
    assert_eq!(first, again);
    let other = registry.devices().unwrap()[1].default_queue().unwrap();
    assert!(first.fits(&queue) && !first.fits(&other));
    assert_ne!(first, load(&other, false, Needs::default()));
}

#[test]
fn sizes_that_do_not_divide_are_refused_with_a_way_out() {
    let kernel = load(&queue(0, true), true, Needs::default());
    let why = refusal(&kernel, &[10, 8], Some(&[4, 4]));
    assert!(
        why.contains("(4, 4) does not divide the global size (10, 8)"),
        "{why}"
    );
    assert!(why.contains("axis 0") && why.contains("12"), "{why}");
    assert!(refusal(&kernel, &[8], Some(&[0])).contains("extent of 0"));
}

#[test]
fn limits_are_told() {
    let queue = queue(0, true);
    let limit = queue.device().info().max_work_group_size as usize;
    let kernel = load(&queue, true, Needs::default());
    let why = refusal(&kernel, &[limit * 2], Some(&[limit * 2]));
    assert!(why.contains(&limit.to_string()), "{why}");

    let few = load(
        &queue,
        true,
        Needs {
            largest_group: Some(16),
            ..Needs::default()
        },
    );
    let why = refusal(&few, &[32], Some(&[32]));
    assert!(
        why.contains("groups of 32 items") && why.contains("may have 16"),
        "{why}"
    );

    let there_is = queue.device().info().local_mem_size as usize;
    let greedy = load(
        &queue,
        true,
        Needs {
            local_bytes: there_is + 1,
            ..Needs::default()
        },
    );
    let why = refusal(&greedy, &[32], Some(&[32]));
    assert!(why.contains(&there_is.to_string()), "{why}");
}

#[test]
fn groups_are_for_kernels_that_have_them() {
    let queue = queue(0, true);
    let plain = load(&queue, false, Needs::default());
    assert!(refusal(&plain, &[8], Some(&[4])).contains("without a local size"));
    assert!(refusal(&plain, &[usize::MAX, 3], None).contains("more items"));
    assert_eq!(geometry(&[], None), None);
    assert_eq!(geometry(&[1, 2, 3, 4], None), None);
    assert_eq!(geometry(&[4, 4], Some(&[2])), None);
}

#[test]
fn a_block_of_the_wrong_length_and_memory_of_another_context_are_refused() {
    let (here, there) = (queue(0, true), queue(1, true));
    let usm = Usm::allocate(&here, UsmKind::Host, 8).unwrap();
    let kernel = load(&here, false, Needs::default());
    let space = geometry(&[1], None).unwrap();
    // SAFETY: both are refused before anything runs.
    let (short, elsewhere) = unsafe {
        (
            here.launch(&kernel, &[0], &space, &[], &[]),
            there.launch(&kernel, &[0, 0], &space, &[], &[]),
        )
    };
    assert!(short.unwrap_err().to_string().contains("2 argument slots"));
    assert!(
        elsewhere
            .unwrap_err()
            .to_string()
            .contains("another device")
    );
    let uses = [Use {
        usm: &usm,
        access: Access::Write,
    }];
    let kernel = load(&there, false, Needs::default());
    let block = [usm.pointer() as u64, 1];
    // SAFETY: refused before anything runs.
    let foreign = unsafe { there.launch(&kernel, &block, &space, &uses, &[]) };
    assert!(matches!(foreign, Err(Error::Mismatch(_))));
}
