//! The tables of lists and of the model's calibration as pictures, for who sees better than reads.
//!
//! A list is a row with three places, one below the other: what its first value tells, its first three, its first ten. A
//! place is a dot on the line from the low to the high end of its interval of 95 %. The axis ends at the next ten per cent,
//! so pictures of different projects are not of one scale; each names its ends.

use draw::{escape, label};
use mutants::question::Interval;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Result;
use crate::evaluate::build::failed;

/// A list with what its first value, its first three and its first ten tell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) cells: [Interval; 3],
}

/// A class of predictions, in shares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bin {
    /// How much the examples in it weigh.
    pub(super) weight: f64,
    /// What was predicted, in the mean.
    pub(super) predicted: f64,
    /// What was told.
    pub(super) told: f64,
}

/// The three places of a row, and how they look.
const PLACES: [(&str, &str); 3] = [
    ("first", "#1d4ed8"),
    ("first three", "#b45309"),
    ("first ten", "#4b5563"),
];

const WIDTH: f64 = 860.0;
/// Where the axis begins and ends.
const AXIS: (f64, f64) = (410.0, 840.0);
const HEAD: f64 = 56.0;
const LINE: f64 = 9.0;
const GAP: f64 = 9.0;

/// The side of the square of [`calibration`], and what is around it.
const SIDE: f64 = 360.0;
const MARGIN: f64 = 50.0;

/// Writes a picture.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write(folder: &Path, name: &str, svg: &str) -> Result<()> {
    fs::create_dir_all(folder).map_err(|e| failed("create", folder, &e))?;
    let file = folder.join(format!("{name}.svg"));
    fs::write(&file, svg).map_err(|e| failed("write", &file, &e))
}

/// Draws the rows of a table, in their order.
pub(super) fn table(title: &str, rows: &[Row]) -> String {
    let cells = rows.iter().flat_map(|r| &r.cells);
    let most = end(cells.map(|c| c.high.max(c.share)));
    let each = PLACES.len() as f64 * LINE + GAP;
    let bottom = HEAD + each * rows.len() as f64;
    let x = |share: f64| AXIS.0 + (AXIS.1 - AXIS.0) * share / most;
    let mut out = begin(title, WIDTH, bottom + 30.0);
    for (n, (name, colour)) in PLACES.iter().enumerate() {
        let at = AXIS.0 + 110.0 * n as f64;
        dot(&mut out, (at + 4.0, 36.0), colour, name);
        label(&mut out, (at + 14.0, 40.0), "start", name);
    }
    for share in ticks(most) {
        let at = x(share);
        line(&mut out, (at, HEAD - 4.0), (at, bottom), "#e5e7eb");
        let said = format!("{:.0} %", 100.0 * share);
        label(&mut out, (at, bottom + 16.0), "middle", &said);
    }
    for (n, row) in rows.iter().enumerate() {
        let top = HEAD + each * n as f64;
        label(
            &mut out,
            (AXIS.0 - 12.0, top + 1.5 * LINE + 4.0),
            "end",
            &row.name,
        );
        for (k, (cell, (place, colour))) in row.cells.iter().zip(PLACES).enumerate() {
            let y = top + (k as f64 + 0.5) * LINE;
            line(&mut out, (x(cell.low), y), (x(cell.high), y), colour);
            let said = format!(
                "{}, {place}: {:.1} % ({:.1}-{:.1})",
                row.name,
                100.0 * cell.share,
                100.0 * cell.low,
                100.0 * cell.high
            );
            dot(&mut out, (x(cell.share), y), colour, &said);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Draws what was predicted against what was told; on the diagonal both are the same. The area of a ring grows with what
/// its examples weigh. Classes without examples are left out.
pub(super) fn calibration(title: &str, bins: &[Bin]) -> String {
    let bins: Vec<&Bin> = bins.iter().filter(|b| b.weight > 0.0).collect();
    let most = end(bins.iter().map(|b| b.predicted.max(b.told)));
    let heaviest = bins.iter().map(|b| b.weight).fold(0.0, f64::max);
    let (left, right, bottom) = (MARGIN, MARGIN + SIDE, MARGIN + SIDE);
    let x = |share: f64| left + SIDE * share / most;
    let y = |share: f64| bottom - SIDE * share / most;
    let mut out = begin(title, SIDE + 2.0 * MARGIN, SIDE + 2.0 * MARGIN);
    for share in ticks(most) {
        line(&mut out, (x(share), y(0.0)), (x(share), y(most)), "#e5e7eb");
        line(&mut out, (left, y(share)), (right, y(share)), "#e5e7eb");
        let said = format!("{:.0} %", 100.0 * share);
        label(&mut out, (x(share), bottom + 16.0), "middle", &said);
        label(&mut out, (left - 6.0, y(share) + 4.0), "end", &said);
    }
    line(&mut out, (x(0.0), y(0.0)), (x(most), y(most)), "#9ca3af");
    label(
        &mut out,
        (left + SIDE / 2.0, bottom + 36.0),
        "middle",
        "predicted",
    );
    label(&mut out, (left, MARGIN - 10.0), "start", "told");
    for bin in bins {
        let radius = 3.0 + 15.0 * (bin.weight / heaviest).sqrt();
        let said = format!(
            "predicted {:.1} %, told {:.1} %, weight {:.0}",
            100.0 * bin.predicted,
            100.0 * bin.told,
            bin.weight
        );
        let at = (x(bin.predicted), y(bin.told));
        let _ = write!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\" fill=\"#1d4ed8\" fill-opacity=\"0.25\" stroke=\"#1d4ed8\"><title>{said}</title></circle>",
            at.0, at.1
        );
        dot(&mut out, at, "#1d4ed8", &said);
    }
    out.push_str("</svg>\n");
    out
}

/// Where an axis ends that holds these shares: at full ten per cent.
fn end(shares: impl Iterator<Item = f64>) -> f64 {
    let most = shares.fold(0.0, f64::max);
    (10.0 * most - 1e-9).ceil().max(1.0) / 10.0
}

/// Where a line stands: at each ten per cent, on a short axis at each two.
fn ticks(most: f64) -> impl Iterator<Item = f64> {
    let step = if most > 0.25 { 0.1 } else { 0.02 };
    let count = (most / step).round() as u32;
    (0..=count).map(move |n| step * f64::from(n))
}

/// On white, since it is looked at on pages of any colour.
fn begin(title: &str, width: f64, height: f64) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" font-size=\"11\" font-family=\"sans-serif\" fill=\"#111827\"><title>{title}</title><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/><text x=\"12\" y=\"20\" font-size=\"13\">{title}</text>"
    )
}

fn line(out: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    let _ = write!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn dot(out: &mut String, at: (f64, f64), colour: &str, said: &str) {
    let _ = write!(
        out,
        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"><title>{}</title></circle>",
        at.0,
        at.1,
        escape(said)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use quick_xml::Reader;
    use quick_xml::events::{BytesStart, Event};

    /// An element: its name, its numbers, its colour, and what it says.
    #[derive(Debug, Default)]
    struct Shape {
        name: String,
        numbers: Vec<(String, f64)>,
        colour: String,
        said: String,
    }

    impl Shape {
        fn new(start: &BytesStart<'_>) -> Shape {
            let mut out = Shape {
                name: start.name().as_ref().to_owned(),
                ..Shape::default()
            };
            for attribute in start.attributes() {
                let attribute = attribute.expect("an attribute");
                let key = attribute.key.as_ref().to_owned();
                let value = attribute.value.to_string();
                match value.parse() {
                    Ok(number) => out.numbers.push((key, number)),
                    Err(_) if key == "fill" || key == "stroke" => out.colour = value,
                    Err(_) => {}
                }
            }
            out
        }

        fn number(&self, key: &str) -> f64 {
            let own = self.numbers.iter().find(|(k, _)| k == key);
            own.unwrap_or_else(|| panic!("{key}: {self:?}")).1
        }
    }

    /// All shapes of a picture, which must be XML.
    fn shapes(svg: &str) -> Vec<Shape> {
        let mut reader = Reader::from_str(svg);
        let (mut out, mut depth): (Vec<Shape>, i32) = (Vec::new(), 0);
        loop {
            match reader.read_event().expect("XML") {
                Event::Start(start) => {
                    depth += 1;
                    if start.name().as_ref() != "title" {
                        out.push(Shape::new(&start));
                    }
                }
                Event::Empty(start) => out.push(Shape::new(&start)),
                Event::End(_) => depth -= 1,
                Event::Text(text) if depth > 0 => {
                    if let Some(last) = out.last_mut() {
                        last.said.push_str(&text);
                    }
                }
                Event::GeneralRef(name) => {
                    if let Some(last) = out.last_mut() {
                        last.said.push_str(&format!("&{};", &*name));
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(depth, 0);
        out
    }

    fn interval(share: f64, low: f64, high: f64) -> Interval {
        Interval { share, low, high }
    }

    #[test]
    fn a_row_stands_where_its_shares_are() {
        let none = interval(0.0, 0.0, 0.0);
        let rows = [
            Row {
                name: "readable".into(),
                cells: [
                    interval(0.1, 0.05, 0.2),
                    interval(0.2, 0.1, 0.3),
                    interval(0.3, 0.2, 0.38),
                ],
            },
            Row {
                name: "a <list> & \"more\"".into(),
                cells: [none, none, interval(0.4, 0.4, 0.4)],
            },
        ];
        let shapes = shapes(&table("What the first values tell: demo", &rows));
        // 40 % is the end of the axis.
        let x = |share: f64| AXIS.0 + (AXIS.1 - AXIS.0) * share / 0.4;
        let near = |a: f64, b: f64| (a - b).abs() < 0.06;
        let of = |name: &str, said: &str| {
            let mut all = shapes.iter();
            let own = all.find(|s| s.name == name && s.said == said);
            own.unwrap_or_else(|| panic!("{said}: {shapes:#?}"))
        };
        let mut below = 0.0;
        for (row, name) in rows
            .iter()
            .zip(["readable", "a &lt;list&gt; &amp; &quot;more&quot;"])
        {
            for (cell, (place, colour)) in row.cells.iter().zip(PLACES) {
                let said = [cell.share, cell.low, cell.high].map(|s| format!("{:.1}", 100.0 * s));
                let said = format!("{name}, {place}: {} % ({}-{})", said[0], said[1], said[2]);
                let dot = of("circle", &said);
                let y = dot.number("cy");
                assert!(
                    near(dot.number("cx"), x(cell.share)) && y > below,
                    "{dot:?}"
                );
                let line = shapes.iter().find(|s| {
                    s.name == "line" && near(s.number("y1"), y) && near(s.number("y2"), y)
                });
                let line = line.expect("its interval");
                assert_eq!((&*line.colour, &*dot.colour), (colour, colour));
                assert!(near(line.number("x1"), x(cell.low)), "{line:?}");
                assert!(near(line.number("x2"), x(cell.high)), "{line:?}");
                below = y;
            }
            let label = of("text", name);
            assert!(label.number("y") < below + LINE, "{label:?}");
        }
        let svg = shapes.first().expect("a picture");
        assert!(svg.number("height") > below && of("text", "40 %").number("x") > x(0.39));
        assert!(shapes.iter().all(|s| s.said != "50 %"));
    }

    #[test]
    fn what_is_predicted_and_told_alike_stands_on_the_diagonal() {
        let bin = |weight, predicted, told| Bin {
            weight,
            predicted,
            told,
        };
        let all = [bin(90.0, 0.2, 0.2), bin(10.0, 0.6, 0.3), Bin::default()];
        let shapes = shapes(&calibration("Calibration", &all));
        let rings: Vec<&Shape> = shapes
            .iter()
            .filter(|s| s.name == "circle" && s.number("r") > 3.0)
            .collect();
        // One class has no example.
        assert_eq!(rings.len(), 2, "{shapes:#?}");
        let from_left = |s: &Shape| s.number("cx") - MARGIN;
        let from_below = |s: &Shape| MARGIN + SIDE - s.number("cy");
        assert!((from_left(rings[0]) - SIDE / 3.0).abs() < 0.1);
        assert!((from_left(rings[0]) - from_below(rings[0])).abs() < 0.1);
        assert!((from_left(rings[1]) - 2.0 * from_below(rings[1])).abs() < 0.2);
        assert!(rings[0].number("r") > 2.0 * rings[1].number("r"));
        assert_eq!(rings[1].said, "predicted 60.0 %, told 30.0 %, weight 10");
        // Nothing was asked: an empty frame.
        assert!(calibration("Calibration", &[]).ends_with("</svg>\n"));
    }

    #[test]
    fn a_picture_is_written_into_a_new_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let below = folder.path().join("plots");
        write(&below, "demo-values", "<svg/>").expect("written");
        let file = fs::read_to_string(below.join("demo-values.svg"));
        assert_eq!(file.expect("a file"), "<svg/>");
        assert!(write(&below.join("demo-values.svg"), "x", "").is_err());
    }
}
