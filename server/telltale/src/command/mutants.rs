//! `telltale mutants`: what would no test notice?

use crate::args::{FailOnMutants, Format, Mutants, Place};
use crate::command::record::{Terminal, tool};
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::mutants::{Found, Request, Survey, survey};
use crate::record::Way;
use crate::report::mutants::{Asked, joined, json, read, text};
use crate::scope;
use crate::screen::{DIM, NAME, PLAIN, show_json, show_text};
use ide::Analysis;
use ide::answers::What;
use program::{FileId, MethodId, Program};
use std::path::PathBuf;
use std::time::Duration;
use text::{Encoding, LineIndex};

/// Runs it; true if there is what `--fail-on` names.
pub(crate) fn run(args: &Mutants) -> Result<bool, Failure> {
    if !args.merge.is_empty() {
        let (asked, found) = merged(&args.merge)?;
        return show(args, &asked, &found);
    }
    let named = args.class.is_some() || args.method.is_some();
    let path = match &args.path {
        Some(path) => path.clone(),
        None if named => ".".into(),
        None => {
            return Err(Failure::usage(
                "nothing says which code is to be changed",
                "give a file, a folder or a module: telltale mutants src/main/java/own/Stats.java; or --class, or --method",
            ));
        }
    };
    let place = Place {
        path,
        root: args.root.clone(),
        test: args.test.clone(),
        class: args.class.clone(),
        method: args.method.clone(),
        quiet: args.quiet,
    };
    let loaded = load(&place)?;
    let program = loaded.workspace.program();
    let target = target(args, &place, &loaded)?;
    let tool = tool(&loaded.layout.root, &args.command, "mutants PATH")?;
    let analysis = Analysis::new(loaded.workspace.clone(), true, loaded.settings());
    let (tests, is_all) = tests(&place, &loaded)?;
    let terminal = Terminal::new(args.quiet, args.verbose)?;
    let stream = |found: Found<'_>| {
        if matches!(args.format, Format::Text) {
            found_so_far(&terminal, &found);
        }
    };
    let request = Request {
        record: crate::record::Request {
            root: &loaded.layout.root,
            tool,
            tests: &tests,
            is_all,
            way: Way::of_command(args.fresh),
            integration: false,
            jdk: None,
            compiler: None,
            standby: None,
            timeout: args.timeout.map(Duration::from_secs),
            room: loaded.config.record.bytes(),
            run_timeout: args.run_timeout.map(Duration::from_secs),
            libraries: None,
        },
        lines: target.lines,
        class: target.class,
        shard: args.shard.map(|s| (s.part, s.of)),
        files: target.files,
        found: &stream,
        known: &|_| {},
    };
    let found = survey(&analysis, &request, &terminal);
    terminal.progress.done();
    let found = found?;
    let asked = Asked {
        root: loaded.layout.root.to_string_lossy().into_owned(),
        path: match request.files.as_slice() {
            [one] => program.path(*one).map_or(String::new(), |p| p.to_string()),
            _ => loaded.inside.clone(),
        },
        lines: request.lines,
        shard: request.shard,
    };
    show(args, &asked, &found)
}

/// Says what was found so far, a line each. What would have told it is not known yet, nor the order of the answer.
fn found_so_far(terminal: &Terminal, found: &Found<'_>) {
    let progress = &terminal.progress;
    match found {
        Found::Survives(one) => {
            let (path, line, words) = (&one.method.path, one.line, &one.words);
            progress.found(format_args!(
                "{DIM}survives{PLAIN}  {NAME}{path}:{line}{PLAIN}  {words}"
            ));
        }
        Found::Void => progress.found(format_args!(
            "{DIM}tests do not do what they did when that was kept: all of them run again{PLAIN}"
        )),
    }
}

/// Prints what was found; true if there is what `--fail-on` names.
fn show(args: &Mutants, asked: &Asked, found: &Survey) -> Result<bool, Failure> {
    match args.format {
        Format::Text => show_text(|out| text(out, found))?,
        Format::Json => show_json(&json(asked, found))?,
    }
    Ok(match args.fail_on {
        FailOnMutants::Never => false,
        FailOnMutants::PseudoTested => !found.pseudo_tested.is_empty(),
        FailOnMutants::Survived => !found.survivors.is_empty() || !found.pseudo_tested.is_empty(),
    })
}

/// The whole of what several machines printed.
fn merged(files: &[PathBuf]) -> Result<(Asked, Survey), Failure> {
    let mut parts = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let help = "give what each machine printed with --shard I/N --format json";
        let text = std::fs::read_to_string(file)
            .map_err(|e| Failure::usage(format!("{name} cannot be read: {e}"), help))?;
        let part =
            read(&text).map_err(|e| Failure::usage(format!("{name} is no part: {e}"), help))?;
        parts.push((name, part));
    }
    joined(parts)
}

/// The code under test that is named.
struct Target {
    files: Vec<FileId>,
    lines: Option<(u32, u32)>,
    class: Option<String>,
}

fn target(args: &Mutants, place: &Place, loaded: &Loaded) -> Result<Target, Failure> {
    let program = loaded.workspace.program();
    let lines = args.lines.map(|l| (l.from, l.to));
    let mut target = Target {
        files: Vec::new(),
        lines,
        class: None,
    };
    let code = Place {
        test: None,
        ..Place::whole(&place.path, None, true)
    };
    let code = Place {
        class: place.class.clone(),
        method: place.method.clone(),
        ..code
    };
    match scope::find(&code, loaded)?.what {
        What::Method(method) => {
            target.files.extend(program.method_file(method));
            target.lines = Some(within(lines_of(program, method)?, lines)?);
            let class = program.type_name(program.method_owner(method));
            target.class = Some(class.to_string());
        }
        What::Class(class) => {
            target.files.extend(program.type_place(class).map(|p| p.0));
            target.class = Some(program.type_name(class).to_string());
        }
        _ => {
            let covered = |f: &FileId| program.path(*f).is_some_and(|p| loaded.covers(p));
            let files = program.files().iter().copied();
            target.files = files.filter(covered).collect();
        }
    }
    let all = target.files.len();
    target.files.retain(|f| !program.is_test(*f));
    target
        .files
        .sort_by_key(|f| program.path(*f).map(|p| p.to_string()));
    if target.files.is_empty() {
        let what = match all {
            0 => "there is no Java file here",
            _ => "that is code of tests, which no test tests",
        };
        return Err(Failure::usage(
            what,
            "give a file or folder of the code under test",
        ));
    }
    if lines.is_some() && target.files.len() > 1 {
        return Err(Failure::usage(
            "--lines is of one file, and this is more than one",
            "give the file: telltale mutants src/main/java/own/Stats.java --lines 10-20",
        ));
    }
    if let (Some((from, _)), [file]) = (lines, &target.files[..]) {
        let most = program.text(*file).map_or(0, |text| text.lines().count());
        if from as usize > most {
            return Err(Failure::usage(
                format!("the file has {most} lines, and --lines begins at {from}"),
                "give lines of the file: --lines 10-20",
            ));
        }
    }
    Ok(target)
}

/// First and last line of a method.
fn lines_of(program: &Program, method: MethodId) -> Result<(u32, u32), Failure> {
    let no_code = || {
        let name = program.method_name(method);
        Failure::usage(format!("{name} has no code"), "name a method that has")
    };
    let decl = program.method_decl(method).filter(|d| d.body.is_some());
    let decl = decl.ok_or_else(no_code)?;
    let file = program.method_file(method).ok_or_else(no_code)?;
    let index = LineIndex::new(program.text(file).map_or("", |t| t));
    let line = |at: u32| index.position(at, Encoding::Utf8).line + 1;
    Ok((line(decl.span.start), line(decl.span.end)))
}

fn within(method: (u32, u32), lines: Option<(u32, u32)>) -> Result<(u32, u32), Failure> {
    let Some((from, to)) = lines else {
        return Ok(method);
    };
    match (from.max(method.0), to.min(method.1)) {
        (from, to) if from <= to => Ok((from, to)),
        _ => Err(Failure::usage(
            format!("the method stands in the lines {}-{}", method.0, method.1),
            "give --lines of these, or leave one of both out",
        )),
    }
}

/// The tests that may notice something, and whether these are all.
fn tests(place: &Place, loaded: &Loaded) -> Result<(Vec<MethodId>, bool), Failure> {
    let suite = loaded.workspace.suite();
    let named = Place {
        test: place.test.clone(),
        ..Place::whole(&place.path, None, true)
    };
    let mut tests: Vec<MethodId> = match place.test.as_deref() {
        None | Some("all") => suite.tests().to_vec(),
        Some(_) => match scope::find(&named, loaded)?.what {
            What::Tests(runs) => runs.iter().map(|r| r.test).collect(),
            _ => Vec::new(),
        },
    };
    tests.sort_unstable();
    tests.dedup();
    match tests.is_empty() {
        false => Ok((tests, matches!(place.test.as_deref(), None | Some("all")))),
        true => Err(Failure::usage(
            "there are no tests here, so nobody can notice anything",
            "tests are methods with @Test and the like (JUnit 4, JUnit 5), and testXxx in subclasses of TestCase",
        )),
    }
}
