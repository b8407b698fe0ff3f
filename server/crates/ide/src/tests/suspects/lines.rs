//! A strange value goes only over lines that ran in its test, where that is known.

use super::*;
use crate::checked::Places;
use evidence::{PackedLines, Ran, RanBy};
use text::LineSet;

/// What `conjugate()` made leaves this method by one line alone.
const MIRROR: &str = "    public Complex mirror() {
        Complex kept = this;
        Complex other = conjugate();
        if (real > 100)
            kept = other;
        return kept;
    }
";

/// The ways of the third generated test, whose strange call is one of `mirror()`: of the lines of the code those ran that `wants`.
fn ways(wants: Option<&dyn Fn(&str) -> bool>) -> Vec<String> {
    let text = EST.replace(
        "(5.0, 0.0);\n        Complex complex1 = complex0.conjugate()",
        "(5.0, 0.0);\n        Complex complex1 = complex0.mirror() /* conjugate() */",
    );
    let mut fixture = fixture(MANY);
    for file in &mut fixture.files {
        if file.path.ends_with("Complex.java") {
            file.text = file
                .text
                .replace("    @Override", &format!("{MIRROR}    @Override"));
        } else if file.path.ends_with("_ESTest.java") {
            file.text.clone_from(&text);
        }
    }
    let analysis = analysis(&fixture);
    let mut facts = facts(&analysis);
    if let Some(wants) = wants {
        facts = facts.with_ran(ran(&analysis, wants));
    }
    let analysis = analysis.with_facts(Arc::new(facts));
    let all = lines(&analysis).into_iter();
    all.filter(|l| l.contains("#test2()")).collect()
}

fn ran(analysis: &Analysis, wants: &dyn Fn(&str) -> bool) -> Ran {
    let program = analysis.program();
    let code = program.text(file(analysis, CODE)).expect("its text");
    let places = Places::new(program);
    let keep = |wants: &dyn Fn(&str) -> bool| {
        let all = code.lines().zip(1u32..);
        let own: LineSet = all.filter(|(l, _)| wants(l)).map(|(_, at)| at).collect();
        places.keep([("own.Complex", &own)].into_iter())
    };
    let mut out = Ran::default();
    for (member, at) in keep(&|_| true) {
        let packed = PackedLines::pack(&vec![("".into(), at)]).expect("packed");
        out.code.insert(member, packed);
    }
    for &test in analysis.workspace().suite().tests() {
        let by = RanBy {
            key: analysis.key(test),
            lines: PackedLines::pack(&keep(wants)).expect("packed"),
        };
        out.tests.insert(program.method_name(test).into(), by);
    }
    out
}

#[test]
fn over_what_did_not_run_nothing_goes() {
    let way = "mirror() ran conjugate() and gave complex1";
    for known in [None, Some(&(|_: &str| true) as &dyn Fn(&str) -> bool)] {
        let found = ways(known);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(way), "{found:?}");
    }
    let without = ways(Some(&|line: &str| !line.contains("kept = other")));
    assert_eq!(without, [""; 0]);
}
