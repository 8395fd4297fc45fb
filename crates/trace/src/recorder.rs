//! Where records go, and when their times become known.

use crate::span::fresh;
use crate::{Category, Clock, Lane, Record, Times, Timing, enabled, now, scope};
use colocate_hal::{fork, timing};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard};

/// How many records are kept at most; those beyond are counted.
const MOST_RECORDS: usize = 2_000_000;
/// How many submissions may wait for their times. Queues let no more than this many be pending,
/// so that the oldest is over, and asking for its times does not wait.
const MOST_LATE: usize = 512;

/// Asks for the times of a submission; waits for its end. `None` if they are not kept.
pub type Late = Box<dyn FnOnce() -> Option<Times> + Send>;

/// A record's number, and which of the lists of records it is in: there is a new one when no
/// recording runs.
type Place = (usize, u64);

struct State {
    /// The numbers of the recordings that run, with the first record of each.
    running: Vec<(u64, usize)>,
    next: u64,
    records: Vec<Record>,
    /// How many lists of records there were before.
    lists: u64,
    /// Records whose times are not known: their place and who knows.
    late: VecDeque<(Place, Late)>,
    /// Records that have times of a device's clock, by number.
    foreign: Vec<(usize, u64)>,
    /// What to add to a device's clock, at least and at most.
    offsets: HashMap<u64, (i64, i64)>,
    /// How many threads are just asking for times.
    asking: usize,
    dropped: u64,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn with_state<T>(act: impl FnOnce(&mut State) -> T) -> T {
    let _critical = fork::critical();
    let mut state: MutexGuard<'_, Option<State>> =
        STATE.lock().unwrap_or_else(|poison| poison.into_inner());
    act(state.get_or_insert_with(|| State {
        running: Vec::new(),
        next: 1,
        records: Vec::new(),
        lists: 0,
        late: VecDeque::new(),
        foreign: Vec::new(),
        offsets: HashMap::new(),
        asking: 0,
        dropped: 0,
    }))
}

/// Adds a record.
pub(crate) fn push(record: Record, late: Option<Late>) {
    let mut unwanted = None;
    let oldest = with_state(|state| {
        if state.running.is_empty() {
            unwanted = late;
            return None;
        }
        if state.records.len() >= MOST_RECORDS {
            state.dropped += 1;
            unwanted = late;
            return None;
        }
        let number = state.records.len();
        state.records.push(record);
        let late = late?;
        state.late.push_back(((number, state.lists), late));
        if state.late.len() <= MOST_LATE {
            return None;
        }
        state.asking += 1;
        state.late.pop_front()
    });
    // Outside the lock: an event may go here.
    drop(unwanted);
    if let Some((place, late)) = oldest {
        ask(place, late);
    }
}

/// Asks for a record's times; `asking` was counted up.
fn ask(place: Place, late: Late) {
    let times = late();
    let seen = now();
    with_state(|state| {
        state.asking -= 1;
        state.settle(place, times, seen);
    });
}

impl State {
    fn settle(&mut self, (number, list): Place, times: Option<Times>, seen: u64) {
        // The recordings may have ended meanwhile.
        if list != self.lists {
            return;
        }
        let Some(record) = self.records.get_mut(number) else {
            return;
        };
        let Some(times) = times else {
            (record.end, record.timing) = (seen, Timing::Seen);
            return;
        };
        let returned = record.end;
        (record.start, record.end) = (times.start, times.end.max(times.start));
        record.timing = Timing::Device;
        if let Clock::Device(clock) = times.clock {
            self.foreign.push((number, clock));
            let least = record.submitted.wrapping_sub(times.submit) as i64;
            let most = returned.wrapping_sub(times.submit) as i64;
            let known = self.offsets.entry(clock).or_insert((least, most));
            *known = (known.0.max(least), known.1.min(most));
        }
    }

    /// Forgets everything; what must go outside the lock comes back.
    fn clear(&mut self) -> (Vec<Record>, VecDeque<(Place, Late)>) {
        self.lists += 1;
        self.foreign.clear();
        self.offsets.clear();
        self.dropped = 0;
        (
            std::mem::take(&mut self.records),
            std::mem::take(&mut self.late),
        )
    }

    /// Brings devices' times onto the host's clock.
    fn align(&mut self) {
        for (number, clock) in std::mem::take(&mut self.foreign) {
            let (Some(offset), Some(record)) =
                (self.offsets.get(&clock), self.records.get_mut(number))
            else {
                continue;
            };
            let (least, most) = *offset;
            // If the two contradict each other, something was submitted after its call returned.
            let offset = least + (most - least).max(0) / 2;
            record.start = record.start.wrapping_add_signed(offset);
            record.end = record.end.wrapping_add_signed(offset);
        }
    }
}

/// Work that a queue was given by the call since `submitted`; `late` knows its times. Call it
/// while [`enabled`], outside any critical section.
pub fn work(
    category: Category,
    name: &str,
    lane: Lane,
    submitted: u64,
    (items, bytes): (u64, u64),
    late: Late,
) {
    if !enabled() {
        return;
    }
    let mut record = fresh(category, name);
    (record.start, record.submitted) = (submitted, submitted);
    record.lane = Some(lane);
    (record.items, record.bytes) = (items, bytes);
    record.site = scope::line();
    push(record, Some(late));
}

/// Everything that happens in the process, from the start to the stop.
pub struct Recording {
    number: u64,
    started: u64,
}

/// What a recording has found.
#[derive(Clone, Debug)]
pub struct Results {
    /// In the order in which they were reported.
    pub records: Vec<Record>,
    /// When it was started.
    pub start: u64,
    /// When it was stopped.
    pub end: u64,
    /// How many records there was no room for.
    pub dropped: u64,
}

impl Recording {
    /// Starts to record.
    pub fn start() -> Recording {
        fork::watch();
        let number = with_state(|state| {
            let number = state.next;
            state.next += 1;
            state.running.push((number, state.records.len()));
            timing::want(true);
            number
        });
        Recording {
            number,
            started: now(),
        }
    }

    /// Stops, waits for the work that was submitted meanwhile, and gives what was recorded.
    pub fn stop(self) -> Results {
        let end = now();
        // What other threads are asking for comes in before long.
        loop {
            let next = with_state(|state| match state.late.pop_front() {
                Some(one) => {
                    state.asking += 1;
                    Ok(one)
                }
                None => Err(state.asking),
            });
            match next {
                Ok((place, late)) => ask(place, late),
                Err(0) => break,
                Err(_) => std::thread::yield_now(),
            }
        }
        let (records, dropped, _unwanted) = with_state(|state| {
            state.align();
            let first = self.remove(state);
            let dropped = state.dropped;
            if state.running.is_empty() {
                let (mut records, late) = state.clear();
                (records.split_off(first), dropped, late)
            } else {
                (state.records[first..].to_vec(), dropped, VecDeque::new())
            }
        });
        Results {
            records,
            start: self.started,
            end,
            dropped,
        }
    }

    /// Ends the recording; its first record.
    fn remove(&self, state: &mut State) -> usize {
        let place = state.running.iter().position(|one| one.0 == self.number);
        let first = place.map_or(state.records.len(), |place| state.running.remove(place).1);
        if state.running.is_empty() {
            timing::want(false);
        }
        first
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let dropped = with_state(|state| {
            let place = state.running.iter().any(|one| one.0 == self.number);
            self.remove(state);
            (place && state.running.is_empty()).then(|| state.clear())
        });
        // Outside the lock: events may go here.
        drop(dropped);
    }
}
