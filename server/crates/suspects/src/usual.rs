//! Whether a call was given what is usual: values within those that hand-written tests gave. Where it was not, what it made of them
//! says little, whatever constraint that breaks: an empty text makes an empty reader.

use crate::options::{Moment, Options};
use crate::samples::Samples;
use crate::shape::Shape;
use crate::words::words;
use evidence::{Call, Called};
use invariants::{Kind, Value, double};

/// What the calls of a method were given, variable by variable: parameters and receiver.
#[derive(Clone, Debug)]
pub(crate) struct Usual {
    shape: Shape,
    ranges: Vec<Range>,
}

/// What a variable was, so far as one can be beyond it.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    /// It was `null` once.
    has_null: bool,
    /// It was something else once.
    has_value: bool,
    /// Of numbers, lengths of texts and of sequences: the least and the greatest.
    extent: Option<(f64, f64)>,
}

impl Usual {
    /// Of the calls when they begin.
    pub(crate) fn new(samples: &Samples<'_, '_>, options: &Options) -> Usual {
        let all = samples.all();
        let shape = samples.shape(&all, options);
        let mut ranges = vec![Range::default(); shape.about.len()];
        for row in shape.rows(&samples.distinct, all.numbers()) {
            for (at, (range, value)) in ranges.iter_mut().zip(&row).enumerate() {
                match is_null(value, shape.point.variables[at].rep.kind) {
                    Some(true) => range.has_null = true,
                    Some(false) => range.has_value = true,
                    None => continue,
                }
                if let Some(n) = extent(value, &shape, at) {
                    let (least, most) = range.extent.unwrap_or((n, n));
                    range.extent = Some((least.min(n), most.max(n)));
                }
            }
        }
        Usual { shape, ranges }
    }

    /// The first value that a call was given beyond what is usual, in words.
    pub(crate) fn beyond(&self, call: &Call, method: &Called) -> Option<String> {
        let row = self.shape.row(call, Moment::Entry, &method.parameters);
        let all = row.values.iter().zip(&self.ranges).enumerate();
        let mut beyond = all.filter_map(|(at, (value, range))| {
            let variable = &self.shape.point.variables[at];
            let kind = variable.rep.kind;
            let usual = match (is_null(value, kind)?, extent(value, &self.shape, at)) {
                (true, _) if range.has_value && !range.has_null => "never null".to_owned(),
                (false, _) if range.has_null && !range.has_value => "null".to_owned(),
                (false, Some(n)) => {
                    let (least, most) = range
                        .extent
                        .filter(|(least, most)| n < *least || n > *most)?;
                    let of = match value {
                        Value::Text(_) => " characters",
                        Value::Ints(_) | Value::Doubles(_) | Value::Texts(_) => " elements",
                        _ => "",
                    };
                    #[allow(clippy::cast_possible_truncation)]
                    let end = |n: f64| match (value, variable.look.int(n as i64)) {
                        (Value::Int(_), Some(literal)) => literal,
                        (Value::Double(_), _) if !n.is_finite() => double(n),
                        _ => n.to_string(),
                    };
                    let (least, most) = (end(least), end(most));
                    match least == most {
                        true => format!("{least}{of}"),
                        false => format!("{least} to {most}{of}"),
                    }
                }
                _ => return None,
            };
            let is = words(value, kind, row.look(at));
            Some(format!("{} = {is}, usual is {usual}", variable.shown()))
        });
        beyond.next()
    }
}

/// Whether it is `null`; none of what is missing.
fn is_null(value: &Value, kind: Kind) -> Option<bool> {
    match value {
        Value::Missing => None,
        Value::Int(n) => Some(kind == Kind::Reference && *n == 0),
        Value::Text(text) => Some(text.is_none()),
        _ => Some(false),
    }
}

/// What can be too little or too much of a variable's value. Numbers of objects mean nothing, nor do lengths of names.
#[allow(clippy::cast_precision_loss)]
fn extent(value: &Value, shape: &Shape, at: usize) -> Option<f64> {
    match value {
        Value::Int(_) if shape.point.variables[at].rep.kind == Kind::Reference => None,
        Value::Text(_) if shape.about[at].is_name => None,
        Value::Int(_) | Value::Double(_) => value.number(),
        Value::Text(text) => text.as_ref().map(|t| t.chars().count() as f64),
        Value::Ints(all) => Some(all.len() as f64),
        Value::Doubles(all) => Some(all.len() as f64),
        Value::Texts(all) => Some(all.len() as f64),
        Value::Missing => None,
    }
}
