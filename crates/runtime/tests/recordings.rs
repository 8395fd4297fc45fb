//! What queues report to recordings. One test, since there is one recorder for the process.

use colocate_backend_native::{NativeBackend, NativeConfig};
use colocate_runtime::hal::HostTask;
use colocate_runtime::trace::{self, Category, Record, Recording, Timing};
use colocate_runtime::{Access, Queue, Registry, Use, Usm, UsmKind};
use std::sync::Arc;

fn queue() -> Queue {
    let backend = NativeBackend::new(NativeConfig {
        devices: 1,
        discrete: true,
    });
    let registry = Registry::new(vec![Arc::new(backend)]);
    registry.devices().unwrap()[0].default_queue().unwrap()
}

fn of(records: &[Record], category: Category) -> Vec<&Record> {
    let wanted = |record: &&Record| record.category == category;
    records.iter().filter(wanted).collect()
}

#[test]
fn work_and_memory_are_reported_with_their_times_and_sizes() {
    let queue = queue();
    let bytes = 4 << 20;
    let before = Usm::allocate(&queue, UsmKind::Device, 64).unwrap();
    queue.fill(&before, 0, &[1], 64).unwrap();
    let recording = Recording::start();
    {
        let usm = Usm::allocate(&queue, UsmKind::Device, bytes).unwrap();
        let mut host = vec![7u8; bytes];
        {
            let _why = trace::because(|| "the test says so".into());
            queue.copy_from_host(&usm, 0, &host).unwrap();
        }
        queue.fill(&usm, 0, &[3], 1 << 20).unwrap();
        let task = HostTask {
            parts: 1,
            small: false,
            // So long that whoever copies its result surely waits.
            run: Box::new(|_| std::thread::sleep(std::time::Duration::from_millis(30))),
        };
        let uses = [Use {
            usm: &usm,
            access: Access::Read,
        }];
        // SAFETY: the task touches nothing.
        unsafe { queue.host_task("nothing", &uses, task) }.unwrap();
        let other = Usm::allocate(&queue, UsmKind::Shared, bytes).unwrap();
        queue.copy(&other, 0, &usm, 0, 4096).unwrap();
        // SAFETY: the vector has that many bytes.
        unsafe { queue.copy_to_host(host.as_mut_ptr(), &other, 0, 100) }.unwrap();
        assert_eq!(host[..3], [3, 3, 3]);
    }
    let found = recording.stop();
    queue.fill(&before, 0, &[2], 64).unwrap();
    let records = &found.records[..];

    let copies = of(records, Category::Copy);
    let moved: Vec<(&str, u64)> = copies.iter().map(|r| (&*r.name, r.bytes)).collect();
    assert_eq!(
        moved,
        [
            ("host to device", bytes as u64),
            ("device to device", 4096),
            ("device to host", 100)
        ]
    );
    assert_eq!(copies[0].why.as_deref(), Some("the test says so"));
    assert_eq!(copies[1].why, None);
    let fills = of(records, Category::Fill);
    assert_eq!(fills.iter().map(|r| r.bytes).sum::<u64>(), 1 << 20);
    assert_eq!(&*of(records, Category::HostTask)[0].name, "nothing");

    let on_device: Vec<&Record> = records
        .iter()
        .filter(|r| r.lane.is_some() && r.timing == Timing::Device)
        .collect();
    assert_eq!(on_device.len(), 5);
    let lane = queue.lane();
    assert!(on_device.iter().all(|r| r.lane.as_ref() == Some(&lane)));
    for (earlier, later) in on_device.iter().zip(&on_device[1..]) {
        assert!(earlier.submitted <= earlier.start && earlier.start <= earlier.end);
        assert!(earlier.end <= later.start, "one after the other");
    }
    assert!(copies[0].end - copies[0].start > 1_000, "4 MiB take time");

    let taken: Vec<_> = of(records, Category::Allocation)
        .iter()
        .map(|r| (r.name.to_string(), r.bytes))
        .collect();
    let both = [("device", bytes as u64), ("shared", bytes as u64)];
    assert_eq!(taken, both.map(|(name, bytes)| (name.to_owned(), bytes)));
    assert_eq!(of(records, Category::Free).len(), 2);
    assert!(!of(records, Category::Wait).is_empty());
    assert!(records.iter().all(|r| found.start <= r.submitted));
}
