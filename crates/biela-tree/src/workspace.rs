//! Scratch arrays of the tree algorithms, made once for a tree.

#![allow(non_snake_case)]

use super::affine::Affine;
use super::articulated::Answers;
use super::scalar::Scalar;
use super::spatial::{M3, V3, Y3};
use super::wide::{Fused, Level};
use super::world_nodes::{Masses, Motions, Poses, WorldNode};
use super::Tree;

/// What one-state algorithms write into.
#[derive(Debug)]
pub struct Workspace {
    pub(super) inner: Inner,
}

/// Scratch arrays of the number type that suits the processor.
#[derive(Debug)]
pub(super) enum Inner {
    Portable(Work<f64>),
    Fused(Work<Fused>),
}

impl Workspace {
    /// A workspace for a tree.
    pub fn new(tree: &Tree) -> Workspace {
        let inner = match tree.level {
            Level::Portable => Inner::Portable(Work::new(tree)),
            Level::Avx2 | Level::Avx512 => Inner::Fused(Work::new(tree)),
        };
        Workspace { inner }
    }
}

/// A node in the pass of inverse dynamics: its rotation and origin in its parent, then its motion and load in its frame.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Link<S> {
    pub R: M3<S>,
    pub p: V3<S>,
    pub w: V3<S>,
    pub al: V3<S>,
    pub a: V3<S>,
    pub f: V3<S>,
    pub n: V3<S>,
}

/// Mass, first moment and inertia of all that a node carries, about its origin in its frame.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Composite<S> {
    pub R: M3<S>,
    pub p: V3<S>,
    pub m: S,
    pub h: V3<S>,
    pub J: Y3<S>,
}

/// A node in the pass of forward dynamics: n = J α + H a + n₀ and f = Hᵀ α + M a + f₀ of its articulated body.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Articulated<S> {
    pub R: M3<S>,
    pub p: V3<S>,
    pub w: V3<S>,
    pub cw: V3<S>,
    pub cv: V3<S>,
    pub J: Y3<S>,
    pub H: M3<S>,
    pub M: Y3<S>,
    pub n: V3<S>,
    pub f: V3<S>,
    pub Un: V3<S>,
    pub Uf: V3<S>,
    pub D: S,
    pub u: S,
}

/// Pose and motion of a node.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Frame<S> {
    pub R: M3<S>,
    pub p: V3<S>,
    pub w: V3<S>,
    pub v: V3<S>,
    pub al: V3<S>,
    pub a: V3<S>,
}

/// Scratch arrays over one number type. Who fills them is told at each.
#[derive(Debug)]
pub(super) struct Work<S> {
    /// Angles, sines and cosines of the nodes, padded to a multiple of four; filled by [`Work::angles`].
    pub angle: Vec<S>,
    pub sin: Vec<S>,
    pub cos: Vec<S>,
    /// Slides of the nodes; filled by [`Work::angles`].
    pub slide: Vec<S>,
    /// Filled by `rnea`.
    pub links: Vec<Link<S>>,
    /// Filled by `crba`.
    pub composites: Vec<Composite<S>>,
    /// Filled by `aba`.
    pub articulated: Vec<Articulated<S>>,
    /// Filled by `kinematics`.
    pub frames: Vec<Frame<S>>,
    /// Nodes in ground axes; filled by `world`, summed towards the ground by its users.
    pub world: Vec<WorldNode<S>>,
    /// Inertias, set to the nodes' own by `world` and summed towards the ground by its users.
    pub totals: Masses<S>,
    /// Poses of the nodes in the ground; filled by `world`.
    pub placed: Poses<S>,
    /// S, ψ̇, ψ̈ and ψ̇ + Ṡ of the nodes in ground axes; filled by `world`.
    pub s: Motions<S>,
    pub psi: Motions<S>,
    pub psi2: Motions<S>,
    pub rate: Motions<S>,
    /// Filled by `response`.
    pub answers: Answers<S>,
    /// Matrices in node order with room at their ends, where chunks hold several numbers; filled by `response`.
    pub kept: [Vec<S>; 3],
    /// A matrix (rows of whole chunks) and rows in node order; filled by `derivatives`, `crba`, `gibbs_appell`, `lagrange_dh`.
    pub M: Vec<S>,
    pub row: Vec<S>,
    pub x: Vec<S>,
    /// Axes and arms of the nodes between node j and the ground, row j, seen in frame j; filled by `gibbs_appell`.
    pub axes: Vec<V3<S>>,
    pub arms: Vec<V3<S>>,
    /// U_ij and U_ij B_i of the node i at work; filled by `lagrange_dh`.
    pub U: Vec<Affine<S>>,
    pub UB: Vec<Affine<S>>,
}

impl<S: Scalar> Work<S> {
    pub fn new(tree: &Tree) -> Work<S> {
        let n = tree.nodes.len();
        let padded = n.div_ceil(4) * 4;
        let (o, v, m, y) = (S::zero(), V3::zero(), M3::zero(), Y3::zero());
        Work {
            angle: vec![o; padded],
            sin: vec![o; padded],
            cos: vec![o; padded],
            slide: vec![o; n],
            links: vec![Link { R: m, p: v, w: v, al: v, a: v, f: v, n: v }; n],
            composites: vec![Composite { R: m, p: v, m: o, h: v, J: y }; n],
            articulated: vec![
                Articulated {
                    R: m,
                    p: v,
                    w: v,
                    cw: v,
                    cv: v,
                    J: y,
                    H: m,
                    M: y,
                    n: v,
                    f: v,
                    Un: v,
                    Uf: v,
                    D: o,
                    u: o
                };
                n
            ],
            frames: vec![Frame { R: m, p: v, w: v, v, al: v, a: v }; n],
            world: vec![WorldNode::zero(); n],
            totals: Masses::new(n),
            placed: Poses::new(n),
            s: Motions::new(n),
            psi: Motions::new(n),
            psi2: Motions::new(n),
            rate: Motions::new(n),
            answers: Answers::new(n),
            kept: [(); 3].map(|()| Vec::new()),
            M: Vec::new(),
            row: vec![o; n + S::CHUNK],
            x: vec![o; n],
            axes: Vec::new(),
            arms: Vec::new(),
            U: vec![Affine::zero(); n],
            UB: vec![Affine::zero(); n],
        }
    }

    /// Room for the matrix, made when it is first needed: algorithms linear in the nodes do without.
    #[inline(always)]
    pub fn make_matrix(&mut self, n: usize) {
        make_room(&mut self.M, n * n.div_ceil(4) * 4, S::zero());
    }

    /// Room for the matrices that `response` keeps.
    #[inline(always)]
    pub fn make_kept(&mut self, n: usize) {
        let size = if S::CHUNK > 1 { (n + S::CHUNK) * n.div_ceil(4) * 4 } else { 0 };
        self.kept.iter_mut().for_each(|kept| make_room(kept, size, S::zero()));
    }

    /// Room for axes and arms.
    #[inline(always)]
    pub fn make_arms(&mut self, n: usize) {
        make_room(&mut self.axes, n * n, V3::zero());
        make_room(&mut self.arms, n * n, V3::zero());
    }

    /// Sines, cosines and slides of all nodes.
    #[inline(always)]
    pub fn angles<const REVOLUTE: bool>(&mut self, tree: &Tree, q: &[f64]) {
        if REVOLUTE {
            for (node, angle) in tree.nodes.iter().zip(self.angle.iter_mut()) {
                *angle = S::load(q, node.q) + S::splat(node.offset);
            }
        } else {
            for ((node, angle), slide) in tree.nodes.iter().zip(self.angle.iter_mut()).zip(self.slide.iter_mut()) {
                let x = S::load(q, node.q);
                *angle = S::splat(node.angle).fma(x, S::splat(node.offset));
                *slide = S::splat(node.lead) * x;
            }
        }
        S::sin_cos(&self.angle, &mut self.sin, &mut self.cos);
    }
}

#[inline(always)]
fn make_room<T: Clone>(list: &mut Vec<T>, size: usize, zero: T) {
    if list.len() < size {
        list.resize(size, zero);
    }
}

/// Calls a kernel with the workspace's own number type, compiled for the processor.
macro_rules! dispatch {
    ($tree:expr, $workspace:expr, $kernel:ident { $($field:ident),* }) => {
        match &mut $workspace.inner {
            $crate::workspace::Inner::Portable(work) => {
                $crate::wide::run_portable($kernel { tree: $tree, work, $($field),* })
            }
            $crate::workspace::Inner::Fused(work) => {
                $crate::wide::run_fused($tree.level, $kernel { tree: $tree, work, $($field),* });
            }
        }
    };
}
pub(super) use dispatch;

/// A kernel: a tree, its scratch and what an algorithm takes and gives. With `by`, the function that runs it, compiled for
/// trees of turning joints alone and for all others; what else it says of itself may follow in braces.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident<$life:lifetime> { $($field:ident: $type:ty),* }) => {
        $(#[$doc])*
        pub(super) struct $name<$life, S> {
            pub tree: &$life $crate::Tree,
            pub work: &$life mut $crate::workspace::Work<S>,
            $(pub $field: $type),*
        }
    };
    ($(#[$doc:meta])* $name:ident<$life:lifetime> { $($field:ident: $type:ty),* } by $pass:ident $({ $($item:tt)* })?) => {
        $crate::workspace::kernel!($(#[$doc])* $name<$life> { $($field: $type),* });
        impl<S: $crate::scalar::Scalar> $crate::wide::Kernel for $name<'_, S> {
            $($($item)*)?

            #[inline(always)]
            fn run(self) {
                let $name { tree, work, $($field),* } = self;
                if tree.turns_apart::<S>() {
                    $pass::<S, true>(tree, work, $($field),*);
                } else {
                    $pass::<S, false>(tree, work, $($field),*);
                }
            }
        }
    };
}
pub(super) use kernel;
