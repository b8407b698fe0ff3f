//! `telltale doctor`: what was found of a project, what that costs in accuracy, and what would mend it.

use crate::args::{Doctor, Format, Place};
use crate::dismissed;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::report::doctor::{
    AccuracyJson, BuildJson, ClassPathJson, ConflictJson, DismissedJson, DoctorJson, EntryJson,
    GeneratorJson, JdkJson, LanguageJson, LineJson, MendJson, MissingJson, OtherJson,
    PassedOverJson, ProcessorJson, RecordedJson, SourceSetJson, ToolJson, UnreadJson,
    UnreadableJson, text,
};
use crate::screen::{show_json, show_text};
use crate::words::plural;
use ide::Analysis;
use program::MethodId;
use project::libraries::{JdkFrom, JdkLibrary, Tool};
use project::{EVIDENCE, Store};
use rayon::prelude::*;
use std::sync::Arc;

pub(crate) fn run(args: &Doctor) -> Result<(), Failure> {
    let loaded = load(&Place::whole(&args.path, args.root.as_deref(), args.quiet))?;
    let found = found(&loaded);
    match args.format {
        Format::Json => show_json(&found),
        Format::Text => show_text(|out| text(out, &found, args.verbose)),
    }
}

/// All that there is to say.
fn found(loaded: &Loaded) -> DoctorJson {
    let (layout, libraries) = (&loaded.layout, &loaded.libraries);
    let report = &libraries.report;
    libraries.classes.open_all();
    let mut files = vec![0; layout.source_sets.len()];
    for file in &layout.files {
        files[file.source_set] += 1;
    }
    let source_sets = layout.source_sets.iter().zip(files);
    let counts = loaded.workspace.program().counts();
    let mut processors: Vec<ProcessorJson> = report
        .processors
        .iter()
        .map(|processor| ProcessorJson {
            name: processor.name.clone(),
            module: Some(module(&processor.module)),
        })
        .collect();
    for jar in libraries.classes.processors() {
        let coordinates = report
            .entries
            .iter()
            .find(|entry| entry.path == jar)
            .and_then(|entry| entry.coordinates.clone());
        let name = coordinates.unwrap_or_else(|| jar.to_string_lossy().into_owned());
        let is_known = name.starts_with("org.projectlombok:")
            || processors.iter().any(|p| name.starts_with(&p.name));
        if !is_known {
            processors.push(ProcessorJson { name, module: None });
        }
    }
    let mut found = DoctorJson {
        schema: "telltale.doctor/1",
        root: layout.root.to_string_lossy().into_owned(),
        build: BuildJson {
            tools: tools(&layout.builds),
            source_sets: source_sets
                .map(|(set, files)| SourceSetJson {
                    name: set.name.clone(),
                    is_test: set.is_test,
                    files,
                    uses_lombok: set.uses_lombok,
                })
                .collect(),
            generators: layout
                .generators
                .iter()
                .map(|generator| GeneratorJson {
                    name: generator.name,
                    module: module(&generator.module),
                    is_on_disk: generator.is_on_disk,
                })
                .collect(),
            languages: layout
                .languages
                .iter()
                .map(|language| LanguageJson {
                    name: language.name,
                    files: language.files,
                })
                .collect(),
        },
        jdk: report.jdk.as_ref().map(|jdk| JdkJson {
            home: jdk.home.to_string_lossy().into_owned(),
            version: jdk.version.clone(),
            release: jdk.release,
            from: match jdk.from {
                JdkFrom::Configuration => "configuration",
                JdkFrom::JavaHome => "java-home",
                JdkFrom::Path => "path",
                JdkFrom::KnownPlace => "known-place",
            },
            library: match jdk.library {
                JdkLibrary::Image => "image",
                JdkLibrary::Jars => "jars",
                JdkLibrary::Symbols => "symbols",
            },
        }),
        passed_over: report
            .passed_over
            .iter()
            .map(|jdk| PassedOverJson {
                what: jdk.what.clone(),
                path: jdk.path.to_string_lossy().into_owned(),
                reason: jdk.reason.clone(),
            })
            .collect(),
        release: report.release,
        class_path: ClassPathJson {
            repositories: report
                .repositories
                .iter()
                .map(|path| path.to_string_lossy().into_owned())
                .collect(),
            entries: report
                .entries
                .iter()
                .map(|entry| EntryJson {
                    path: entry.path.to_string_lossy().into_owned(),
                    coordinates: entry.coordinates.clone(),
                    from: tool(entry.tool),
                    is_test: entry.is_test,
                    is_guessed: entry.is_guessed,
                })
                .collect(),
            missing: report
                .missing
                .iter()
                .map(|missing| MissingJson {
                    coordinates: missing.coordinates.clone(),
                    wanted_by: module(&missing.wanted_by),
                    from: tool(missing.tool),
                    reason: missing.reason.clone(),
                })
                .collect(),
            unread: report
                .unread
                .iter()
                .map(|unread| UnreadJson {
                    script: unread.script.clone(),
                    text: unread.text.clone(),
                })
                .collect(),
            conflicts: report
                .conflicts
                .iter()
                .map(|conflict| ConflictJson {
                    name: conflict.name.clone(),
                    taken: conflict.taken.clone(),
                    others: conflict
                        .others
                        .iter()
                        .map(|(version, dir)| OtherJson {
                            version: version.clone(),
                            module: module(dir),
                        })
                        .collect(),
                })
                .collect(),
            unreadable: libraries
                .classes
                .problems()
                .into_iter()
                .map(|problem| UnreadableJson {
                    path: problem.path.to_string_lossy().into_owned(),
                    class: problem.class,
                    reason: problem.message,
                })
                .collect(),
        },
        processors,
        dismissed: DismissedJson {
            entries: loaded.dismissals.entries.len(),
            stale: stale(loaded),
            problems: told(loaded.dismissals.problems.iter().cloned()),
        },
        recorded: recorded(loaded),
        accuracy: AccuracyJson {
            calls: counts.calls,
            calls_unknown: counts.calls_unresolved,
            fields: counts.fields,
            fields_unknown: counts.fields_unresolved,
        },
        mend: Vec::new(),
    };
    found.mend = mend(&found);
    found
}

/// What would make it better, the most useful first.
fn mend(found: &DoctorJson) -> Vec<MendJson> {
    let mut mend = Vec::new();
    let mut add = |command: Option<&str>, why: String| {
        mend.push(MendJson {
            command: command.map(str::to_owned),
            why,
        });
    };
    if found.jdk.is_none() {
        add(
            None,
            "install a JDK, or name one with java.home in telltale.toml: without it only a small table of the JDK's commonest types is known".to_owned(),
        );
    }
    for jdk in &found.passed_over {
        add(
            None,
            format!("correct {} ({}): {}", jdk.what, jdk.path, jdk.reason),
        );
    }
    let has = |name: &str| found.build.tools.iter().any(|tool| tool.name == name);
    let absent = found.build.generators.iter().any(|g| !g.is_on_disk);
    for (tool, command) in [
        ("Maven", "mvn test-compile"),
        ("Gradle", "./gradlew testClasses"),
    ] {
        if absent && has(tool) {
            add(
                Some(command),
                "makes the sources that are not on disk".to_owned(),
            );
            break;
        }
    }
    let missing = |from: &str| {
        let all = found.class_path.missing.iter();
        all.filter(|missing| missing.from == from).count()
    };
    for (from, command, what) in [
        ("maven", "mvn dependency:resolve", "fetches"),
        ("gradle", "./gradlew testClasses", "fetches"),
    ] {
        if let count @ 1.. = missing(from) {
            let them = plural(count, "missing library", "missing libraries");
            add(Some(command), format!("{what} the {them}"));
        }
    }
    if missing("configuration") > 0 {
        let why = "correct java.classpath in telltale.toml: it names what does not exist";
        add(None, why.to_owned());
    }
    if missing("eclipse") > 0 {
        let why = "correct .classpath, or name the jars with java.classpath in telltale.toml";
        add(None, why.to_owned());
    }
    if found.recorded.as_ref().is_some_and(|r| r.problem.is_some()) {
        let command = Some("telltale record --forget");
        add(command, "begins anew with what runs tell".to_owned());
    } else if found.recorded.as_ref().is_some_and(|r| r.stale > 0) {
        let why = "records again what was recorded with other code";
        add(Some("telltale record"), why.to_owned());
    }
    if !found.dismissed.problems.is_empty() {
        let why = "correct telltale-dismissed.toml: what is wrong there dismisses nothing";
        add(None, why.to_owned());
    }
    if !found.dismissed.stale.is_empty() {
        let why = "delete the entries of telltale-dismissed.toml that hide nothing any more";
        add(None, why.to_owned());
    }
    if !found.class_path.unreadable.is_empty() {
        let why = "delete the unreadable jars and let the build fetch them again";
        add(None, why.to_owned());
    }
    mend
}

/// What is kept of runs; none where nothing is.
fn recorded(loaded: &Loaded) -> Option<RecordedJson> {
    let root = &loaded.layout.root;
    let mut out = RecordedJson {
        file: EVIDENCE.to_owned(),
        bytes: 0,
        room: loaded.config.record.bytes(),
        tests: 0,
        failed: 0,
        stale: 0,
        last_run: None,
        problem: None,
    };
    let read = Store::open_existing(root).and_then(|store| {
        let Some(store) = store else {
            return Ok(None);
        };
        out.bytes = store.size();
        out.last_run = store.last_run()?.map(|run| run.at);
        Ok(Some(store.facts()?))
    });
    let facts = match read {
        Ok(None) => return None,
        Ok(Some(facts)) => Arc::new(facts),
        Err(e) => {
            out.problem = Some(e.to_string());
            return Some(out);
        }
    };
    let analysis = Analysis::new(loaded.workspace.clone(), true, loaded.settings());
    let analysis = analysis.with_facts(Arc::clone(&facts));
    out.tests = facts.len();
    out.failed = facts.tests().filter(|(_, told)| !told.passed).count();
    let suite = analysis.workspace().suite().tests().par_iter();
    let is_fresh = |t: &&MethodId| analysis.recorded(**t).is_some() && !analysis.is_stale(**t);
    out.stale = out.tests.saturating_sub(suite.filter(is_fresh).count());
    Some(out)
}

/// The entries that hide nothing any more.
fn stale(loaded: &Loaded) -> Vec<LineJson> {
    let program = loaded.workspace.program();
    let entries = loaded.dismissals.entries.iter();
    told(entries.filter_map(|e| {
        let why = ide::dismissed::stale(program, &dismissed::entry(e))?;
        Some((e.line, why))
    }))
}

fn told(lines: impl Iterator<Item = (usize, String)>) -> Vec<LineJson> {
    lines.map(|(line, why)| LineJson { line, why }).collect()
}

/// The build tools and how many files of theirs there are.
fn tools(builds: &[String]) -> Vec<ToolJson> {
    let kind = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name {
            "pom.xml" => "Maven",
            "build.xml" => "Ant",
            ".classpath" => "Eclipse",
            _ => "Gradle",
        }
    };
    ["Maven", "Gradle", "Ant", "Eclipse"]
        .into_iter()
        .map(|name| ToolJson {
            name,
            files: builds.iter().filter(|path| kind(path) == name).count(),
        })
        .filter(|tool| tool.files > 0)
        .collect()
}

/// A module for people: its folder, `.` for the root.
fn module(dir: &str) -> String {
    if dir.is_empty() {
        ".".to_owned()
    } else {
        dir.to_owned()
    }
}

fn tool(tool: Tool) -> &'static str {
    match tool {
        Tool::Configuration => "configuration",
        Tool::Maven => "maven",
        Tool::Gradle => "gradle",
        Tool::Eclipse => "eclipse",
        Tool::Folder => "folder",
    }
}
