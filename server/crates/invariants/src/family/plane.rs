//! `a * x + b * y + c * z + d == 0`: a plane through what three numbers were.
//!
//! Five different points are gathered. As long as they are on a line, lines between two of the three say it; the first point off
//! that line gives the plane.

use super::linear::lowest;
use crate::rule::is_on;
use crate::whole::{self, EXACT};
use smallvec::SmallVec;
use std::ops::{Mul, Sub};

/// So many different points make a plane worth saying.
pub(crate) const ENOUGH: usize = 5;

type Spot = [f64; 3];

/// What is known of a plane: never more than a few points of it.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    points: SmallVec<[Spot; 2]>,
    state: State,
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    Gathering,
    /// All points are between the two that are kept, or beyond on the same line: the first of the two, and the way to the other,
    /// where both are whole and small.
    Line(Option<[[i32; 3]; 2]>),
    /// `[a, b, c, d]`.
    Plane([f64; 4]),
    Dead,
}

impl Plane {
    pub(crate) fn new() -> Plane {
        Plane {
            points: SmallVec::new(),
            state: State::Gathering,
        }
    }

    /// What is known of a plane once these points were seen, if it is alive. Most are not, and took no room.
    pub(crate) fn of(spots: impl Iterator<Item = Spot> + Clone) -> Option<Plane> {
        let mut first = [[0.0; 3]; ENOUGH];
        let mut count = 0;
        for spot in spots.clone() {
            if count == ENOUGH {
                break;
            }
            if !first[..count].contains(&spot) {
                first[count] = spot;
                count += 1;
            }
        }
        if count == ENOUGH && are_apart(&first) {
            return None;
        }
        let mut plane = Plane::new();
        for spot in spots {
            plane.see(spot);
            if !plane.is_alive() {
                return None;
            }
        }
        Some(plane)
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.state != State::Dead
    }

    pub(crate) fn see(&mut self, spot: Spot) {
        // NaN, too.
        if !spot.iter().all(|v| v.abs() < EXACT) {
            self.state = State::Dead;
        }
        match self.state {
            State::Dead => {}
            State::Plane(factors) => {
                if !is_on(&factors, &spot) {
                    self.state = State::Dead;
                }
            }
            State::Line(way) => {
                if !self.is_on_line(way, spot) {
                    self.points.push(spot);
                    self.fit();
                }
            }
            State::Gathering => self.gather(spot),
        }
    }

    fn gather(&mut self, spot: Spot) {
        if self.points.contains(&spot) {
            return;
        }
        self.points.push(spot);
        if self.points.len() < ENOUGH {
            return;
        }
        if are_apart(&self.points) {
            self.state = State::Dead;
            return;
        }
        let [p, q] = farthest(&self.points);
        if self.points.iter().all(|r| is_between(p, q, *r)) {
            self.points = SmallVec::from_slice(&[p, q]);
            let way = whole::small(&p).zip(whole::small(&q));
            self.state = State::Line(way.map(|(p, q)| [p, minus(q, p)]));
        } else {
            self.fit();
        }
    }

    fn is_on_line(&self, way: Option<[[i32; 3]; 2]>, spot: Spot) -> bool {
        if let (Some([from, way]), Some(spot)) = (way, whole::small(&spot)) {
            return cross(wide(way), wide(minus(spot, from))) == [0; 3];
        }
        match self.points.as_slice() {
            [p, q, ..] => is_between(*p, *q, spot),
            _ => false,
        }
    }

    /// The plane through the three points that span most; a plane along an axis does not speak of all three.
    fn fit(&mut self) {
        let factors = through(&self.points);
        let speaks =
            |f: &[f64; 4]| f.iter().all(|v| v.is_finite()) && f[..3].iter().all(|v| *v != 0.0);
        self.state = match factors.filter(speaks) {
            Some(factors) if self.points.iter().all(|p| is_on(&factors, p)) => {
                State::Plane(factors)
            }
            _ => State::Dead,
        };
        self.points = SmallVec::new();
    }

    /// The same with its axes in another order.
    pub(crate) fn turned(&self, order: [usize; 3]) -> Plane {
        let turn = |spot: &Spot| order.map(|i| spot[i]);
        Plane {
            points: self.points.iter().map(turn).collect(),
            state: match self.state {
                State::Gathering => State::Gathering,
                State::Dead => State::Dead,
                State::Line(way) => State::Line(way.map(|both| both.map(|p| order.map(|i| p[i])))),
                State::Plane([a, b, c, d]) => {
                    let [a, b, c] = turn(&[a, b, c]);
                    // The first factor is positive.
                    let sign = a.signum();
                    State::Plane([a, b, c, d].map(|f| f * sign + 0.0))
                }
            },
        }
    }

    /// True if there is a plane.
    pub(crate) fn is_found(&self) -> bool {
        matches!(self.state, State::Plane(_))
    }

    /// `[a, b, c, d]` of a plane.
    pub(crate) fn found(&self) -> Option<Vec<f64>> {
        match self.state {
            State::Plane(factors) => Some(factors.to_vec()),
            _ => None,
        }
    }
}

fn wide([x, y, z]: [i32; 3]) -> [i64; 3] {
    [i64::from(x), i64::from(y), i64::from(z)]
}

fn minus<T: Copy + Sub<Output = T>>(p: [T; 3], q: [T; 3]) -> [T; 3] {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn cross<T: Copy + Sub<Output = T> + Mul<Output = T>>(u: [T; 3], v: [T; 3]) -> [T; 3] {
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

fn square(u: Spot) -> f64 {
    u.iter().map(|v| v * v).sum()
}

/// True if the third point is on the line of the other two: exactly where all numbers are whole, else up to rounding.
fn is_between(p: Spot, q: Spot, r: Spot) -> bool {
    if r == p || r == q {
        return true;
    }
    if let (Some(p), Some(q), Some(r)) = (whole::small(&p), whole::small(&q), whole::small(&r)) {
        return cross(wide(minus(q, p)), wide(minus(r, p))) == [0; 3];
    }
    if let (Some(p), Some(q), Some(r)) = (whole::all(&p), whole::all(&q), whole::all(&r)) {
        return cross(minus(q, p), minus(r, p)) == [0; 3];
    }
    let (along, to) = (minus(q, p), minus(r, p));
    square(cross(along, to)) <= 1e-12 * square(along) * square(to)
}

/// True if no plane across all three axes goes through different points that are whole and small: that can be told exactly, and
/// cheaply, before a plane is looked for.
fn are_apart(points: &[Spot]) -> bool {
    let mut all = [[0; 3]; ENOUGH];
    for (into, point) in all.iter_mut().zip(points) {
        let Some(point) = whole::small(point) else {
            return false;
        };
        *into = point;
    }
    let [first, rest @ ..] = &all[..points.len().min(ENOUGH)] else {
        return false;
    };
    let mut ways = rest.iter().map(|p| wide(minus(*p, *first)));
    let Some(along) = ways.next() else {
        return false;
    };
    let normals = ways.clone().map(|way| cross(along, way));
    let Some(normal) = normals.into_iter().find(|n| *n != [0; 3]) else {
        return false;
    };
    let off = |way: [i64; 3]| {
        let products = normal
            .iter()
            .zip(way)
            .map(|(n, v)| i128::from(*n) * i128::from(v));
        products.sum::<i128>() != 0
    };
    normal.contains(&0) || ways.any(off)
}

fn farthest(points: &[Spot]) -> [Spot; 2] {
    let mut best = [points[0], points[0]];
    for (i, p) in points.iter().enumerate() {
        for q in &points[i + 1..] {
            if square(minus(*p, *q)) > square(minus(best[0], best[1])) {
                best = [*p, *q];
            }
        }
    }
    best
}

fn through(points: &[Spot]) -> Option<[f64; 4]> {
    let mut best: Option<(f64, [Spot; 3])> = None;
    for (i, p) in points.iter().enumerate() {
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            for r in &points[j + 1..] {
                let size = square(cross(minus(*q, *p), minus(*r, *p)));
                if best.is_none_or(|(most, _)| size > most) {
                    best = Some((size, [*p, *q, *r]));
                }
            }
        }
    }
    let (size, [p, q, r]) = best?;
    if let (Some(p), Some(q), Some(r)) = (whole::all(&p), whole::all(&q), whole::all(&r)) {
        return whole::through(cross(minus(q, p), minus(r, p)), &p)?
            .try_into()
            .ok();
    }
    let [a, b, c] = cross(minus(q, p), minus(r, p));
    let mut factors = [a, b, c, -(a * p[0] + b * p[1] + c * p[2])];
    lowest(&mut factors);
    (size > 0.0).then_some(factors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(points: &[Spot]) -> Plane {
        let mut plane = Plane::new();
        points.iter().for_each(|p| plane.see(*p));
        plane
    }

    #[test]
    fn five_points_make_a_plane() {
        let points = [
            [1.0, 2.0, 3.0],
            [2.0, 7.0, 9.0],
            [0.0, 4.0, 4.0],
            [5.0, 5.0, 10.0],
            [1.0, 1.0, 2.0],
            [8.0, -3.0, 5.0],
        ];
        assert_eq!(of(&points[..4]).found(), None);
        assert_eq!(of(&points).found(), Some(vec![1.0, 1.0, -1.0, 0.0]));
        let mut plane = of(&points);
        plane.see([1.0, 1.0, 3.0]);
        assert!(!plane.is_alive());
    }

    #[test]
    fn a_line_is_none_until_a_point_leaves_it() {
        let mut points: Vec<Spot> = (0..9)
            .map(f64::from)
            .map(|i| [i, 2.0 * i, 3.0 * i + 1.0])
            .collect();
        let plane = of(&points);
        assert!(plane.is_alive());
        assert_eq!(plane.found(), None);
        points.push([1.0, 1.0, 5.0]);
        assert!(of(&points).found().is_some());
    }

    #[test]
    fn whole_numbers_are_not_rounded() {
        let far = 1_125_899_906_842_624.0; // 2^50
        let on: Vec<Spot> = [[0.0, 0.0], [far, 1.0], [1.0, far], [far, far], [3.0, 4.0]]
            .map(|[x, y]| [x, y, x + y])
            .to_vec();
        assert_eq!(of(&on).found(), Some(vec![1.0, 1.0, -1.0, 0.0]));
        let mut near = on.clone();
        near[3][2] -= 1.0;
        assert!(!of(&near).is_alive());
        near.reverse();
        assert!(!of(&near).is_alive());
        let mut beyond = on;
        beyond.push([EXACT, 0.0, EXACT]);
        assert!(!of(&beyond).is_alive());
    }

    proptest! {
        #[test]
        fn small_numbers_are_as_large_ones(all in prop::collection::vec(prop::array::uniform3(prop_oneof![-3..4_i32, -(1 << 29)..=(1 << 29)]), 3)) {
            let spots: Vec<Spot> = all.iter().map(|p| p.map(f64::from)).collect();
            let [p, q, r] = [all[0], all[1], all[2]].map(|p| p.map(i128::from));
            let is_on = spots[2] == spots[0] || spots[2] == spots[1] || cross(minus(q, p), minus(r, p)) == [0; 3];
            prop_assert_eq!(is_between(spots[0], spots[1], spots[2]), is_on);
        }

        #[test]
        fn what_is_apart_has_no_plane(all in prop::collection::vec(prop::array::uniform3(-2..3_i32), 1..12), by in prop::sample::select(vec![1.0, 0.5, 1e9])) {
            let spots: Vec<Spot> = all.iter().map(|p| p.map(|v| f64::from(v) * by)).collect();
            // Without the short cut.
            let mut different: Vec<Spot> = Vec::new();
            for spot in &spots {
                if !different.contains(spot) && different.len() < ENOUGH {
                    different.push(*spot);
                }
            }
            if different.len() == ENOUGH && are_apart(&different) {
                let [p, q] = farthest(&different);
                prop_assert!(!different.iter().all(|r| is_between(p, q, *r)));
                let mut plane = Plane { points: different.into(), state: State::Gathering };
                plane.fit();
                prop_assert!(!plane.is_alive());
            }
            let one_by_one = Some(of(&spots)).filter(Plane::is_alive);
            let at_once = Plane::of(spots.iter().copied());
            prop_assert_eq!(format!("{at_once:?}"), format!("{one_by_one:?}"));
        }
    }

    #[test]
    fn a_plane_along_an_axis_does_not_speak_of_three() {
        let points = [
            [1.0, 2.0, 7.0],
            [2.0, 7.0, 7.0],
            [0.0, 4.0, 7.0],
            [5.0, 5.0, 7.0],
            [1.0, 1.0, 7.0],
        ];
        assert!(!of(&points).is_alive());
    }
}
