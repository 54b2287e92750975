//! Numbers that use the wide registers of x86 processors, and the door through which kernels are compiled for them.
//!
//! This is the only module of the crate with `unsafe` code. The reason: the program shipped to users is built for any
//! x86-64 processor and chooses the wide instructions at run time. That takes functions with `#[target_feature]`, which
//! may be called only on a processor that has the features, and the processor's own instructions on registers.
//!
//! What makes it sound: a value of [`Fused`], [`Lanes4`] or [`Lanes8`] is used only inside `run_avx2` or `run_avx512`,
//! and those are reached only through [`Level`], which is made for a tree by [`Level::detect`] alone. Every operation is
//! `#[inline(always)]`, so that it takes the features of the kernel it stands in.

#![allow(unsafe_code)]

use super::scalar::Scalar;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::atomic::{AtomicU8, Ordering};

/// What the processor can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing beyond the base instructions of the target.
    Portable,
    /// AVX2 and fused multiply-add: four numbers at once.
    Avx2,
    /// AVX-512: eight numbers at once.
    Avx512,
}

/// The level that no tree goes beyond, as its place in [`Level::ALL`].
static MOST: AtomicU8 = AtomicU8::new(u8::MAX);

impl Level {
    /// All of them, from narrow to wide, with their names.
    pub const ALL: [(&'static str, Level); 3] =
        [("portable", Level::Portable), ("avx2", Level::Avx2), ("avx512", Level::Avx512)];

    /// Keeps trees that are built from now on to this level at most. Results are the same bits at every level.
    pub fn limit(most: Level) {
        MOST.store(most as u8, Ordering::Relaxed);
    }

    /// The best level of this processor within the limit.
    pub fn detect() -> Level {
        let most = usize::from(MOST.load(Ordering::Relaxed)).min(Level::ALL.len() - 1);
        Level::of_processor().min(Level::ALL[most].1)
    }

    fn of_processor() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq");
            if avx2 && avx512 {
                return Level::Avx512;
            }
            if avx2 {
                return Level::Avx2;
            }
        }
        Level::Portable
    }

    /// States evaluated at once in a batch.
    pub fn lanes(self) -> usize {
        match self {
            Level::Portable => 1,
            Level::Avx2 => 4,
            Level::Avx512 => 8,
        }
    }
}

/// A piece of work that may be compiled for several processors. `run` must be `#[inline(always)]`.
pub trait Kernel {
    /// Whether it is compiled for the registers of AVX-512 too, where it uses one number at a time. They are twice as many, and
    /// wider than its vectors of three: kernels that go through 6×6 matrices take up to 1.6 times as long with them
    /// (docs/performance.md).
    const MORE_REGISTERS: bool = true;

    /// Does the work.
    fn run(self);
}

/// Runs a kernel that uses [`Fused`] numbers; true where the processor allows it.
#[inline(always)]
pub fn run_fused<K: Kernel>(level: Level, kernel: K) -> bool {
    #[cfg(target_arch = "x86_64")]
    match level {
        // SAFETY: the level says that the processor has these features.
        Level::Avx512 if K::MORE_REGISTERS => unsafe { run_avx512(kernel) },
        // SAFETY: as above; AVX-512 includes these features.
        Level::Avx512 | Level::Avx2 => unsafe { run_avx2(kernel) },
        Level::Portable => return false,
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (level, kernel);
    cfg!(target_arch = "x86_64")
}

/// Runs a kernel of plain numbers, compiled once for all who call it.
#[inline(never)]
pub fn run_portable<K: Kernel>(kernel: K) {
    kernel.run();
}

/// Runs a kernel that uses [`Lanes4`]; true where the processor allows it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn run_four<K: Kernel>(level: Level, kernel: K) -> bool {
    if level < Level::Avx2 {
        return false;
    }
    // SAFETY: the level says that the processor has these features.
    unsafe { run_avx2(kernel) };
    true
}

/// Runs a kernel that uses [`Lanes8`]; true where the processor allows it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn run_eight<K: Kernel>(level: Level, kernel: K) -> bool {
    if level < Level::Avx512 {
        return false;
    }
    // SAFETY: the level says that the processor has these features.
    unsafe { run_avx512(kernel) };
    true
}

/// Compiles a kernel with AVX2 and fused multiply-add.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn run_avx2<K: Kernel>(kernel: K) {
    kernel.run();
}

/// Compiles a kernel with AVX-512, whose registers are also twice as many.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq")]
unsafe fn run_avx512<K: Kernel>(kernel: K) {
    kernel.run();
}

/// One number whose products and sums are fused; used only inside wide kernels.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Fused(f64);

impl Add for Fused {
    type Output = Fused;
    #[inline(always)]
    fn add(self, o: Fused) -> Fused {
        Fused(self.0 + o.0)
    }
}
impl Sub for Fused {
    type Output = Fused;
    #[inline(always)]
    fn sub(self, o: Fused) -> Fused {
        Fused(self.0 - o.0)
    }
}
impl Mul for Fused {
    type Output = Fused;
    #[inline(always)]
    fn mul(self, o: Fused) -> Fused {
        Fused(self.0 * o.0)
    }
}
impl Neg for Fused {
    type Output = Fused;
    #[inline(always)]
    fn neg(self) -> Fused {
        Fused(-self.0)
    }
}

impl Scalar for Fused {
    #[cfg(target_arch = "x86_64")]
    type Chunk = Lanes4;
    #[cfg(not(target_arch = "x86_64"))]
    type Chunk = Fused;
    const LANES: usize = 1;
    #[inline(always)]
    fn splat(x: f64) -> Fused {
        Fused(x)
    }
    #[inline(always)]
    fn fma(self, b: Fused, c: Fused) -> Fused {
        Fused(self.0.mul_add(b.0, c.0))
    }
    #[inline(always)]
    fn fnma(self, b: Fused, c: Fused) -> Fused {
        Fused((-self.0).mul_add(b.0, c.0))
    }
    #[inline(always)]
    fn recip(self) -> Fused {
        Fused(1.0 / self.0)
    }
    #[inline(always)]
    fn sqrt(self) -> Fused {
        Fused(self.0.sqrt())
    }
    #[inline(always)]
    fn load(block: &[f64], k: usize) -> Fused {
        Fused(block[k])
    }
    #[inline(always)]
    fn store(self, block: &mut [f64], k: usize) {
        block[k] = self.0;
    }
    #[inline(always)]
    fn sin_cos(angles: &[Fused], sin: &mut [Fused], cos: &mut [Fused]) {
        #[cfg(target_arch = "x86_64")]
        for ((a, s), c) in angles.chunks_exact(4).zip(sin.chunks_exact_mut(4)).zip(cos.chunks_exact_mut(4)) {
            // SAFETY: each chunk holds four numbers, and `Fused` is laid out as the number in it; the kernel has AVX2.
            unsafe {
                use std::arch::x86_64::{_mm256_loadu_pd, _mm256_storeu_pd};
                let (sines, cosines) = x86::sin_cos(_mm256_loadu_pd(a.as_ptr().cast()));
                _mm256_storeu_pd(s.as_mut_ptr().cast(), sines);
                _mm256_storeu_pd(c.as_mut_ptr().cast(), cosines);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        for ((a, s), c) in angles.iter().zip(sin).zip(cos) {
            (s.0, c.0) = super::scalar::sin_cos(a.0);
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Lanes4, Lanes8};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use crate::scalar::{Chunk, COSINE, LARGEST_ANGLE, REST_OF_HALF_PI, SINE};
    use std::arch::x86_64::*;

    /// Four numbers in one AVX2 register; used only inside wide kernels.
    #[derive(Debug, Clone, Copy)]
    #[repr(transparent)]
    pub struct Lanes4(__m256d);

    /// Eight numbers in one AVX-512 register; used only inside wide kernels.
    #[derive(Debug, Clone, Copy)]
    #[repr(transparent)]
    pub struct Lanes8(__m512d);

    // SAFETY (all operations below): lanes exist only inside kernels compiled with, and run on, the needed features;
    // loads and stores go through slices whose length is checked first.
    macro_rules! lanes {
        ($name:ident, $lanes:literal, $add:ident, $sub:ident, $mul:ident, $div:ident, $set1:ident, $fma:ident, $fnma:ident,
         $sqrt:ident, $load:ident, $store:ident, $sin_cos:path) => {
            impl Add for $name {
                type Output = $name;
                #[inline(always)]
                fn add(self, o: $name) -> $name {
                    $name(unsafe { $add(self.0, o.0) })
                }
            }
            impl Sub for $name {
                type Output = $name;
                #[inline(always)]
                fn sub(self, o: $name) -> $name {
                    $name(unsafe { $sub(self.0, o.0) })
                }
            }
            impl Mul for $name {
                type Output = $name;
                #[inline(always)]
                fn mul(self, o: $name) -> $name {
                    $name(unsafe { $mul(self.0, o.0) })
                }
            }
            impl Neg for $name {
                type Output = $name;
                #[inline(always)]
                fn neg(self) -> $name {
                    $name(unsafe { $sub($set1(-0.0), self.0) })
                }
            }
            impl Scalar for $name {
                type Chunk = $name;
                const LANES: usize = $lanes;
                #[inline(always)]
                fn splat(x: f64) -> $name {
                    $name(unsafe { $set1(x) })
                }
                #[inline(always)]
                fn fma(self, b: $name, c: $name) -> $name {
                    $name(unsafe { $fma(self.0, b.0, c.0) })
                }
                #[inline(always)]
                fn fnma(self, b: $name, c: $name) -> $name {
                    $name(unsafe { $fnma(self.0, b.0, c.0) })
                }
                #[inline(always)]
                fn recip(self) -> $name {
                    $name(unsafe { $div($set1(1.0), self.0) })
                }
                #[inline(always)]
                fn sqrt(self) -> $name {
                    $name(unsafe { $sqrt(self.0) })
                }
                #[inline(always)]
                fn load(block: &[f64], k: usize) -> $name {
                    let block = &block[k * $lanes..k * $lanes + $lanes];
                    $name(unsafe { $load(block.as_ptr()) })
                }
                #[inline(always)]
                fn store(self, block: &mut [f64], k: usize) {
                    let block = &mut block[k * $lanes..k * $lanes + $lanes];
                    unsafe { $store(block.as_mut_ptr(), self.0) };
                }
                #[inline(always)]
                fn sin_cos(angles: &[$name], sin: &mut [$name], cos: &mut [$name]) {
                    for ((a, s), c) in angles.iter().zip(sin).zip(cos) {
                        (s.0, c.0) = unsafe { $sin_cos(a.0) };
                    }
                }
            }
        };
    }

    lanes!(
        Lanes4,
        4,
        _mm256_add_pd,
        _mm256_sub_pd,
        _mm256_mul_pd,
        _mm256_div_pd,
        _mm256_set1_pd,
        _mm256_fmadd_pd,
        _mm256_fnmadd_pd,
        _mm256_sqrt_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        sin_cos
    );
    lanes!(
        Lanes8,
        8,
        _mm512_add_pd,
        _mm512_sub_pd,
        _mm512_mul_pd,
        _mm512_div_pd,
        _mm512_set1_pd,
        _mm512_fmadd_pd,
        _mm512_fnmadd_pd,
        _mm512_sqrt_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        sin_cos_8
    );

    /// Four numbers of an array.
    impl Chunk<Fused> for Lanes4 {
        const COUNT: usize = 4;
        #[inline(always)]
        fn of(array: &[Fused], k: usize) -> Lanes4 {
            let four = &array[k..k + 4];
            // SAFETY: the slice holds four numbers, and `Fused` is laid out as the number in it.
            Lanes4(unsafe { _mm256_loadu_pd(four.as_ptr().cast()) })
        }
        #[inline(always)]
        fn put_into(self, array: &mut [Fused], k: usize) {
            let four = &mut array[k..k + 4];
            // SAFETY: as above.
            unsafe { _mm256_storeu_pd(four.as_mut_ptr().cast(), self.0) };
        }
        #[inline(always)]
        fn all(x: Fused) -> Lanes4 {
            Lanes4::splat(x.0)
        }
    }

    /// Four sines and cosines: reduced by multiples of π/2 in two parts, then by polynomials.
    #[inline(always)]
    pub unsafe fn sin_cos(x: __m256d) -> (__m256d, __m256d) {
        let c = |x: f64| unsafe { _mm256_set1_pd(x) };
        unsafe {
            let size = _mm256_andnot_pd(c(-0.0), x);
            // An unordered comparison also catches what is not a number.
            if _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(size, c(LARGEST_ANGLE))) != 0b1111 {
                return by_library(x);
            }
            const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
            let n = _mm256_round_pd::<NEAREST>(_mm256_mul_pd(x, c(std::f64::consts::FRAC_2_PI)));
            let r = _mm256_fnmadd_pd(n, c(std::f64::consts::FRAC_PI_2), x);
            let r = _mm256_fnmadd_pd(n, c(REST_OF_HALF_PI), r);
            let z = _mm256_mul_pd(r, r);
            let mut s = c(SINE[0]);
            let mut k = c(COSINE[0]);
            for i in 1..6 {
                s = _mm256_fmadd_pd(s, z, c(SINE[i]));
                k = _mm256_fmadd_pd(k, z, c(COSINE[i]));
            }
            s = _mm256_fmadd_pd(_mm256_mul_pd(s, z), r, r);
            k = _mm256_fmadd_pd(k, _mm256_mul_pd(z, z), _mm256_fnmadd_pd(c(0.5), z, c(1.0)));
            // The lowest bits of n say in which quadrant the angle lies.
            let q = _mm256_castpd_si256(_mm256_add_pd(n, c(6_755_399_441_055_744.0)));
            let swap = _mm256_castsi256_pd(_mm256_slli_epi64::<63>(q));
            let sine_sign = _mm256_castsi256_pd(_mm256_slli_epi64::<63>(_mm256_srli_epi64::<1>(q)));
            let next = _mm256_add_epi64(q, _mm256_set1_epi64x(1));
            let cosine_sign = _mm256_castsi256_pd(_mm256_slli_epi64::<63>(_mm256_srli_epi64::<1>(next)));
            (
                _mm256_xor_pd(_mm256_blendv_pd(s, k, swap), sine_sign),
                _mm256_xor_pd(_mm256_blendv_pd(k, s, swap), cosine_sign),
            )
        }
    }

    #[inline(always)]
    unsafe fn sin_cos_8(x: __m512d) -> (__m512d, __m512d) {
        unsafe {
            let (s0, c0) = sin_cos(_mm512_castpd512_pd256(x));
            let (s1, c1) = sin_cos(_mm512_extractf64x4_pd::<1>(x));
            let join = |a: __m256d, b: __m256d| _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(a), b);
            (join(s0, s1), join(c0, c1))
        }
    }

    #[cold]
    #[inline(never)]
    fn by_library(x: __m256d) -> (__m256d, __m256d) {
        let (mut angles, mut sines, mut cosines) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        // SAFETY: the arrays hold four numbers each.
        unsafe {
            _mm256_storeu_pd(angles.as_mut_ptr(), x);
            for k in 0..4 {
                (sines[k], cosines[k]) = crate::scalar::sin_cos(angles[k]);
            }
            (_mm256_loadu_pd(sines.as_ptr()), _mm256_loadu_pd(cosines.as_ptr()))
        }
    }
}
