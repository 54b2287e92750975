//! Definitions that use each other, put in order.

/// An order in which each comes after those it uses, the first of them first; where there is none, the circle: each uses the next, and the last
/// the first.
pub(super) fn order_of_use(uses: &[&[usize]]) -> Result<Vec<usize>, Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; uses.len()];
    let mut order = Vec::with_capacity(uses.len());
    for root in 0..uses.len() {
        // Each entry of the path is a definition and how many of its uses are settled.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if state[root] == State::New {
            path.push((root, 0));
            state[root] = State::Open;
        }
        while let Some((k, next)) = path.last_mut() {
            let k = *k;
            let Some(&used) = uses[k].get(*next) else {
                state[k] = State::Done;
                order.push(k);
                path.pop();
                continue;
            };
            *next += 1;
            match state[used] {
                State::Done => {}
                State::New => {
                    state[used] = State::Open;
                    path.push((used, 0));
                }
                State::Open => {
                    let start = path.iter().position(|(k, _)| *k == used).unwrap_or(0);
                    return Err(path[start..].iter().map(|(k, _)| *k).collect());
                }
            }
        }
    }
    Ok(order)
}
