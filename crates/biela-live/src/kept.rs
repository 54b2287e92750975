//! A state as bytes: to be kept outside, and put back into the same mechanism.

use crate::live::{Live, Stand, State};
use biela::math::{EulerParameters, Pose, Rotation, Vec3};
use biela::solve::forward::Checkpoint;
use biela::solve::kinematics::Stance;
use biela::system::Turns;

/// What the bytes begin with: the form they have.
const MARK: &[u8; 8] = b"bielast1";

/// A list of numbers that is written and read in the same order.
struct Numbers {
    list: Vec<f64>,
    at: usize,
}

impl Numbers {
    fn put(&mut self, list: &[f64]) {
        self.list.push(list.len() as f64);
        self.list.extend_from_slice(list);
    }

    fn one(&mut self) -> Option<f64> {
        self.at += 1;
        self.list.get(self.at - 1).copied()
    }

    fn take(&mut self) -> Option<Vec<f64>> {
        let count = self.one()?;
        if !(0.0..=self.list.len() as f64).contains(&count) {
            return None;
        }
        let list = self.list.get(self.at..self.at.checked_add(count as usize)?)?.to_vec();
        self.at += list.len();
        Some(list)
    }
}

/// The bytes of a state.
pub fn bytes(state: &State) -> Vec<u8> {
    let mut numbers = Numbers { list: vec![state.t, f64::from(u8::from(state.stopped))], at: 0 };
    numbers.put(&state.given.iter().map(|given| given.unwrap_or(f64::NAN)).collect::<Vec<_>>());
    numbers.put(state.asked.as_deref().unwrap_or(&[]));
    numbers.put(&[f64::from(u8::from(state.asked.is_some())), state.past.len() as f64]);
    numbers.put(&state.chosen.iter().flat_map(|(j, c)| [*j as f64, *c as f64]).collect::<Vec<_>>());
    numbers.put(&state.sides);
    for past in &state.past {
        numbers.put(&past.iter().flat_map(|(t, x)| [*t, *x]).collect::<Vec<_>>());
    }
    match &state.stand {
        Stand::Start => numbers.put(&[0.0]),
        Stand::Led(stance, driven) => {
            numbers.put(&[1.0]);
            let poses = stance.poses.iter().flat_map(|pose| {
                let [x, y, z] = pose.rotation.axes;
                [x, y, z, pose.origin].into_iter().flat_map(|v| v.to_array())
            });
            numbers.put(&poses.collect::<Vec<_>>());
            let attitudes: Vec<f64> = stance.turns.attitudes.iter().flat_map(|e| e.0).collect();
            let Turns { near, headings, .. } = &stance.turns;
            for list in [&stance.q, &stance.v, near, headings, &attitudes, &vec![stance.distance], driven] {
                numbers.put(list);
            }
        }
        Stand::Free(checkpoint) => {
            numbers.put(&[2.0]);
            numbers.put(&checkpoint.numbers());
        }
    }
    MARK.iter().copied().chain(numbers.list.iter().flat_map(|x| x.to_le_bytes())).collect()
}

/// The state of bytes; `None` where they are none of this mechanism.
pub fn state(bytes: &[u8], live: &Live) -> Option<State> {
    let (like, model) = (&live.state, live.model());
    let rest = bytes.strip_prefix(MARK)?;
    if rest.len() % 8 != 0 {
        return None;
    }
    let number = |part: &[u8]| part.try_into().map_or(f64::NAN, f64::from_le_bytes);
    let mut numbers = Numbers { list: rest.chunks_exact(8).map(number).collect(), at: 0 };
    let (t, stopped) = (numbers.one()?, numbers.one()? != 0.0);
    let given: Vec<Option<f64>> = numbers.take()?.into_iter().map(|x| (!x.is_nan()).then_some(x)).collect();
    let asked = numbers.take()?;
    let [has_asked, drivers] = numbers.take()?[..] else { return None };
    if given.len() != like.given.len() || drivers != like.past.len() as f64 {
        return None;
    }
    let chosen: Vec<(usize, usize)> =
        numbers.take()?.chunks_exact(2).map(|of| (of[0] as usize, of[1] as usize)).collect();
    let sides = numbers.take()?;
    if chosen.len() != like.chosen.len()
        || !chosen.iter().all(|(j, c)| model.joints.get(*j).is_some_and(|joint| *c < joint.kind.coordinates().len()))
    {
        return None;
    }
    let mut past = Vec::new();
    for _ in 0..like.past.len() {
        past.push(numbers.take()?.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect());
    }
    let stand = match numbers.take()?[..] {
        [0.0] => Stand::Start,
        [1.0] => led(&mut numbers, model.bodies.len(), model.drivers.len())?,
        [2.0] => Stand::Free(Box::new(Checkpoint::from_numbers(&numbers.take()?)?)),
        _ => return None,
    };
    let asked = (has_asked != 0.0).then_some(asked);
    (t.is_finite() && numbers.at == numbers.list.len()).then_some(State {
        t,
        given,
        stand,
        past,
        stopped,
        chosen,
        sides,
        asked,
    })
}

fn led(numbers: &mut Numbers, bodies: usize, drivers: usize) -> Option<Stand> {
    let vector = |x: &[f64]| Vec3::new(x[0], x[1], x[2]);
    let pose = |x: &[f64]| Pose {
        rotation: Rotation { axes: [vector(x), vector(&x[3..]), vector(&x[6..])] },
        origin: vector(&x[9..]),
    };
    let poses: Vec<Pose> = numbers.take()?.chunks_exact(12).map(pose).collect();
    let (q, v, near, headings) = (numbers.take()?, numbers.take()?, numbers.take()?, numbers.take()?);
    let attitudes = numbers.take()?;
    let attitudes = attitudes.chunks_exact(4).map(|e| EulerParameters([e[0], e[1], e[2], e[3]])).collect();
    let distance = *numbers.take()?.first()?;
    let stance = Stance { poses, q, v, turns: Turns { near, attitudes, headings }, distance };
    let driven = numbers.take()?;
    let fits = stance.poses.len() == bodies && stance.turns.attitudes.len() == bodies && driven.len() == drivers;
    fits.then(|| Stand::Led(Box::new(stance), driven))
}
