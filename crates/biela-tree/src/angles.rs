//! Sines and cosines of many angles, four at a time where the processor can, with the same bits everywhere.

use super::scalar::{sin_cos, Scalar};
use super::wide::{Kernel, Level};

/// Sines and cosines of angles; the three slices have one length, a multiple of four.
pub fn sines_and_cosines(level: Level, angles: &[f64], sine: &mut [f64], cosine: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if super::wide::run_four(level, Four { angles, sine, cosine }) {
        return;
    }
    let _ = level;
    for ((a, s), c) in angles.iter().zip(sine).zip(cosine) {
        (*s, *c) = sin_cos(*a);
    }
}

#[cfg(target_arch = "x86_64")]
struct Four<'a> {
    angles: &'a [f64],
    sine: &'a mut [f64],
    cosine: &'a mut [f64],
}

#[cfg(target_arch = "x86_64")]
impl Kernel for Four<'_> {
    #[inline(always)]
    fn run(self) {
        use super::wide::Lanes4;
        for k in 0..self.angles.len() / 4 {
            let (mut s, mut c) = ([Lanes4::zero()], [Lanes4::zero()]);
            Lanes4::sin_cos(&[Lanes4::load(self.angles, k)], &mut s, &mut c);
            s[0].store(self.sine, k);
            c[0].store(self.cosine, k);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_gives_the_same_bits() {
        let angles: Vec<f64> = (0..64).map(|k| (f64::from(k) - 31.5) * 0.37 * f64::from(1 + k % 5)).collect();
        let [mut sine, mut cosine, mut other, mut another] = [(); 4].map(|()| vec![0.0; 64]);
        sines_and_cosines(Level::Portable, &angles, &mut sine, &mut cosine);
        sines_and_cosines(Level::detect(), &angles, &mut other, &mut another);
        assert_eq!((&sine, &cosine), (&other, &another));
        // Two roundings of numbers below one.
        const ROUNDING: f64 = 4e-16;
        for (a, (s, c)) in angles.iter().zip(sine.iter().zip(&cosine)) {
            assert!((s - a.sin()).abs() < ROUNDING && (c - a.cos()).abs() < ROUNDING, "{a}");
        }
    }
}
