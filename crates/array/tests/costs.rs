//! What devices cost, on the native backend.

use colocate_array::costs;
use colocate_backend_native::{NativeBackend, NativeConfig};
use colocate_runtime::{Queue, Registry};
use std::sync::Arc;
use std::time::Instant;

fn queue(discrete: bool) -> Queue {
    let config = NativeConfig {
        devices: 1,
        discrete,
    };
    let registry = Registry::new(vec![Arc::new(NativeBackend::new(config))]);
    registry.devices().unwrap()[0].default_queue().unwrap()
}

#[test]
fn costs_are_plausible_and_measured_once() {
    for discrete in [false, true] {
        let queue = queue(discrete);
        let first = costs::of(&queue).unwrap();
        // Between what no machine can and what no machine would take.
        for ns in [
            first.launch_ns,
            first.to_device.latency_ns,
            first.to_host.latency_ns,
        ] {
            assert!((10.0..1e8).contains(&ns), "{first:?}");
        }
        for rate in [
            first.to_device.bytes_per_second,
            first.to_host.bytes_per_second,
            first.stream_bytes_per_second,
            first.operations_per_second,
        ] {
            assert!((1e7..1e14).contains(&rate), "{first:?}");
        }
        let before = Instant::now();
        assert_eq!(costs::of(&queue).unwrap(), first);
        assert!(before.elapsed().as_micros() < 1_000);
        eprintln!("discrete {discrete}: {first:?}");
    }
}

#[test]
fn a_copy_costs_more_the_more_it_copies() {
    let costs = costs::of(&queue(true)).unwrap();
    assert!(costs.to_device.ns(1 << 30) > costs.to_device.ns(1 << 20));
    assert_eq!(costs.to_host.ns(0), costs.to_host.latency_ns);
}
