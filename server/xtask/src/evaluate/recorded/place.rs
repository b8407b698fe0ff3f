//! A copy of a project, which is recorded.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use calls::Workspace;
use evidence::Facts;
use ide::Analysis;
use observe::Settings;
use project::Store;

use super::build::Build;
use crate::bench::load;
use crate::{Result, subjects};

/// Which project, and by what it is built and recorded.
#[derive(clap::Args)]
pub(in crate::evaluate) struct Place {
    /// A project that Maven or Gradle builds
    #[arg(value_name = "DIR")]
    pub(in crate::evaluate) project: PathBuf,
    #[command(flatten)]
    by: By,
}

/// By what a project is built and recorded.
#[derive(clap::Args)]
pub(in crate::evaluate) struct By {
    /// What Maven is told besides, as `-Danimal.sniffer.skip=true` (may be repeated)
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// The JDK that runs the build
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// The telltale to record with (default: built here)
    #[arg(long, value_name = "FILE")]
    telltale: Option<PathBuf>,
}

impl Place {
    /// See [`By::copied`].
    pub(in crate::evaluate) fn copied<'a>(&'a self, root: &'a Path) -> Result<Build<'a>> {
        self.by.copied(&self.project, root)
    }

    /// Records the copy as its tests stand; its code, with what was told.
    pub(in crate::evaluate) fn recorded(&self, build: &Build<'_>) -> Result<Analysis> {
        self.by.record(build)?;
        let facts = facts(build.root)?;
        let workspace = Workspace::new(load::texts(build.root)?.program());
        Ok(Analysis::new(workspace, true, Settings::default()).with_facts(facts))
    }
}

/// What is kept of the runs of a folder.
pub(in crate::evaluate) fn facts(root: &Path) -> Result<Arc<Facts>> {
    let store = Store::open_existing(root).map_err(|e| e.to_string())?;
    let facts = store.ok_or("nothing was kept")?.facts();
    Ok(Arc::new(facts.map_err(|e| e.to_string())?))
}

impl By {
    /// Copies a project, and has each run of Maven take the options.
    pub(in crate::evaluate) fn copied<'a>(
        &'a self,
        project: &Path,
        root: &'a Path,
    ) -> Result<Build<'a>> {
        subjects::copied(project, root)?;
        if !self.option.is_empty() {
            let file = root.join(".mvn/maven.config");
            let known = std::fs::read_to_string(&file).unwrap_or_default();
            let all = known.lines().map(str::to_owned);
            let all: Vec<String> = all.chain(self.option.iter().cloned()).collect();
            std::fs::create_dir_all(root.join(".mvn")).map_err(|e| e.to_string())?;
            std::fs::write(file, all.join("\n")).map_err(|e| e.to_string())?;
        }
        Ok(Build {
            root,
            jdk: self.jdk.as_deref(),
        })
    }

    /// Records a copy as its tests stand.
    pub(in crate::evaluate) fn record(&self, build: &Build<'_>) -> Result<()> {
        let cargo = || Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let mut command = self.telltale.as_ref().map_or_else(cargo, Command::new);
        if self.telltale.is_none() {
            command.args(["run", "-q", "-p", "telltale", "--"]);
            command.current_dir(env!("CARGO_MANIFEST_DIR"));
        }
        build.on_jdk(&mut command);
        let status = command.arg("record").arg(build.root).status();
        let status = status.map_err(|e| format!("telltale: {e}"))?;
        if !status.success() {
            return Err("nothing was recorded".to_owned());
        }
        Ok(())
    }
}
