//! Numbers that look random and are the same on every machine (splitmix64).

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A permutation of 64-bit words that leaves no pattern of its argument ([Steele 2014]).
#[inline]
pub fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(STEP);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A stream of numbers; the seed says which.
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// The next number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next number in [−1, 1).
    #[inline]
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // First outputs of the reference implementation for the seed 1234567.
        let mut random = Random(1234567);
        assert_eq!(
            [random.bits(), random.bits(), random.bits()],
            [6457827717110365317, 3203168211198807973, 9817491932198370423]
        );
    }
    #[test]
    fn numbers_are_the_leading_bits() {
        // The same word as a share of 2⁶⁴, cut after 53 bits; and of 2⁶³, less one.
        let word = 6457827717110365317.0 / 2f64.powi(64);
        let unit = Random(1234567).unit();
        assert!(unit <= word && word - unit <= 2f64.powi(-53), "{unit} {word}");
        assert_eq!(Random(1234567).signed(), 2.0 * unit - 1.0);
        // Means of n numbers lie within 5/√(12 n) of the middle, all but once in a million times.
        let mut random = Random(1);
        let n = 10_000;
        let numbers: Vec<f64> = (0..n).map(|_| random.unit()).collect();
        assert!(numbers.iter().all(|x| (0.0..1.0).contains(x)));
        assert!((numbers.iter().sum::<f64>() / f64::from(n) - 0.5).abs() < 5.0 / (12.0 * f64::from(n)).sqrt());
        assert!((0..n).map(|_| random.signed()).all(|x| (-1.0..1.0).contains(&x)));
    }
}
