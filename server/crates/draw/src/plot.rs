//! A small plot of one or two numbers: on a line, or on a plane.
//!
//! It takes its colour from the page around it, and needs neither script nor style sheet. What was seen more often is larger.

use crate::svg::escape;
use std::fmt::Write;

const WIDTH: f64 = 420.0;
/// Of a plot of one number, and of two.
const HEIGHTS: [f64; 2] = [104.0, 220.0];
const MARGIN: f64 = 30.0;
/// How many places of a series are drawn: more tell no more.
const DRAWN: usize = 400;

/// How the places of a series look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Filled and pale.
    Pale,
    /// A ring.
    Ring,
    /// Filled and red: what the plot is drawn for.
    Strong,
}

/// Numbers that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What they are, as the title of each place says.
    pub name: String,
    pub look: Look,
    /// As many numbers each as the plot has names, all finite.
    pub points: Vec<Vec<f64>>,
}

/// Draws the series over each other, the first one at the bottom: on a line if there is one name, on a plane if there are two. None
/// for other numbers of names, and where nothing is to be drawn.
pub fn plot(names: &[String], series: &[Series]) -> Option<String> {
    let is_fit = |p: &&Vec<f64>| p.len() == names.len() && p.iter().all(|v| v.is_finite());
    let placed: Vec<(&Series, Vec<Spot<'_>>)> = series
        .iter()
        .map(|s| (s, counted(s.points.iter().filter(is_fit))))
        .collect();
    let all = || placed.iter().flat_map(|(_, places)| places);
    if !(1..=2).contains(&names.len()) || all().next().is_none() {
        return None;
    }
    let axis = |i: usize| Axis::of(all().map(|(p, _)| p[i]));
    let axes: Vec<Axis> = (0..names.len()).map(axis).collect();
    let height = HEIGHTS[names.len() - 1];
    let mut out = String::new();
    // Writing to a text does not fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" font-size=\"11\" font-family=\"sans-serif\" fill=\"currentColor\"><title>{}</title>",
        escape(&names.join(", "))
    );
    frame(&mut out, &axes, names, height);
    // On a line each series has a row.
    let rows = placed.len().max(1) as f64;
    for (row, (series, places)) in placed.iter().enumerate() {
        let own = 16.0 + (row as f64 + 0.5) * (height - MARGIN - 20.0) / rows;
        for (at, times) in places {
            let x = axes[0].place(at[0], MARGIN, WIDTH - MARGIN);
            let y = axes
                .get(1)
                .map_or(own, |a| a.place(at[1], height - MARGIN, MARGIN));
            let radius = 3.5 + f64::from(*times).log2().min(4.0);
            let look = match series.look {
                Look::Pale => "fill-opacity=\"0.4\"",
                Look::Ring => "fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.6\"",
                Look::Strong => "fill=\"#d4351c\"",
            };
            let said: Vec<String> = at.iter().map(|v| format!("{v:?}")).collect();
            let _ = write!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {look}><title>{}: {}{}</title></circle>",
                escape(&series.name),
                said.join(", "),
                if *times > 1 {
                    format!(", {times} times")
                } else {
                    String::new()
                }
            );
        }
    }
    out.push_str("</svg>");
    Some(out)
}

/// A place, and how often it is there.
type Spot<'a> = (&'a Vec<f64>, u32);

/// Different places in their order, and how often each is there.
fn counted<'a>(points: impl Iterator<Item = &'a Vec<f64>>) -> Vec<Spot<'a>> {
    let mut out: Vec<Spot<'_>> = Vec::new();
    for point in points {
        match out.iter().position(|(p, _)| *p == point) {
            Some(at) => out[at].1 += 1,
            None if out.len() < DRAWN => out.push((point, 1)),
            None => {}
        }
    }
    out
}

fn frame(out: &mut String, axes: &[Axis], names: &[String], height: f64) {
    let bottom = height - MARGIN;
    line(out, (MARGIN, bottom), (WIDTH - MARGIN, bottom), 0.6);
    label(
        out,
        (MARGIN, bottom + 13.0),
        "start",
        &format!("{:?}", axes[0].least),
    );
    label(
        out,
        (WIDTH - MARGIN, bottom + 13.0),
        "end",
        &format!("{:?}", axes[0].most),
    );
    label(out, (WIDTH / 2.0, height - 4.0), "middle", &names[0]);
    if axes[0].has_zero() {
        let x = axes[0].place(0.0, MARGIN, WIDTH - MARGIN);
        line(out, (x, 12.0), (x, bottom), 0.25);
    }
    let Some(axis) = axes.get(1) else { return };
    line(out, (MARGIN, MARGIN), (MARGIN, bottom), 0.6);
    let said = format!("{}: {:?} to {:?}", names[1], axis.least, axis.most);
    label(out, (4.0, MARGIN - 14.0), "start", &said);
    if axis.has_zero() {
        let y = axis.place(0.0, bottom, MARGIN);
        line(out, (MARGIN, y), (WIDTH - MARGIN, y), 0.25);
    }
}

fn line(out: &mut String, from: (f64, f64), to: (f64, f64), opacity: f64) {
    let _ = write!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"currentColor\" stroke-opacity=\"{opacity}\"/>",
        from.0, from.1, to.0, to.1
    );
}

/// Writes a text into an SVG: where it starts, ends, or has its middle, as `anchor` says.
pub fn label(out: &mut String, at: (f64, f64), anchor: &str, said: &str) {
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
        at.0,
        at.1,
        escape(said)
    );
}

/// From values to places.
struct Axis {
    least: f64,
    most: f64,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64>) -> Axis {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (least, most) = values.fold(ends, |(a, b), v| (a.min(v), b.max(v)));
        Axis { least, most }
    }

    fn has_zero(&self) -> bool {
        self.least < 0.0 && self.most > 0.0
    }

    /// Where a value stands between two ends; in the middle if all are the same. By halves: the whole may be no number.
    fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        let whole = self.most / 2.0 - self.least / 2.0;
        let share = match whole > 0.0 {
            true => (value / 2.0 - self.least / 2.0) / whole,
            false => 0.5,
        };
        from + share * (to - from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(look: Look, points: &[&[f64]]) -> Series {
        Series {
            name: "some <tests>".to_owned(),
            look,
            points: points.iter().map(|p| p.to_vec()).collect(),
        }
    }

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn one_number_is_a_line_and_two_are_a_plane() {
        let own = series(Look::Strong, &[&[-0.0]]);
        let usual = series(Look::Pale, &[&[-3.0], &[3.0], &[3.0]]);
        let drawn = plot(&names(&["a < b"]), &[usual, own]).expect("a plot");
        assert_eq!(
            drawn.matches("<circle").count(),
            3,
            "equal ones are one place"
        );
        assert!(
            drawn.contains("some &lt;tests&gt;: 3.0, 2 times"),
            "{drawn}"
        );
        assert!(
            drawn.contains("a &lt; b") && !drawn.contains("a < b"),
            "{drawn}"
        );
        // Both ends stand at the margins, and nothing between is nothing else.
        assert!(
            drawn.contains("cx=\"30.0\"") && drawn.contains("cx=\"390.0\""),
            "{drawn}"
        );
        assert!(drawn.contains("cx=\"210.0\""), "{drawn}");
        let both = series(Look::Ring, &[&[1.0, 2.0], &[2.0, f64::NAN], &[4.0]]);
        let drawn = plot(&names(&["x", "y"]), &[both]).expect("a plot");
        assert_eq!(
            drawn.matches("<circle").count(),
            1,
            "what is no place is left out"
        );
    }

    #[test]
    fn large_and_equal_numbers_have_places() {
        let wide = series(Look::Pale, &[&[f64::MIN], &[f64::MAX], &[0.0]]);
        let same = series(Look::Pale, &[&[7.0], &[7.0]]);
        for all in [wide, same] {
            let drawn = plot(&names(&["x"]), &[all]).expect("a plot");
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
        let many: Vec<Vec<f64>> = (0..10_000).map(|i| vec![f64::from(i)]).collect();
        let many = Series {
            points: many,
            ..series(Look::Pale, &[])
        };
        let drawn = plot(&names(&["x"]), &[many]).expect("a plot");
        assert_eq!(drawn.matches("<circle").count(), DRAWN);
    }

    #[test]
    fn what_cannot_be_drawn_is_not() {
        let one = || series(Look::Pale, &[&[1.0]]);
        assert_eq!(plot(&[], &[one()]), None);
        assert_eq!(plot(&names(&["x", "y", "z"]), &[one()]), None);
        assert_eq!(
            plot(&names(&["x"]), &[series(Look::Pale, &[&[f64::INFINITY]])]),
            None
        );
    }
}
