//! The suite every backend runs.
//!
//! A backend instantiates it in one line of its tests:
//!
//! ```ignore
//! colocate_hal::conformance_suite!(|| Ok(my_backend()));
//! ```
//!
//! The closure gives the backend, or `Err(reason)` where its library is absent: then each test
//! prints the reason and does nothing.

use crate::{
    ALIGNMENT, AffinityDomain, Backend, ContextRef, DeviceRef, Error, EventRef, EventStatus,
    Partition, QueueProperties, QueueRef, UsmKind, timing,
};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

/// Makes one `#[test]` for each check of the suite.
#[macro_export]
macro_rules! conformance_suite {
    ($backend:expr) => {
        $crate::conformance_suite!(@each $backend;
            allocations_of_each_kind_are_aligned_and_writable,
            copies_go_in_all_directions,
            large_copies_arrive_whole,
            fill_repeats_patterns_of_every_size,
            fill_and_copy_of_nothing_complete,
            in_order_queues_keep_the_order_of_submission,
            out_of_order_queues_keep_to_dependencies,
            dependencies_hold_across_queues,
            barriers_separate_before_from_after,
            waiting_for_a_queue_waits_for_all_of_it,
            events_end_complete,
            profiling_times_are_ordered,
            profiling_is_refused_without_the_property,
            times_are_kept_while_they_are_wanted,
            default_contexts_are_shared,
            pointers_are_recognised_by_their_context,
            sub_devices_have_the_units_asked_for,
            sub_devices_compute,
            a_context_spans_sub_devices,
            impossible_partitions_are_refused,
            impossible_allocations_are_refused,
            identities_tell_objects_apart,
            queues_are_used_from_many_threads,
        );
    };
    (@each $backend:expr; $($check:ident,)*) => {
        $(
            #[test]
            fn $check() {
                let backend: Result<_, String> = ($backend)();
                match backend {
                    Ok(backend) => $crate::conformance::$check(&backend),
                    Err(reason) => eprintln!("skipped: {reason}"),
                }
            }
        )*
    };
}

/// An allocation that frees itself.
struct Memory {
    context: ContextRef,
    pointer: NonNull<u8>,
    kind: UsmKind,
    bytes: usize,
}

impl Memory {
    fn new(context: &ContextRef, device: &DeviceRef, kind: UsmKind, bytes: usize) -> Memory {
        Memory {
            pointer: context
                .alloc(device, kind, bytes)
                .expect("a modest allocation succeeds"),
            context: context.clone(),
            kind,
            bytes,
        }
    }

    fn ptr(&self) -> *mut u8 {
        self.pointer.as_ptr()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with the same kind and size; tests wait before they drop.
        unsafe { self.context.free(self.pointer, self.kind, self.bytes) }
    }
}

struct Setup {
    device: DeviceRef,
    context: ContextRef,
}

impl Setup {
    fn each(backend: &dyn Backend) -> Vec<Setup> {
        let devices = backend.root_devices().expect("devices can be listed");
        assert!(!devices.is_empty(), "a backend that is there has a device");
        devices
            .into_iter()
            .map(|device| Setup {
                context: device.default_context().expect("default context"),
                device,
            })
            .collect()
    }

    fn queue(&self, in_order: bool) -> QueueRef {
        self.queue_with(QueueProperties {
            in_order,
            enable_profiling: false,
        })
    }

    fn queue_with(&self, properties: QueueProperties) -> QueueRef {
        let queue = self
            .context
            .create_queue(&self.device, properties)
            .expect("queue");
        assert_eq!(queue.properties(), properties);
        queue
    }

    fn memory(&self, kind: UsmKind, bytes: usize) -> Memory {
        Memory::new(&self.context, &self.device, kind, bytes)
    }
}

fn copy(
    queue: &QueueRef,
    to: *mut u8,
    from: *const u8,
    bytes: usize,
    deps: &[EventRef],
) -> EventRef {
    // SAFETY: tests keep both sides alive until they have waited, and never overlap them.
    unsafe { queue.copy(to, from, bytes, deps) }.expect("copy")
}

fn fill(
    queue: &QueueRef,
    to: *mut u8,
    pattern: &[u8],
    count: usize,
    deps: &[EventRef],
) -> EventRef {
    // SAFETY: as for `copy`.
    unsafe { queue.fill(to, pattern, count, deps) }.expect("fill")
}

fn read_back(queue: &QueueRef, from: *const u8, bytes: usize) -> Vec<u8> {
    let mut host = vec![0u8; bytes];
    copy(queue, host.as_mut_ptr(), from, bytes, &[])
        .wait()
        .expect("read back");
    host
}

fn some_bytes(count: usize, seed: u8) -> Vec<u8> {
    (0..count)
        .map(|i| (i as u8).wrapping_mul(31).wrapping_add(seed))
        .collect()
}

/// The context hands out what it promises, and the host reaches what the context says it does.
pub fn allocations_of_each_kind_are_aligned_and_writable(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        for kind in UsmKind::ALL {
            for bytes in [1, 63, 64, 4096, 1 << 20] {
                let memory = setup.memory(kind, bytes);
                assert_eq!(memory.ptr() as usize % ALIGNMENT, 0);
                fill(&queue, memory.ptr(), &[7], bytes, &[]).wait().unwrap();
                if setup.context.host_can_access(kind) {
                    // SAFETY: the context says the host may, and the fill has ended.
                    assert_eq!(unsafe { memory.ptr().add(bytes - 1).read() }, 7);
                }
                assert!(
                    read_back(&queue, memory.ptr(), bytes)
                        .iter()
                        .all(|&b| b == 7)
                );
            }
        }
    }
}

/// Host to each kind, each kind to each other, and back.
pub fn copies_go_in_all_directions(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        for (seed, from) in UsmKind::ALL.into_iter().enumerate() {
            for to in UsmKind::ALL {
                let host = some_bytes(1000, seed as u8);
                let (a, b) = (setup.memory(from, 1000), setup.memory(to, 1000));
                copy(&queue, a.ptr(), host.as_ptr(), 1000, &[]);
                copy(&queue, b.ptr(), a.ptr(), 1000, &[]).wait().unwrap();
                assert_eq!(read_back(&queue, b.ptr(), 1000), host, "{from:?} to {to:?}");
            }
        }
    }
}

/// Sizes at which a backend splits the work, and odd ones beside them.
pub fn large_copies_arrive_whole(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        for bytes in [(1 << 20) + 1, (16 << 20) + 13, 40 << 20] {
            let host = some_bytes(bytes, 3);
            let (a, b) = (
                setup.memory(UsmKind::Device, bytes),
                setup.memory(UsmKind::Device, bytes),
            );
            copy(&queue, a.ptr(), host.as_ptr(), bytes, &[]);
            copy(&queue, b.ptr(), a.ptr(), bytes, &[]).wait().unwrap();
            assert!(read_back(&queue, b.ptr(), bytes) == host, "{bytes} bytes");
        }
    }
}

/// 1, 2, 4, 8 and 16 bytes, small and large.
pub fn fill_repeats_patterns_of_every_size(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        for width in [1, 2, 4, 8, 16] {
            for count in [1, 3, 1000, (3 << 20) / width + 1] {
                let pattern = some_bytes(width, 5);
                let memory = setup.memory(UsmKind::Device, width * count);
                fill(&queue, memory.ptr(), &pattern, count, &[])
                    .wait()
                    .unwrap();
                let got = read_back(&queue, memory.ptr(), width * count);
                assert!(
                    got.chunks(width).all(|chunk| chunk == pattern),
                    "{width} × {count}"
                );
            }
        }
    }
}

/// Zero bytes is a size like any other.
pub fn fill_and_copy_of_nothing_complete(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        let memory = setup.memory(UsmKind::Device, 64);
        copy(&queue, memory.ptr(), memory.ptr(), 0, &[])
            .wait()
            .unwrap();
        fill(&queue, memory.ptr(), &[1, 2], 0, &[]).wait().unwrap();
    }
}

/// A chain of large and small work, where each step reads what the one before wrote.
pub fn in_order_queues_keep_the_order_of_submission(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        let bytes = 8 << 20;
        let (a, b) = (
            setup.memory(UsmKind::Device, bytes),
            setup.memory(UsmKind::Device, bytes),
        );
        for round in 0..20u8 {
            fill(&queue, a.ptr(), &[round], bytes, &[]);
            copy(&queue, b.ptr(), a.ptr(), bytes, &[]);
            fill(&queue, a.ptr(), &[0xff], 64, &[]);
            let last = copy(&queue, a.ptr(), b.ptr(), 64, &[]);
            last.wait().unwrap();
            assert_eq!(read_back(&queue, a.ptr(), 65), vec![round; 65]);
        }
    }
}

/// The same chain with explicit dependencies.
pub fn out_of_order_queues_keep_to_dependencies(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(false);
        let bytes = 8 << 20;
        let (a, b) = (
            setup.memory(UsmKind::Device, bytes),
            setup.memory(UsmKind::Device, bytes),
        );
        for round in 0..20u8 {
            let first = fill(&queue, a.ptr(), &[round], bytes, &[]);
            let second = copy(&queue, b.ptr(), a.ptr(), bytes, &[first]);
            let third = fill(&queue, a.ptr(), &[0xff], 64, std::slice::from_ref(&second));
            copy(&queue, a.ptr(), b.ptr(), 64, &[third, second])
                .wait()
                .unwrap();
            assert_eq!(read_back(&queue, a.ptr(), 65), vec![round; 65]);
        }
    }
}

/// A dependency on another queue's event is kept.
pub fn dependencies_hold_across_queues(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let (one, two) = (setup.queue(true), setup.queue(true));
        let bytes = 8 << 20;
        let (a, b) = (
            setup.memory(UsmKind::Shared, bytes),
            setup.memory(UsmKind::Device, bytes),
        );
        for round in 0..20u8 {
            let written = fill(&one, a.ptr(), &[round], bytes, &[]);
            let copied = copy(&two, b.ptr(), a.ptr(), bytes, &[written]);
            fill(&one, a.ptr(), &[0xee], 1, std::slice::from_ref(&copied))
                .wait()
                .unwrap();
            assert_eq!(read_back(&two, b.ptr(), bytes), vec![round; bytes]);
        }
    }
}

/// On an out-of-order queue only the barrier orders these.
pub fn barriers_separate_before_from_after(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(false);
        let bytes = 8 << 20;
        let (a, b) = (
            setup.memory(UsmKind::Device, bytes),
            setup.memory(UsmKind::Device, bytes),
        );
        for round in 0..20u8 {
            fill(&queue, a.ptr(), &[round], bytes, &[]);
            queue.barrier(&[]).unwrap();
            copy(&queue, b.ptr(), a.ptr(), bytes, &[]);
            queue.barrier(&[]).unwrap().wait().unwrap();
            assert_eq!(read_back(&queue, b.ptr(), bytes), vec![round; bytes]);
        }
    }
}

/// `wait` leaves nothing pending.
pub fn waiting_for_a_queue_waits_for_all_of_it(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        for in_order in [true, false] {
            let queue = setup.queue(in_order);
            let memory: Vec<_> = (0..4)
                .map(|_| setup.memory(UsmKind::Device, 4 << 20))
                .collect();
            let events: Vec<_> = memory
                .iter()
                .map(|m| fill(&queue, m.ptr(), &[9], 4 << 20, &[]))
                .collect();
            queue.wait().unwrap();
            for event in events {
                assert_eq!(event.status().unwrap(), EventStatus::Complete);
            }
        }
    }
}

/// Waiting twice is fine, and the status says so.
pub fn events_end_complete(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        let memory = setup.memory(UsmKind::Device, 64);
        let event = fill(&queue, memory.ptr(), &[1], 64, &[]);
        event.wait().unwrap();
        event.wait().unwrap();
        assert_eq!(event.status().unwrap(), EventStatus::Complete);
    }
}

/// submit ≤ start ≤ end, and a later submission does not end earlier on an in-order queue.
pub fn profiling_times_are_ordered(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let queue = setup.queue_with(QueueProperties {
            in_order: true,
            enable_profiling: true,
        });
        let memory = setup.memory(UsmKind::Device, 8 << 20);
        let first = fill(&queue, memory.ptr(), &[1], 8 << 20, &[]);
        let second = fill(&queue, memory.ptr(), &[2], 64, &[]);
        let (first, second) = (first.profile().unwrap(), second.profile().unwrap());
        for times in [first, second] {
            assert!(
                times.submit <= times.start && times.start <= times.end,
                "{times:?}"
            );
        }
        assert!(first.end > first.start, "8 MiB take time");
        assert!(first.end <= second.end);
    }
}

/// Whether times are wanted is one for the process; checks of it take turns.
static WANTING: Mutex<()> = Mutex::new(());

/// Without the property times are there while they are wanted, and the order of an in-order queue
/// stays when that changes.
pub fn times_are_kept_while_they_are_wanted(backend: &dyn Backend) {
    let _turn = WANTING.lock().unwrap_or_else(|e| e.into_inner());
    let bytes = 1 << 20;
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        let (from, to) = (
            setup.memory(UsmKind::Device, bytes),
            setup.memory(UsmKind::Device, bytes),
        );
        let mut timed = Vec::new();
        for round in 0..24u8 {
            let wanted = round % 3 > 0;
            timing::want(wanted);
            let filled = fill(&queue, from.ptr(), &[round], bytes, &[]);
            let barrier = queue.barrier(&[]).unwrap();
            // SAFETY: both are that long and alive until the queue was waited for.
            let copied = unsafe { queue.copy(to.ptr(), from.ptr(), bytes, &[]) }.unwrap();
            if wanted {
                timed.extend([filled, copied]);
            }
            if round % 8 == 7 {
                barrier.wait().unwrap();
            }
        }
        timing::want(false);
        let mut host = vec![0u8; bytes];
        // SAFETY: as above.
        let read = unsafe { queue.copy(host.as_mut_ptr(), to.ptr(), bytes, &[]) }.unwrap();
        read.wait().unwrap();
        queue.wait().unwrap();
        assert!(host.iter().all(|&byte| byte == 23));
        let mut before = 0;
        for event in timed {
            let times = event.profile().unwrap();
            assert!(
                times.submit <= times.start && times.start <= times.end,
                "{times:?}"
            );
            assert!(before <= times.start, "in the order of submission");
            before = times.end;
        }
    }
}

/// An error, not zeros.
pub fn profiling_is_refused_without_the_property(backend: &dyn Backend) {
    let _turn = WANTING.lock().unwrap_or_else(|e| e.into_inner());
    for setup in Setup::each(backend) {
        let queue = setup.queue(true);
        let memory = setup.memory(UsmKind::Device, 64);
        let event = fill(&queue, memory.ptr(), &[1], 64, &[]);
        event.wait().unwrap();
        assert!(event.profile().is_err());
    }
}

/// R1.2: one default context a root device.
pub fn default_contexts_are_shared(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let again = setup.device.default_context().unwrap();
        assert_eq!(again.identity(), setup.context.identity());
    }
}

/// A pointer's kind is known in its context, and a stranger's is not.
pub fn pointers_are_recognised_by_their_context(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        for kind in UsmKind::ALL {
            let memory = setup.memory(kind, 4096);
            assert_eq!(setup.context.pointer_kind(memory.ptr()), Some(kind));
        }
        let stranger = Box::new(0u64);
        assert_eq!(
            setup.context.pointer_kind((&raw const *stranger).cast()),
            None
        );
    }
}

fn halves(device: &DeviceRef) -> Option<Vec<DeviceRef>> {
    let units = device.info().max_compute_units as usize;
    if units < 2 {
        eprintln!(
            "skipped on {}: one compute unit cannot be split",
            device.info().name
        );
        return None;
    }
    Some(
        device
            .create_sub_devices(&Partition::Equally(units / 2))
            .expect("a device of two units or more can be split"),
    )
}

/// By equal count and by counts.
pub fn sub_devices_have_the_units_asked_for(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let Some(parts) = halves(&setup.device) else {
            continue;
        };
        let units = setup.device.info().max_compute_units as usize;
        assert!(parts.len() >= 2);
        for part in &parts {
            assert_eq!(part.info().max_compute_units as usize, units / 2);
            assert_eq!(part.backend_name(), setup.device.backend_name());
        }
        let uneven = setup
            .device
            .create_sub_devices(&Partition::ByCounts(vec![1, units - 1]))
            .unwrap();
        let got: Vec<_> = uneven
            .iter()
            .map(|d| d.info().max_compute_units as usize)
            .collect();
        assert_eq!(got, [1, units - 1]);
    }
}

/// A sub-device is a device: memory, queues, copies.
pub fn sub_devices_compute(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let Some(parts) = halves(&setup.device) else {
            continue;
        };
        for device in parts {
            let context = device.default_context().unwrap();
            let setup = Setup { context, device };
            let queue = setup.queue(true);
            let memory = setup.memory(UsmKind::Device, 4 << 20);
            fill(&queue, memory.ptr(), &[1, 2, 3, 4], 1 << 20, &[])
                .wait()
                .unwrap();
            assert_eq!(read_back(&queue, memory.ptr(), 8), [1, 2, 3, 4, 1, 2, 3, 4]);
        }
    }
}

/// Memory of one member is used on another.
pub fn a_context_spans_sub_devices(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let Some(parts) = halves(&setup.device) else {
            continue;
        };
        let context = setup
            .device
            .create_context(&parts)
            .expect("a context over sub-devices");
        assert_eq!(context.devices().len(), parts.len());
        let memory = Memory::new(&context, &parts[0], UsmKind::Shared, 4096);
        let queue = context
            .create_queue(&parts[1], QueueProperties::default())
            .unwrap();
        fill(&queue, memory.ptr(), &[5], 4096, &[]).wait().unwrap();
        assert_eq!(read_back(&queue, memory.ptr(), 4096), vec![5; 4096]);
    }
}

/// Errors with words, never a crash or an empty list.
pub fn impossible_partitions_are_refused(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let units = setup.device.info().max_compute_units as usize;
        for partition in [
            Partition::Equally(0),
            Partition::Equally(units + 1),
            Partition::ByCounts(vec![]),
            Partition::ByCounts(vec![1, units]),
            Partition::ByCounts(vec![0, 1]),
            Partition::ByAffinity(AffinityDomain::L4Cache),
        ] {
            let error = setup
                .device
                .create_sub_devices(&partition)
                .expect_err("impossible");
            assert!(!error.to_string().is_empty());
        }
    }
}

/// More than there is: an error with the numbers.
pub fn impossible_allocations_are_refused(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        for kind in UsmKind::ALL {
            let bytes = 1 << 46;
            match setup.context.alloc(&setup.device, kind, bytes) {
                Err(Error::OutOfMemory {
                    requested, total, ..
                }) => {
                    assert_eq!(requested, bytes);
                    assert!(total > 0 && total < bytes as u64);
                }
                other => panic!("expected OutOfMemory, got {other:?}"),
            }
        }
    }
}

/// Two queues are two queues; two handles of one device are one device.
pub fn identities_tell_objects_apart(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let (one, two) = (setup.queue(true), setup.queue(true));
        assert_ne!(one.identity(), two.identity());
        assert_eq!(one.device().identity(), setup.device.identity());
        assert_eq!(one.context().identity(), setup.context.identity());
        let event = one.barrier(&[]).unwrap();
        assert_eq!(event.queue_identity(), one.identity());
    }
}

/// Many threads, one queue, no lost work.
pub fn queues_are_used_from_many_threads(backend: &dyn Backend) {
    for setup in Setup::each(backend) {
        let setup = Arc::new(setup);
        let queue = setup.queue(true);
        std::thread::scope(|scope| {
            for thread in 0..4u8 {
                let (queue, setup) = (queue.clone(), setup.clone());
                scope.spawn(move || {
                    for (round, bytes) in [64, 1 << 20, 4096, 3 << 20].into_iter().enumerate() {
                        let memory = setup.memory(UsmKind::Device, bytes);
                        let value = thread * 16 + round as u8;
                        fill(&queue, memory.ptr(), &[value], bytes, &[]);
                        assert_eq!(read_back(&queue, memory.ptr(), bytes), vec![value; bytes]);
                    }
                });
            }
        });
    }
}
