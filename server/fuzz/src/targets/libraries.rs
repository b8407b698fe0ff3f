//! Class files, images of a JDK and jars.

use program::ClassSource as _;
use project::Config;
use project::libraries::{Environment, Libraries, find};

use super::builds::Scratch;

/// One class file, or a module's descriptor, without the jar whose checksums hide every change.
pub fn class_file(data: &[u8]) {
    project::fuzzing::class_file(data);
}

fn ask(found: &Libraries, packages: &[&str]) {
    let classes = &found.classes;
    for package in packages {
        classes.has_package(package);
        for name in classes.classes_of(package).iter().take(64) {
            let name = format!("{package}.{name}");
            classes.has_class(&name);
            classes.class(&name);
        }
    }
    for module in ["java.base", "java.sql", "a"] {
        classes.packages_of_module(module);
    }
    classes.processors();
    classes.is_stale();
    classes.problems();
}

/// `lib/modules` of a JDK.
pub fn image(data: &[u8]) {
    let scratch = Scratch::get();
    scratch.write("jdk/lib/modules", data);
    let mut config = Config::default();
    config.java.home = Some("jdk".to_owned());
    let found = find(&scratch.layout(&config), &config, &Environment::default());
    ask(&found, &["java.lang", "java.util", "java.sql", ""]);
}

/// A jar of the class path.
pub fn jar(data: &[u8]) {
    let scratch = Scratch::get();
    scratch.write("it.jar", data);
    let mut config = Config::default();
    config.java.classpath = Some(vec!["it.jar".to_owned()]);
    let found = find(&scratch.layout(&config), &config, &Environment::default());
    found.classes.open_all();
    ask(&found, &["a", "a.b", "", "META-INF.versions"]);
}
