//! Meters: an allocator that counts calls of the whole program and bytes in use by each thread; processor time of a thread.
#![allow(unsafe_code, dead_code)] // An allocator can only be written with unsafe; it forwards to the system's. Each test uses a part.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Bytes in use by what this thread has allocated and freed, and their largest value.
    static USED: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations so far.
pub fn calls() -> usize {
    CALLS.load(Ordering::Relaxed)
}

/// Most bytes that `work` has in use at once on this thread, beyond those in use before, and what it returns.
pub fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = USED.with(|u| {
        let (now, _) = u.get();
        u.set((now, now));
        now
    });
    let result = work();
    (USED.with(|u| u.get().1 - before).max(0) as usize, result)
}

/// Processor time of this thread so far; none where the system does not tell.
pub fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn count(bytes: isize) {
    // A thread at its end may free what it no longer counts.
    let _ = USED.try_with(|u| {
        let (now, most) = u.get();
        u.set((now + bytes, most.max(now + bytes)));
    });
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }
}
