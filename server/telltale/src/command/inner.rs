//! `telltale inner add|list|remove`: inner oracles from a terminal. What would change is shown as a diff; `--write` does it.

use crate::args::{Format, Inner, InnerAdd, InnerRemove, InnerWhat, Place};
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::record::facts;
use crate::scope;
use crate::screen::{BOLD, DIM, ERROR, NAME, NOTE, Notation, PLAIN, Screen, say};
use crate::whole::readable_as;
use ide::answers::What as Scoped;
use ide::inner::{
    self, CandidateId, Oracle, Side, What, called, candidates, has_place, insertion, is_computed,
    place_of, removal,
};
use ide::{Analysis, SourceChange};
use observe::Settings;
use program::{FileId, MethodId};
use serde_json::json;
use similar::{ChangeTag, TextDiff};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use text::{Encoding, LineIndex, Position, Span};

pub(crate) fn run(args: &Inner) -> Result<(), Failure> {
    match &args.what {
        InnerWhat::Add(add) => self::add(add),
        InnerWhat::List { place, format } => list(&load(place)?, *format),
        InnerWhat::Remove(remove) => self::remove(remove),
    }
}

fn analysis(loaded: &Loaded) -> Analysis {
    Analysis::new(loaded.workspace.clone(), true, Settings::default())
}

fn add(args: &InnerAdd) -> Result<(), Failure> {
    let loaded = load(&args.place)?;
    // What the value was in a recorded run is what is expected.
    let facts = facts(&loaded.layout.root).map_err(Failure::Run)?;
    let analysis = analysis(&loaded).with_facts(Arc::new(facts));
    let test = test_of(args, &loaded)?;
    let id = match &args.at {
        Some(at) => defined_at(&analysis, &loaded, at, args.variable.as_deref())?,
        None => {
            let id = best(&analysis, test, args.variable.as_deref())?;
            if args.variable.is_some() && !args.place.quiet {
                say_others(&analysis, test, id);
            }
            id
        }
    };
    let what = what(args)?;
    let turn = args.turn;
    let change = insertion(&analysis, test, id, &what, turn).map_err(|refusal| {
        Failure::usage(
            format!("{}: {refusal}", called(&analysis, id)),
            format!(
                "this is `{}` of the reasons in docs/user/inner.md",
                refusal.name()
            ),
        )
    })?;
    show_or_do(&analysis, &loaded, &change, args.write, args.place.quiet)
}

fn test_of(args: &InnerAdd, loaded: &Loaded) -> Result<MethodId, Failure> {
    let no_test = || {
        Failure::usage(
            "which test is to check the value?",
            "name one by --test Class#method",
        )
    };
    if args.place.test.is_none() {
        return Err(no_test());
    }
    let scope = scope::find(&args.place, loaded)?;
    match &scope.what {
        Scoped::Tests(runs) if runs.len() == 1 => Ok(runs[0].test),
        _ => Err(no_test()),
    }
}

/// The best value that only an inner oracle can check.
fn best(
    analysis: &Analysis,
    test: MethodId,
    variable: Option<&str>,
) -> Result<CandidateId, Failure> {
    let is_named = |s: &CandidateId| variable.is_none_or(|v| called(analysis, *s) == v);
    let offered = analysis.offered(test);
    let all = || candidates(analysis, test).into_iter();
    // Of its own accord nothing but what looks worth it in the code: whether the test runs the rest nobody knows.
    let ranked = offered.inside_run(analysis, test);
    let ranked = ranked.filter(|i| variable.is_some() || i.worth);
    let mut ranked = ranked.filter_map(|i| inner::candidate_at(analysis, i.place));
    let found = ranked.find(|s| is_named(s) && has_place(analysis, *s));
    let of_name = |is_wanted: &dyn Fn(&CandidateId) -> bool| {
        all().find(|s| is_named(s) && has_place(analysis, *s) && is_wanted(s))
    };
    let found = found.or_else(|| {
        variable?;
        // What a variable begins with is known.
        of_name(&|s| is_computed(analysis, *s)).or_else(|| of_name(&|_| true))
    });
    found.ok_or_else(|| match variable {
        Some(_) => Failure::usage(
            "the test runs no such value that has a place to be checked",
            "name a place by --at FILE:LINE, or look at `telltale observe --test`",
        ),
        None => Failure::usage(
            "the test runs no value that looks worth a check and has a place for one",
            "name one by --variable or --at FILE:LINE; `telltale observe --test … --doubtful` lists what there is",
        ),
    })
}

/// Says where else a value of the same name could be checked, unless the variable only begins there: a name alone does not
/// say which.
fn say_others(analysis: &Analysis, test: MethodId, chosen: CandidateId) {
    let name = called(analysis, chosen);
    let mut others: Vec<String> = candidates(analysis, test)
        .into_iter()
        .filter(|s| called(analysis, *s) == name)
        .filter(|s| s.body != chosen.body || is_computed(analysis, *s))
        .filter(|s| has_place(analysis, *s))
        .filter_map(|s| path_and_line(analysis, s))
        .collect();
    others.dedup();
    let own = path_and_line(analysis, chosen);
    others.retain(|other| Some(other) != own.as_ref());
    let (Some(own), Some(first)) = (own, others.first()) else {
        return;
    };
    let more = match others.len() {
        1 => String::new(),
        count => format!(" and at {} more places", count - 1),
    };
    say(format_args!(
        "{name} is that of {own}; there is one at {first}{more}: --at FILE:LINE chooses"
    ));
}

/// Where a value is defined, `src/main/java/Stats.java:14`.
fn path_and_line(analysis: &Analysis, id: CandidateId) -> Option<String> {
    let (path, line) = analysis.path_and_line(place_of(analysis, id)?)?;
    Some(format!("{path}:{line}"))
}

/// The value that is defined at `FILE:LINE` or `FILE:LINE:COLUMN`.
fn defined_at(
    analysis: &Analysis,
    loaded: &Loaded,
    at: &str,
    variable: Option<&str>,
) -> Result<CandidateId, Failure> {
    let wrong = || {
        Failure::usage(
            format!("{at} names no place"),
            "write FILE:LINE or FILE:LINE:COLUMN, as in src/main/java/Stats.java:14",
        )
    };
    let mut parts: Vec<&str> = at.split(':').collect();
    let mut numbers: Vec<u32> = Vec::new();
    while parts.len() > 1
        && numbers.len() < 2
        && let Some(number) = parts.last().and_then(|p| p.parse::<u32>().ok())
    {
        numbers.insert(0, number);
        parts.pop();
    }
    let (Some(&line), path) = (numbers.first(), parts.join(":")) else {
        return Err(wrong());
    };
    let program = analysis.program();
    let full = std::path::absolute(Path::new(&path)).ok();
    let below = full
        .as_deref()
        .and_then(|f| f.strip_prefix(&loaded.layout.root).ok());
    let below = below.map(|b| b.to_string_lossy().replace('\\', "/"));
    let file = program
        .file(&path)
        .or_else(|| program.file(&below?))
        .ok_or_else(wrong)?;
    let text = program.text(file).ok_or_else(wrong)?;
    let index = LineIndex::new(text);
    let line = line.checked_sub(1).ok_or_else(wrong)?;
    let offset = |column| index.offset(Position::new(line, column), Encoding::Utf16);
    let range = match numbers.get(1) {
        Some(column) => {
            let at = offset(column.saturating_sub(1));
            Span::new(at, at)
        }
        None => Span::new(offset(0), offset(u32::MAX)),
    };
    if numbers.len() == 2 {
        return inner::candidate_around(analysis, file, range).ok_or_else(wrong);
    }
    // On a line: what is defined there.
    let mut here: Vec<CandidateId> = Vec::new();
    let bodies = program.bodies_of_file(file).iter().copied();
    for body in bodies.filter(|b| !program.is_added(*b)) {
        let chains = analysis.workspace().chains(body);
        let all = 0..chains.map_or(0, |c| c.candidates.len()) as u32;
        here.extend(all.map(|index| CandidateId { body, index }).filter(|s| {
            place_of(analysis, *s).is_some_and(|p| range.contains(p.span.start))
                && variable.is_none_or(|v| called(analysis, *s) == v)
        }));
    }
    match here[..] {
        [one] => Ok(one),
        [] => Err(Failure::usage(
            format!("nothing is defined at {at}"),
            "name a line on which a variable gets its value, or a method returns one",
        )),
        _ => {
            let mut names: Vec<String> = here.iter().map(|s| called(analysis, *s)).collect();
            names.dedup();
            Err(Failure::usage(
                format!("several values are defined at {at}: {}", names.join(", ")),
                "choose by --variable, or by FILE:LINE:COLUMN",
            ))
        }
    }
}

fn what(args: &InnerAdd) -> Result<What, Failure> {
    Ok(match (&args.expect, &args.tolerance, &args.that) {
        (Some(e), Some(t), _) => What::Near(e.clone(), t.clone()),
        (Some(e), None, _) => What::Equal(e.clone()),
        (None, _, Some(c)) => What::That(c.clone()),
        _ if args.ran => What::Ran,
        _ if args.never => What::Never,
        _ => What::Tell,
    })
}

fn remove(args: &InnerRemove) -> Result<(), Failure> {
    let loaded = load(&Place::whole(&args.path, args.root.as_deref(), args.quiet))?;
    let analysis = analysis(&loaded);
    let all = inner::oracles(&analysis);
    let mut names: Vec<String> = all.iter().map(|o| o.found.name.clone()).collect();
    names.sort();
    names.dedup();
    if !args.all {
        if let Some(unknown) = args.names.iter().find(|n| !names.contains(n)) {
            return Err(Failure::usage(
                format!("there is no inner oracle {unknown}"),
                match names[..] {
                    [] => "this project has none".to_owned(),
                    _ => format!("there are: {}", names.join(", ")),
                },
            ));
        }
        names.clone_from(&args.names);
    }
    if names.is_empty() {
        return Err(Failure::usage(
            "nothing is named",
            "name inner oracles as `telltale inner list` prints them, or give --all",
        ));
    }
    let change = removal(&analysis, &names);
    show_or_do(&analysis, &loaded, &change, args.write, args.quiet)
}

fn list(loaded: &Loaded, format: Format) -> Result<(), Failure> {
    let analysis = analysis(loaded);
    let program = analysis.program();
    let all = inner::oracles(&analysis);
    let mut names: Vec<&str> = all.iter().map(|o| o.found.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let place = |o: &Oracle| {
        let index = LineIndex::new(program.text(o.file)?);
        let at = index.position(o.found.span.start, Encoding::Utf16);
        let path = program.path(o.file)?.to_string();
        Some((path, at.line + 1, at.column + 1))
    };
    let out = std::io::BufWriter::new(anstream::stdout().lock());
    match format {
        Format::Json => {
            let mut out = Screen::new(out, Notation::Json);
            let rows = names.iter().map(|name| {
                let of = |side: Side| {
                    let own = all.iter().filter(|o| o.found.name == *name);
                    let own = own.filter(|o| o.found.side == side);
                    own.filter_map(|o| {
                        let (path, line, column) = place(o)?;
                        let (check, expected) = (&o.found.method, &o.found.expected);
                        Some(json!({ "path": path, "line": line, "column": column, "check": check, "expected": expected }))
                    })
                    .collect::<Vec<_>>()
                };
                json!({ "name": name, "code": of(Side::Code), "tests": of(Side::Test) })
            });
            let root = loaded.layout.root.to_string_lossy();
            let all = json!({ "schema": "telltale.inner/1", "root": root, "oracles": rows.collect::<Vec<_>>() });
            serde_json::to_writer_pretty(&mut out, &all)?;
            writeln!(out)?;
            out.flush()?;
        }
        Format::Text => {
            let mut out = Screen::new(out, Notation::Text);
            if names.is_empty() {
                writeln!(out, "no inner oracles")?;
            }
            for name in names {
                writeln!(out, "{BOLD}{name}{PLAIN}")?;
                for o in all.iter().filter(|o| o.found.name == name) {
                    let Some((path, line, column)) = place(o) else {
                        continue;
                    };
                    let does = match (o.found.side, &o.found.expected) {
                        (Side::Test, _) => "switched on".to_owned(),
                        (Side::Code, Some(e)) => format!("{} {e}", o.found.method),
                        (Side::Code, None) => o.found.method.clone(),
                    };
                    writeln!(out, "  {does}  {DIM}{path}:{line}:{column}{PLAIN}")?;
                }
            }
            out.flush()?;
        }
    }
    Ok(())
}

/// A file of a change: its path from the root, its text before and after.
struct Changed {
    path: String,
    was: Option<String>,
    is: Option<String>,
}

fn show_or_do(
    analysis: &Analysis,
    loaded: &Loaded,
    change: &SourceChange,
    writes: bool,
    quiet: bool,
) -> Result<(), Failure> {
    let program = analysis.program();
    let text_of = |file: FileId| {
        let (path, text) = (program.path(file), program.text(file));
        (
            path.map(ToString::to_string).unwrap_or_default(),
            text.map(ToString::to_string).unwrap_or_default(),
        )
    };
    let mut files: Vec<Changed> = Vec::new();
    for (file, edits) in &change.edits {
        let (path, was) = text_of(*file);
        let is = text::apply_disjoint(&was, edits);
        let is = is.ok_or_else(|| Failure::Run(format!("the edits of {path} do not fit")))?;
        files.push(Changed {
            path,
            was: Some(was),
            is: Some(is),
        });
    }
    files.extend(change.made.iter().map(|(path, text)| Changed {
        path: path.clone(),
        was: None,
        is: Some(text.clone()),
    }));
    files.extend(change.gone.iter().map(|file| {
        let (path, was) = text_of(*file);
        Changed {
            path,
            was: Some(was),
            is: None,
        }
    }));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let say = |words: &str| {
        if !quiet {
            say(format_args!("{words}"));
        }
    };
    if !writes {
        show(&files)?;
        say("nothing is written yet: --write does it");
        return Ok(());
    }
    write(&loaded.layout.root, &files)?;
    for file in &files {
        let done = match (&file.was, &file.is) {
            (None, _) => "made",
            (_, None) => "removed",
            _ => "changed",
        };
        say(&format!("{done} {}", file.path));
    }
    Ok(())
}

fn show(files: &[Changed]) -> Result<(), Failure> {
    let out = std::io::BufWriter::new(anstream::stdout().lock());
    let mut out = Screen::new(out, Notation::Text);
    for file in files {
        // The class that checks call is always the same.
        let (Some(was), Some(is)) = (&file.was, &file.is) else {
            let what = match file.is {
                Some(_) => "new file",
                None => "file that goes",
            };
            let path = &file.path;
            writeln!(
                out,
                "{BOLD}{what} {path}{PLAIN}: the class that checks call"
            )?;
            continue;
        };
        let diff = TextDiff::from_lines(was, is);
        writeln!(out, "{BOLD}--- a/{}{PLAIN}", file.path)?;
        writeln!(out, "{BOLD}+++ b/{}{PLAIN}", file.path)?;
        for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
            writeln!(out, "{NAME}{}{PLAIN}", hunk.header().to_string().trim_end())?;
            for line in hunk.iter_changes() {
                let text = line.value().trim_end_matches(['\n', '\r']);
                match line.tag() {
                    ChangeTag::Delete => writeln!(out, "{ERROR}-{text}{PLAIN}")?,
                    ChangeTag::Insert => writeln!(out, "{NOTE}+{text}{PLAIN}")?,
                    ChangeTag::Equal => writeln!(out, " {text}")?,
                }
            }
        }
    }
    out.flush()?;
    Ok(())
}

/// Writes all files or none: each is written beside its place first, and put there when all are.
fn write(root: &Path, files: &[Changed]) -> Result<(), Failure> {
    let failed = |path: &str, e: std::io::Error| Failure::Run(format!("cannot write {path}: {e}"));
    let mut ready = Vec::new();
    for file in files {
        let path = root.join(&file.path);
        let mark = match &file.was {
            Some(was) => same_on_disk(&path, &file.path, was)?,
            None => &[],
        };
        let Some(is) = &file.is else {
            continue;
        };
        let folder = path.parent().unwrap_or(root);
        let mut new = tempfile::NamedTempFile::new_in(folder).map_err(|e| failed(&file.path, e))?;
        let done = new
            .write_all(mark)
            .and_then(|()| new.write_all(is.as_bytes()));
        let done = done.and_then(|()| new.as_file().sync_all());
        let done = done.and_then(|()| match std::fs::metadata(&path) {
            Ok(old) if old.permissions().readonly() => {
                Err(std::io::ErrorKind::PermissionDenied.into())
            }
            Ok(old) => new.as_file().set_permissions(old.permissions()),
            // As other files of the folder.
            Err(_) => std::fs::metadata(folder).and_then(|f| readable_as(&new, &f)),
        });
        done.map_err(|e| failed(&file.path, e))?;
        ready.push((new, path, &file.path));
    }
    for (new, path, name) in ready {
        new.persist(path).map_err(|e| failed(name, e.error))?;
    }
    for file in files.iter().filter(|f| f.is.is_none()) {
        std::fs::remove_file(root.join(&file.path)).map_err(|e| failed(&file.path, e))?;
    }
    Ok(())
}

/// A file that is not as it was read would be damaged: one that changed, or that is not in UTF-8. The byte order mark that
/// it begins with, if it does.
fn same_on_disk(path: &Path, name: &str, was: &str) -> Result<&'static [u8], Failure> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let bytes =
        std::fs::read(path).map_err(|e| Failure::Run(format!("cannot read {name}: {e}")))?;
    match bytes.strip_prefix(MARK) {
        Some(rest) if rest == was.as_bytes() => Ok(MARK),
        None if bytes == was.as_bytes() => Ok(&[]),
        _ => Err(Failure::Run(format!(
            "{name} changed since it was read, or is not in UTF-8: nothing is written"
        ))),
    }
}
