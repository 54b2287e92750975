//! Principal axes of symmetric matrices, such as tensors of inertia.

use crate::Elementary;

/// Makes a symmetric matrix diagonal and turns `axes`, rows that are perpendicular to each other, with it: begun as unit
/// vectors, they become its principal axes.
///
/// Jacobi's method: turns in the planes of the off-diagonal entries make them vanish, quadratically in the end.
pub fn diagonalise<Row: AsRef<[f64]> + AsMut<[f64]>>(a: &mut [Row], axes: &mut [Row]) {
    /// More than a matrix of any size met here ever needs.
    const SWEEPS: usize = 30;
    let n = a.len();
    for _ in 0..SWEEPS {
        let mut turned = false;
        for p in 0..n {
            for q in p + 1..n {
                let (pp, qq, pq) = (a[p].as_ref()[p], a[q].as_ref()[q], a[p].as_ref()[q]);
                if pq == 0.0 {
                    continue;
                }
                turned = true;
                let theta = (qq - pp) / (2.0 * pq);
                let t = theta.signum() / (theta.abs() + theta.hypotenuse(1.0));
                let c = 1.0 / t.hypotenuse(1.0);
                let s = t * c;
                for row in a.iter_mut().map(Row::as_mut) {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                turn_rows(a, (p, q), (c, s));
                turn_rows(axes, (p, q), (c, s));
                (a[p].as_mut()[q], a[q].as_mut()[p]) = (0.0, 0.0);
            }
        }
        if !turned {
            return;
        }
    }
}

fn turn_rows<Row: AsRef<[f64]> + AsMut<[f64]>>(rows: &mut [Row], (p, q): (usize, usize), (c, s): (f64, f64)) {
    for k in 0..rows.len() {
        let (x, y) = (rows[p].as_ref()[k], rows[q].as_ref()[k]);
        rows[p].as_mut()[k] = c * x - s * y;
        rows[q].as_mut()[k] = s * x + c * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The matrix is the sum of its moments along its axes, and the axes are unit vectors perpendicular to each other.
    #[test]
    fn axes_and_moments_give_the_matrix_back() {
        let mut random = Random(5);
        for n in 1..6 {
            for _ in 0..50 {
                let mut a = vec![vec![0.0; n]; n];
                for i in 0..n {
                    for j in 0..=i {
                        a[i][j] = random.signed();
                        a[j][i] = a[i][j];
                    }
                }
                let mut moments = a.clone();
                let mut axes: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
                diagonalise(&mut moments, &mut axes);
                for i in 0..n {
                    for j in 0..n {
                        let back: f64 = (0..n).map(|k| moments[k][k] * axes[k][i] * axes[k][j]).sum();
                        let product: f64 = (0..n).map(|k| axes[i][k] * axes[j][k]).sum();
                        // Some ten turns of rounding each.
                        assert!((back - a[i][j]).abs() < 1e-13, "{n}: {back} {}", a[i][j]);
                        assert!((product - f64::from(i == j)).abs() < 1e-14 && (i == j || moments[i][j] == 0.0));
                    }
                }
            }
        }
    }

    /// Turns stay below an eighth: a matrix that is nearly diagonal keeps its order.
    #[test]
    fn the_smaller_turn_is_taken() {
        let mut a = [[1.0, 1e-3], [1e-3, 2.0]];
        let mut axes = [[1.0, 0.0], [0.0, 1.0]];
        diagonalise(&mut a, &mut axes);
        assert!(a[0][0] < 1.0 && a[1][1] > 2.0 && axes[0][0] > 0.99 && axes[1][1] > 0.99, "{a:?} {axes:?}");
    }
}
