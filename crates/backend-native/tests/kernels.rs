//! Launches: every item is run once, in order, with the working memory it was promised. The code
//! is written by hand here; no compiler is needed.

use colocate_backend_native::{NativeBackend, NativeConfig};
use colocate_hal::{
    Backend, DeviceRef, Error, EventRef, EventStatus, Geometry, HostCode, HostEntry, HostPart,
    HostTask, KernelCode, KernelImage, KernelRef, Partition, QueueProperties, QueueRef, SlotKind,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Enough nanoseconds an item for any space to be shared out.
const DEAR: f32 = 1e6;
const CHEAP: f32 = 0.0;

fn device() -> DeviceRef {
    let config = NativeConfig {
        devices: 1,
        discrete: false,
    };
    NativeBackend::new(config).root_devices().unwrap().remove(0)
}

fn queue_with(device: &DeviceRef, in_order: bool, enable_profiling: bool) -> QueueRef {
    let properties = QueueProperties {
        in_order,
        enable_profiling,
    };
    let context = device.default_context().unwrap();
    context.create_queue(device, properties).unwrap()
}

fn host_code(entry: HostEntry, item_cost: f32) -> HostCode {
    HostCode {
        entry,
        scratch_bytes: 0,
        scratch_bytes_per_item: 0,
        lanes: 4,
        item_cost,
        keep: Arc::new(()),
    }
}

fn load(queue: &QueueRef, slots: usize, grouped: bool, code: HostCode) -> KernelRef {
    let image = KernelImage {
        name: "by_hand".into(),
        slots: vec![SlotKind::Word; slots],
        grouped,
        code: KernelCode::Host(code),
    };
    // SAFETY: the entry points of these tests do what their images say.
    unsafe { queue.context().load_kernel(&queue.device(), &image) }.unwrap()
}

fn space(global: &[usize], local: Option<&[usize]>) -> Geometry {
    let filled = |extents: &[usize]| {
        let mut all = [1; 3];
        all[..extents.len()].copy_from_slice(extents);
        all
    };
    Geometry {
        rank: global.len(),
        global: filled(global),
        local: local.map(filled),
    }
}

fn launch(
    queue: &QueueRef,
    kernel: &KernelRef,
    arguments: &[u64],
    geometry: &Geometry,
    deps: &[EventRef],
) -> EventRef {
    // SAFETY: the tests keep what the arguments point to until the queue is done.
    unsafe { queue.launch(kernel, arguments, geometry, deps) }.unwrap()
}

fn address<T>(of: &[T]) -> u64 {
    of.as_ptr() as u64
}

/// Adds one for every item of the part to its counter, and one to the number of calls behind them.
unsafe extern "C" fn count(arguments: *const u64, part: *const HostPart, _scratch: *mut u8) {
    // SAFETY: the block holds the address of a counter for every item and one more.
    unsafe {
        let part = *part;
        let counters = *arguments as *const AtomicU32;
        let total: i64 = part.global.iter().product();
        (*counters.add(total as usize)).fetch_add(1, Ordering::Relaxed);
        for group in boxes(part.begin, part.end) {
            for item in boxes([0; 3], part.local) {
                let at = [0, 1, 2].map(|axis| group[axis] * part.local[axis] + item[axis]);
                let index = (at[0] * part.global[1] + at[1]) * part.global[2] + at[2];
                (*counters.add(index as usize)).fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

fn boxes(begin: [i64; 3], end: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (begin[0]..end[0]).flat_map(move |i| {
        (begin[1]..end[1]).flat_map(move |j| (begin[2]..end[2]).map(move |k| [i, j, k]))
    })
}

/// Counts every item once, and gives the number of calls it took.
fn every_item_once(queue: &QueueRef, geometry: &Geometry, cost: f32) -> u32 {
    let grouped = geometry.local.is_some();
    let kernel = load(queue, 1, grouped, host_code(count, cost));
    let counters: Vec<AtomicU32> = (0..=geometry.items()).map(|_| AtomicU32::new(0)).collect();
    launch(queue, &kernel, &[address(&counters)], geometry, &[])
        .wait()
        .unwrap();
    let counts: Vec<u32> = counters.into_iter().map(AtomicU32::into_inner).collect();
    let (calls, items) = counts.split_last().unwrap();
    assert!(items.iter().all(|&count| count == 1), "{geometry:?}");
    *calls
}

#[test]
fn every_item_runs_exactly_once() {
    let device = device();
    let queue = queue_with(&device, true, false);
    let threads = device.info().max_compute_units;
    for cost in [CHEAP, DEAR] {
        let shapes: [&[usize]; 12] = [
            &[1],
            &[3],
            &[1001],
            &[100_000],
            &[1, 1],
            &[2, 1000],
            &[1000, 2],
            &[17, 19],
            &[1, 1, 1],
            &[2, 500, 3],
            &[1, 1, 999],
            &[30, 1, 31],
        ];
        for shape in shapes {
            let calls = every_item_once(&queue, &space(shape, None), cost);
            assert!(calls <= 8 * threads, "{shape:?} took {calls} calls");
            match shape.iter().product::<usize>() {
                _ if cost == CHEAP => assert_eq!(calls, 1),
                items if items > 500 => assert!(calls >= threads.min(4), "{shape:?}: {calls}"),
                _ => {}
            }
        }
        let groups: [(&[usize], &[usize]); 7] = [
            (&[1], &[1]),
            (&[64], &[16]),
            (&[8192], &[8192]),
            (&[9, 20], &[3, 4]),
            (&[2, 2000], &[2, 1]),
            (&[4, 4, 60], &[1, 2, 6]),
            (&[24, 1, 1], &[2, 1, 1]),
        ];
        for (global, local) in groups {
            every_item_once(&queue, &space(global, Some(local)), cost);
        }
    }
}

#[test]
fn every_item_runs_exactly_once_on_sub_devices_and_on_their_cores() {
    let device = device();
    for part in device.create_sub_devices(&Partition::Equally(1)).unwrap() {
        let queue = queue_with(&part, true, false);
        for cost in [CHEAP, DEAR] {
            every_item_once(&queue, &space(&[100, 7], None), cost);
            every_item_once(&queue, &space(&[100, 6], Some(&[5, 2])), cost);
        }
    }
}

#[test]
fn a_group_size_left_to_the_device_divides_the_space() {
    /// Notes the group's extents.
    unsafe extern "C" fn note(arguments: *const u64, part: *const HostPart, _scratch: *mut u8) {
        // SAFETY: the block holds the address of three words.
        unsafe {
            let to = *arguments as *mut i64;
            to.copy_from_nonoverlapping((*part).local.as_ptr(), 3);
        }
    }
    let queue = queue_with(&device(), true, false);
    let kernel = load(&queue, 1, true, host_code(note, CHEAP));
    for (global, local) in [([6, 1000], [1, 250, 1]), ([6, 7], [1, 7, 1])] {
        let mut found = [0i64; 3];
        let block = [found.as_mut_ptr() as u64];
        launch(&queue, &kernel, &block, &space(&global, None), &[])
            .wait()
            .unwrap();
        assert_eq!(found, local);
    }
}

/// Writes all of its working memory; the arguments are its size and whether it was misaligned.
unsafe extern "C" fn use_scratch(arguments: *const u64, part: *const HostPart, scratch: *mut u8) {
    // SAFETY: the block holds a size and the address of a flag; the memory has the size.
    unsafe {
        let bytes = *arguments as usize;
        let misaligned = *arguments.add(1) as *const AtomicBool;
        if !(scratch as usize).is_multiple_of(64) {
            (*misaligned).store(true, Ordering::Relaxed);
        }
        scratch.write_bytes((*part).begin[0] as u8, bytes);
        let memory = std::slice::from_raw_parts(scratch, bytes);
        assert!(memory.iter().all(|&byte| byte == (*part).begin[0] as u8));
    }
}

#[test]
fn working_memory_has_its_size_and_alignment() {
    let queue = queue_with(&device(), true, false);
    let misaligned = AtomicBool::new(false);
    let flag = &raw const misaligned as u64;
    for cost in [CHEAP, DEAR] {
        for (fixed, each) in [
            (0, 0),
            (1, 0),
            (100, 3),
            (0, 40),
            (5000, 4096),
            (20 << 20, 0),
        ] {
            let code = HostCode {
                scratch_bytes: fixed,
                scratch_bytes_per_item: each,
                ..host_code(use_scratch, cost)
            };
            let kernel = load(&queue, 2, true, code);
            // Rows of 3 and of 5 take the place of 4 and 8.
            for (local, places) in [([2, 3], 8), ([1, 5], 8), ([3, 4], 12)] {
                let bytes = fixed + each * places;
                let geometry = space(&[local[0] * 10, local[1]], Some(&local));
                launch(&queue, &kernel, &[bytes as u64, flag], &geometry, &[])
                    .wait()
                    .unwrap();
            }
        }
    }
    assert!(!misaligned.into_inner());
}

#[test]
fn working_memory_beyond_the_machine_is_an_error() {
    let queue = queue_with(&device(), true, false);
    for each in [1 << 40, usize::MAX / 2] {
        let code = HostCode {
            scratch_bytes_per_item: each,
            ..host_code(use_scratch, CHEAP)
        };
        let kernel = load(&queue, 2, true, code);
        // SAFETY: nothing is run.
        let outcome = unsafe { queue.launch(&kernel, &[0, 0], &space(&[64], Some(&[64])), &[]) };
        let error = outcome.unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    }
    queue.wait().unwrap();
}

/// Notes in what place of a sequence it ran: the arguments are the clock and where to note it.
unsafe extern "C" fn note_turn(arguments: *const u64, _part: *const HostPart, _scratch: *mut u8) {
    // SAFETY: the block holds the addresses of two words.
    unsafe {
        let clock = *arguments as *const AtomicU64;
        let turn = *arguments.add(1) as *const AtomicU64;
        (*turn).store((*clock).fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
    }
}

fn turns(count: usize) -> Vec<AtomicU64> {
    (0..count).map(|_| AtomicU64::new(0)).collect()
}

/// Submits work that does not end before it is told to.
fn hold_up(queue: &QueueRef) -> (EventRef, Arc<AtomicBool>) {
    let go = Arc::new(AtomicBool::new(false));
    let gate = go.clone();
    let task = HostTask {
        parts: 1,
        small: false,
        run: Box::new(move |_| {
            while !gate.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        }),
    };
    // SAFETY: the task owns what it touches.
    (unsafe { queue.host_task(task, &[]) }.unwrap(), go)
}

#[test]
fn launches_keep_the_order_of_their_queue() {
    let queue = queue_with(&device(), true, false);
    let (clock, turns) = (AtomicU64::new(1), turns(50));
    let clock_address = &raw const clock as u64;
    let (_, go) = hold_up(&queue);
    for (number, turn) in turns.iter().enumerate() {
        let cost = if number % 3 == 0 { DEAR } else { CHEAP };
        let kernel = load(&queue, 2, false, host_code(note_turn, cost));
        let block = [clock_address, &raw const *turn as u64];
        let event = launch(&queue, &kernel, &block, &space(&[1], None), &[]);
        assert_ne!(event.status().unwrap(), EventStatus::Complete);
    }
    go.store(true, Ordering::Release);
    queue.wait().unwrap();
    let found: Vec<u64> = turns.iter().map(|t| t.load(Ordering::SeqCst)).collect();
    assert_eq!(found, (1..=50).collect::<Vec<u64>>());
}

#[test]
fn a_launch_waits_for_its_dependencies_and_for_nothing_else_out_of_order() {
    let device = device();
    let (held, queue) = (
        queue_with(&device, true, false),
        queue_with(&device, false, false),
    );
    let (clock, turns) = (AtomicU64::new(1), turns(3));
    let block = |i: usize| [&raw const clock as u64, &raw const turns[i] as u64];
    let (gate, go) = hold_up(&held);
    for cost in [CHEAP, DEAR] {
        let kernel = load(&queue, 2, false, host_code(note_turn, cost));
        let waiting = launch(
            &queue,
            &kernel,
            &block(0),
            &space(&[1], None),
            std::slice::from_ref(&gate),
        );
        let free = launch(&queue, &kernel, &block(1), &space(&[1], None), &[]);
        if cost == CHEAP {
            free.wait().unwrap();
        }
        assert_ne!(waiting.status().unwrap(), EventStatus::Complete);
        if cost == DEAR {
            go.store(true, Ordering::Release);
        } else {
            assert_eq!(turns[0].load(Ordering::SeqCst), 0);
        }
    }
    queue.wait().unwrap();
    assert_ne!(turns[0].load(Ordering::SeqCst), 0);
}

#[test]
fn an_empty_space_runs_nothing_and_completes_after_its_dependencies() {
    let device = device();
    let queue = queue_with(&device, true, false);
    let calls = AtomicUsize::new(0);
    unsafe extern "C" fn called(arguments: *const u64, _part: *const HostPart, _scratch: *mut u8) {
        // SAFETY: the block holds the address of a counter.
        unsafe { (*(*arguments as *const AtomicUsize)).fetch_add(1, Ordering::SeqCst) };
    }
    let block = [&raw const calls as u64];
    for (shape, grouped) in [
        (space(&[0], None), false),
        (space(&[5, 0], None), false),
        (space(&[0, 4], Some(&[1, 2])), true),
        (space(&[0, 0], None), true),
    ] {
        let kernel = load(&queue, 1, grouped, host_code(called, DEAR));
        let event = launch(&queue, &kernel, &block, &shape, &[]);
        assert!(event.is_known_complete());

        let (gate, go) = hold_up(&queue_with(&device, true, false));
        let event = launch(&queue, &kernel, &block, &shape, &[gate]);
        assert!(!event.is_known_complete());
        go.store(true, Ordering::Release);
        event.wait().unwrap();
    }
    assert_eq!(calls.into_inner(), 0);
}

#[test]
fn launches_have_times() {
    let queue = queue_with(&device(), true, true);
    for cost in [CHEAP, DEAR] {
        let kernel = load(&queue, 1, false, host_code(count, cost));
        let counters: Vec<AtomicU32> = (0..=2000).map(|_| AtomicU32::new(0)).collect();
        let block = [address(&counters)];
        let event = launch(&queue, &kernel, &block, &space(&[2000], None), &[]);
        let times = event.profile().unwrap();
        assert!(times.submit <= times.start && times.start < times.end);
    }
}

#[test]
fn a_pending_launch_keeps_its_code() {
    let queue = queue_with(&device(), true, false);
    let keep: Arc<()> = Arc::new(());
    let weak = Arc::downgrade(&keep);
    let (clock, turn) = (AtomicU64::new(1), AtomicU64::new(0));
    let (_, go) = hold_up(&queue);
    {
        let code = HostCode {
            keep,
            ..host_code(note_turn, CHEAP)
        };
        let kernel = load(&queue, 2, false, code);
        let block = [&raw const clock as u64, &raw const turn as u64];
        launch(&queue, &kernel, &block, &space(&[1], None), &[]);
    }
    assert!(weak.upgrade().is_some());
    go.store(true, Ordering::Release);
    queue.wait().unwrap();
    assert_ne!(turn.into_inner(), 0);
}

#[test]
fn what_is_not_a_kernel_of_the_host_is_refused() {
    let queue = queue_with(&device(), true, false);
    let image = KernelImage {
        name: "foreign".into(),
        slots: vec![],
        grouped: false,
        code: KernelCode::SpirV([].into()),
    };
    // SAFETY: the code is looked at, not run.
    let outcome = unsafe { queue.context().load_kernel(&queue.device(), &image) };
    let message = outcome.unwrap_err().to_string();
    assert!(
        message.contains("foreign") && message.contains("machine code"),
        "{message}"
    );

    let kernel = load(&queue, 2, false, host_code(count, CHEAP));
    assert_eq!(
        kernel.max_group_size() as u64,
        queue.device().info().max_work_group_size
    );
    // SAFETY: nothing is run.
    let outcome = unsafe { queue.launch(&kernel, &[1], &space(&[1], None), &[]) };
    let message = outcome.unwrap_err().to_string();
    assert!(message.contains("2 argument slots, and 1"), "{message}");
}
