//! Large builds: what reading their files takes, beside looking at each of them once; twice the build may take about twice
//! the time.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ignore::WalkBuilder;
use project::libraries::{Environment, Work, find};
use tempfile::TempDir;

use super::load::timed;
use super::median;
use crate::Result;

/// Writes a build of a size into a folder.
type Shape = fn(&Path, usize) -> std::io::Result<()>;

/// The builds, with the larger of the two sizes.
const SHAPES: &[(&str, usize, Shape)] = &[
    (
        "50 modules under so many managed entries",
        5_000,
        |root, n| platform(root, 50, n),
    ),
    (
        "so many modules under 500 managed entries",
        1_000,
        |root, n| platform(root, n, 500),
    ),
    (
        "so many modules that need 20 others each",
        2_000,
        |root, n| mesh(root, n, 20),
    ),
    ("a chain of so many modules", 4_000, |root, n| {
        mesh(root, n, 1)
    }),
    (
        "so many Gradle projects that need 20 others each",
        2_000,
        |root, n| gradle(root, n, 20),
    ),
];

pub(super) fn measure(quick: bool) -> Result<()> {
    let failed = |error: std::io::Error| format!("cannot write a build: {error}");
    for (name, size, write) in SHAPES {
        let mut took = Vec::new();
        for size in [size / 2, *size] {
            let root = folder().map_err(failed)?;
            write(root.path(), size).map_err(failed)?;
            let runs = if quick { 1 } else { 3 };
            let mut samples = Vec::new();
            for _ in 0..runs {
                let ((), bare) = timed(|| look(root.path()));
                let (work, ms) = timed(|| read(root.path()));
                samples.push((bare, ms, work?));
            }
            let of =
                |figure: fn(&(f64, f64, Work)) -> f64| median(samples.iter().map(figure).collect());
            let work = samples[0].2;
            took.push((of(|s| s.0), of(|s| s.1), work));
        }
        let (half, whole) = (&took[0], &took[1]);
        println!(
            "{name}, {size}: {:.0} ms = {:.1} x a look at its files, {:.1} x half of it ({} entries, {} edges; half {} and {})",
            whole.1,
            whole.1 / whole.0,
            whole.1 / half.1,
            whole.2.entries,
            whole.2.edges,
            half.2.entries,
            half.2.edges,
        );
    }
    Ok(())
}

fn folder() -> std::io::Result<TempDir> {
    tempfile::Builder::new().prefix("telltale-bench-").tempdir()
}

/// The reference: every file found and read.
fn look(root: &Path) {
    for entry in WalkBuilder::new(root).build().flatten() {
        std::hint::black_box(fs::read(entry.path()).map_or(0, |bytes| bytes.len()));
    }
}

/// The layout and the libraries, on a machine without a JDK and a repository.
fn read(root: &Path) -> Result<Work> {
    let message = |error: project::ProjectError| error.to_string();
    let (config, _) = project::load_config(root).map_err(message)?;
    let layout = project::discover(root, &config).map_err(message)?;
    Ok(find(&layout, &config, &Environment::default()).report.work)
}

fn pom(name: &str, rest: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>own</groupId><artifactId>{name}</artifactId><version>1</version>{rest}</project>\n"
    )
}

fn dependency(group: &str, name: &str, version: &str) -> String {
    format!(
        "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>{version}</dependency>"
    )
}

fn module(root: &Path, at: usize, build: &str, text: &str) -> std::io::Result<()> {
    let folder = root.join(format!("m{at}"));
    for (set, name) in [("main", "A"), ("test", "ATest")] {
        let package = folder.join(format!("src/{set}/java/p{at}"));
        fs::create_dir_all(&package)?;
        let text = format!("package p{at};\nclass {name}{at} {{}}\n");
        fs::write(package.join(format!("{name}{at}.java")), text)?;
    }
    fs::write(folder.join(build), text)
}

/// Modules that use ten of the libraries that their parent manages.
fn platform(root: &Path, modules: usize, entries: usize) -> std::io::Result<()> {
    let (mut managed, mut properties) = (String::new(), String::new());
    for at in 0..entries {
        if at % 10 == 0 {
            let _ = write!(properties, "<v{at}>{at}</v{at}>");
        }
        let version = format!("<version>${{v{}}}</version>", at / 10 * 10);
        managed += &dependency(&format!("g{}", at % 50), &format!("a{at}"), &version);
    }
    let names: String = (0..modules)
        .map(|at| format!("<module>m{at}</module>"))
        .collect();
    let inner = format!(
        "<packaging>pom</packaging><modules>{names}</modules><properties>{properties}</properties>\
         <dependencyManagement><dependencies>{managed}</dependencies></dependencyManagement>"
    );
    fs::write(root.join("pom.xml"), pom("parent", &inner))?;
    for at in 0..modules {
        let used = (at..at + 10).map(|at| at % entries);
        let used: String = used
            .map(|at| dependency(&format!("g{}", at % 50), &format!("a{at}"), ""))
            .collect();
        let parent = "<parent><groupId>own</groupId><artifactId>parent</artifactId><version>1</version></parent>";
        let inner = format!("{parent}<dependencies>{used}</dependencies>");
        module(root, at, "pom.xml", &pom(&format!("m{at}"), &inner))?;
    }
    Ok(())
}

/// The modules that the one at `at` needs.
fn needed(at: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).filter_map(move |step| at.checked_sub(1 + 7 * step))
}

fn mesh(root: &Path, modules: usize, count: usize) -> std::io::Result<()> {
    for at in 0..modules {
        let uses: String = needed(at, count)
            .map(|other| dependency("own", &format!("m{other}"), "<version>1</version>"))
            .collect();
        let inner = format!("<dependencies>{uses}</dependencies>");
        module(root, at, "pom.xml", &pom(&format!("m{at}"), &inner))?;
    }
    Ok(())
}

fn gradle(root: &Path, modules: usize, count: usize) -> std::io::Result<()> {
    let included: String = (0..modules)
        .map(|at| format!("include ':m{at}'\n"))
        .collect();
    fs::write(root.join("settings.gradle"), included)?;
    for at in 0..modules {
        let uses: String = needed(at, count)
            .map(|other| format!("    implementation project(':m{other}')\n"))
            .collect();
        module(
            root,
            at,
            "build.gradle",
            &format!("dependencies {{\n{uses}}}\n"),
        )?;
    }
    Ok(())
}
