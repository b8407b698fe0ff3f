//! What finding and reading the libraries of a project costs, and which jars they are.
//!
//! `cargo run --release -p project --example libraries -- PATH` measures (`docs/performance.md`);
//! with `--jars` it prints the jars, to be compared with what a build tool says (`docs/user/libraries.md`).
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use program::ClassSource;
use project::libraries::{Environment, find};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only_jars = arguments.iter().any(|a| a == "--jars");
    let path = arguments.iter().find(|a| !a.starts_with("--"));
    let root = std::fs::canonicalize(path.map_or(PathBuf::from("."), PathBuf::from))?;
    let (config, _) = project::load_config(&root)?;
    let layout = project::discover(&root, &config)?;
    let start = Instant::now();
    let found = find(&layout, &config, &Environment::of_process());
    let took = start.elapsed();
    if only_jars {
        for entry in &found.report.entries {
            println!("{}", entry.path.display());
        }
        return Ok(());
    }
    let classes = &found.classes;
    let entries = found.report.entries.len();
    println!("find the JDK and {entries} entries: {took:?}");
    let timed = |what: &str, work: &dyn Fn() -> usize| {
        let start = Instant::now();
        let count = work();
        println!("{what} ({count}): {:?}", start.elapsed());
    };
    timed("read one class, its methods", &|| {
        let map = classes.class("java.util.Map");
        map.map_or(0, |class| class.methods.len())
    });
    timed("read all exported classes of java.base", &|| {
        let packages = classes.packages_of_module("java.base");
        let names = packages.iter().flat_map(|package| {
            let names = classes.classes_of(package).into_iter();
            names.map(move |name| format!("{package}.{name}"))
        });
        names.filter_map(|name| classes.class(&name)).count()
    });
    timed("open all entries", &|| {
        usize::from(classes.has_package("no.such.package"))
    });
    timed("ask 10,000 times whether there is a class, yes", &|| {
        (0..10_000)
            .filter(|n| classes.has_class(["java.lang.String", "java.lang.Nothing"][n % 2]))
            .count()
    });
    timed("is it stale", &|| usize::from(classes.is_stale()));
    Ok(())
}
