//! When to believe what no sample contradicts: probabilities that it is chance, and numbers that are nearly equal.

/// How nearly equal two floating-point numbers are that count as equal, as a share of them.
const NEARLY: f64 = 0.0001;

/// From which share on a constraint is believed, unless the caller says otherwise.
pub const LIMIT: f64 = 0.99;

/// True if two numbers are equal, or their quotient is 1 within 0.0001. Nearly 0 is what is below the square of that; NaN equals NaN.
pub(crate) fn nearly(a: f64, b: f64) -> bool {
    if a == b || a.is_nan() && b.is_nan() {
        return true;
    }
    if a == 0.0 || b == 0.0 {
        return (a - b).abs() < NEARLY * NEARLY;
    }
    (1.0 - a / b).abs() <= NEARLY
}

/// The confidence that `x` is at least `goal`: 0 up to 1, 1 from the goal, and a straight line between.
pub fn reaches(x: f64, goal: f64) -> f64 {
    if x >= goal {
        1.0
    } else if x <= 1.0 {
        0.0
    } else {
        1.0 - (goal - x) / (goal - 1.0)
    }
}

/// The probability that `x` reaches the goal by chance alone.
pub fn chance(x: f64, goal: f64) -> f64 {
    1.0 - reaches(x, goal)
}

/// The probability that one of several happens: none of them is needed for it to be chance.
pub fn any(all: &[f64]) -> f64 {
    match all {
        [p, q] => p + q - p * q,
        _ => 1.0 - all.iter().map(|p| 1.0 - p).product::<f64>(),
    }
}

/// The confidence in something that chance makes true of a sample in `share` of all cases, after `samples` of them.
pub fn after(samples: u64, share: f64) -> f64 {
    1.0 - share.powf(count(samples))
}

/// A count as a number to calculate with.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn count(n: u64) -> f64 {
    n as f64
}

/// 1 as soon as there is a sample.
pub fn once(samples: u64) -> f64 {
    if samples > 0 { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Confidences to the digit, as tables.
    #[test]
    fn halves() {
        let table = [(0, 0.0), (1, 0.5), (6, 0.984_375), (7, 0.992_187_5)];
        for (n, confidence) in table {
            assert_eq!(after(n, 0.5), confidence, "{n}");
        }
        assert!(after(6, 0.5) < LIMIT && after(7, 0.5) >= LIMIT);
        assert!(after(11, 2.0 / 3.0) < LIMIT && after(12, 2.0 / 3.0) >= LIMIT);
    }

    #[test]
    fn goals() {
        let table = [
            (0.0, 5.0, 0.0),
            (1.0, 5.0, 0.0),
            (2.0, 5.0, 0.25),
            (4.0, 5.0, 0.75),
            (5.0, 5.0, 1.0),
            (9.0, 5.0, 1.0),
        ];
        for (x, goal, confidence) in table {
            assert_eq!(reaches(x, goal), confidence, "{x} of {goal}");
            assert_eq!(chance(x, goal), 1.0 - confidence);
        }
        assert_eq!(any(&[0.5, 0.5]), 0.75);
        assert_eq!(any(&[0.5, 0.5, 0.5]), 0.875);
    }

    #[test]
    fn numbers_that_are_nearly_equal() {
        let equal = [
            (1.0, 1.0),
            (10_000.0, 10_001.0),
            (-1e300, -1.000_05e300),
            (0.0, -0.0),
            (0.0, 1e-300),
            (-9e-9, 0.0),
            (f64::NAN, f64::NAN),
            (f64::INFINITY, f64::INFINITY),
        ];
        for (a, b) in equal {
            assert!(nearly(a, b), "{a} {b}");
        }
        let unequal = [
            (0.0, 2e-8),
            (1e-9, 2e-9),
            (1.0, -1.0),
            (1_000.0, 1_001.0),
            (1.0, f64::NAN),
            (f64::INFINITY, f64::NEG_INFINITY),
            (f64::INFINITY, 1.0),
        ];
        for (a, b) in unequal {
            assert!(!nearly(a, b), "{a} {b}");
        }
    }
}
