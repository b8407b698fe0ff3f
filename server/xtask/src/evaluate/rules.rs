//! `cargo xtask evaluate rules`: what the rules find in real projects, beside what SonarLint's rule S2699 is documented to.
//!
//! Whether a finding is right only a reader can say: `--show N` prints so many of each rule and project, drawn by `--seed`,
//! with their code. The counts of `docs/evaluation-rules.md` come from such readings.

use calls::Workspace;
use observe::Settings;
use oracle::is_assertion;
use std::collections::HashSet;
use std::path::Path;

use ide::Analysis;
use ide::rules::{ALL, Finding, Ground, Options};
use program::{BodyId, FileId, MethodId};
use rayon::prelude::*;

use super::Where;
use crate::Result;
use crate::bench::load;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Where,
    /// Show so many findings of each rule and project, with their code
    #[arg(long, value_name = "N", default_value_t = 0)]
    show: usize,
    /// Which are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Beginnings of names that stand for the libraries that S2699's documentation lists (JUnit, AssertJ, Fest, Hamcrest, Truth,
/// Mockito, EasyMock, WireMock, RxJava, Selenide, Spring's `andExpect`, REST Assured, Awaitility).
const SONAR: &[&str] = &[
    "assert",
    "verify",
    "fail",
    "should",
    "check",
    "expect",
    "validate",
    "andExpect",
    "statusCode",
    "body",
    "until",
];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    println!(
        "| project | tests | no-oracle | missed-fail | missed-message | rotten-assertion | self-check | S2699 | both | S2699 only |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    let mut shown = Vec::new();
    for (name, folder) in &arguments.place.folders()? {
        let name = Path::new(name)
            .file_name()
            .map_or(name.as_str().into(), |n| n.to_string_lossy());
        let workspace = Workspace::new(load::texts(folder)?.program());
        let analysis = Analysis::new(workspace, true, Settings::default());
        let options = Options::default();
        let ground = Ground::new(&analysis, &options);
        let program = analysis.program();
        let suite = analysis.workspace().suite();
        let found: Vec<(FileId, Finding)> = program
            .files()
            .par_iter()
            .flat_map_iter(|&file| {
                let found = ground.findings(file, &|_| true);
                found.into_iter().map(move |f| (file, f))
            })
            .collect();
        let of = |rule: &str| found.iter().filter(|(_, f)| f.rule.name == rule).count();
        let ours: HashSet<MethodId> = found
            .iter()
            .filter(|(_, f)| f.rule.name == "no-oracle")
            .filter_map(|(_, f)| f.method)
            .collect();
        let sonar: Vec<MethodId> = suite
            .tests()
            .par_iter()
            .copied()
            .filter(|test| sonar_tells(&analysis, *test))
            .collect();
        let both = sonar.iter().filter(|t| ours.contains(t)).count();
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {both} | {} |",
            suite.tests().len(),
            of("no-oracle"),
            of("missed-fail"),
            of("missed-message"),
            of("rotten-assertion"),
            of("self-check"),
            sonar.len(),
            sonar.len() - both,
        );
        for rule in ALL {
            let all = found.iter().filter(|(_, f)| f.rule.name == rule.name);
            shown.extend(
                drawn(all.collect(), arguments)
                    .into_iter()
                    .map(|(file, f)| {
                        let text = program.text(*file).map_or("", |t| t);
                        let span = f
                            .method
                            .and_then(|m| program.method_decl(m))
                            .map_or(f.span, |d| d.span);
                        let code = text.get(span.range()).unwrap_or("");
                        let path = program.path(*file).map_or("", |p| p);
                        format!("\n{name} {path}\n{}: {}\n{code}", f.rule.name, f.message)
                    }),
            );
        }
    }
    shown.iter().for_each(|finding| println!("{finding}"));
    Ok(())
}

/// So many of them, in their order, the same for the same seed.
fn drawn<'f>(
    mut all: Vec<&'f (FileId, Finding)>,
    arguments: &Arguments,
) -> Vec<&'f (FileId, Finding)> {
    let mut state = arguments.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while all.len() > arguments.show {
        // Marsaglia's xorshift.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        all.remove((state % all.len() as u64) as usize);
    }
    all
}

/// True if a test, with the methods of its file that it calls, has no assertion that the documentation of S2699 knows.
fn sonar_tells(analysis: &Analysis, test: MethodId) -> bool {
    let workspace = analysis.workspace();
    let program = workspace.program();
    let (Some(body), Some(decl), Some(file)) = (
        program.method_body(test),
        program.method_decl(test),
        program.method_file(test),
    ) else {
        return false;
    };
    let head = program
        .text(file)
        .and_then(|t| t.get(decl.span.start as usize..decl.name_span.start as usize))
        .unwrap_or("");
    if head.contains("expected") || head.contains("@Disabled") || head.contains("@Ignore") {
        return false;
    }
    let mut known: HashSet<BodyId> = HashSet::new();
    let mut work = vec![body];
    while let Some(id) = work.pop() {
        if !known.insert(id) {
            continue;
        }
        let (Some(decl), Some(chains)) = (program.body(id), workspace.chains(id)) else {
            continue;
        };
        let asserts = |at: usize| {
            let call = flow::CallId(at as u32);
            let name = match decl.body.calls[at].callee {
                flow::Callee::Method { name, .. } => decl.body.name(name).as_str(),
                _ => return false,
            };
            is_assertion(&decl.body, call, &decl.assertions)
                || SONAR.iter().any(|start| name.starts_with(start))
        };
        if (0..decl.body.calls.len()).any(asserts) {
            return false;
        }
        for site in &chains.calls {
            let targets = workspace.call_graph().targets(site);
            let here = |b: &&BodyId| program.body_file(**b) == Some(file);
            work.extend(targets.bodies().iter().filter(here));
        }
    }
    true
}
