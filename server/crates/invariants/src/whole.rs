//! Lines and planes of whole numbers, calculated without rounding: what is said of them does not hang on the order of the samples.

/// Doubles below are told apart from their neighbours; beyond, nothing is said of lines and planes.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number that a double holds exactly.
fn of(v: f64) -> Option<i128> {
    #[allow(clippy::cast_possible_truncation)]
    let whole = v as i64;
    #[allow(clippy::cast_precision_loss)]
    (v.abs() < EXACT && whole as f64 == v).then_some(i128::from(whole))
}

/// Numbers below are small: a product of two sums of two of them has room in 64 bits, and so have two such products.
const SMALL: i32 = 1 << 29;

/// A whole number that is small.
#[inline]
fn one(v: f64) -> Option<i32> {
    #[allow(clippy::cast_possible_truncation)]
    let whole = v as i32;
    let is_small = whole > -SMALL && whole < SMALL;
    (is_small && f64::from(whole) == v).then_some(whole)
}

/// The numbers, if all are whole and small. What is calculated of them is what is calculated of [`all`], at a fraction of the cost.
#[inline]
pub(crate) fn small<const N: usize>(numbers: &[f64; N]) -> Option<[i32; N]> {
    let mut out = [0; N];
    for (into, v) in out.iter_mut().zip(numbers) {
        *into = one(*v)?;
    }
    Some(out)
}

/// The numbers, if all are whole.
pub(crate) fn all<const N: usize>(numbers: &[f64; N]) -> Option<[i128; N]> {
    let mut out = [0; N];
    for (into, v) in out.iter_mut().zip(numbers) {
        *into = of(*v)?;
    }
    Some(out)
}

/// Whether a point is on a line or a plane; none if one of the numbers is not whole.
pub(crate) fn is_on(factors: &[f64], point: &[f64]) -> Option<bool> {
    let (rest, factors) = factors.split_last()?;
    let of_small = || {
        let one = |v: &f64| one(*v).map(i64::from);
        let products = factors.iter().zip(point);
        let mut products = products.map(|(f, v)| Some(one(f)? * one(v)?));
        products.try_fold(one(rest)?, |sum, product| sum.checked_add(product?))
    };
    if let Some(sum) = of_small() {
        return Some(sum == 0);
    }
    // Each product is below 2^106.
    let mut sum = of(*rest)?;
    for (factor, v) in factors.iter().zip(point) {
        sum += of(*factor)? * of(*v)?;
    }
    Some(sum == 0)
}

/// The line or the plane of a normal through a point, in lowest terms, the first factor that is not 0 positive. None if one of
/// its factors is beyond what a double holds exactly.
pub(crate) fn through<const N: usize>(
    mut normal: [i128; N],
    point: &[i128; N],
) -> Option<Vec<f64>> {
    let by = normal.iter().fold(0, |by, v| divisor(by, v.abs()));
    if by == 0 {
        return None;
    }
    let first = normal.iter().find(|v| **v != 0)?;
    let by = by * first.signum();
    normal.iter_mut().for_each(|v| *v /= by);
    let mut rest = 0i128;
    for (factor, v) in normal.iter().zip(point) {
        rest = rest.checked_sub(factor.checked_mul(*v)?)?;
    }
    #[allow(clippy::cast_precision_loss)]
    let number = |v: &i128| Some(*v as f64).filter(|v| v.abs() < EXACT);
    normal.iter().chain([&rest]).map(number).collect()
}

fn divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        // What has room in 64 bits is divided by the machine itself.
        (a, b) = match (u64::try_from(a), u64::try_from(b)) {
            (Ok(x), Ok(y)) => (b, i128::from(x % y)),
            _ => (b, a % b),
        };
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_double_does_not_hold_is_not_whole() {
        assert_eq!(all(&[1.0, -3.0]), Some([1, -3]));
        assert_eq!(all(&[1.0, 0.5]), None);
        assert_eq!(all(&[EXACT, 1.0]), None);
        assert_eq!(all(&[f64::NAN]), None);
    }

    #[test]
    fn small_is_below_a_bound() {
        let bound = f64::from(SMALL);
        assert_eq!(
            small(&[bound - 1.0, 1.0 - bound, -0.0]),
            Some([536_870_911, -536_870_911, 0])
        );
        for v in [bound, -bound, 0.5, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(small(&[v]), None, "{v}");
        }
    }

    #[test]
    fn near_is_not_on() {
        let factors = [1.0, -1.0, 0.0];
        assert_eq!(is_on(&factors, &[1e15, 1e15]), Some(true));
        assert_eq!(is_on(&factors, &[1e15, 1e15 + 1.0]), Some(false));
        assert_eq!(is_on(&factors, &[0.5, 0.5]), None);
        // A multiple of 2^32, which has no room in 32 bits.
        let steep = [65536.0, -1.0, 0.0];
        assert_eq!(is_on(&steep, &[65536.0, 0.0]), Some(false));
    }

    #[test]
    fn factors_are_in_lowest_terms() {
        assert_eq!(through([-4, 6], &[3, 3]), Some(vec![2.0, -3.0, 3.0]));
        assert_eq!(through([0, 0], &[3, 3]), None);
        assert_eq!(through([1 << 60, (1 << 60) + 1], &[3, 3]), None);
    }
}
