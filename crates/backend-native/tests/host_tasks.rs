//! What only native queues do: run host code.

use colocate_backend_native::{NativeBackend, NativeConfig};
use colocate_hal::{
    Backend, DeviceRef, Error, EventRef, EventStatus, HostTask, Partition, QueueProperties,
    QueueRef,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn device() -> DeviceRef {
    let config = NativeConfig {
        devices: 1,
        discrete: false,
    };
    NativeBackend::new(config).root_devices().unwrap().remove(0)
}

fn queue_on(device: &DeviceRef, in_order: bool) -> QueueRef {
    let context = device.default_context().unwrap();
    let properties = QueueProperties {
        in_order,
        enable_profiling: false,
    };
    context.create_queue(device, properties).unwrap()
}

fn submit(
    queue: &QueueRef,
    parts: usize,
    deps: &[EventRef],
    run: impl Fn(usize) + Send + Sync + 'static,
) -> EventRef {
    let task = HostTask {
        parts,
        small: false,
        run: Box::new(run),
    };
    // SAFETY: the tasks of these tests own what they touch.
    unsafe { queue.host_task(task, deps) }.unwrap()
}

#[test]
fn every_part_runs_exactly_once() {
    let device = device();
    let queue = queue_on(&device, true);
    for parts in [0, 1, 2, 7, 1000] {
        let counts: Arc<Vec<AtomicUsize>> =
            Arc::new((0..parts).map(|_| AtomicUsize::new(0)).collect());
        let seen = counts.clone();
        submit(&queue, parts, &[], move |part| {
            seen[part].fetch_add(1, Ordering::Relaxed);
        })
        .wait()
        .unwrap();
        assert!(
            counts
                .iter()
                .all(|count| count.load(Ordering::Relaxed) == 1)
        );
    }
}

#[test]
fn large_work_does_not_hold_up_its_submitter() {
    let device = device();
    let queue = queue_on(&device, true);
    let go = Arc::new(AtomicBool::new(false));
    let gate = go.clone();
    let event = submit(&queue, 1, &[], move |_| {
        while !gate.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
    });
    assert_ne!(event.status().unwrap(), EventStatus::Complete);
    go.store(true, Ordering::Release);
    event.wait().unwrap();
}

#[test]
fn a_failed_task_fails_what_names_it_and_nothing_else() {
    let device = device();
    let queue = queue_on(&device, true);
    let failed = submit(&queue, 3, &[], |part| {
        assert_ne!(part, 1, "part one is unlucky")
    });
    let dependent = submit(&queue, 1, std::slice::from_ref(&failed), |_| {});
    let merely_later = submit(&queue, 1, &[], |_| {});
    for event in [&failed, &dependent] {
        match event.wait() {
            Err(Error::Work { why, .. }) => assert!(why.contains("unlucky"), "{why}"),
            other => panic!("expected a failure, got {other:?}"),
        }
    }
    merely_later.wait().unwrap();
    // Also when the failure lies in the past.
    submit(&queue, 1, &[failed], |_| {}).wait().unwrap_err();
    queue.wait().unwrap();
}

#[test]
fn a_sub_device_runs_on_its_own_cores_only() {
    let device = device();
    let parts = device.create_sub_devices(&Partition::Equally(1)).unwrap();
    let mut used = Vec::new();
    for part in &parts {
        let queue = queue_on(part, true);
        let cores = Arc::new(Mutex::new(BTreeSet::new()));
        let seen = cores.clone();
        let note = move |_| {
            // SAFETY: asks which CPU this is.
            let core = unsafe { libc::sched_getcpu() };
            seen.lock().unwrap().insert(core);
        };
        submit(&queue, 100, &[], note.clone()).wait().unwrap();
        // Small work, too, is not run on the caller.
        let task = HostTask {
            parts: 1,
            small: true,
            run: Box::new(note),
        };
        // SAFETY: as in `submit`.
        unsafe { queue.host_task(task, &[]) }
            .unwrap()
            .wait()
            .unwrap();
        let cores = cores.lock().unwrap().clone();
        assert_eq!(cores.len(), 1, "{cores:?}");
        used.extend(cores);
    }
    used.sort();
    used.dedup();
    assert_eq!(used.len(), parts.len(), "parts share no core");
}

#[test]
fn a_long_chain_of_submissions_neither_overflows_nor_stops() {
    let device = device();
    for in_order in [true, false] {
        let queue = queue_on(&device, in_order);
        let sum = Arc::new(AtomicUsize::new(0));
        let mut last: Option<EventRef> = None;
        for _ in 0..20_000 {
            let sum = sum.clone();
            let deps: Vec<_> = last.iter().cloned().collect();
            last = Some(submit(&queue, 1, &deps, move |_| {
                sum.fetch_add(1, Ordering::Relaxed);
            }));
            last = Some(queue.barrier(&[last.unwrap()]).unwrap());
        }
        last.unwrap().wait().unwrap();
        assert_eq!(sum.load(Ordering::Relaxed), 20_000);
    }
}
