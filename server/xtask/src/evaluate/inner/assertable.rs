//! Whether *assertable now* is true: assertions that the tool writes, and readings of fields, are compiled.
//!
//! A value of the list *next* is asserted as the light bulb does it, with the placeholder that is to be filled in. Of a
//! candidate that is a field its class's objects are asked for it, in a method that is added to the test's class.

use ide::Analysis;
use ide::action::assertions;
use ide::inner::{CandidateId, Check, candidates, read};
use program::{MethodId, Program, TypeId};
use text::{Edit, Span, apply_disjoint};

use super::once::{Job, Project, Ran};
use super::path_of;
use crate::Result;
use crate::evaluate::chance::Chance;

/// One that is said to be assertable now.
struct Said {
    test: MethodId,
    what: String,
    edits: Vec<Edit>,
}

/// Compiles `count` of each kind, drawn by `seed`, and prints what does not compile; how many do not.
pub(super) fn check(
    name: &str,
    analysis: &Analysis,
    project: &mut Project,
    count: usize,
    seed: u64,
) -> Result<usize> {
    let tests = analysis.workspace().suite().tests().iter().copied();
    let has = |test: &MethodId| project.has(&path_of(analysis, *test));
    let tests: Vec<MethodId> = tests.filter(has).collect();
    let mut wrong = 0;
    let kinds = [
        (
            "assertions as the tool writes them",
            values(analysis, &tests),
        ),
        ("fields that are read", fields(analysis, &tests)),
    ];
    for (kind, all) in kinds {
        let mut chance = Chance::new(seed);
        let drawn: Vec<&Said> = chance
            .draw(count, all.len())
            .into_iter()
            .map(|at| &all[at])
            .collect();
        let jobs: Vec<Job> = drawn.iter().map(|said| job(analysis, said)).collect();
        let ran = project.run(&jobs)?;
        let broken = |ran: &&Ran| matches!(ran, Ran::Broken(_));
        let bad = ran.iter().filter(broken).count();
        println!(
            "{name}: {kind}: {} of {} drawn, {bad} do not compile",
            drawn.len(),
            all.len()
        );
        let told = ran.iter().filter(|r| matches!(r, Ran::Failed(_))).count();
        println!(
            "  {told} run and fail, {} pass",
            ran.iter().filter(|r| **r == Ran::Passed).count()
        );
        for (said, ran) in drawn.iter().zip(&ran) {
            if let Ran::Broken(why) = ran {
                let test = analysis.program().method_name(said.test);
                println!(
                    "{test}\t{}\t{}",
                    said.what,
                    why.lines().next().unwrap_or_default()
                );
            }
        }
        wrong += bad;
    }
    Ok(wrong)
}

/// What the list *next* has, each with the edit that asserts it.
fn values(analysis: &Analysis, tests: &[MethodId]) -> Vec<Said> {
    let mut out = Vec::new();
    for &test in tests {
        let Some(file) = analysis.program().method_file(test) else {
            continue;
        };
        out.extend(
            assertions(analysis, file, test)
                .into_iter()
                .map(|(what, mut change)| Said {
                    test,
                    what,
                    edits: change.edits.remove(0).1,
                }),
        );
    }
    out
}

/// The candidates that are fields which a test may read, each with a method that reads it.
fn fields(analysis: &Analysis, tests: &[MethodId]) -> Vec<Said> {
    let workspace = analysis.workspace();
    let program = analysis.program();
    let mut out = Vec::new();
    for &test in tests {
        let mut known = Vec::new();
        for id in candidates(analysis, test) {
            let field = workspace
                .chains(id.body)
                .and_then(|c| c.candidates.get(id.index as usize)?.field);
            let Some(field) = field.filter(|f| !known.contains(f)) else {
                continue;
            };
            if check_of(analysis, test, id) != Some(Check::Field) {
                continue;
            }
            known.push(field);
            let (Some(how), Some(end)) = (
                read(workspace, Some(test), field),
                end_of_class(program, test),
            ) else {
                continue;
            };
            let owner = program
                .type_name(program.field_owner(field))
                .replace('$', ".");
            let probe = format!(" static Object telltaleReads({owner} it) {{ return it.{how}; }} ");
            out.push(Said {
                test,
                what: format!("{owner}.{how}"),
                edits: vec![Edit::new(Span::new(end, end), probe)],
            });
        }
    }
    out
}

fn check_of(analysis: &Analysis, test: MethodId, id: CandidateId) -> Option<Check> {
    ide::inner::check(analysis.workspace(), Some(test), id)
}

/// Where the outermost class of a test ends, in bytes of its file.
fn end_of_class(program: &Program, test: MethodId) -> Option<u32> {
    let own = program.method_owner(test);
    let around = std::iter::successors(Some(own), |t: &TypeId| program.enclosing_type(*t));
    let outermost = around.take(100).last()?;
    program.type_decl(outermost)?.span.end.checked_sub(1)
}

fn job(analysis: &Analysis, said: &Said) -> Job {
    let program = analysis.program();
    let name = program.method_name(said.test);
    let (class, method) = name.split_once('#').unwrap_or((&name, ""));
    let method = method.split('(').next().unwrap_or(method);
    let text = program.method_file(said.test).and_then(|f| program.text(f));
    let text = text.map_or("", |t| t);
    let path = path_of(analysis, said.test);
    Job {
        test: (class.to_owned(), method.to_owned()),
        files: vec![(
            path.clone(),
            apply_disjoint(text, &said.edits).unwrap_or_default(),
        )],
        path,
    }
}
