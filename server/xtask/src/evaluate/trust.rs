//! `cargo xtask evaluate trust`: when a test is told something, is it right?
//!
//! Over every test of the projects of `tests/panel.toml`: what its lens names and what its first action inserts, and the
//! causes for which it should not have been said, as far as a machine can tell. The judge asks nothing of the analysis
//! that it judges (`scene`, `judge`). What only people can tell is read by people: `--sample` draws tests for them.

mod cause;
mod code;
mod compile;
#[cfg(test)]
mod fixtures;
mod judge;
mod outputs;
mod panel;
mod runs;
mod said;
mod sample;
mod scene;
mod table;
mod words;

use observe::Settings;
use std::path::{Path, PathBuf};
use std::time::Instant;

use program::Program;
use rayon::prelude::*;
use recommend::Cue;
use recommend::web::Wanted;

use super::chance::Chance;
use crate::Result;
use cause::Cause;
use runs::Runs;
use said::Said;
use sample::Drawn;
use table::Counts;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder in which the clones lie
    #[arg(long, value_name = "DIR")]
    panel: PathBuf,
    /// Only this project (may be repeated)
    #[arg(long)]
    project: Vec<String>,
    /// Print every value that is named, with what is against it
    #[arg(long)]
    list: bool,
    /// For so many tests of each project, also start `telltale observe` and compare what it prints
    #[arg(long, value_name = "N", default_value_t = 2)]
    outputs: usize,
    /// Compile nothing
    #[arg(long)]
    no_javac: bool,
    /// Print figures for programs
    #[arg(long)]
    json: bool,
    /// Fail if a bound is broken
    #[arg(long)]
    check: bool,
    /// Draw so many tests for people to read, in equal parts from the projects
    #[arg(long, value_name = "N", requires = "out")]
    sample: Option<usize>,
    /// What decides which tests are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which tests are drawn from
    #[arg(long, value_enum, default_value_t = Among::All)]
    among: Among,
    /// Where the drawn tests are written, one file each
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Which tests are drawn from.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Among {
    All,
    /// Those whose lens names a value that they could read
    Named,
    /// Those whose lens names none
    Quiet,
}

impl Among {
    fn has(self, said: &Said) -> bool {
        match self {
            Among::All => true,
            Among::Named => said.next.is_some(),
            Among::Quiet => said.next.is_none(),
        }
    }
}

/// What is listed of a value.
struct Listed {
    /// Position in the list of tests.
    at: usize,
    place: String,
    expression: String,
    ty: String,
    causes: Vec<Cause>,
    /// What shows that the test wants it.
    cue: &'static str,
    /// javac's words, where it refuses what the first action inserts.
    refused: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let clones = panel::clones(&arguments.panel, &arguments.project)?;
    let mut drawing = Drawing::new(arguments, clones.len());
    let mut projects = Vec::new();
    for clone in &clones {
        let start = Instant::now();
        let analysis = said::analysis(&clone.folder, Settings::default())?;
        let said = said::said(&analysis);
        let name = &clone.project.name;
        if let Some(drawing) = &mut drawing {
            drawing.of(name, &analysis, &said)?;
            eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f64());
            continue;
        }
        let (mut counts, mut listed) = count(&analysis, &said);
        if let Some(class_path) = clone.class_path.as_deref().filter(|_| !arguments.no_javac) {
            compile_actions(name, &analysis, &said, class_path, &mut counts, &mut listed)?;
        }
        if !arguments.no_javac
            && let Some(runs) = Runs::of(clone)?
        {
            ran(analysis.program(), &said, &runs, &mut counts);
        }
        outputs::prefixes(&analysis, &said, &mut counts);
        let started = arguments.outputs;
        let differences =
            outputs::agreement(&clone.folder, &analysis, &said, started, &mut counts)?;
        if arguments.list {
            print_list(name, &listed);
            print_requests(name, analysis.program(), &said);
            differences
                .iter()
                .for_each(|d| println!("{name}\tdisagree\t{d}"));
        }
        eprintln!(
            "{name} ({}): {} tests, {:.0} s",
            clone.project.kind.name(),
            said.len(),
            start.elapsed().as_secs_f64()
        );
        projects.push((name.clone(), counts));
    }
    if let Some(drawing) = drawing {
        return drawing.end();
    }
    match arguments.json {
        true => println!("{:#}", table::to_json(&projects)),
        false => table::print(&projects),
    }
    let broken = table::broken(&projects);
    match arguments.check && !broken.is_empty() {
        true => Err(broken.join("\n")),
        false => Ok(()),
    }
}

fn count(analysis: &ide::Analysis, said: &[Said]) -> (Counts, Vec<Listed>) {
    let program = analysis.program();
    let mut counts = Counts {
        tests: said.len(),
        lenses: said.iter().filter(|s| s.lens.is_some()).count(),
        actions: said.iter().filter(|s| s.action.is_some()).count(),
        ..Counts::default()
    };
    let type_of = |s: &Said, expression: &str| {
        let found = s
            .offered
            .readable
            .iter()
            .find(|r| r.expression == expression);
        found.map_or_else(|| "?".to_owned(), |r| r.ty.clone())
    };
    let judged: Vec<_> = said
        .par_iter()
        .map(|s| {
            let of = |e: &String| judge::causes(analysis, s.test, e, &type_of(s, e));
            let lens = s.next.as_ref().map(of);
            let action = match (&s.action, &s.next) {
                (Some(a), Some(n)) if a.value == *n => lens.clone(),
                (Some(a), _) => Some(of(&a.value)),
                (None, _) => None,
            };
            (lens, action)
        })
        .collect();
    let mut listed = Vec::new();
    for (at, (s, (lens, action))) in said.iter().zip(judged).enumerate() {
        for cause in action.into_iter().flatten() {
            *counts.of_actions.entry(cause).or_default() += 1;
        }
        if let (Some(causes), Some(expression)) = (lens, &s.next) {
            counts.values += 1;
            counts.doubtful += usize::from(!causes.is_empty());
            for cause in &causes {
                *counts.of_lenses.entry(*cause).or_default() += 1;
            }
            listed.push(Listed {
                at,
                refused: None,
                place: format!("{}:{}", program.path(s.file).map_or("", |p| p), s.line),
                expression: expression.clone(),
                ty: type_of(s, expression),
                causes,
                cue: s
                    .offered
                    .readable
                    .iter()
                    .find(|r| r.expression == *expression)
                    .and_then(|r| r.cue)
                    .map_or("", Cue::name),
            });
        }
        inside(program, s, &mut counts);
    }
    (counts, listed)
}

/// Counts which first actions javac refuses.
fn compile_actions(
    name: &str,
    analysis: &ide::Analysis,
    said: &[Said],
    class_path: &str,
    counts: &mut Counts,
    listed: &mut [Listed],
) -> Result<()> {
    let compiled = compile::compile(analysis.program(), said, class_path)?;
    if compiled.broken > 0 {
        eprintln!(
            "{name}: {} of {} test files do not compile as they are and are left out",
            compiled.broken, compiled.files
        );
    }
    counts.compiled = compiled.actions.len();
    for (cause, _) in compiled.actions.values().flatten() {
        *counts.of_actions.entry(*cause).or_default() += 1;
    }
    for one in listed {
        if let Some(Some((cause, message))) = compiled.actions.get(&one.at) {
            one.causes.push(*cause);
            one.refused = Some(message.clone());
        }
    }
    Ok(())
}

/// Counts what a test is told of the inside: what looks worth a check; the rest stands behind `--doubtful`.
fn inside(program: &Program, s: &Said, counts: &mut Counts) {
    let Some(first) = s.offered.inside.iter().find(|i| i.worth) else {
        return;
    };
    let class = program.type_name(program.method_owner(s.test)).to_string();
    counts.inside += 1;
    let mut note = |lens: bool| {
        let of = match lens {
            true => &mut counts.inside_lenses,
            false => &mut counts.inside_texts,
        };
        let texts = of.entry(class.clone()).or_default();
        *texts.entry(first.name.clone()).or_default() += 1;
    };
    note(false);
    if s.inside.is_some() {
        note(true);
    }
    if let Some(about) = code::class_under_test(program, s.test) {
        counts.inside_named += 1;
        let lies = code::type_at(program, first.place);
        let about = lies.is_some_and(|t| code::is_in(program, t, about));
        counts.inside_about += usize::from(about);
    }
}

/// Counts how many of the first values inside run in their test.
fn ran(program: &Program, said: &[Said], runs: &Runs, counts: &mut Counts) {
    for s in said {
        let first = s.offered.inside.iter().find(|i| i.worth);
        if let Some(has) = first.and_then(|i| runs.has(program, s.test, i.place)) {
            counts.inside_run_of += 1;
            counts.inside_run += usize::from(has);
        }
    }
}

fn print_list(project: &str, listed: &[Listed]) {
    for one in listed {
        let causes: Vec<&str> = one.causes.iter().map(|c| c.text()).collect();
        println!(
            "{project}\t{}\t{}\t{}\t{}\t{}\t{}",
            one.place,
            one.expression,
            one.ty,
            causes.join("; "),
            one.cue,
            one.refused.as_deref().unwrap_or_default()
        );
    }
}

/// What the requests of tests could be expected to answer, each with why a lens may name it, and those of which nobody
/// knows what answers them.
fn print_requests(project: &str, program: &Program, said: &[Said]) {
    for s in said {
        let place = format!("{}:{}", program.path(s.file).map_or("", |p| p), s.line);
        for e in &s.requests.expectations {
            let wanted = match e.wanted {
                Some(Wanted::Nothing) => "expects nothing",
                Some(Wanted::StatusAlone) => "expects the status alone",
                None => "",
            };
            println!("{project}\t{place}\texpectation\t{}\t{wanted}", e.text());
        }
        for h in &s.requests.hidden {
            println!("{project}\t{place}\thidden\t{}", h.why);
        }
    }
}

/// Drawing tests for people.
struct Drawing<'a> {
    directory: &'a Path,
    out: &'a Path,
    each: usize,
    among: Among,
    chance: Chance,
    drawn: Drawn,
    count: usize,
    seed: u64,
}

impl<'a> Drawing<'a> {
    fn new(arguments: &'a Arguments, projects: usize) -> Option<Drawing<'a>> {
        Some(Drawing {
            each: arguments.sample?.div_ceil(projects.max(1)),
            among: arguments.among,
            directory: &arguments.panel,
            out: arguments.out.as_deref()?,
            chance: Chance::new(arguments.seed),
            drawn: Drawn::read(&arguments.panel),
            count: 0,
            seed: arguments.seed,
        })
    }

    fn of(&mut self, project: &str, analysis: &ide::Analysis, said: &[Said]) -> Result<()> {
        let among: Vec<&Said> = said.iter().filter(|s| self.among.has(s)).collect();
        self.count += sample::draw(
            project,
            analysis,
            &among,
            self.each,
            &mut self.chance,
            &mut self.drawn,
            self.out,
        )?;
        Ok(())
    }

    fn end(self) -> Result<()> {
        self.drawn.write(self.directory)?;
        println!(
            "seed {}: {} tests in {}",
            self.seed,
            self.count,
            self.out.display()
        );
        Ok(())
    }
}
