//! From the lines that ran to what is kept: whose they are, and where they stand in the code.

use super::seen::{ClassLines, Coverage};
use super::told::framework_names;
use crate::failure::Failure;
use evidence::{Lines, PackedLines, Ran, RanBy};
use ide::Analysis;
use ide::checked::Places;
use program::MethodId;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// What ran, as it is kept.
pub(super) fn ran(
    analysis: &Analysis,
    asked: &[MethodId],
    coverage: &Coverage,
) -> Result<Ran, Failure> {
    let places = Places::new(analysis.program());
    let lines = |own: &ClassLines| places.keep(own.iter().map(|(c, l)| (c.as_str(), l)));
    let mut out = Ran {
        lost: coverage.lost,
        ..Ran::default()
    };
    let mut known = FxHashSet::default();
    for (test, names) in framework_names(analysis, asked, coverage.tests.keys()) {
        let mut own = ClassLines::default();
        for name in names {
            known.insert(name);
            let more = coverage.tests.get(name).into_iter().flatten();
            more.for_each(|(class, lines)| own.entry(class.clone()).or_default().extend(lines));
        }
        if own.is_empty() {
            continue;
        }
        let by = RanBy {
            key: analysis.key(test),
            lines: packed(&lines(&own))?,
        };
        out.tests
            .insert(SmolStr::new(analysis.program().method_name(test)), by);
    }
    let others = coverage
        .tests
        .iter()
        .filter(|(name, _)| !known.contains(name));
    let mut nobodys = coverage.outside.clone();
    let others = others.flat_map(|(_, own)| own);
    others.for_each(|(class, lines)| nobodys.entry(class.clone()).or_default().extend(lines));
    out.nobodys.push(packed(&lines(&nobodys))?);
    for (member, at) in lines(&coverage.code) {
        let own = packed(&vec![(SmolStr::default(), at)])?;
        out.code.insert(member, own);
    }
    Ok(out)
}

fn packed(lines: &Lines) -> Result<PackedLines, Failure> {
    let refused = |e: std::io::Error| Failure::Run(format!("what ran cannot be kept: {e}"));
    PackedLines::pack(lines).map_err(refused)
}
