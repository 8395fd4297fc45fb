//! The object model on the native backend, with two devices.

use colocate_backend_native::{NativeBackend, NativeConfig};
use colocate_runtime::hal::HostTask;
use colocate_runtime::placement::{
    Disagreement, Placed, PlacementError, coerced_usm_kind, execution_queue,
};
use colocate_runtime::{
    Access, Device, Error, Partition, Queue, QueueProperties, Registry, Use, Usm, UsmKind, pool,
};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn registry() -> Registry {
    Registry::new(vec![Arc::new(NativeBackend::new(NativeConfig {
        devices: 2,
        discrete: false,
    }))])
}

fn queue_of(device: &Device, in_order: bool) -> Queue {
    let properties = QueueProperties {
        in_order,
        enable_profiling: false,
    };
    device
        .default_context()
        .unwrap()
        .create_queue(device, properties)
        .unwrap()
}

/// Work on `usm` that does not end before `gate` opens.
fn hold(queue: &Queue, usm: &Usm, gate: &Arc<AtomicBool>) {
    let gate = gate.clone();
    let task = HostTask {
        parts: 1,
        small: false,
        run: Box::new(move |_| {
            while !gate.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        }),
    };
    let uses = [Use {
        usm,
        access: Access::Write,
    }];
    // SAFETY: the task touches no memory.
    unsafe { queue.host_task("test", &uses, task) }.unwrap();
}

#[test]
fn devices_are_selected_by_backend_type_and_index() {
    let registry = registry();
    let devices = registry.devices().unwrap();
    assert_eq!(devices.len(), 2);
    assert_eq!(registry.select("cpu").unwrap(), devices[0]);
    assert_eq!(registry.select("CPU:1").unwrap(), devices[1]);
    assert_eq!(registry.select("cuda, native::1").unwrap(), devices[1]);
    assert_ne!(devices[0], devices[1]);
    assert_ne!(
        devices[0].default_context().unwrap(),
        devices[1].default_context().unwrap()
    );
    for (text, wanted) in [
        ("gpu", "no device matches"),
        ("tpu", "is not a device selector"),
    ] {
        let message = registry.select(text).unwrap_err().to_string();
        assert!(
            message.contains(wanted) && message.contains("native:cpu:1"),
            "{message}"
        );
    }
}

#[test]
fn default_queues_are_shared_and_new_ones_are_equivalent_to_them() {
    let device = registry().select("cpu").unwrap();
    let default = device.default_queue().unwrap();
    assert_eq!(default, device.default_queue().unwrap());
    let other = queue_of(&device, true);
    assert!(other != default && other.equivalent(&default));
    assert!(!queue_of(&device, false).equivalent(&default));
}

#[test]
fn a_context_takes_no_stranger() {
    let registry = registry();
    let devices = registry.devices().unwrap();
    let context = devices[0].default_context().unwrap();
    let error = context
        .create_queue(&devices[1], QueueProperties::default())
        .unwrap_err();
    assert!(matches!(error, Error::NotInContext { .. }));
    assert!(matches!(
        Device::context_over(&devices),
        Err(Error::Mismatch(_))
    ));
    assert!(matches!(Device::context_over(&[]), Err(Error::Mismatch(_))));
}

#[test]
fn the_refusal_lists_every_argument_and_the_fix() {
    let registry = registry();
    let queues: Vec<Queue> = registry
        .devices()
        .unwrap()
        .iter()
        .map(|d| d.default_queue().unwrap())
        .collect();
    assert_eq!(execution_queue(&queues), Err(Disagreement));
    let arguments = ["left", "right"]
        .into_iter()
        .zip(&queues)
        .map(|(name, queue)| Placed {
            name: name.into(),
            queue: queue.clone(),
            usm_kind: Some(UsmKind::Shared),
        })
        .collect();
    let message = PlacementError {
        function: "add".into(),
        arguments,
    }
    .to_string();
    for part in [
        "add:",
        "native:cpu:0",
        "native:cpu:1",
        "right = colocate.asarray(right, queue=left.queue)",
    ] {
        assert!(message.contains(part), "{message}");
    }
}

proptest! {
    #[test]
    fn the_results_kind_is_the_nearest_to_the_device(kinds in proptest::collection::vec(0usize..3, 0..5)) {
        let kinds: Vec<UsmKind> = kinds.into_iter().map(|kind| UsmKind::ALL[kind]).collect();
        let wanted = UsmKind::ALL.into_iter().find(|kind| kinds.contains(kind));
        prop_assert_eq!(coerced_usm_kind(kinds), wanted);
    }
}

#[test]
fn work_on_one_queue_waits_for_work_of_another_on_the_same_memory() {
    let device = registry().select("cpu").unwrap();
    let (one, two) = (queue_of(&device, true), queue_of(&device, false));
    let bytes = 4 << 20;
    let (a, b) = (
        Usm::allocate(&one, UsmKind::Device, bytes).unwrap(),
        Usm::allocate(&one, UsmKind::Device, bytes).unwrap(),
    );
    for round in 0..20u8 {
        one.fill(&a, 0, &[round], bytes).unwrap();
        two.copy(&b, 0, &a, 0, bytes).unwrap();
        one.fill(&a, 0, &[0xff], bytes).unwrap();
        let mut got = vec![0u8; bytes];
        // SAFETY: as many bytes as are read.
        unsafe { one.copy_to_host(got.as_mut_ptr(), &b, 0, bytes) }.unwrap();
        assert!(got.iter().all(|&byte| byte == round));
    }
}

#[test]
fn memory_that_is_in_use_is_reused_only_behind_its_own_queue() {
    let device = registry().select("cpu").unwrap();
    let (one, two) = (queue_of(&device, true), queue_of(&device, true));
    let bytes = 3 << 20;
    let gate = Arc::new(AtomicBool::new(false));
    let usm = Usm::allocate(&one, UsmKind::Host, bytes).unwrap();
    let address = usm.pointer();
    hold(&one, &usm, &gate);
    drop(usm);
    let elsewhere = Usm::allocate(&two, UsmKind::Host, bytes).unwrap();
    assert_ne!(
        elsewhere.pointer(),
        address,
        "another queue must not have it yet"
    );
    let behind = Usm::allocate(&one, UsmKind::Host, bytes).unwrap();
    assert_eq!(
        behind.pointer(),
        address,
        "the same queue may: it comes after"
    );
    assert!(!behind.is_idle(), "and the host must still wait");
    gate.store(true, Ordering::Release);
    behind.wait_for(Access::Write).unwrap();
    assert!(behind.is_idle());
}

#[test]
fn a_sub_devices_memory_is_counted_as_its_own() {
    let device = registry().select("cpu").unwrap();
    let part = device
        .create_sub_devices(&Partition::Equally(1))
        .unwrap()
        .remove(0);
    let queue = part.default_queue().unwrap();
    assert_eq!(queue, part.default_queue().unwrap());
    let usm = Usm::allocate(&queue, UsmKind::Device, 1 << 20).unwrap();
    queue.fill(&usm, 0, &[1], 1 << 20).unwrap();
    assert!(pool::stats(Some(&part)).in_use >= 1 << 20);
    drop((usm, queue));
    let after = pool::stats(Some(&part));
    assert_eq!(after.in_use, 0);
    assert!(after.cached >= 1 << 20);
}

#[test]
fn what_lies_outside_an_allocation_is_refused() {
    let device = registry().select("cpu").unwrap();
    let queue = device.default_queue().unwrap();
    let usm = Usm::allocate(&queue, UsmKind::Device, 64).unwrap();
    assert!(queue.copy_from_host(&usm, 60, &[0; 5]).is_err());
    assert!(queue.copy_from_host(&usm, usize::MAX, &[0; 5]).is_err());
    assert!(queue.fill(&usm, 0, &[0; 8], 9).is_err());
    assert!(
        queue.fill(&usm, 4, &[0; 8], 1).is_err(),
        "not aligned to the pattern"
    );
    assert!(queue.fill(&usm, 0, &[0; 3], 1).is_err(), "no such pattern");
    let other = registry().select("cpu:1").unwrap().default_queue().unwrap();
    assert!(other.copy(&usm, 0, &usm, 32, 8).is_err(), "another context");
}
