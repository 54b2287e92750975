//! Dynamics of `biela.Robot`.

#![allow(non_snake_case)] // M, J, Y as in the library.

use crate::errors::solve;
use crate::robot::{Arm, At};
use crate::robot_calls::{only, Array, Maybe, Robot};
use biela::robot::Centroidal;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

pub fn rnea<'py>(arm: &Arm, py: Python<'py>, at: &At<'py>, out: Maybe<'_, 'py>) -> PyResult<Array<'py>> {
    arm.weighed("rnea")?;
    let one = |work: &mut _, [q, v, a]: [&[f64]; 3], [tau]: [&mut [f64]; 1]| {
        arm.robot.rnea(work, q, v, a, tau);
        Ok(())
    };
    only(arm.answer_by(py, at, [&[arm.robot.nv()]], [out], one, |at, [tau]| arm.rnea_rows(at, tau)))
}

pub fn crba<'py>(arm: &Arm, py: Python<'py>, at: &At<'py>, out: Maybe<'_, 'py>) -> PyResult<Array<'py>> {
    let n = arm.robot.nv();
    let one = |work: &mut _, [q, ..]: [&[f64]; 3], [M]: [&mut [f64]; 1]| {
        arm.robot.crba(work, q, M);
        Ok(())
    };
    only(arm.answer_by(py, at, [&[n, n]], [out], one, |at, [M]| arm.crba_rows(at, M)))
}

pub fn aba<'py>(arm: &Arm, py: Python<'py>, at: &At<'py>, out: Maybe<'_, 'py>) -> PyResult<Array<'py>> {
    arm.weighed("aba")?;
    let one = |work: &mut _, [q, v, tau]: [&[f64]; 3], [a]: [&mut [f64]; 1]| arm.robot.aba(work, q, v, tau, a);
    only(arm.answer_by(py, at, [&[arm.robot.nv()]], [out], one, |at, [a]| arm.aba_rows(at, a)))
}

impl Robot {
    /// Something made of the momentum about the centre of mass.
    fn centroidal<'py, const K: usize>(
        &self,
        py: Python<'py>,
        at: &At<'py>,
        shapes: [&[usize]; K],
        derivatives: bool,
        take: impl Fn(&Centroidal) -> [&[f64]; K] + Sync,
    ) -> PyResult<[Array<'py>; K]> {
        let arm = &self.0;
        arm.answer(py, at, shapes, [None; K], |work, [q, v, a], out| {
            let found = match derivatives {
                true => arm.robot.centroidal_derivatives(work, q, v, a)?,
                false => arm.robot.centroidal(work, q, v, a),
            };
            out.into_iter().zip(take(&found)).for_each(|(to, from)| to.copy_from_slice(from));
            Ok(())
        })
    }
}

#[pymethods]
impl Robot {
    /// Generalised forces of the motion q, v, a; v and a are zero where they are not given.
    #[pyo3(signature = (q, v = None, a = None, *, out = None))]
    fn rnea<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: Maybe<'_, 'py>,
        a: Maybe<'_, 'py>,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        rnea(&self.0, py, &self.0.at_all(q, v, (a, "a"))?, out)
    }

    /// Accelerations under the generalised forces tau; v and tau are zero where they are not given.
    #[pyo3(signature = (q, v = None, tau = None, *, out = None))]
    fn aba<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: Maybe<'_, 'py>,
        tau: Maybe<'_, 'py>,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        aba(&self.0, py, &self.0.at_all(q, v, (tau, "tau"))?, out)
    }

    /// The inertia matrix, shape (nv, nv).
    #[pyo3(signature = (q, *, out = None))]
    fn crba<'py>(&self, py: Python<'py>, q: &Array<'py>, out: Maybe<'_, 'py>) -> PyResult<Array<'py>> {
        crba(&self.0, py, &self.0.at(q)?, out)
    }

    /// The inverse of the inertia matrix.
    #[pyo3(signature = (q, *, out = None))]
    fn minverse<'py>(&self, py: Python<'py>, q: &Array<'py>, out: Maybe<'_, 'py>) -> PyResult<Array<'py>> {
        let (arm, n) = (&self.0, self.0.robot.nv());
        only(arm.answer(py, &arm.at(q)?, [&[n, n]], [out], |work, [q, ..], [M]| arm.robot.minverse(work, q, M)))
    }

    /// A matrix C of velocity products: C v are the forces of velocities alone, and the rate of the inertia matrix less 2 C is skew.
    #[pyo3(signature = (q, v, *, out = None))]
    fn coriolis<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: &Array<'py>,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        let (arm, n) = (&self.0, self.0.robot.nv());
        let at = arm.at_all(q, Some(v), (None, ""))?;
        only(arm.answer(py, &at, [&[n, n]], [out], |work, [q, v, _], [C]| {
            arm.robot.coriolis(work, q, v, C);
            Ok(())
        }))
    }

    /// Partial derivatives of ``rnea`` by q (along velocity coordinates), v and a.
    #[pyo3(signature = (q, v = None, a = None))]
    fn rnea_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: Maybe<'_, 'py>,
        a: Maybe<'_, 'py>,
    ) -> PyResult<[Array<'py>; 3]> {
        let (arm, n) = (&self.0, self.0.robot.nv());
        arm.weighed("rnea_derivatives")?;
        let at = arm.at_all(q, v, (a, "a"))?;
        let tree = &arm.robot.tree().extended;
        let one = |work: &mut _, at: [&[f64]; 3], out: [&mut [f64]; 3]| {
            let zero = vec![0.0; n];
            let at = at.map(|x| if x.is_empty() { &zero[..] } else { x });
            arm.robot.rnea_derivatives(work, at, out);
            Ok(())
        };
        let many = |at: &At, out: [&mut [f64]; 3]| {
            arm.matrix_rows(at, out, |batch, at, out| batch.rnea_derivatives(tree, at, out), one)
        };
        arm.answer_by(py, &at, [&[n, n]; 3], [None; 3], one, many)
    }

    /// Partial derivatives of ``aba`` by q (along velocity coordinates), v and tau.
    #[pyo3(signature = (q, v = None, tau = None))]
    fn aba_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: Maybe<'_, 'py>,
        tau: Maybe<'_, 'py>,
    ) -> PyResult<[Array<'py>; 3]> {
        let (arm, n) = (&self.0, self.0.robot.nv());
        arm.weighed("aba_derivatives")?;
        let at = arm.at_all(q, v, (tau, "tau"))?;
        let tree = &arm.robot.tree().extended;
        let one = |work: &mut _, at: [&[f64]; 3], out: [&mut [f64]; 3]| {
            let zero = vec![0.0; n];
            let at = at.map(|x| if x.is_empty() { &zero[..] } else { x });
            arm.robot.aba_derivatives(work, at, out)
        };
        let many = |at: &At, out: [&mut [f64]; 3]| {
            arm.matrix_rows(at, out, |batch, at, out| batch.aba_derivatives(tree, at, out), one)
        };
        arm.answer_by(py, &at, [&[n, n]; 3], [None; 3], one, many)
    }

    /// Y with rnea(q, v, a) = Y parameters, shape (nv, parameters).
    #[pyo3(signature = (q, v = None, a = None, *, out = None))]
    fn regressor<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: Maybe<'_, 'py>,
        a: Maybe<'_, 'py>,
        out: Maybe<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        let arm = &self.0;
        arm.weighed("regressor")?;
        let at = arm.at_all(q, v, (a, "a"))?;
        only(arm.answer(py, &at, [&[arm.robot.nv(), arm.robot.parameter_count()]], [out], |work, [q, v, a], [Y]| {
            arm.robot.regressor(work, q, v, a, Y);
            Ok(())
        }))
    }

    /// Inertial parameters: of each body m, m c (3), and xx yy zz xy xz yz about its origin, in its axes.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.0.robot.parameters())
    }

    /// Names of the inertial parameters.
    #[getter]
    fn parameter_names(&self) -> Vec<String> {
        self.0.robot.parameter_names()
    }

    /// Which combinations of inertial parameters can be identified: places of those that head one, and the combinations, shape
    /// (rank, parameters).
    #[pyo3(signature = (*, seed = 0))]
    fn _base_parameters<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<(Vec<usize>, Array<'py>)> {
        let arm = &self.0;
        arm.weighed("base_parameters")?;
        let found = solve(py, || arm.robot.base_parameters(seed))?;
        let shape = [found.independent.len(), found.parameters];
        Ok((found.independent, PyArray1::from_vec(py, found.combinations).reshape(shape)?.into_any()))
    }

    /// Kinetic and potential energy, the latter zero where the centre of mass is at the height of the ground's origin.
    #[pyo3(signature = (q, v = None))]
    fn energies<'py>(&self, py: Python<'py>, q: &Array<'py>, v: Maybe<'_, 'py>) -> PyResult<[Array<'py>; 2]> {
        let arm = &self.0;
        arm.weighed("energies")?;
        let at = arm.at_all(q, v, (None, ""))?;
        arm.answer(py, &at, [&[], &[]], [None; 2], |work, [q, v, _], [kinetic, potential]| {
            let totals = arm.robot.totals(work, q, v);
            (kinetic[0], potential[0]) = (totals.kinetic, totals.potential);
            Ok(())
        })
    }

    /// The centre of mass, shape (3).
    #[pyo3(signature = (q, *, out = None))]
    fn com<'py>(&self, py: Python<'py>, q: &Array<'py>, out: Maybe<'_, 'py>) -> PyResult<Array<'py>> {
        let arm = &self.0;
        only(arm.answer(py, &arm.at(q)?, [&[3]], [out], |work, [q, ..], [com]| {
            com.copy_from_slice(&arm.robot.totals(work, q, &[]).com.to_array());
            Ok(())
        }))
    }

    /// Jacobian of the centre of mass, shape (3, nv).
    #[pyo3(signature = (q, *, out = None))]
    fn com_jacobian<'py>(&self, py: Python<'py>, q: &Array<'py>, out: Maybe<'_, 'py>) -> PyResult<Array<'py>> {
        let arm = &self.0;
        only(arm.answer(py, &arm.at(q)?, [&[3, arm.robot.nv()]], [out], |work, [q, ..], [J]| {
            arm.robot.com_jacobian(work, q, J);
            Ok(())
        }))
    }

    /// Momentum in ground axes: linear, then angular about the centre of mass, shape (6).
    fn momentum<'py>(&self, py: Python<'py>, q: &Array<'py>, v: &Array<'py>) -> PyResult<Array<'py>> {
        let at = self.0.at_all(q, Some(v), (None, ""))?;
        only(self.centroidal(py, &at, [&[6]], false, |c| [&c.h]))
    }

    /// The matrix A with momentum(q, v) = A v, shape (6, nv).
    fn momentum_matrix<'py>(&self, py: Python<'py>, q: &Array<'py>) -> PyResult<Array<'py>> {
        only(self.centroidal(py, &self.0.at(q)?, [&[6, self.0.robot.nv()]], false, |c| [&c.A]))
    }

    /// Its time derivative at velocities v.
    fn momentum_matrix_rate<'py>(&self, py: Python<'py>, q: &Array<'py>, v: &Array<'py>) -> PyResult<Array<'py>> {
        let at = self.0.at_all(q, Some(v), (None, ""))?;
        only(self.centroidal(py, &at, [&[6, self.0.robot.nv()]], false, |c| [&c.A_rate]))
    }

    /// Rate of the momentum at q, v, a, shape (6).
    fn momentum_rate<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: &Array<'py>,
        a: &Array<'py>,
    ) -> PyResult<Array<'py>> {
        let at = self.0.at_all(q, Some(v), (Some(a), "a"))?;
        only(self.centroidal(py, &at, [&[6]], false, |c| [&c.h_rate]))
    }

    /// Partial derivatives of the momentum by q, and of its rate by q, v and a, shape (6, nv) each.
    fn momentum_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: &Array<'py>,
        v: &Array<'py>,
        a: &Array<'py>,
    ) -> PyResult<[Array<'py>; 4]> {
        let at = self.0.at_all(q, Some(v), (Some(a), "a"))?;
        let shape: &[usize] = &[6, self.0.robot.nv()];
        self.centroidal(py, &at, [shape; 4], true, |c| [&c.h_by_q, &c.h_rate_by_q, &c.h_rate_by_v, &c.A])
    }
}
