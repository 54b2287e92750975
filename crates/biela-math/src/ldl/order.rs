//! In which order unknowns are eliminated.
//!
//! Least degree first, rows after the unknowns that they tie together; in blocks of parts that do not touch each other, so that what is
//! worked on stands in a cache however large the whole is.

use std::collections::BTreeSet;

/// The order for `n` unknowns with these entries off the diagonal; the unknowns from `first_row` on are rows.
pub(super) fn of(n: usize, first_row: usize, entries: &mut dyn Iterator<Item = (usize, usize)>) -> Order {
    let near = Neighbours::of(n, entries);
    let (mut order, mut columns) = (Vec::with_capacity(n), Vec::with_capacity(n));
    // The number of each unknown within its block.
    let mut within = vec![0; n];
    for block in near.blocks() {
        block.iter().enumerate().for_each(|(k, i)| within[*i] = k);
        let near: Vec<Vec<usize>> =
            block.iter().map(|i| near.list(*i).iter().map(|j| within[*j as usize]).collect()).collect();
        let graph = Graph::new(block.partition_point(|i| *i < first_row), near);
        let orders = SLACKS.into_iter().map(|slack| graph.clone().order(slack));
        let cheapest = orders.reduce(|best, next| if next.cost() < best.cost() { next } else { best });
        let own = cheapest.unwrap_or_default().by_levels();
        order.extend(own.order.into_iter().map(|k| block[k]));
        let named = |mut column: Vec<usize>| {
            column.iter_mut().for_each(|k| *k = block[*k]);
            column
        };
        columns.extend(own.columns.into_iter().map(named));
    }
    Order { order, columns }
}

/// By how much degrees may differ among unknowns that are eliminated at once; none where they are eliminated one by one.
const SLACKS: [Option<usize>; 3] = [None, Some(0), Some(2)];

/// The unknowns that each touches, in ascending order, as lists in one piece.
struct Neighbours {
    starts: Vec<u32>,
    near: Vec<u32>,
}

impl Neighbours {
    fn of(n: usize, entries: &mut dyn Iterator<Item = (usize, usize)>) -> Neighbours {
        let pairs: Vec<[u32; 2]> = entries.filter(|(i, j)| i != j).map(|(i, j)| [i as u32, j as u32]).collect();
        // Where each list ends, then, as it is filled from behind, where it starts.
        let mut starts = vec![0u32; n + 1];
        pairs.iter().flatten().for_each(|i| starts[*i as usize] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut near = vec![0; 2 * pairs.len()];
        for [i, j] in pairs {
            for (of, other) in [(i, j), (j, i)] {
                starts[of as usize] -= 1;
                near[starts[of as usize] as usize] = other;
            }
        }
        // Each once.
        let mut kept = 0;
        for i in 0..n {
            let list = starts[i] as usize..starts[i + 1] as usize;
            near[list.clone()].sort_unstable();
            starts[i] = kept as u32;
            for k in list {
                if kept == starts[i] as usize || near[kept - 1] != near[k] {
                    near[kept] = near[k];
                    kept += 1;
                }
            }
        }
        starts[n] = kept as u32;
        near.truncate(kept);
        Neighbours { starts, near }
    }

    fn list(&self, i: usize) -> &[u32] {
        &self.near[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Parts that do not touch each other, as many together as stand in a cache while they are worked on. What a part comes to does not depend
    /// on those beside it; of one part there is one block.
    fn blocks(&self) -> Vec<Vec<usize>> {
        /// Unknowns of a block, if no part of it has more.
        const MANY: usize = 1000;
        let n = self.starts.len() - 1;
        let mut seen = vec![false; n];
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for first in 0..n {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            if blocks.last().is_none_or(|block| block.len() >= MANY) {
                blocks.push(Vec::new());
            }
            let Some(block) = blocks.last_mut() else { continue };
            let mut next = block.len();
            block.push(first);
            while let Some(i) = block.get(next).copied() {
                next += 1;
                for j in self.list(i) {
                    if !std::mem::replace(&mut seen[*j as usize], true) {
                        block.push(*j as usize);
                    }
                }
            }
        }
        blocks.iter_mut().for_each(|block| block.sort_unstable());
        blocks
    }
}

/// Which unknowns touch each other, while they are eliminated.
#[derive(Clone)]
struct Graph {
    first_row: usize,
    near: Vec<Vec<usize>>,
    /// Number of unknowns that each row still waits for, and the rows that wait for each.
    waits: Vec<usize>,
    ties: Vec<Vec<usize>>,
}

/// An order of elimination, and the unknowns below the diagonal of each column.
#[derive(Default)]
pub(super) struct Order {
    pub order: Vec<usize>,
    pub columns: Vec<Vec<usize>>,
}

impl Graph {
    /// Of these neighbours of each; the unknowns from `first_row` on are rows.
    fn new(first_row: usize, near: Vec<Vec<usize>>) -> Graph {
        // In ascending order, rows stand last.
        let split = |i: usize| near[i].partition_point(|k| *k < first_row);
        let ties = (0..first_row).map(|v| near[v][split(v)..].to_vec()).collect();
        let waits = (0..near.len()).map(|i| if i < first_row { 0 } else { split(i) }).collect();
        Graph { first_row, near, waits, ties }
    }

    /// Eliminates, time and again, unknowns of about the least degree that do not touch each other.
    fn order(mut self, slack: Option<usize>) -> Order {
        let n = self.near.len();
        let mut queue: BTreeSet<(usize, usize)> =
            (0..n).filter(|i| self.waits[*i] == 0).map(|i| (self.near[i].len(), i)).collect();
        let mut made = Order { order: Vec::with_capacity(n), columns: Vec::with_capacity(n) };
        // The round in which an unknown last was next to one eliminated.
        let mut touched = vec![0usize; n];
        // The last unknown to whose neighbours each was counted.
        let mut counted = vec![usize::MAX; n];
        let mut round = 0;
        while let Some(first) = queue.first().copied() {
            round += 1;
            let last = slack.map_or(first, |slack| (first.0 + slack, usize::MAX));
            let candidates: Vec<(usize, usize)> = queue.range(..=last).copied().collect();
            for (degree, i) in candidates {
                if touched[i] == round {
                    continue;
                }
                queue.remove(&(degree, i));
                let around = std::mem::take(&mut self.near[i]);
                for a in &around {
                    touched[*a] = round;
                    let list = &mut self.near[*a];
                    let waiting = !queue.remove(&(list.len(), *a));
                    // It is gone, and all others around it are next to this one now.
                    list.retain(|b| *b != i);
                    list.iter().for_each(|b| counted[*b] = *a);
                    counted[*a] = *a;
                    list.extend(around.iter().copied().filter(|b| counted[*b] != *a));
                    list.iter().for_each(|b| counted[*b] = usize::MAX);
                    counted[*a] = usize::MAX;
                    if !waiting {
                        queue.insert((list.len(), *a));
                    }
                }
                if i < self.first_row {
                    for r in &self.ties[i] {
                        self.waits[*r] -= 1;
                        if self.waits[*r] == 0 {
                            queue.insert((self.near[*r].len(), *r));
                        }
                    }
                }
                made.order.push(i);
                made.columns.push(around);
            }
        }
        made
    }
}

impl Order {
    /// Level of each place: above all places that change it.
    fn levels(&self) -> Vec<usize> {
        let mut place = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(k, i)| place[*i] = k);
        let mut levels = vec![0; self.order.len()];
        for k in 0..self.order.len() {
            for i in &self.columns[k] {
                levels[place[*i]] = levels[place[*i]].max(levels[k] + 1);
            }
        }
        levels
    }

    /// About how many cycles a factorisation and a solution take: what the steps of one level wait for, and what each computes. Measured.
    fn cost(&self) -> usize {
        /// A division, a product and a difference that goes through memory, and twice more to solve.
        const WAIT: usize = 60;
        /// A step by itself, and each of its products.
        const STEP: usize = 25;
        const PRODUCT: usize = 2;
        let levels = self.levels().into_iter().max().map_or(0, |most| most + 1);
        let work = self.columns.iter().map(|c| STEP + PRODUCT * c.len() * (c.len() + 5) / 2).sum::<usize>();
        levels * WAIT + work
    }

    /// The same order of elimination, level by level, short columns first in each.
    fn by_levels(self) -> Order {
        let levels = self.levels();
        let mut places: Vec<usize> = (0..self.order.len()).collect();
        places.sort_unstable_by_key(|k| (levels[*k], self.columns[*k].len(), *k));
        let Order { order, mut columns } = self;
        Order {
            order: places.iter().map(|k| order[*k]).collect(),
            columns: places.iter().map(|k| std::mem::take(&mut columns[*k])).collect(),
        }
    }
}
