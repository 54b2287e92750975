//! Sets that grow together (union-find).

/// Numbers, each of which belongs to one set.
#[derive(Debug, Clone)]
pub struct Joined(Vec<usize>);

impl Joined {
    /// Each number below `count` alone.
    pub fn new(count: usize) -> Joined {
        Joined((0..count).collect())
    }

    /// The least number of the set that `i` belongs to.
    pub fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    /// Makes the sets of two numbers one.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
