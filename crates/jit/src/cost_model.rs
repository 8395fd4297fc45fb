//! Whether a region is worth its device (R5.11).
//!
//! What a launch costs is measured by the launches themselves: the quickest one that was seen on a device
//! counts. What copies cost is taken from the measurements of [`costs`], if somebody has asked for
//! them, and else from an assumption. What the work itself takes is the code generator's estimate.

use colocate_array::costs::{self, CopyCost};
use colocate_runtime::Queue;
use colocate_runtime::hal::fork;
use std::collections::HashMap;
use std::sync::Mutex;

/// A launch, as long as none was seen.
const ASSUMED_LAUNCH_NS: f64 = 10_000.0;
/// A copy, as long as none was measured.
const ASSUMED_COPY: CopyCost = CopyCost {
    latency_ns: 5_000.0,
    bytes_per_second: 8e9,
};
/// What it takes to begin on the host.
const HOST_START_NS: f64 = 300.0;
/// Larger index spaces are always offloaded; to ask would cost a compilation for the host.
pub(crate) const MOST_ITEMS: usize = 1 << 17;

/// The quickest launch that was seen, by backend and device, in nanoseconds.
static QUICKEST: Mutex<Option<HashMap<(&'static str, u64), f64>>> = Mutex::new(None);

fn key(queue: &Queue) -> (&'static str, u64) {
    (queue.device().family(), queue.device().identity())
}

/// Takes note of what a launch took, from its submission to its end.
pub(crate) fn saw_launch(queue: &Queue, ns: f64) {
    let _critical = fork::critical();
    let mut seen = QUICKEST.lock().unwrap_or_else(|poison| poison.into_inner());
    let known = seen.get_or_insert_default().entry(key(queue)).or_insert(ns);
    *known = known.min(ns);
}

/// What is known about a device.
pub(crate) struct Rates {
    launch_ns: f64,
    to_device: CopyCost,
    to_host: CopyCost,
    /// How many items it works on where the host works on one.
    width: f64,
}

impl Rates {
    /// Of a queue's device.
    pub(crate) fn of(queue: &Queue) -> Rates {
        let measured = costs::known(queue);
        let seen = {
            let _critical = fork::critical();
            let seen = QUICKEST.lock().unwrap_or_else(|poison| poison.into_inner());
            seen.as_ref()
                .and_then(|seen| seen.get(&key(queue)))
                .copied()
        };
        let launch = measured.map(|costs| costs.launch_ns);
        Rates {
            launch_ns: launch.or(seen).unwrap_or(ASSUMED_LAUNCH_NS),
            to_device: measured.map_or(ASSUMED_COPY, |costs| costs.to_device),
            to_host: measured.map_or(ASSUMED_COPY, |costs| costs.to_host),
            width: f64::from(queue.device().info().max_compute_units.max(1)),
        }
    }
}

/// What a region would have to do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// How many items.
    pub items: usize,
    /// Nanoseconds for each on the host.
    pub item_ns: f64,
    /// Copies to the device that offloading takes, and their bytes.
    pub to_device: (usize, u64),
    /// Copies to the host that staying takes, and their bytes.
    pub to_host: (usize, u64),
}

/// Whether the host is quicker.
pub(crate) fn stays(work: &Work, rates: &Rates) -> bool {
    let copies = |cost: &CopyCost, (count, bytes): (usize, u64)| match count {
        0 => 0.0,
        _ => cost.ns(bytes) + (count - 1) as f64 * cost.latency_ns,
    };
    let computing = work.items as f64 * work.item_ns;
    let host = HOST_START_NS + computing + copies(&rates.to_host, work.to_host);
    let device =
        rates.launch_ns + computing / rates.width + copies(&rates.to_device, work.to_device);
    host < device
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates {
        launch_ns: ASSUMED_LAUNCH_NS,
        to_device: ASSUMED_COPY,
        to_host: ASSUMED_COPY,
        width: 4.0,
    };

    #[test]
    fn a_few_items_stay_on_the_host_and_many_go() {
        let work = |items| Work {
            items,
            item_ns: 1.0,
            ..Work::default()
        };
        assert!(stays(&work(100), &RATES));
        assert!(!stays(&work(100_000), &RATES));
    }

    #[test]
    fn data_on_the_device_draws_work_there() {
        let work = Work {
            items: 5_000,
            item_ns: 1.0,
            to_host: (1, 40_000),
            ..Work::default()
        };
        assert!(!stays(&work, &RATES));
        let other_way = Work {
            to_host: (0, 0),
            to_device: (1, 40_000),
            ..work
        };
        assert!(stays(&other_way, &RATES));
    }
}
