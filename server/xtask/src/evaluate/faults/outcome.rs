//! The mutants of a project that is compiled, and what its tests make of a sample of them.

use mutants::{Baseline, Judged, Listed, Matrix, needed, sample};
use runner::judge::{Judge, Progress, Tests, Work};
use std::path::Path;
use std::time::Instant;

use crate::Result;
use crate::evaluate::build::{Built, how};

/// Test classes that the builds of subjects leave out: they measure time.
pub(super) const LEFT_OUT: [&str; 2] = ["PerformanceTest", "Benchmark"];

/// Which mutants of a project are drawn, and how its tests run with them.
#[derive(clap::Args)]
pub(in crate::evaluate) struct Drawn {
    /// How many mutants of a project; 0 for all (default: as many as ± 2 % take)
    #[arg(long)]
    sample: Option<usize>,
    /// What draws the sample
    #[arg(long, default_value_t = 1)]
    pub(in crate::evaluate) seed: u64,
    /// Tests that take longer are left out, in milliseconds; 0 for none
    #[arg(long, default_value_t = 1000, value_name = "MILLIS")]
    slowest: u64,
    /// How many JVMs run at once, PIT's too
    #[arg(long, default_value_t = 2)]
    pub(super) jobs: usize,
}

/// A project whose tests run with mutants.
pub(in crate::evaluate) struct Run<'a> {
    pub(in crate::evaluate) name: &'a str,
    pub(in crate::evaluate) built: &'a Built,
    pub(in crate::evaluate) java: &'a Path,
    pub(in crate::evaluate) drawn: &'a Drawn,
}

/// What a project's mutants came to.
pub(in crate::evaluate) struct Outcome {
    pub(super) listed: Listed,
    pub(super) baseline: Baseline,
    pub(super) chosen: Vec<u32>,
    pub(super) judged: Vec<Judged>,
    /// Seconds of the plain runs and of those with mutants.
    pub(super) seconds: [f64; 2],
}

impl Run<'_> {
    /// The test classes: those whose name says so, without those in others, which these run.
    fn classes(&self) -> Result<Vec<String>> {
        let mut out = Vec::new();
        let folder = &self.built.test;
        for entry in ignore::WalkBuilder::new(folder)
            .standard_filters(false)
            .build()
        {
            let path = entry.map_err(|e| e.to_string())?.into_path();
            let Ok(own) = path.strip_prefix(folder) else {
                continue;
            };
            let Some(name) = own
                .to_string_lossy()
                .strip_suffix(".class")
                .map(str::to_owned)
            else {
                continue;
            };
            let name = name.replace(['/', '\\'], ".");
            let simple = name.rsplit('.').next().unwrap_or_default();
            let is_left = LEFT_OUT.iter().any(|l| simple.ends_with(l));
            if simple.contains("Test") && !simple.contains('$') && !is_left {
                out.push(name);
            }
        }
        out.sort();
        Ok(out)
    }

    /// Lists, runs plain, draws, and runs with mutants.
    pub(in crate::evaluate) fn outcome(
        &self,
        swaps: &str,
        folder: &Path,
        until_killed: bool,
    ) -> Result<Outcome> {
        let jar = runner::agent_jar(folder).map_err(|e| e.to_string())?;
        let options: Vec<String> = how(self.name)
            .arguments
            .iter()
            .map(|o| (*o).to_owned())
            .collect();
        let judge = Judge {
            java: self.java,
            jar: &jar,
            class_path: &self.built.path,
            directory: self.built.work.path(),
            options: &options,
            swaps,
            folder,
            jobs: self.drawn.jobs,
            bodies: false,
        };
        let told = |e: runner::judge::JudgeError| e.to_string();
        let listed = judge
            .list(std::slice::from_ref(&self.built.main), &|| true)
            .map_err(told)?;
        let start = Instant::now();
        let plains = judge
            .plain(&listed, Tests::Of(&self.classes()?), &|| true)
            .map_err(told)?;
        for (what, count) in plains.all.iter().flat_map(|p| &p.lost) {
            eprintln!("{}: {count} {what}", self.name);
        }
        for left_out in plains.barred.sentences() {
            eprintln!("{}: without {left_out}", self.name);
        }
        let mut baseline = plains.baseline(&listed);
        let plain = start.elapsed().as_secs_f64();
        let slowest = self.drawn.slowest * 1_000_000;
        for test in &mut baseline.tests {
            // A test that is left out is not one of those that say anything.
            test.is_stable &= slowest == 0 || until_killed || test.nanos <= slowest;
        }
        let all = listed.mutants.len();
        let count = match self.drawn.sample {
            None => needed(all),
            Some(0) => all,
            Some(count) => count,
        };
        let chosen = sample(self.drawn.seed, count, all);
        let work = Work::of(&baseline, &chosen);
        let start = Instant::now();
        let progress = Progress {
            wanted: &|| true,
            judged: &|_, done| {
                if done.is_multiple_of(50) {
                    eprintln!("{}: {done} of {}", self.name, work.len());
                }
            },
        };
        let judged = judge
            .judge(&listed, &baseline, &work, until_killed, &progress)
            .map_err(told)?;
        Ok(Outcome {
            listed,
            baseline,
            chosen,
            judged,
            seconds: [plain, start.elapsed().as_secs_f64()],
        })
    }
}

impl Outcome {
    /// What is kept of it.
    pub(in crate::evaluate) fn matrix(&self, seed: u64, code: u64) -> Matrix {
        let Outcome {
            listed, baseline, ..
        } = self;
        Matrix::of(listed, baseline, &self.chosen, &self.judged, seed, code)
    }
}
