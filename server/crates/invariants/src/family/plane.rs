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
    /// All points are between the two that are kept, or beyond on the same line.
    Line,
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
            State::Line => {
                if !self.is_on_line(spot) {
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
        let [p, q] = farthest(&self.points);
        if self.points.iter().all(|r| is_between(p, q, *r)) {
            self.points = SmallVec::from_slice(&[p, q]);
            self.state = State::Line;
        } else {
            self.fit();
        }
    }

    fn is_on_line(&self, spot: Spot) -> bool {
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

    /// `[a, b, c, d]` of a plane.
    pub(crate) fn found(&self) -> Option<Vec<f64>> {
        match self.state {
            State::Plane(factors) => Some(factors.to_vec()),
            _ => None,
        }
    }
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
    if let (Some(p), Some(q), Some(r)) = (whole::all(&p), whole::all(&q), whole::all(&r)) {
        return cross(minus(q, p), minus(r, p)) == [0; 3];
    }
    let (along, to) = (minus(q, p), minus(r, p));
    square(cross(along, to)) <= 1e-12 * square(along) * square(to)
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
