//! The same work for many numbers, on several threads: what comes out does not depend on how many.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What one thread does with the numbers that it takes: `make` prepares it, `work` answers a number. `None` where it was told to stop.
pub(crate) fn each<S, T: Send>(
    count: usize,
    threads: usize,
    stop: Option<&AtomicBool>,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Option<Vec<T>> {
    let stopped = || stop.is_some_and(|s| s.load(Ordering::Relaxed));
    let next = AtomicUsize::new(0);
    let run = || {
        let mut state = make();
        let mut list = Vec::new();
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count || stopped() {
                return list;
            }
            list.push((k, work(&mut state, k)));
        }
    };
    let threads = threads.clamp(1, count.max(1));
    let mut all = match threads {
        1 => run(),
        _ => std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            let mut list = run();
            for other in others {
                list.extend(other.join().unwrap_or_default());
            }
            list
        }),
    };
    all.sort_by_key(|(k, _)| *k);
    (all.len() == count).then(|| all.into_iter().map(|(_, made)| made).collect())
}
