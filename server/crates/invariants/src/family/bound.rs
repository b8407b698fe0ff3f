//! `x >= c`, `x <= c`: the smallest and the largest values, and whether so many samples stand there that it is no chance.
//!
//! Believed if at least three samples are at the bound, and either it has five times as many samples as a value would have on average,
//! or it and the two values next to it have at least half as many.

use crate::confidence::{any, chance, count};

/// Bounds are not spoken of below this number of samples.
const FEW: u64 = 5;

/// The three smallest and the three largest values with how often each was seen.
#[derive(Clone, Debug)]
pub(crate) struct Extremes<T> {
    /// Ascending.
    least: [(T, u64); 3],
    /// Descending.
    most: [(T, u64); 3],
    known_least: u8,
    known_most: u8,
}

impl<T: Copy + PartialOrd + Default> Extremes<T> {
    pub(crate) fn new() -> Extremes<T> {
        Extremes {
            least: [(T::default(), 0); 3],
            most: [(T::default(), 0); 3],
            known_least: 0,
            known_most: 0,
        }
    }

    pub(crate) fn see(&mut self, value: T, times: u64) {
        insert(
            &mut self.least,
            &mut self.known_least,
            value,
            times,
            |a, b| a < b,
        );
        insert(
            &mut self.most,
            &mut self.known_most,
            value,
            times,
            |a, b| a > b,
        );
    }

    pub(crate) fn least(&self) -> Option<T> {
        (self.known_least > 0).then_some(self.least[0].0)
    }

    pub(crate) fn most(&self) -> Option<T> {
        (self.known_most > 0).then_some(self.most[0].0)
    }
}

fn insert<T: Copy + PartialOrd>(
    kept: &mut [(T, u64); 3],
    known: &mut u8,
    value: T,
    times: u64,
    before: impl Fn(T, T) -> bool,
) {
    let filled = usize::from(*known);
    // What has no order (NaN) is at no end.
    if value.partial_cmp(&value).is_none() {
        return;
    }
    let place = kept[..filled].iter().position(|(v, _)| !before(*v, value));
    match place {
        Some(i) if kept[i].0 == value => kept[i].1 += times,
        None if filled == 3 => {}
        place => {
            let i = place.unwrap_or(filled);
            let end = (filled + 1).min(3);
            kept[i..end].rotate_right(1);
            kept[i] = (value, times);
            *known = u8::try_from(end).unwrap_or(3);
        }
    }
}

/// A number that can be at an end.
pub(crate) trait Number: Copy + PartialOrd + Default {
    /// For calculating with.
    fn double(self) -> f64;
    /// A whole number by its type.
    const WHOLE: bool;
}

impl Number for i64 {
    #[allow(clippy::cast_precision_loss)]
    fn double(self) -> f64 {
        self as f64
    }
    const WHOLE: bool = true;
}

impl Number for f64 {
    fn double(self) -> f64 {
        self
    }
    const WHOLE: bool = false;
}

/// Which end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Least,
    Most,
}

/// The confidence in the end as a bound, after so many samples.
pub(crate) fn confidence<T: Number>(extremes: &Extremes<T>, end: End, samples: u64) -> f64 {
    let (near, known, far) = match end {
        End::Least => (&extremes.least, extremes.known_least, extremes.most[0].0),
        End::Most => (&extremes.most, extremes.known_most, extremes.least[0].0),
    };
    if known == 0 {
        return 0.0;
    }
    let value = |i: usize| near[i].0.double();
    let times = |i: usize| count(near[i].1);
    let range = (far.double() - value(0)).abs() + 1.0;
    let mut average = (count(samples) / range).min(100.0);
    if T::WHOLE && end == End::Least && value(0) == 0.0 {
        average /= 5.0;
    }
    let at_bound = chance(times(0), 3.0);
    let over = chance(times(0), 5.0 * average);
    let apart = |i: usize| (value(i + 1) - value(i)).abs();
    let even = if known == 3 && apart(0) == 1.0 && apart(1) == 1.0 {
        let half = average / 2.0;
        any(&[
            chance(times(0), half),
            chance(times(1), half),
            chance(times(2), half),
        ])
    } else {
        1.0
    };
    1.0 - any(&[at_bound, over.min(even)])
}

/// True if there are samples enough to speak of bounds.
pub(crate) fn enough(samples: u64) -> bool {
    samples > FEW
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> Extremes<i64> {
        let mut extremes = Extremes::new();
        values.iter().for_each(|v| extremes.see(*v, 1));
        extremes
    }

    #[test]
    fn the_three_at_each_end_are_kept() {
        let extremes = of(&[5, 3, 9, 3, 7, 1, 9, 2, 8]);
        assert_eq!(extremes.least, [(1, 1), (2, 1), (3, 2)]);
        assert_eq!(extremes.most, [(9, 2), (8, 1), (7, 1)]);
        assert_eq!((extremes.least(), extremes.most()), (Some(1), Some(9)));
        assert_eq!(of(&[]).least(), None);
        let mut doubles = Extremes::new();
        doubles.see(f64::NAN, 1);
        doubles.see(-0.5, 1);
        assert_eq!((doubles.least(), doubles.most()), (Some(-0.5), Some(-0.5)));
    }

    #[test]
    fn few_samples_at_the_end_are_chance() {
        let spread: Vec<i64> = (0..100).map(|i| i * 7 % 1000 + 10).collect();
        assert!(confidence(&of(&spread), End::Least, 100) < 0.99);
        assert!(!enough(5) && enough(6));
    }

    #[test]
    fn many_samples_at_the_end_are_a_bound() {
        // 30 of 100 samples at 10, the others far above: more than five times the average of a value.
        let mut values: Vec<i64> = vec![10; 30];
        values.extend((0..70).map(|i| 40 + i * 13));
        assert_eq!(confidence(&of(&values), End::Least, 100), 1.0);
        assert!(confidence(&of(&values), End::Most, 100) < 0.99);
    }

    #[test]
    fn three_even_values_at_the_end_are_a_bound() {
        let values: Vec<i64> = (0..300).map(|i| 20 + i % 30).collect();
        let extremes = of(&values);
        assert_eq!(confidence(&extremes, End::Least, 300), 1.0);
        assert_eq!(confidence(&extremes, End::Most, 300), 1.0);
    }

    #[test]
    fn confidence_to_the_digit() {
        // Values 1 to 4, once, once, once and nine times: range 4, average 3.
        let values = [1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4];
        // At the lower end: one sample of three, so 0. At the upper: three are there; 9 of 15: 1 - 6/14 ; even: min(9, 1.5) is
        // reached, but one of 1.5 at the next two is not at all.
        assert_eq!(confidence(&of(&values), End::Least, 12), 0.0);
        let upper = confidence(&of(&values), End::Most, 12);
        assert!((upper - (1.0 - 6.0 / 14.0)).abs() < 1e-12, "{upper}");
    }
}
