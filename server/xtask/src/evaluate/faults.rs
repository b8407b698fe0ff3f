//! `cargo xtask evaluate faults`: what do the tests of subjects miss, and which values would have told?
//!
//! A subject is compiled, its mutants are listed, and a sample is drawn. Its tests run plain, then with each mutant of the
//! sample those that reach it ([`runner::judge`]). With `--pit` PIT judges the same classes, and the verdicts are compared;
//! with `--told` the tests and the code are woven with calls that tell values, as a recording does, and the lists are asked
//! which of the mutants that a test runs and does not kill their first values tell.

mod asked;
mod fit;
mod kept;
mod lists;
pub(super) mod outcome;
mod pit;
mod plot;
mod ran;
mod rivals;
mod table;

use calls::Workspace;
use ide::Analysis;
use mutants::Matrix;
use observe::Settings;
use program::{Program, ProgramInput};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::build::{Built, failed};
use super::libraries::{class_path_of, classes, classpath, java};
use super::recorded::place::By;
use crate::bench::load;
use crate::{Result, subjects};
use outcome::{Drawn, Outcome, Run};

/// Those that are checked against PIT.
const DEFAULT: [&str; 2] = ["commons-csv", "commons-cli"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this subject (may be repeated; default, where no project is given: commons-csv and commons-cli)
    #[arg(long = "subject", value_name = "NAME")]
    subjects: Vec<String>,
    /// A Maven project, or one of its modules, that lies here (may be repeated). Nothing is written into it
    #[arg(long = "project", value_name = "DIR")]
    projects: Vec<PathBuf>,
    #[command(flatten)]
    drawn: Drawn,
    /// Stop at the first test that fails with a mutant, and compare with PIT
    #[arg(long)]
    pit: bool,
    /// Weave calls in that tell values, and ask how many mutants the first values of lists tell
    #[arg(long, conflicts_with = "pit")]
    told: bool,
    /// With `--told` and `--keep`: ask the matrix that was kept, which must be of the same code, and run nothing. Lists may be
    /// others than those that it was made by: what was not measured is counted
    #[arg(long, requires = "told", requires = "keep")]
    ask: bool,
    /// With `--told`: add the paper's settings and others' techniques to the lists
    #[arg(long, requires = "told")]
    rivals: bool,
    /// With `--told`: record a copy by the project's own build, and add the same lists over what ran. Tests that are not
    /// recorded then with this code are left out. With `--keep` a recording that was kept there is taken
    #[arg(long, requires = "told")]
    over_runs: bool,
    #[command(flatten)]
    by: By,
    /// With `--told`: fit the model of the readable list to all projects that are named, each left out in turn to ask how it
    /// does on others, and write the coefficients here
    #[arg(long, requires = "told", value_name = "FILE")]
    fit: Option<PathBuf>,
    /// With `--fit`: a feature that has no part (may be repeated)
    #[arg(long, requires = "fit", value_name = "FEATURE")]
    without: Vec<String>,
    /// With `--told`: draw the tables of lists, and with `--fit` the calibration, into this folder
    #[arg(long, requires = "told", value_name = "DIR")]
    plots: Option<PathBuf>,
    /// With `--told`: print each test with its first value and the best one
    #[arg(long)]
    cases: bool,
    /// The `java` to run them with (default: of JAVA_HOME, else the one on the path)
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
    /// Keep what JVMs were told and told in this folder
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let java = arguments.java.clone().unwrap_or_else(java);
    let mut examples = Vec::new();
    for place in places(arguments)? {
        let (name, root, libraries) = (place.name, place.root, place.libraries);
        let built = Built::new(&root, &libraries, &java)?;
        let session = Session {
            name: &name,
            root: &root,
            libraries: &libraries,
            built: &built,
            java: &java,
            arguments,
        };
        match (arguments.pit, arguments.told) {
            (true, _) => session.beside_pit()?,
            (_, true) => examples.push(session.told()?),
            _ => session.matrix()?,
        }
    }
    match &arguments.fit {
        Some(file) => {
            let bins = fit::fit(&examples, &arguments.without, file)?;
            match &arguments.plots {
                Some(folder) => {
                    let title = "Calibration, on projects that were left out";
                    plot::write(folder, "calibration", &plot::calibration(title, &bins))
                }
                None => Ok(()),
            }
        }
        None => Ok(()),
    }
}

/// A project that is asked.
struct Place {
    name: String,
    root: PathBuf,
    /// The class path of its tests.
    libraries: String,
}

/// What is named, or what is asked without being named.
fn places(arguments: &Arguments) -> Result<Vec<Place>> {
    let mut out = Vec::new();
    let names: Vec<String> = match (&*arguments.subjects, &*arguments.projects) {
        ([], []) => DEFAULT.map(str::to_owned).into(),
        (names, _) => names.to_vec(),
    };
    for name in names {
        if !super::TESTED.contains(&name.as_str()) {
            return Err(format!("no tests of {name}"));
        }
        let root = subjects::one(&name)?;
        let libraries = classpath(&name, &root)?;
        out.push(Place {
            name,
            root,
            libraries,
        });
    }
    for project in &arguments.projects {
        let root = fs::canonicalize(project).map_err(|e| failed("find", project, &e))?;
        let name = root.file_name().unwrap_or_default();
        out.push(Place {
            name: name.to_string_lossy().into_owned(),
            libraries: class_path_of(&root)?,
            root,
        });
    }
    Ok(out)
}

/// One project.
struct Session<'a> {
    name: &'a str,
    root: &'a Path,
    /// The class path of its tests.
    libraries: &'a str,
    built: &'a Built,
    java: &'a Path,
    arguments: &'a Arguments,
}

impl Session<'_> {
    /// Lists, runs plain, draws, and runs with mutants.
    fn outcome(&self, swaps: &str, folder: &Path, until_killed: bool) -> Result<Outcome> {
        let run = Run {
            name: self.name,
            built: self.built,
            java: self.java,
            drawn: &self.arguments.drawn,
        };
        run.outcome(swaps, folder, until_killed)
    }

    fn folder(&self) -> Result<Folder> {
        Folder::new(self.arguments.keep.as_deref(), self.name)
    }

    /// All tests of each mutant.
    fn matrix(&self) -> Result<()> {
        let folder = self.folder()?;
        let outcome = self.outcome("", folder.path(), false)?;
        let matrix = outcome.matrix(self.arguments.drawn.seed, 0);
        let bytes = matrix.pack().map_err(|e| e.to_string())?;
        table::print(self.name, &matrix, &outcome);
        println!("The matrix takes {} bytes.", bytes.len());
        Ok(())
    }

    /// All tests of each mutant, and what values tell. The matrix is kept, and asked again where it is of this code.
    fn told(&self) -> Result<fit::Project> {
        let folder = self.folder()?;
        let jar = runner::agent_jar(folder.path()).map_err(|e| e.to_string())?;
        let texts = load::texts(self.root)?;
        let workspace = Workspace::new(Program::build_with(ProgramInput {
            source_sets: texts.sets,
            files: texts.files,
            classes: Some(classes(self.java, self.root, self.libraries)?),
            ..ProgramInput::default()
        }));
        let analysis = Analysis::new(workspace, true, Settings::default());
        let numbered = verdicts::numbered(&analysis, analysis.workspace().suite().tests());
        let file = folder.path().join("matrix");
        let code = self.code()?;
        if self.arguments.ask {
            let bytes = fs::read(&file).map_err(|e| failed("read", &file, &e))?;
            let matrix = kept::matrix(&bytes, code).map_err(|e| format!("{}: {e}", self.name))?;
            return self.ask(&analysis, &numbered, &matrix, folder.path());
        }
        let workshop = verdicts::Workshop {
            class_path: &self.built.path,
            jar: &jar,
            folder: folder.path(),
            release: |_| None,
            wanted: &|| true,
        };
        let woven = verdicts::woven(&analysis, &numbered, &workshop).map_err(|e| e.to_string())?;
        eprintln!(
            "{}: {} values of tests and {} inside are asked; {} do not compile; without {:?}",
            self.name,
            numbered.tests().count(),
            numbered.inside().count(),
            woven.refused.len(),
            woven.left_out
        );
        let swapped = woven.swaps.lines().filter_map(|l| l.rsplit('\t').next());
        let what_is_woven = hash_of(swapped.map(PathBuf::from))?;
        let slots = kept::slots(&analysis, &numbered);
        let known = fs::read(&file).ok().and_then(|b| Matrix::unpack(&b));
        let known = known.filter(|m| {
            let of = (m.header.code, m.header.woven, m.header.seed);
            of == (code, what_is_woven, self.arguments.drawn.seed) && m.slots == slots
        });
        let matrix = match known {
            Some(known) => known,
            None => {
                let outcome = self.outcome(&woven.swaps, folder.path(), false)?;
                let mut matrix = outcome.matrix(self.arguments.drawn.seed, code);
                matrix.header.woven = what_is_woven;
                matrix.slots = slots;
                table::print(self.name, &matrix, &outcome);
                let bytes = matrix.pack().map_err(|e| e.to_string())?;
                fs::write(&file, &bytes).map_err(|e| failed("write", &file, &e))?;
                println!("The matrix takes {} bytes.", bytes.len());
                matrix
            }
        };
        self.ask(&analysis, &numbered, &matrix, folder.path())
    }

    /// Prints and draws what the matrix answers; what a model can be fitted to.
    fn ask(
        &self,
        analysis: &Analysis,
        numbered: &verdicts::Numbered,
        matrix: &Matrix,
        folder: &Path,
    ) -> Result<fit::Project> {
        let start = Instant::now();
        let values = kept::values(analysis, numbered, matrix);
        if values.not_measured > 0 {
            println!(
                "\n{}: the matrix is of other lists. Of {} values that are asked today {} were not measured; they tell nothing.",
                self.name,
                values.tests.len() + values.inside.len() + values.not_measured,
                values.not_measured
            );
        }
        let recorded = match self.arguments.over_runs {
            true => Some(ran::Recorded::new(
                analysis,
                self.root,
                folder,
                &self.arguments.by,
            )?),
            false => None,
        };
        let rivals = self.arguments.rivals;
        let all = asked::All::new(analysis, &values, matrix, rivals, recorded.as_ref());
        all.print(self.name, self.arguments.cases);
        println!("\nAsked in {:.1} s.", start.elapsed().as_secs_f64());
        if let Some(folder) = &self.arguments.plots {
            all.plot(self.name, folder)?;
        }
        Ok(fit::Project::of(self.name, &all))
    }

    /// A hash of all class files, of the code and of its tests, without what is woven in.
    fn code(&self) -> Result<u64> {
        let mut files = Vec::new();
        for folder in [&self.built.main, &self.built.test] {
            let own = verdicts::class_files(folder).map_err(|e| failed("read", folder, &e))?;
            files.extend(own);
        }
        hash_of(files.into_iter())
    }

    /// Until a test fails, and the same by PIT.
    fn beside_pit(&self) -> Result<()> {
        let folder = self.folder()?;
        let outcome = self.outcome("", folder.path(), true)?;
        let matrix = outcome.matrix(self.arguments.drawn.seed, 0);
        table::print(self.name, &matrix, &outcome);
        let theirs = pit::run(self, folder.path())?;
        pit::compare(self.name, &matrix, &outcome, &theirs);
        Ok(())
    }
}

/// A hash of files, the same wherever they lie and whatever built this command.
fn hash_of(files: impl Iterator<Item = PathBuf>) -> Result<u64> {
    let mut hash = Sha256::new();
    for file in files {
        let bytes = fs::read(&file).map_err(|e| failed("read", &file, &e))?;
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    let digest = hash.finalize();
    let first = digest.iter().take(8);
    Ok(first.fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

/// A folder that goes, unless it was asked for.
enum Folder {
    Kept(PathBuf),
    Goes(tempfile::TempDir),
}

impl Folder {
    fn new(keep: Option<&Path>, name: &str) -> Result<Folder> {
        match keep {
            Some(folder) => {
                let own = folder.join(name);
                fs::create_dir_all(&own).map_err(|e| failed("create", &own, &e))?;
                // JVMs run in other folders.
                let own = fs::canonicalize(&own).map_err(|e| failed("find", &own, &e))?;
                Ok(Folder::Kept(own))
            }
            None => {
                let own = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
                Ok(Folder::Goes(own))
            }
        }
    }

    fn path(&self) -> &Path {
        match self {
            Folder::Kept(path) => path,
            Folder::Goes(folder) => folder.path(),
        }
    }
}
