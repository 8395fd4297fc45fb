//! Recordings, each in a lock of its own: there is one recorder for the process.

use colocate_trace::{self as trace, Category, Clock, Lane, Recording, Site, Times, Timing};
use std::sync::{Mutex, MutexGuard};

static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(|poison| poison.into_inner())
}

fn lane() -> Lane {
    Lane {
        device: "native:cpu:0".into(),
        queue: "queue #1".into(),
    }
}

fn work(name: &str, times: Option<Times>) {
    let late = Box::new(move || times);
    trace::work(Category::Kernel, name, lane(), trace::now(), (8, 0), late);
}

fn on_clock(clock: Clock, submit: u64, start: u64, end: u64) -> Option<Times> {
    Some(Times {
        clock,
        submit,
        start,
        end,
    })
}

#[test]
fn nothing_is_made_while_nothing_is_recorded() {
    let _alone = alone();
    assert!(!trace::enabled());
    let span = trace::span(Category::Region, "r").why(|| panic!("nobody wants to know"));
    assert!(!span.is_recorded());
    let _why = trace::because(|| panic!("nobody wants to know"));
    drop(span);
    let recording = Recording::start();
    assert!(trace::enabled());
    assert!(recording.stop().records.is_empty());
    assert!(!trace::enabled());
}

#[test]
fn a_span_has_what_was_told_of_it() {
    let _alone = alone();
    let recording = Recording::start();
    {
        let _line = trace::in_line(Some(Site::new("a.py", 3)));
        let _why = trace::because(|| "x is read on the host".into());
        drop(trace::span(Category::Region, "outer").items(10).bytes(80));
        let _inner = trace::in_line(Some(Site::new("a.py", 4)));
        drop(trace::instant(Category::CacheHit, "in memory").why(|| "found".into()));
    }
    drop(trace::span(Category::Call, "f").at(Some(Site::new("b.py", 1))));
    let found = recording.stop();
    let [outer, hit, call] = &found.records[..] else {
        panic!("{found:?}")
    };
    assert_eq!((outer.items, outer.bytes), (10, 80));
    assert_eq!(outer.site, Some(Site::new("a.py", 3)));
    assert_eq!(outer.why.as_deref(), Some("x is read on the host"));
    assert_eq!(hit.site, Some(Site::new("a.py", 4)));
    assert_eq!(
        (hit.why.as_deref(), hit.end - hit.start),
        (Some("found"), 0)
    );
    assert_eq!(call.site, Some(Site::new("b.py", 1)));
    assert_eq!(call.why, None);
    assert!(found.start <= outer.start && outer.end <= call.start && call.end <= found.end);
    assert_eq!(outer.thread, call.thread);
}

#[test]
fn recordings_overlap_and_each_has_its_own() {
    let _alone = alone();
    let first = Recording::start();
    drop(trace::span(Category::Call, "one"));
    let second = Recording::start();
    drop(trace::span(Category::Call, "two"));
    let names = |found: trace::Results| -> Vec<String> {
        let records = found.records.iter();
        records.map(|record| record.name.to_string()).collect()
    };
    assert_eq!(names(first.stop()), ["one", "two"]);
    assert!(trace::enabled());
    drop(trace::span(Category::Call, "three"));
    assert_eq!(names(second.stop()), ["two", "three"]);
    drop(Recording::start());
    assert!(!trace::enabled());
}

#[test]
fn times_of_a_device_are_brought_onto_the_hosts_clock() {
    let _alone = alone();
    let recording = Recording::start();
    let before = trace::now();
    // A device whose clock is far behind; the second submission arrived at once, the first late.
    let clock = Clock::Device(7);
    work("first", on_clock(clock, 9_000_000, 9_000_010, 9_000_020));
    work("second", on_clock(clock, 500, 9_001_000, 9_001_500));
    work(
        "native",
        on_clock(Clock::Host, before, before + 5, before + 9),
    );
    work("untimed", None);
    let found = recording.stop();
    let by_name = |name: &str| found.records.iter().find(|r| &*r.name == name).unwrap();
    let (first, second) = (by_name("first"), by_name("second"));
    assert_eq!(first.end - first.start, 10);
    assert_eq!(second.end - second.start, 500);
    // The distance between the two is the device's, and nothing starts before it was submitted.
    assert_eq!(second.start - first.start, 990);
    assert!(first.start >= first.submitted && second.start >= second.submitted);
    assert!(second.start - second.submitted < 20_000_000);
    let native = by_name("native");
    assert_eq!((native.start, native.end), (before + 5, before + 9));
    assert_eq!(native.timing, Timing::Device);
    let untimed = by_name("untimed");
    assert_eq!(untimed.timing, Timing::Seen);
    assert!(untimed.submitted <= untimed.start && untimed.start < untimed.end);
}

#[test]
fn many_submissions_do_not_keep_many_events() {
    let _alone = alone();
    static ASKED: Mutex<usize> = Mutex::new(0);
    let recording = Recording::start();
    for _ in 0..2_000 {
        let late = Box::new(|| {
            *ASKED.lock().unwrap() += 1;
            None
        });
        trace::work(Category::Copy, "c", lane(), trace::now(), (0, 1), late);
    }
    assert!(*ASKED.lock().unwrap() > 1_000);
    assert_eq!(recording.stop().records.len(), 2_000);
    assert_eq!(*ASKED.lock().unwrap(), 2_000);
}

#[test]
fn threads_report_at_the_same_time() {
    let _alone = alone();
    let recording = Recording::start();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    work("k", on_clock(Clock::Host, 1, 2, 3));
                    drop(trace::span(Category::Wait, "w"));
                }
            });
        }
    });
    let found = recording.stop();
    assert_eq!(found.records.len(), 4_000);
    let timed = |r: &&trace::Record| r.timing == Timing::Device;
    assert_eq!(found.records.iter().filter(timed).count(), 2_000);
    let mut threads: Vec<u64> = found.records.iter().map(|r| r.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    assert_eq!(threads.len(), 4);
}
