//! `suspicious-assertion`: an assertion of a generated test contradicts what hand-written tests taught.
//!
//! What is said rests on a run that was recorded, of the code as it is; of other code nothing is said. What is hardly chance is
//! a warning. The first of the ranking are faint marks: who has a thousand assertions to read begins there.

use super::{Finding, Ground, Level, Related, Rule, Standing, tidy};
use crate::analysis::{Analysis, Place};
use crate::suspects::{Assertion, Judged, TOP, called, classes, first_of, said, why, within};
use program::{FileId, MethodId, Program};
use std::collections::BTreeMap;
use suspects::Suspect;
use text::Span;

/// What the rule is called.
pub const NAME: &str = "suspicious-assertion";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    level: Level::Warning,
    title: "A generated assertion contradicts what hand-written tests taught.",
    check: Some(check),
};

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    once(found(ground.analysis, file))
}

/// What an editor marks of a file while the rule is on, each assertion once, the most suspicious first: what the rule finds and
/// nobody has silenced.
pub fn marked(analysis: &Analysis, file: FileId) -> Vec<Finding> {
    in_order(analysis.program(), file, found(analysis, file))
}

/// What has a rank in a file and is not among `marked`, each assertion once, the most suspicious first. It is no finding of the rule.
pub fn unmarked(analysis: &Analysis, file: FileId, marked: &[Finding]) -> Vec<Finding> {
    let program = analysis.program();
    let of = |judged: &Judged| -> Vec<Finding> {
        let all = judged.suspects.iter();
        let own = all.filter(|s| judged.assertions[s.assertion].file == file);
        own.filter_map(|s| finding(program, judged, s, Voice::Ranked))
            .collect()
    };
    let mut out = in_order(program, file, of_classes(analysis, file, &of));
    out.retain(|f| marked.iter().all(|m| m.span != f.span));
    out
}

/// What nobody has silenced, each assertion once, by rank.
fn in_order(program: &Program, file: FileId, mut found: Vec<Finding>) -> Vec<Finding> {
    tidy(program, file, &mut found);
    let mut found = once(found);
    found.sort_by_key(|f| (rank(f), f.span));
    found
}

/// Of what is said of a file each assertion once. A test may be about several classes, as about one and another within it, of which
/// each is judged for itself: the louder mark hides the other.
fn once(mut found: Vec<Finding>) -> Vec<Finding> {
    found.sort_by_key(|f| (f.span, f.fainter.is_some(), rank(f)));
    found.dedup_by_key(|f| f.span);
    found
}

fn rank(found: &Finding) -> u32 {
    found.standing.map_or(u32::MAX, |s| s.rank)
}

fn found(analysis: &Analysis, file: FileId) -> Vec<Finding> {
    let program = analysis.program();
    let of = |judged: &Judged| -> Vec<Finding> {
        let is_here = |a: &Assertion| a.file == file;
        let all = of_class(program, judged, TOP, &is_here);
        all.map(|(_, f)| f).collect()
    };
    of_classes(analysis, file, &of)
}

/// What is said of the classes that generated tests of a file are about.
fn of_classes(
    analysis: &Analysis,
    file: FileId,
    of: &dyn Fn(&Judged) -> Vec<Finding>,
) -> Vec<Finding> {
    let program = analysis.program();
    if analysis.facts().is_empty() || !program.is_test(file) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (class, tests) in classes(analysis).iter() {
        if tests.iter().any(|t| program.method_file(*t) == Some(file)) {
            out.extend(of(&analysis.judged(*class)));
        }
    }
    out
}

/// How loud a suspect is told of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// What speaks against it is hardly chance.
    Sure,
    /// It is among the first.
    First,
    /// It has a rank, and no mark.
    Ranked,
}

/// What is said of the suspects of a class: of those that are hardly chance, and of the first `top`.
fn of_class<'a>(
    program: &'a Program,
    judged: &'a Judged,
    top: usize,
    wants: &'a dyn Fn(&Assertion) -> bool,
) -> impl Iterator<Item = (FileId, Finding)> + 'a {
    let all = judged.suspects.iter().enumerate();
    all.filter_map(move |(nth, suspect)| {
        let assertion = &judged.assertions[suspect.assertion];
        if !wants(assertion) {
            return None;
        }
        let voice = match judged.is_sure(suspect) {
            true => Voice::Sure,
            false if nth < top && judged.is_worth_a_look(suspect) => Voice::First,
            false => return None,
        };
        let finding = finding(program, judged, suspect, voice)?;
        Some((assertion.file, finding))
    })
}

/// What the rule says of classes that were judged in some way, by file and position, without what somebody has silenced: of each
/// class, by its place among them, the assertions that are wanted, and each assertion once.
pub fn suspicious(
    analysis: &Analysis,
    judged: &[Judged],
    top: usize,
    wants: &dyn Fn(usize, &Assertion) -> bool,
) -> Vec<(FileId, Vec<Finding>)> {
    let program = analysis.program();
    let mut by: BTreeMap<FileId, Vec<Finding>> = BTreeMap::new();
    for (at, class) in judged.iter().enumerate() {
        for (file, finding) in of_class(program, class, top, &|a| wants(at, a)) {
            by.entry(file).or_default().push(finding);
        }
    }
    let told = by.into_iter().map(|(file, found)| {
        let mut found = once(found);
        tidy(program, file, &mut found);
        (file, found)
    });
    told.collect()
}

fn finding(program: &Program, judged: &Judged, suspect: &Suspect, voice: Voice) -> Option<Finding> {
    let assertion = &judged.assertions[suspect.assertion];
    let first = judged.first_of(suspect)?;
    let says = match voice {
        Voice::Sure => "Probably wrong",
        Voice::First => "Worth a look first",
        Voice::Ranked => "Not marked",
    };
    let message = format!("{says} ({}): {}", within(judged, suspect), why(first));
    let span = assertion.condition;
    let what = said(program, assertion);
    let mut out = Finding::new(&RULE, span, message, Some(assertion.test), what);
    out.fainter = (voice != Voice::Sure).then_some(Level::Hint);
    out.standing = Some(Standing {
        rank: first_of(judged, suspect),
        score: suspect.score,
    });
    let teachers = first.taught_by.iter();
    out.related = teachers
        .filter_map(|test| {
            let test = *judged.manual.get(*test)?;
            Some(Related {
                place: name_of(program, test)?,
                message: format!("taught by {}", short(program, test)),
            })
        })
        .collect();
    if let Some(place) = judged.called_at(program, first) {
        let name = called(&first.broken.method);
        let message = format!("{name} is called here");
        out.related.push(Related { place, message });
    }
    Some(out)
}

fn name_of(program: &Program, method: MethodId) -> Option<Place> {
    let decl = program.method_decl(method)?;
    Some(Place {
        file: program.method_file(method)?,
        span: Span::new(decl.name_span.start, decl.name_span.end),
    })
}

/// `ComplexTest.conjugates`
fn short(program: &Program, method: MethodId) -> String {
    let class = program.type_name(program.method_owner(method));
    let class = class.rsplit(['.', '$']).next().unwrap_or(class);
    let name = program.method_decl(method).map_or("", |m| &m.name);
    format!("{class}.{name}")
}
