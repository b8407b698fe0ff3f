//! `a * x + b * y + c == 0`: a line through what two numbers were.
//!
//! Four different points are gathered; the two that are farthest apart give the line. Lines along an axis are kept, for
//! [`super::plane`] needs them, but say nothing of the two: one of them is constant.

use crate::confidence::{nearly, reaches};
use crate::rule::is_on;
use crate::whole::{self, EXACT};
use smallvec::SmallVec;

/// So many different points make a line worth saying.
pub(crate) const ENOUGH: usize = 4;

/// What is known of a line: never more than a few points of it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The first different points.
    points: SmallVec<[[f64; 2]; 4]>,
    /// `[a, b, c]`, once there are points enough.
    factors: Option<[f64; 3]>,
    alive: bool,
}

impl Line {
    pub(crate) fn new() -> Line {
        Line {
            points: SmallVec::new(),
            factors: None,
            alive: true,
        }
    }

    /// True if all points so far are on one line, along an axis or not.
    pub(crate) fn is_alive(&self) -> bool {
        self.alive
    }

    pub(crate) fn see(&mut self, x: f64, y: f64) {
        // NaN, too.
        if !(x.abs() < EXACT && y.abs() < EXACT) {
            self.alive = false;
        }
        if !self.alive {
            return;
        }
        if let Some(factors) = self.factors {
            if !fits(&factors, x, y) {
                self.widen(x, y);
            }
            return;
        }
        if self.points.contains(&[x, y]) {
            return;
        }
        self.points.push([x, y]);
        if self.points.len() == ENOUGH {
            self.factors = through(&self.points);
            let fits_all = |f: &[f64; 3]| self.points.iter().all(|[x, y]| fits(f, *x, *y));
            self.alive = self.factors.as_ref().is_some_and(fits_all);
        }
    }

    /// A point that the line misses may still be on it as far as numbers can say: another line, through the points that are now the
    /// farthest apart, is nearly the same.
    fn widen(&mut self, x: f64, y: f64) {
        self.alive = false;
        let Some(old) = self.factors else { return };
        let mut points = self.points.clone();
        points.push([x, y]);
        let Some(new) = through(&points) else { return };
        if old.iter().zip(&new).all(|(a, b)| nearly(*a, *b))
            && points.iter().all(|[x, y]| fits(&new, *x, *y))
        {
            self.alive = true;
            self.factors = Some(new);
        }
    }

    /// The points that are kept.
    pub(crate) fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// `[a, b, c]` of a line across both axes, and the confidence.
    pub(crate) fn found(&self) -> Option<(Vec<f64>, f64)> {
        let [a, b, c] = self.factors.filter(|_| self.alive)?;
        #[allow(clippy::cast_precision_loss)]
        let confidence = reaches(self.points.len() as f64, ENOUGH as f64);
        (a != 0.0 && b != 0.0).then(|| (vec![a, b, c], confidence))
    }
}

fn fits(factors: &[f64; 3], x: f64, y: f64) -> bool {
    if let Some(is_on) = whole::is_on(factors, &[x, y]) {
        return is_on;
    }
    match factors {
        [0.0, b, c] => nearly(-c / b, y) || *c == 0.0 && y == 0.0,
        [a, 0.0, c] => nearly(-c / a, x) || *c == 0.0 && x == 0.0,
        _ => is_on(factors, &[x, y]),
    }
}

/// The line through the two points that are farthest apart.
fn through(points: &[[f64; 2]]) -> Option<[f64; 3]> {
    let apart = |p: &[f64; 2], q: &[f64; 2]| (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2);
    let mut best: Option<(f64, &[f64; 2], &[f64; 2])> = None;
    for (i, p) in points.iter().enumerate() {
        for q in &points[i + 1..] {
            let distance = apart(p, q);
            if best.is_none_or(|(most, ..)| distance > most) {
                best = Some((distance, p, q));
            }
        }
    }
    let (_, p, q) = best?;
    if let (Some(p), Some(q)) = (whole::all(p), whole::all(q)) {
        return whole::through([p[1] - q[1], q[0] - p[0]], &p)?
            .try_into()
            .ok();
    }
    let ([x1, y1], [x2, y2]) = (p, q);
    let (a, b) = (y1 - y2, x2 - x1);
    let mut factors = [a, b, -(a * x1 + b * y1)];
    lowest(&mut factors);
    factors.iter().all(|f| f.is_finite()).then_some(factors)
}

/// Divides by the greatest common divisor, and makes the first factor that is not 0 positive. Factors that are no whole numbers
/// are divided by the first one.
pub(crate) fn lowest(factors: &mut [f64]) {
    let is_whole = factors.iter().all(|f| f.fract() == 0.0 && f.abs() < EXACT);
    let by = if is_whole {
        factors.iter().fold(0.0, |by, f| divisor(by, f.abs()))
    } else {
        1.0
    };
    let first = factors.iter().find(|f| **f != 0.0).copied().unwrap_or(1.0);
    let by = if first < 0.0 { -by } else { by };
    if by != 0.0 {
        // Not minus zero.
        factors.iter_mut().for_each(|f| *f = *f / by + 0.0);
    }
}

fn divisor(mut a: f64, mut b: f64) -> f64 {
    while b != 0.0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: &[(f64, f64)]) -> Line {
        let mut line = Line::new();
        points.iter().for_each(|(x, y)| line.see(*x, *y));
        line
    }

    #[test]
    fn four_points_make_a_line() {
        let points = [
            (3.0, 5.0),
            (9.0, 17.0),
            (9.0, 17.0),
            (-1.0, -3.0),
            (-100.0, -201.0),
        ];
        assert_eq!(of(&points[..4]).found(), None);
        assert_eq!(of(&points).found(), Some((vec![2.0, -1.0, -1.0], 1.0)));
    }

    #[test]
    fn a_miss_ends_it() {
        let mut line = of(&[
            (3.0, 5.0),
            (9.0, 17.0),
            (-1.0, -3.0),
            (0.0, -1.0),
            (12.0, 24.0),
        ]);
        assert!(!line.is_alive());
        line.see(3.0, 5.0);
        assert_eq!(line.found(), None);
    }

    #[test]
    fn a_line_along_an_axis_says_nothing() {
        let line = of(&[(1.0, 5.0), (2.0, 5.0), (3.0, 5.0), (4.0, 5.0), (9.0, 5.0)]);
        assert!(line.is_alive());
        assert_eq!(line.found(), None);
    }

    #[test]
    fn numbers_that_are_no_numbers_end_it() {
        assert!(!of(&[(f64::NAN, 1.0)]).is_alive());
        assert!(!of(&[(1.0, f64::INFINITY)]).is_alive());
    }

    #[test]
    fn factors_are_in_lowest_terms() {
        let mut factors = [-4.0, 6.0, 0.0];
        lowest(&mut factors);
        assert_eq!(factors, [2.0, -3.0, 0.0]);
        assert!(factors[2].is_sign_positive());
    }
}
