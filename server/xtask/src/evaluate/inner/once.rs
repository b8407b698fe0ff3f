//! A project that is compiled once, module by module, and tests of it that are run with a few files changed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use project::Layout;
use tempfile::TempDir;

use crate::Result;
use crate::evaluate::build::{copy, failed, javac, output, own_libraries, sources, tools};

/// One test, run once.
pub(super) struct Job {
    /// `a.Outer$Inner` and the method's name.
    pub(super) test: (String, String),
    /// The test's file, from the root.
    pub(super) path: String,
    /// Files by path from the root, with the text that they have for this run.
    pub(super) files: Vec<(String, String)>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    Passed,
    /// With the message of each failure.
    Failed(String),
    /// It does not compile.
    Broken(String),
    /// No test was found or could be run, or it was not over in time.
    Nothing(String),
}

/// A compiled copy of a project: each source set of each module for itself.
pub(super) struct Project {
    work: TempDir,
    layout: Layout,
    /// The folders of classes of each source set, itself first; none of what does not compile.
    classes: Vec<Option<Vec<PathBuf>>>,
    java: PathBuf,
    class_path: OsString,
    jobs: usize,
}

impl Project {
    /// Copies and compiles the project at `root`. What of it does not compile, and what rests on that, is left out.
    pub(super) fn new(root: &Path, classpath: &str, java: &Path) -> Result<Project> {
        let work = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
        let folder = work.path();
        let message = |error: project::ProjectError| error.to_string();
        let (config, _) = project::load_config(root).map_err(message)?;
        let layout = project::discover(root, &config).map_err(message)?;
        let mut libraries = vec![folder.join(".once")];
        libraries.extend(tools()?);
        // What a build left of the project itself is older than its sources.
        let is_own = |jar: &PathBuf| jar.starts_with(root);
        libraries.extend(
            own_libraries(classpath)
                .into_iter()
                .filter(|jar| !is_own(jar)),
        );
        let class_path = joined(&libraries)?;
        let once = crate::root().join("server/xtask/src/evaluate/inner/Once.java");
        javac(java, &class_path, &[once], folder, &folder.join(".once"))?;
        let mut project = Project {
            classes: vec![None; layout.source_sets.len()],
            work,
            layout,
            java: java.to_owned(),
            class_path,
            jobs: 0,
        };
        for module in project.modules() {
            let (from, to) = (root.join(&module), project.work.path().join(&module));
            if from.join("src").is_dir() {
                copy(&from.join("src"), &to.join("src"))?;
            }
        }
        let mut open: Vec<usize> = (0..project.layout.source_sets.len()).collect();
        while let Some(sets) = project.next(&open) {
            open.retain(|set| !sets.contains(set));
            if let Err(why) = project.compile(&sets, &libraries) {
                let of = sets.iter().map(|set| &project.layout.source_sets[*set]);
                let names: Vec<&str> = of.map(|set| set.name.as_str()).collect();
                eprintln!("left out: {}: {why}", names.join(", "));
            }
        }
        match project.classes.iter().any(Option::is_some) {
            true => Ok(project),
            false => Err("nothing of it compiles".to_owned()),
        }
    }

    /// The folders of the modules, from the root.
    fn modules(&self) -> Vec<String> {
        let roots = self.layout.source_sets.iter().flat_map(|set| &set.roots);
        let mut out: Vec<String> = roots.map(|root| module_of(root).to_owned()).collect();
        out.sort();
        out.dedup();
        out
    }

    /// A source set that sees none of those that are still open, but those with it that it sees and that see it: a folder
    /// of templates beside the code that they complete.
    fn next(&self, open: &[usize]) -> Option<Vec<usize>> {
        let with_all_that_it_sees = |set: &usize| {
            let mut out = vec![*set];
            let mut at = 0;
            while let Some(set) = out.get(at) {
                for seen in &self.layout.source_sets[*set].visible {
                    if open.contains(seen) && !out.contains(seen) {
                        out.push(*seen);
                    }
                }
                at += 1;
            }
            out
        };
        open.iter().map(with_all_that_it_sees).min_by_key(Vec::len)
    }

    /// Compiles source sets that see each other.
    fn compile(&mut self, sets: &[usize], libraries: &[PathBuf]) -> Result<()> {
        let folder = self.work.path().to_owned();
        let mut seen = vec![folder.join(format!(".classes/{}", sets[0]))];
        let mut found = Vec::new();
        for set in sets {
            let own = &self.layout.source_sets[*set];
            for other in own.visible.iter().filter(|other| !sets.contains(other)) {
                let other = self.classes[*other].as_ref();
                let other = other.ok_or("it sees one that does not compile")?;
                seen.extend(other.iter().cloned());
            }
            for root in &own.roots {
                // Made by a build that was not run.
                if !folder.join(root).is_dir() {
                    continue;
                }
                found.extend(sources(&folder.join(root))?);
                let resources = folder.join(root).with_file_name("resources");
                if resources.is_dir() {
                    copy(&resources, &seen[0])?;
                }
            }
        }
        let path: Vec<PathBuf> = seen.iter().chain(libraries).cloned().collect();
        javac(&self.java, &joined(&path)?, &found, &folder, &seen[0])?;
        for set in sets {
            self.classes[*set] = Some(seen.clone());
        }
        Ok(())
    }

    /// True if the source set of a file was compiled.
    pub(super) fn has(&self, path: &str) -> bool {
        let set = self.layout.source_set_of(path);
        set.is_some_and(|set| self.classes[set].is_some())
    }

    /// Runs the jobs one after the other, in one virtual machine for each module.
    pub(super) fn run(&mut self, jobs: &[Job]) -> Result<Vec<Ran>> {
        let set_of = |job: &Job| self.layout.source_set_of(&job.path);
        let mut by_set: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for (at, job) in jobs.iter().enumerate() {
            by_set.entry(set_of(job)).or_default().push(at);
        }
        let mut out: Vec<Option<Ran>> = vec![None; jobs.len()];
        for (set, own) in by_set {
            let classes = set.and_then(|set| self.classes[set].clone());
            let Some(classes) = classes else {
                for at in own {
                    out[at] = Some(Ran::Nothing("its module does not compile".to_owned()));
                }
                continue;
            };
            let module = module_of(&jobs[own[0]].path).to_owned();
            let ran = self.run_in(&module, &classes, own.iter().map(|at| &jobs[*at]).collect())?;
            for (at, ran) in own.into_iter().zip(ran) {
                out[at] = Some(ran);
            }
        }
        Ok(out.into_iter().flatten().collect())
    }

    fn run_in(&mut self, module: &str, classes: &[PathBuf], jobs: Vec<&Job>) -> Result<Vec<Ran>> {
        let folder = self.work.path();
        let mut lines = String::new();
        for job in &jobs {
            self.jobs += 1;
            let own = folder.join(format!(".jobs/{}", self.jobs));
            lines.push_str(&format!("{}\t{}\t", job.test.0, job.test.1));
            lines.push_str(&own.join("classes").display().to_string());
            for (path, text) in &job.files {
                let file = own.join(path);
                let write = || {
                    fs::create_dir_all(file.parent().unwrap_or(&own))?;
                    fs::write(&file, text)
                };
                write().map_err(|e| failed("write", &file, &e))?;
                lines.push_str(&format!("\t{}", file.display()));
            }
            lines.push('\n');
        }
        let (list, answers) = (folder.join(".list"), folder.join(".answers"));
        fs::write(&list, lines).map_err(|e| failed("write", &list, &e))?;
        let mut command = Command::new(&self.java);
        command.current_dir(folder.join(module));
        command.arg("-Xmx2g").arg("-cp").arg(&self.class_path);
        command.arg("Once").arg(&list).arg(&answers).args(classes);
        output(&mut command)?;
        let text = fs::read_to_string(&answers).map_err(|e| failed("read", &answers, &e))?;
        let ran: Vec<Ran> = text.lines().map(read).collect();
        match ran.len() == jobs.len() {
            true => Ok(ran),
            false => Err(format!("{} of {} tests were run", ran.len(), jobs.len())),
        }
    }
}

/// The folder of the module of a path, from the root: what stands before `src`.
fn module_of(path: &str) -> &str {
    match path.starts_with("src/") || path == "src" {
        true => "",
        false => path.split_once("/src/").map_or("", |(module, _)| module),
    }
}

fn joined(paths: &[PathBuf]) -> Result<OsString> {
    std::env::join_paths(paths).map_err(|e| e.to_string())
}

fn read(line: &str) -> Ran {
    let (what, said) = line.split_once('\t').unwrap_or((line, ""));
    let said = said.replace('\u{1e}', "\n");
    match what {
        "passed" => Ran::Passed,
        "failed" => Ran::Failed(said),
        "broken" => Ran::Broken(said),
        _ => Ran::Nothing(format!("{what}: {said}")),
    }
}
