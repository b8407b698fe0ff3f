//! Running a few tests without the build, as it ran them last: in a JVM like that which it started, with the classes that it
//! made, and those of the files that were changed since, compiled beside them.
//!
//! `.telltale/build` has where and how the last build that we asked for ran tests, and on what that rests. Whatever is not
//! sure is left to the build, and it is said what that is: a file that is no Java file changed, or the class path; a changed
//! file does not compile, or declares something else than before, so that other classes would have to be compiled anew.

use super::kept::{read, write};
use super::rests::{Rests, environment};
use super::seen::Seen;
use super::session::Session;
use super::standby::Needs;
use super::woven::{self, Asked};
use super::{Ends, Request, Way, as_read, unwritten};
use crate::failure::Failure;
use ide::Analysis;
use program::{FileId, Program};
use project::libraries::declared;
use project::{Prints, prints};
use runner::javac::{Compiled, Sources, compile};
use runner::{Place, Tool, Warm};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file, in Telltale's own folder.
const FILE: &str = "build";

/// Of how many files changed since the last build they are compiled here; more are the build's.
const MOST: usize = 40;

/// Where Maven and Gradle put what annotation processors write of the code under test, and of tests.
const GENERATED: [[&str; 2]; 2] = [
    [
        "target/generated-sources/annotations",
        "build/generated/sources/annotationProcessor/java/main",
    ],
    [
        "target/generated-test-sources/test-annotations",
        "build/generated/sources/annotationProcessor/java/test",
    ],
];

/// How the last build ran tests.
#[derive(Serialize, Deserialize)]
struct Last {
    environment: Vec<String>,
    rests: Rests,
    places: Vec<Place>,
}

/// What a build is about to change, to be asked before it runs.
pub(super) struct Before {
    file: PathBuf,
    environment: Vec<String>,
    files: Prints,
}

impl Before {
    /// Nothing where nothing can be kept of the build.
    pub(super) fn new(request: &Request<'_>, own: &Path, jar: &Path) -> Option<Before> {
        Some(Before {
            file: own.join(FILE),
            environment: environment(request, jar)?,
            files: prints(request.root)?,
        })
    }

    /// Keeps how it ran tests; of modules that it did not run what is known, if that still holds.
    pub(super) fn keep(self, root: &Path, plain: &Seen, ends: &[Ends]) {
        // Behind the package nobody knows what else the build started.
        let mut places = plain.places.clone();
        places.retain(|place| !place.is_integration());
        if places.is_empty() {
            return;
        }
        let known = read::<Last>(&self.file).filter(|l| l.environment == self.environment);
        let is_same = |last: &Last| {
            last.rests
                .changed_files(root, &last.places, &self.files)
                .is_empty()
        };
        for place in known.filter(is_same).into_iter().flat_map(|l| l.places) {
            if !places.iter().any(|p| p.directory == place.directory) {
                places.push(place);
            }
        }
        // What cannot be kept is asked of the build again.
        if let Ok(rests) = Rests::of(root, self.files, &places, ends) {
            let last = Last {
                environment: self.environment,
                rests,
                places,
            };
            drop(write(&self.file, &last));
        }
    }
}

/// Forgets it.
///
/// # Errors
/// If the file cannot be removed.
pub(super) fn forget(root: &Path) -> Result<(), Failure> {
    let own = root.join(project::OWN_FOLDER);
    let file = own.join(FILE);
    let is_ours = file.is_file() && !own.is_symlink();
    match is_ours.then(|| std::fs::remove_file(&file)) {
        Some(Err(e)) => Err(Failure::Run(format!("{}: {e}", file.display()))),
        _ => Ok(()),
    }
}

/// What the build is needed for, as a clause: `pom.xml changed`.
type Hindrance = String;

/// The first run of a recording.
pub(super) struct First {
    /// The tests as they are.
    pub(super) plain: Seen,
    /// What JVMs of our own told with it, which looked at once.
    pub(super) looked: Option<Looked>,
}

/// What JVMs of our own told where the first run looked already.
pub(super) struct Looked {
    /// What was asked for.
    pub(super) asked: Asked,
    /// The runs that asked, each if no JVM ended early: the varied one and the other.
    pub(super) others: [Option<Seen>; 2],
}

/// The first run of the tests, as they are: without the build where only some are asked for and nothing hinders; else by the
/// build, of which is then kept how it ran them.
///
/// # Errors
/// If nothing ran.
pub(super) fn first_run(
    analysis: &Analysis,
    session: &mut Session<'_>,
    plan: &str,
) -> Result<First, Failure> {
    let request = session.request;
    let mut what = "Running the tests".to_owned();
    let may_be = match request.way {
        Way::Quickest => !request.is_all,
        Way::Build => false,
        Way::WithoutBuild => true,
    };
    if may_be {
        let first = match direct(analysis, session)? {
            Ok(place) => {
                as_read(analysis.program(), request.root)?;
                looked(analysis, session, plan, place)?.map_err(Some)
            }
            Err(why) => Err(why),
        };
        match first {
            Ok(first) => return Ok(first),
            Err(why) if request.way == Way::WithoutBuild => {
                let why = why.unwrap_or_else(|| "nothing is known of it yet".to_owned());
                return Err(Failure::Run(format!("the build is needed: {why}")));
            }
            Err(Some(why)) => {
                what = format!("Running the tests by {}, since {why}", session.tool.name());
            }
            Err(None) => {}
        }
    }
    let before = Before::new(request, &session.own, &session.jar);
    let plain = session.run_plain(&what, plan)?;
    if let Some(before) = before {
        before.keep(request.root, &plain, &session.ends());
    }
    Ok(First {
        plain,
        looked: None,
    })
}

/// What JVMs of our own tell of named tests that the build just ran: where it ran them in one place, and all passed. Nothing where
/// that is not so, or where one does not pass here.
pub(super) fn behind(
    analysis: &Analysis,
    session: &mut Session<'_>,
    plain: &Seen,
) -> Result<Option<First>, Failure> {
    let request = session.request;
    let may_be = request.way == Way::Quickest && !request.is_all;
    if !may_be || !session.is_as_ever(plain) || environment(request, &session.jar).is_none() {
        return Ok(None);
    }
    let place = place(analysis.program(), request, &plain.places).ok();
    let place = place.map(|at| plain.places[at].clone());
    match place.filter(|place| !place.is_integration()) {
        Some(place) => Ok(looked(analysis, session, "", place)?.ok()),
        None => Ok(None),
    }
}

/// All runs by JVMs of our own.
fn looked(
    analysis: &Analysis,
    session: &mut Session<'_>,
    covered: &str,
    place: Place,
) -> Result<Result<First, Hindrance>, Failure> {
    let tool = Tool::Direct(place.clone());
    let tests = session.request.tests;
    let asked = woven::compile(analysis, tests, session, &[place])?;
    session.inside = asked.first_inside;
    let looked = super::looked(analysis, session, &asked);
    let ran = session.run_by(tool, covered, &looked)?;
    if ran.is_err() {
        session.inside = u32::MAX;
    }
    Ok(ran.map(|(plain, others)| First {
        plain,
        looked: Some(Looked { asked, others }),
    }))
}

/// Where the tests run without the build; else why not, if there is something to say of it.
fn direct(
    analysis: &Analysis,
    session: &mut Session<'_>,
) -> Result<Result<Place, Option<Hindrance>>, Failure> {
    let request = session.request;
    let Some(environment) = environment(request, &session.jar) else {
        return Ok(Err(None));
    };
    if session.asks_integration() {
        return Ok(Err(Some(
            "tests of the integration need what it starts for them".to_owned(),
        )));
    }
    let Some(last) = read::<Last>(&session.own.join(FILE)) else {
        return Ok(Err(None));
    };
    if last.environment != environment {
        return Ok(Err(Some("what runs it is another one".to_owned())));
    }
    let program = analysis.program();
    let place = match place(program, request, &last.places) {
        Ok(place) => place,
        Err(why) => return Ok(Err(Some(why))),
    };
    let Some(now) = prints(request.root) else {
        return Ok(Err(Some("not all files can be read".to_owned())));
    };
    let changed = last.rests.changed_files(request.root, &last.places, &now);
    match last.rests.changed_classes(&last.places) {
        None => return Ok(Err(Some("the class path cannot be read".to_owned()))),
        Some(classes) => {
            if let Some(path) = classes.first() {
                return Ok(Err(Some(format!("{path} changed"))));
            }
        }
    }
    session.prepared(Needs {
        place: last.places[place].clone(),
        jar: session.jar.clone(),
        rests: last.rests.clone(),
    });
    let session = &*session;
    let change = Change {
        program,
        place: &last.places[place],
        compiler: session.compiler(),
        jdk: request.jdk,
        is_near: &|file| Place::nearest(&last.places, file) == Some(place),
        is_known: &|path| last.rests.files.contains_key(path),
    };
    let files = match change.files(&changed, &now, request.root) {
        Ok(files) => files,
        Err(why) => return Ok(Err(Some(why))),
    };
    let place = change.place;
    if files.is_empty() {
        return Ok(Ok(place.clone()));
    }
    session.listener.step("Compiling what changed");
    let folder = session.changed();
    Ok(change
        .compiled(&files, &folder, &|| session.listener.wanted())?
        .map(|()| place.behind(&folder))
        .map_err(Some))
}

/// The one place where all of the tests run.
fn place(program: &Program, request: &Request<'_>, places: &[Place]) -> Result<usize, Hindrance> {
    let file = |test: &program::MethodId| program.path(program.method_file(*test)?);
    let paths = request.tests.iter().filter_map(file);
    let mut all = paths.map(|path| Place::nearest(places, &request.root.join(&**path)));
    let first = all.next().flatten();
    match first.filter(|first| all.all(|place| place == Some(*first))) {
        Some(place) => Ok(place),
        None => Err("it did not run tests there before".to_owned()),
    }
}

/// What changed since the build.
struct Change<'a> {
    program: &'a Program,
    place: &'a Place,
    compiler: Option<(&'a Path, &'a Warm)>,
    jdk: Option<&'a Path>,
    /// True for a file of the same module.
    is_near: &'a dyn Fn(&Path) -> bool,
    /// True for a path that the build knew.
    is_known: &'a dyn Fn(&str) -> bool,
}

impl Change<'_> {
    /// The files to compile.
    fn files(
        &self,
        changed: &[String],
        now: &Prints,
        root: &Path,
    ) -> Result<Vec<(FileId, PathBuf)>, Hindrance> {
        let mut out = Vec::new();
        for path in changed {
            if !path.ends_with(".java") || !now.contains_key(path) {
                return Err(format!("{path} changed"));
            }
            let mut all = self.program.files().iter();
            let file = all.find(|f| self.program.path(**f).is_some_and(|p| &**p == path));
            let whole = root.join(path);
            match file {
                // Not of what these tests may load: of another module, or no source of the build.
                _ if (self.is_known)(path) && !file.is_some_and(|f| self.loads(*f)) => {}
                Some(file) if (self.is_known)(path) || (self.is_near)(&whole) => {
                    out.push((*file, whole));
                }
                _ => return Err(format!("{path} is new")),
            }
        }
        // What a processor of annotations would make of a changed file, only the build knows.
        let writes = |file: &FileId| {
            let of_tests = self.program.is_test(*file);
            GENERATED[usize::from(of_tests)].iter().any(|folder| {
                let folder = self.place.directory.join(folder);
                std::fs::read_dir(folder).is_ok_and(|mut all| all.next().is_some())
            })
        };
        if out.iter().any(|(file, _)| writes(file)) {
            return Err("annotation processors write code here".to_owned());
        }
        match out.len() {
            0..=MOST => Ok(out),
            n => Err(format!("{n} files changed")),
        }
    }

    /// True if a class of the file is on the class path.
    fn loads(&self, file: FileId) -> bool {
        verdicts::like(self.program, &self.place.class_path, [file].into_iter()).is_some()
    }

    /// Compiles them into a folder.
    fn compiled(
        &self,
        files: &[(FileId, PathBuf)],
        folder: &Path,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Result<(), Hindrance>, Failure> {
        let ids = files.iter().map(|(id, _)| *id);
        let class_path = &self.place.class_path;
        // A new file is compiled as its neighbours are.
        let like = verdicts::like(self.program, class_path, ids).or_else(|| self.any_class());
        let paths: Vec<PathBuf> = files.iter().map(|(_, path)| path.clone()).collect();
        let asked = Sources {
            files: &paths,
            class_path,
            out: folder,
            like: like.as_deref(),
            release: like.as_deref().and_then(project::release),
            warm: self.compiler,
            jdk: self.jdk,
        };
        let compiled = compile(&asked, wanted).map_err(|e| unwritten(&e))?;
        match compiled {
            Compiled::Done => {}
            Compiled::Refused(problems) => {
                let place = |p: &runner::javac::Problem| {
                    let file = p.file.file_name().map(|n| n.to_string_lossy().into_owned());
                    format!("{}:{}: {}", file.unwrap_or_default(), p.line, p.message)
                };
                return Ok(Err(problems.first().map_or_else(
                    || "what changed does not compile".to_owned(),
                    |p| {
                        format!(
                            "what changed does not compile beside the rest ({})",
                            place(p)
                        )
                    },
                )));
            }
            Compiled::Failed(_) => {
                return Ok(Err("what changed could not be compiled".to_owned()));
            }
        }
        let made = verdicts::class_files(folder).map_err(|e| unwritten(&e))?;
        for class in &made {
            let Ok(name) = class.strip_prefix(folder) else {
                continue;
            };
            let Some(before) = self.before(name) else {
                continue;
            };
            let read = |file: &Path| std::fs::read(file).ok().and_then(|b| declared(&b));
            if read(class) != read(&before) || has_lost(&before, class) {
                let name = name
                    .with_extension("")
                    .to_string_lossy()
                    .replace(['/', '\\'], ".");
                return Ok(Err(format!("{name} declares something else than before")));
            }
        }
        Ok(Ok(()))
    }

    /// A class file as the build made it.
    fn before(&self, name: &Path) -> Option<PathBuf> {
        let mut all = self.place.class_path.iter().map(|folder| folder.join(name));
        all.find(|file| file.is_file())
    }

    fn any_class(&self) -> Option<PathBuf> {
        let folders = self.place.class_path.iter().filter(|p| p.is_dir());
        let mut all = folders.filter_map(|folder| verdicts::class_files(folder).ok()?.pop());
        all.next()
    }
}

/// True if a class in this one, which can be named, is not made any more.
fn has_lost(before: &Path, now: &Path) -> bool {
    let (Some(stem), Some(there)) = (before.file_stem(), before.parent()) else {
        return false;
    };
    let head = format!("{}$", stem.to_string_lossy());
    let all = std::fs::read_dir(there).into_iter().flatten().flatten();
    let mut names = all.filter_map(|entry| entry.file_name().into_string().ok());
    names.any(|name| {
        let rest = name
            .strip_prefix(&head)
            .and_then(|r| r.strip_suffix(".class"));
        let is_named = rest.is_some_and(|r| !r.starts_with(|c: char| c.is_ascii_digit()));
        is_named && !now.with_file_name(&name).is_file()
    })
}
