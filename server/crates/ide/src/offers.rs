//! What one test could read and does not, and what only an inner oracle can check.

use crate::analysis::{Analysis, Place};
use crate::words::{named, share};
use observe::offer::{Switches, offer};
use program::MethodId;
use text::Span;

/// What adds less is not worth a word.
const LEAST_GAIN: f64 = 0.005;
/// How many of the values that one stands in for are named.
const NAMED: usize = 3;

/// The two lists, best first.
#[derive(Debug, Default)]
pub struct Offered {
    /// Values that the test could assert.
    pub readable: Vec<Readable>,
    /// Values inside the code under test.
    pub inside: Vec<Inside>,
}

/// A value that the test could assert.
#[derive(Clone, Debug)]
pub struct Readable {
    /// What to write: `record.getComment()`.
    pub expression: String,
    /// Its type as people write it.
    pub ty: String,
    /// Where its object was defined last.
    pub span: Span,
    /// What it adds to what the assertions read.
    pub gain: f64,
    /// What it tells on, in words.
    pub tells_on: Vec<String>,
}

/// A value inside the code under test.
#[derive(Clone, Debug)]
pub struct Inside {
    /// `neg in Stats.compare`.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
    /// What it adds.
    pub gain: f64,
}

/// Computes both lists.
pub(crate) fn offered(analysis: &Analysis, test: MethodId) -> Offered {
    let program = analysis.program();
    let found = offer(
        analysis.workspace(),
        analysis.purity(),
        &[analysis.workspace().own_run(test)],
        analysis.settings(),
        &Switches::default(),
    );
    let name = |v: u32| named(program, &found.units, &found.graph, v);
    let readable = found
        .readable
        .iter()
        .filter(|r| r.gain >= LEAST_GAIN)
        .filter_map(|r| {
            let at = found.observations.get(&r.vertex)?;
            Some(Readable {
                expression: at.expression.to_string(),
                ty: at.ty.to_string(),
                span: Span::new(at.start, at.end),
                gain: r.gain,
                tells_on: r
                    .stands_for
                    .iter()
                    .filter_map(|s| {
                        Some(format!("{}{}", name(s.vertex)?.in_method(), share(s.foc)))
                    })
                    .take(NAMED)
                    .collect(),
            })
        })
        .collect();
    let inside = found
        .inside
        .iter()
        .filter(|r| r.gain >= LEAST_GAIN)
        .filter_map(|r| {
            let own = name(r.vertex)?;
            Some(Inside {
                name: own.in_method(),
                place: Place {
                    file: own.file,
                    span: own.span,
                },
                gain: r.gain,
            })
        })
        .collect();
    Offered { readable, inside }
}
