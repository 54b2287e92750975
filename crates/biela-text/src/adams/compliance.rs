//! BUSHING, FIELD and BEAM: what holds I to J by stiffness and damping, along and about the axes of J.

use super::deck::Statement;
use super::{add, number, numbers, Done, Unread, Writer};
use crate::nodes;
use biela_base::signal_name;

/// Six rows and columns: three along the axes of J, three about them.
type Matrix = [[f64; 6]; 6];

const COORDINATES: [&str; 6] = ["x", "y", "z", "angle_x", "angle_y", "angle_z"];

/// A linear relation between how I stands in J and what acts on I, in units of the deck: −K (q − rest) − C q̇ + preload.
struct Linear {
    stiffness: Matrix,
    damping: Matrix,
    rest: [f64; 6],
    preload: [f64; 6],
}

impl Writer<'_> {
    pub fn bushing(&mut self, s: &Statement) -> Done {
        let three = |word: &str| -> std::result::Result<[f64; 3], Unread> {
            let list = s.get(word).map(numbers).transpose()?.unwrap_or_default();
            if list.len() > 3 {
                return Err(Unread(format!("{word} has three values; these are {}", list.len())));
            }
            let mut values = [0.0; 3];
            values.iter_mut().zip(list).for_each(|(value, given)| *value = given);
            Ok(values)
        };
        let six = |along: &str, about: &str| -> std::result::Result<[f64; 6], Unread> {
            let ([a, b, c], [d, e, f]) = (three(along)?, three(about)?);
            Ok([a, b, c, d, e, f])
        };
        let (stiffness, damping) = (diagonal(six("K", "KT")?), diagonal(six("C", "CT")?));
        self.hold(s, &Linear { stiffness, damping, rest: [0.0; 6], preload: six("FORCE", "TORQUE")? })
    }

    /// FIELD: whole matrices, given by columns.
    pub fn field(&mut self, s: &Statement) -> Done {
        if s.has("FUNCTION") {
            return Err(Unread("a field of a program's own".into()));
        }
        let matrix = |word: &str| -> std::result::Result<Option<Matrix>, Unread> {
            let Some(list) = s.get(word).map(numbers).transpose()? else { return Ok(None) };
            if list.len() != 36 {
                return Err(Unread(format!("{word} has 36 values; these are {}", list.len())));
            }
            Ok(Some(std::array::from_fn(|row| std::array::from_fn(|column| list[6 * column + row]))))
        };
        let six = |word: &str| -> std::result::Result<[f64; 6], Unread> {
            let list = s.get(word).map(numbers).transpose()?.unwrap_or_else(|| vec![0.0; 6]);
            list.try_into().map_err(|l: Vec<f64>| Unread(format!("{word} has six values; these are {}", l.len())))
        };
        let stiffness = matrix("KMATRIX")?.unwrap_or_default();
        let damping = matrix("CMATRIX")?.unwrap_or(scaled(&stiffness, number(s, "CRATIO")?.unwrap_or(0.0)));
        self.hold(s, &Linear { stiffness, damping, rest: six("LENGTH")?, preload: six("FORCE")? })
    }

    /// BEAM: a uniform beam along x of J, which bends and shears as Timoshenko's; I is at its free end.
    pub fn beam(&mut self, s: &Statement) -> Done {
        let get = |key: &str| number(s, key).map(|x| x.unwrap_or(0.0));
        let need = |key: &str| -> std::result::Result<f64, Unread> {
            number(s, key)?.filter(|x| *x > 0.0).ok_or_else(|| Unread(format!("a beam needs {key}")))
        };
        if s.get("FORMULATION")
            .and_then(|a| a.values.first())
            .is_some_and(|v| !"LINEAR".starts_with(&v.text.to_ascii_uppercase()))
        {
            return Err(Unread("only linear beams are read".into()));
        }
        let (length, area, e, g) = (need("LENGTH")?, need("AREA")?, need("EMODULUS")?, need("GMODULUS")?);
        let (ixx, iyy, izz) = (get("IXX")?, get("IYY")?, get("IZZ")?);
        let shear = |ratio: f64, i: f64| 12.0 * e * i * ratio / (g * area * length * length);
        let (of_y, of_z) = (shear(get("ASY")?, izz), shear(get("ASZ")?, iyy));
        let mut k = diagonal([
            e * area / length,
            12.0 * e * izz / (length.powi(3) * (1.0 + of_y)),
            12.0 * e * iyy / (length.powi(3) * (1.0 + of_z)),
            g * ixx / length,
            (4.0 + of_z) * e * iyy / (length * (1.0 + of_z)),
            (4.0 + of_y) * e * izz / (length * (1.0 + of_y)),
        ]);
        let (bend_y, bend_z) =
            (6.0 * e * izz / (length * length * (1.0 + of_y)), 6.0 * e * iyy / (length * length * (1.0 + of_z)));
        (k[1][5], k[5][1], k[2][4], k[4][2]) = (-bend_y, -bend_y, bend_z, bend_z);
        let damping = match s.get("CMATRIX").map(numbers).transpose()? {
            None => scaled(&k, get("CRATIO")?),
            // The lower half, by columns.
            Some(list) if list.len() == 21 => {
                let mut c = Matrix::default();
                let places = (0..6).flat_map(|column| (column..6).map(move |row| (row, column)));
                places.zip(list).for_each(|((row, column), x)| (c[row][column], c[column][row]) = (x, x));
                c
            }
            Some(list) => return Err(Unread(format!("CMATRIX has 21 values; these are {}", list.len()))),
        };
        let rest = [length, 0.0, 0.0, 0.0, 0.0, 0.0];
        self.hold(s, &Linear { stiffness: k, damping, rest, preload: [0.0; 6] })
    }

    /// A bushing of what stands on the diagonals, and efforts along its coordinates for the rest.
    fn hold(&mut self, s: &Statement, law: &Linear) -> Done {
        let (i, j) = self.markers(s)?;
        let name = self.name(s);
        let (force, length, time) = (self.units.force, self.units.length, self.units.time);
        // A force or a moment, for a length or an angle.
        let effort = |row: usize| if row < 3 { force } else { force * length };
        let way = |column: usize| if column < 3 { length } else { 1.0 };
        let unit = |row: usize, column: usize| effort(row) / way(column);
        let preload: [f64; 6] = std::array::from_fn(|row| {
            let held: f64 = (0..6).map(|c| law.stiffness[row][c] * law.rest[c]).sum();
            (law.preload[row] + held) * effort(row)
        });
        let both =
            |k: usize| nodes::pair(nodes::vector(j.X_BM.rotation.axes[k]), nodes::vector(i.X_BM.rotation.axes[k]));
        let of =
            |m: &Matrix, time: f64| nodes::numbers(std::array::from_fn::<f64, 6, _>(|k| m[k][k] * unit(k, k) * time));
        let keys = vec![
            ("type", "bushing".into()),
            ("bodies", self.bodies(&i, &j)),
            ("at", self.points(&i, &j)),
            ("axis", both(2)),
            ("x", both(0)),
            ("stiffness", of(&law.stiffness, 1.0)),
            ("damping", of(&law.damping, time)),
            ("preload", nodes::numbers(preload)),
        ];
        add(&mut self.elements, &name, s, keys);
        for (row, own) in COORDINATES.into_iter().enumerate() {
            let mut terms = Vec::new();
            for (column, other) in COORDINATES.into_iter().enumerate().filter(|(column, _)| *column != row) {
                let coordinate = signal_name::join(&name, other);
                let rate = signal_name::join(&coordinate, "rate");
                let one = |second: &str| if column < 3 { format!("(1 m{second})") } else { format!("(1 rad{second})") };
                let (k, c) = (
                    law.stiffness[row][column] * unit(row, column),
                    law.damping[row][column] * unit(row, column) * time,
                );
                if k != 0.0 {
                    terms.push(format!("({:?})*{coordinate}/{}", -k, one("")));
                }
                if c != 0.0 {
                    terms.push(format!("({:?})*{rate}/{}", -c, one("/s")));
                }
            }
            if !terms.is_empty() {
                let called = nodes::unused(&format!("{name}_{own}"), &mut self.names);
                self.effort(&called, s, &name, own, terms.join(" + ").into());
            }
        }
        Ok(())
    }
}

fn diagonal(values: [f64; 6]) -> Matrix {
    let mut matrix = Matrix::default();
    values.into_iter().enumerate().for_each(|(k, x)| matrix[k][k] = x);
    matrix
}

fn scaled(matrix: &Matrix, by: f64) -> Matrix {
    matrix.map(|row| row.map(|x| x * by))
}
