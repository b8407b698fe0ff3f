//! EvoSuite, whose tests do not run without classes of its own. Which file it wrote says `program`.

/// What tests need to run that a tool wrote.
#[derive(Debug)]
pub struct Runtime {
    /// As people call the tool.
    pub name: &'static str,
    /// What all its packages begin with.
    pub package: &'static str,
    /// Annotations of a class that it runs, by simple name.
    pub annotations: &'static [&'static str],
    /// The class that runs them, by simple name.
    runner: &'static str,
    /// How the name of a class ends that prepares and cleans up around a test class.
    pub scaffolding: &'static str,
    /// The check of where an exception was thrown; what a test does is the same without it.
    pub check: &'static str,
}

/// Its row.
pub static EVOSUITE: Runtime = Runtime {
    name: "EvoSuite",
    package: "org.evosuite",
    annotations: &["RunWith", "EvoRunnerParameters"],
    runner: "EvoRunner",
    scaffolding: "_scaffolding",
    check: "verifyException",
};

impl Runtime {
    /// True for a class of it, or a static method of one, by binary name.
    pub fn has(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.package);
        rest.is_some_and(|rest| rest.starts_with('.'))
    }

    /// True for a simple name of what stands around what a test does, and takes nothing along where it goes.
    pub fn is_around(&self, name: &str) -> bool {
        [self.runner, self.check].contains(&name) || self.annotations.contains(&name)
    }
}
