//! `x != 0`, `x != null`: how unlikely it is that a value never was by chance.

use crate::confidence::after;

/// Numbers this far apart are as good as any.
const WIDEST: f64 = 50.0;

/// The confidence of references that never were null.
pub(crate) fn of_references(samples: u64) -> f64 {
    after(samples, 1.0 - 1.0 / 3.0)
}

/// The confidence of numbers between `least` and `most` that never were 0.
pub(crate) fn of_numbers(samples: u64, least: f64, most: f64) -> f64 {
    among(samples, least, most, WIDEST)
}

/// The same of the elements of so many sequences: they may be any number of their range, however wide it is.
pub(crate) fn of_elements(samples: u64, least: f64, most: f64) -> f64 {
    among(samples, least, most, f64::INFINITY)
}

fn among(samples: u64, least: f64, most: f64, widest: f64) -> f64 {
    if least > 0.0 || most < 0.0 {
        // The bounds say it.
        return 0.0;
    }
    let range = (most - least + 1.0).min(widest);
    after(samples, 1.0 - 1.0 / range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidences() {
        assert!(of_references(11) < 0.99 && of_references(12) >= 0.99);
        // From -1 to 1 each of three values is as likely.
        assert_eq!(
            of_numbers(12, -1.0, 1.0),
            1.0 - (1.0f64 - 1.0 / 3.0).powi(12)
        );
        assert_eq!(of_numbers(5, -1000.0, 1000.0), of_numbers(5, -25.0, 25.0));
        // Elements are spread as wide as they are.
        assert!(of_numbers(400, -1e9, 1e9) >= 0.99 && of_elements(400, -1e9, 1e9) < 0.01);
        assert_eq!(of_elements(5, -9.0, 9.0), of_numbers(5, -9.0, 9.0));
        assert_eq!(of_numbers(1000, 1.0, 9.0), 0.0);
        assert_eq!(of_numbers(1000, -9.0, -1.0), 0.0);
    }
}
