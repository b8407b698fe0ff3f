//! `telltale.doctor/1`, and the same for people.

use crate::words::plural;
use project::DISMISSED;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Debug, Serialize)]
pub(crate) struct DoctorJson {
    pub(crate) schema: &'static str,
    pub(crate) root: String,
    pub(crate) build: BuildJson,
    pub(crate) jdk: Option<JdkJson>,
    pub(crate) passed_over: Vec<PassedOverJson>,
    pub(crate) release: u16,
    pub(crate) class_path: ClassPathJson,
    pub(crate) processors: Vec<ProcessorJson>,
    pub(crate) dismissed: DismissedJson,
    pub(crate) recorded: Option<RecordedJson>,
    pub(crate) accuracy: AccuracyJson,
    pub(crate) mend: Vec<MendJson>,
}

#[derive(Debug, Serialize)]
pub(crate) struct BuildJson {
    pub(crate) tools: Vec<ToolJson>,
    pub(crate) source_sets: Vec<SourceSetJson>,
    pub(crate) generators: Vec<GeneratorJson>,
    pub(crate) languages: Vec<LanguageJson>,
}

#[derive(Debug, Serialize)]
pub(crate) struct DismissedJson {
    pub(crate) entries: usize,
    pub(crate) stale: Vec<LineJson>,
    pub(crate) problems: Vec<LineJson>,
}

#[derive(Debug, Serialize)]
pub(crate) struct RecordedJson {
    pub(crate) file: String,
    pub(crate) bytes: u64,
    pub(crate) room: u64,
    pub(crate) tests: usize,
    pub(crate) failed: usize,
    pub(crate) stale: usize,
    pub(crate) last_run: Option<i64>,
    pub(crate) problem: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct LineJson {
    pub(crate) line: usize,
    pub(crate) why: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct GeneratorJson {
    pub(crate) name: &'static str,
    pub(crate) module: String,
    pub(crate) is_on_disk: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct LanguageJson {
    pub(crate) name: &'static str,
    pub(crate) files: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct ToolJson {
    pub(crate) name: &'static str,
    pub(crate) files: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct SourceSetJson {
    pub(crate) name: String,
    pub(crate) is_test: bool,
    pub(crate) files: usize,
    pub(crate) uses_lombok: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct JdkJson {
    pub(crate) home: String,
    pub(crate) version: Option<String>,
    pub(crate) release: u16,
    pub(crate) from: &'static str,
    pub(crate) library: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct PassedOverJson {
    pub(crate) what: String,
    pub(crate) path: String,
    pub(crate) reason: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct ClassPathJson {
    pub(crate) repositories: Vec<String>,
    pub(crate) entries: Vec<EntryJson>,
    pub(crate) missing: Vec<MissingJson>,
    pub(crate) unread: Vec<UnreadJson>,
    pub(crate) conflicts: Vec<ConflictJson>,
    pub(crate) unreadable: Vec<UnreadableJson>,
}

#[derive(Debug, Serialize)]
pub(crate) struct EntryJson {
    pub(crate) path: String,
    pub(crate) coordinates: Option<String>,
    pub(crate) from: &'static str,
    pub(crate) is_test: bool,
    pub(crate) is_guessed: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct MissingJson {
    pub(crate) coordinates: String,
    pub(crate) wanted_by: String,
    pub(crate) from: &'static str,
    pub(crate) reason: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct UnreadJson {
    pub(crate) script: String,
    pub(crate) text: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct ConflictJson {
    pub(crate) name: String,
    pub(crate) taken: String,
    pub(crate) others: Vec<OtherJson>,
}

#[derive(Debug, Serialize)]
pub(crate) struct OtherJson {
    pub(crate) version: String,
    pub(crate) module: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct UnreadableJson {
    pub(crate) path: String,
    pub(crate) class: Option<String>,
    pub(crate) reason: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct ProcessorJson {
    pub(crate) name: String,
    pub(crate) module: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct AccuracyJson {
    pub(crate) calls: u32,
    pub(crate) calls_unknown: u32,
    pub(crate) fields: u32,
    pub(crate) fields_unknown: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct MendJson {
    pub(crate) command: Option<String>,
    pub(crate) why: String,
}

/// How many lines of a list are shown.
const SHOWN: usize = 5;

/// Writes it for people: a section a line or a few, what to do last.
pub(crate) fn text(out: &mut dyn Write, found: &DoctorJson, verbose: bool) -> io::Result<()> {
    writeln!(out, "{}", found.root)?;
    writeln!(out)?;
    head(out, "Build", &build(&found.build))?;
    if verbose {
        let sets = found.build.source_sets.iter().map(|set| {
            let lombok = if set.uses_lombok { ", Lombok" } else { "" };
            let files = plural(set.files, "file", "files");
            format!("{}: {files}{lombok}", set.name)
        });
        list(out, sets.collect(), verbose)?;
    }
    if !found.build.languages.is_empty() {
        let files: Vec<String> = found.build.languages.iter().map(language).collect();
        let line = format!(
            "{}: what they declare is unknown to Java's files",
            files.join(", ")
        );
        head(out, "Not read", &line)?;
    }
    let absent = found.build.generators.iter().filter(|g| !g.is_on_disk);
    let absent = modules(absent.map(|g| (g.name, Some(g.module.as_str()))));
    if !absent.is_empty() {
        head(
            out,
            "Generated",
            "no source that these make is on disk, so what it declares is unknown",
        )?;
        list(out, absent, verbose)?;
    }
    let jdk = match &found.jdk {
        Some(jdk) => {
            let version = jdk.version.as_deref().unwrap_or("of unknown version");
            let kind = match jdk.library {
                "symbols" => ", its ct.sym only",
                _ => "",
            };
            format!("{version}{kind} · {} · from {}", jdk.home, origin(jdk.from))
        }
        None => "none found".to_owned(),
    };
    head(out, "JDK", &jdk)?;
    let over = found.passed_over.iter();
    let over = over.map(|jdk| format!("not {} ({}): {}", jdk.path, jdk.what, jdk.reason));
    list(out, over.collect(), verbose)?;
    class_path(out, found, verbose)?;
    if !found.processors.is_empty() {
        head(
            out,
            "Processors",
            "what these annotation processors generate is seen only where it was generated before",
        )?;
        let processors = found.processors.iter();
        let lines = modules(processors.map(|p| (p.name.as_str(), p.module.as_deref())));
        list(out, lines, verbose)?;
    }
    let dismissed = &found.dismissed;
    if dismissed.entries > 0 || !dismissed.problems.is_empty() {
        let entries = plural(dismissed.entries, "entry", "entries");
        head(out, "Dismissed", &format!("{entries} of {DISMISSED}"))?;
        let lines = |told: &[LineJson], what: &str| -> Vec<String> {
            let line = |l: &LineJson| format!("line {}{what}: {}", l.line, l.why);
            told.iter().map(line).collect()
        };
        list(
            out,
            lines(&dismissed.problems, " counts for nothing"),
            verbose,
        )?;
        list(
            out,
            lines(&dismissed.stale, " hides nothing any more"),
            verbose,
        )?;
    }
    if let Some(recorded) = &found.recorded {
        head(out, "Recorded", &recorded_in_words(recorded))?;
    }
    let accuracy = &found.accuracy;
    head(
        out,
        "Accuracy",
        &format!(
            "{} of {} calls and {} of {} field uses are unknown",
            share(accuracy.calls_unknown, accuracy.calls),
            text::grouped(accuracy.calls.into()),
            share(accuracy.fields_unknown, accuracy.fields),
            text::grouped(accuracy.fields.into()),
        ),
    )?;
    writeln!(out)?;
    if found.mend.is_empty() {
        return writeln!(out, "Nothing to mend.");
    }
    writeln!(out, "To mend")?;
    for mend in &found.mend {
        match &mend.command {
            Some(command) => writeln!(out, "  {command}    {}", mend.why)?,
            None => writeln!(out, "  {}", mend.why)?,
        }
    }
    Ok(())
}

fn recorded_in_words(recorded: &RecordedJson) -> String {
    if let Some(problem) = &recorded.problem {
        return problem.clone();
    }
    let mut out = plural(recorded.tests, "test", "tests");
    for (tests, what) in [
        (recorded.failed, "failed"),
        (recorded.stale, "with other code than there is now"),
    ] {
        if tests > 0 {
            out.push_str(&format!(", {tests} {what}"));
        }
    }
    format!(
        "{out} · {} KB of {} MB in {}",
        text::grouped(recorded.bytes.div_ceil(1024)),
        text::grouped(recorded.room / 1_000_000),
        recorded.file
    )
}

/// A line for each name, with the modules that have it.
fn modules<'a>(named: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Vec<String> {
    let mut modules: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, module) in named {
        modules.entry(name).or_default().extend(module);
    }
    let lines = modules
        .into_iter()
        .map(|(name, modules)| match modules[..] {
            [] => name.to_owned(),
            [one] => format!("{name} in {one}"),
            [first, ..] => format!("{name} in {} modules, as {first}", modules.len()),
        });
    lines.collect()
}

/// `3 Kotlin files`.
fn language(language: &LanguageJson) -> String {
    let name = language.name;
    plural(
        language.files,
        &format!("{name} file"),
        &format!("{name} files"),
    )
}

fn class_path(out: &mut dyn Write, found: &DoctorJson, verbose: bool) -> io::Result<()> {
    let path = &found.class_path;
    let tests = path.entries.iter().filter(|entry| entry.is_test).count();
    let mut by_tool: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in &path.entries {
        *by_tool.entry(entry.from).or_default() += 1;
    }
    let tools: Vec<&str> = by_tool.into_keys().map(tool).collect();
    let line = match path.entries.len() {
        0 => "empty".to_owned(),
        count => format!(
            "{} from {}, {tests} of them for tests only",
            plural(count, "entry", "entries"),
            tools.join(" and "),
        ),
    };
    head(out, "Class path", &line)?;
    let guessed = path.entries.iter().filter(|entry| entry.is_guessed).count();
    if guessed > 0 {
        let line = format!(
            "{} of them guessed: the build files do not name them in that version, and no lock file does",
            text::grouped(guessed as u64)
        );
        list(out, vec![line], verbose)?;
    }
    if verbose {
        let entry = |e: &EntryJson| {
            let guessed = if e.is_guessed { " (guessed)" } else { "" };
            match &e.coordinates {
                Some(coordinates) => format!("{coordinates}{guessed}  {}", e.path),
                None => e.path.clone(),
            }
        };
        list(out, path.entries.iter().map(entry).collect(), verbose)?;
    }
    if !path.missing.is_empty() {
        head(out, "Missing", &path.missing.len().to_string())?;
        let lines = path
            .missing
            .iter()
            .map(|m| format!("{} (for {}): {}", m.coordinates, m.wanted_by, m.reason));
        list(out, lines.collect(), verbose)?;
    }
    if !path.unread.is_empty() {
        head(out, "Unread", &path.unread.len().to_string())?;
        list(out, unread(&path.unread, verbose), verbose)?;
    }
    if !path.unreadable.is_empty() {
        head(out, "Unreadable", &path.unreadable.len().to_string())?;
        let lines = path.unreadable.iter().map(|u| match &u.class {
            Some(class) => format!("{class} in {}: {}", u.path, u.reason),
            None => format!("{}: {}", u.path, u.reason),
        });
        list(out, lines.collect(), verbose)?;
    }
    if !path.conflicts.is_empty() {
        let count = plural(path.conflicts.len(), "library has", "libraries have");
        let line = format!(
            "{count} several; one counts for the whole workspace, the others for classes that it lacks"
        );
        head(out, "Versions", &line)?;
        let lines = path.conflicts.iter().map(|conflict| {
            let others = conflict.others.iter();
            let others: Vec<String> = others
                .map(|other| format!("{} in {}", other.version, other.module))
                .collect();
            let (name, taken) = (&conflict.name, &conflict.taken);
            format!("{name}: {taken} counts, {}", others.join(", "))
        });
        list(out, lines.collect(), verbose)?;
    }
    Ok(())
}

/// How many dependencies of a script are named that could not be read.
const UNREAD: usize = 3;

/// A line for each script: `2 dependencies of build.gradle could not be read: implementation(library.foo), api x.y`.
fn unread(unread: &[UnreadJson], verbose: bool) -> Vec<String> {
    let mut scripts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for u in unread {
        scripts.entry(&u.script).or_default().push(&u.text);
    }
    let lines = scripts.into_iter().map(|(script, texts)| {
        let count = plural(texts.len(), "dependency", "dependencies");
        let shown = match verbose {
            true => texts.len(),
            false => texts.len().min(UNREAD),
        };
        let more = if shown < texts.len() { ", …" } else { "" };
        let named = texts[..shown].join(", ");
        format!("{count} of {script} could not be read: {named}{more}")
    });
    lines.collect()
}

fn build(build: &BuildJson) -> String {
    let tools: Vec<String> = build
        .tools
        .iter()
        .map(|tool| format!("{} ({})", tool.name, plural(tool.files, "file", "files")))
        .collect();
    let tools = if tools.is_empty() {
        "no build files".to_owned()
    } else {
        tools.join(", ")
    };
    let tests = build.source_sets.iter().filter(|set| set.is_test).count();
    let files: usize = build.source_sets.iter().map(|set| set.files).sum();
    let sets = plural(build.source_sets.len(), "source set", "source sets");
    let files = plural(files, "Java file", "Java files");
    format!("{tools} · {sets}, {tests} of tests · {files}")
}

fn head(out: &mut dyn Write, name: &str, line: &str) -> io::Result<()> {
    writeln!(out, "{name:<12}{line}")
}

fn list(out: &mut dyn Write, lines: Vec<String>, verbose: bool) -> io::Result<()> {
    let shown = if verbose || lines.len() <= SHOWN + 1 {
        lines.len()
    } else {
        SHOWN
    };
    for line in &lines[..shown] {
        writeln!(out, "            {line}")?;
    }
    match lines.len() - shown {
        0 => Ok(()),
        more => writeln!(out, "            and {more} more; --verbose shows them"),
    }
}

fn origin(from: &str) -> &str {
    match from {
        "configuration" => "java.home in telltale.toml",
        "java-home" => "JAVA_HOME",
        "path" => "java on the PATH",
        _ => "a known place",
    }
}

fn tool(from: &str) -> &str {
    match from {
        "configuration" => "telltale.toml",
        "maven" => "Maven",
        "gradle" => "Gradle",
        "eclipse" => "Eclipse",
        _ => "folders of jars",
    }
}

/// `0.4 %`; a share that is not nought never reads so.
fn share(part: u32, all: u32) -> String {
    let percent = 100.0 * f64::from(part) / f64::from(all.max(1));
    match part {
        0 => "none".to_owned(),
        _ if percent < 0.05 => "less than 0.1 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}
