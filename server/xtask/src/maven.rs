//! Files from Maven Central, by Maven itself: it knows the user's mirrors, proxies and credentials, we do not.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

/// One file of one published version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Artifact {
    pub(crate) group: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// `sources`, `test-sources`, or `None` for the main file.
    pub(crate) classifier: Option<&'static str>,
    /// `jar` or `pom`.
    pub(crate) extension: &'static str,
}

impl Artifact {
    /// `NAME-VERSION[-CLASSIFIER].EXTENSION`, as Maven names the file.
    pub(crate) fn file_name(&self) -> String {
        let classifier = self
            .classifier
            .map_or(String::new(), |classifier| format!("-{classifier}"));
        format!(
            "{}-{}{classifier}.{}",
            self.name, self.version, self.extension
        )
    }
}

/// The artifacts in a folder of the cache, copied there unless all are there.
pub(crate) fn fetched(artifacts: &[Artifact], folder: &Path) -> Result<Vec<PathBuf>> {
    let paths = artifacts.iter().map(|a| folder.join(a.file_name()));
    let paths: Vec<PathBuf> = paths.collect();
    if !paths.iter().all(|path| path.is_file()) {
        fs::create_dir_all(folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        copy(artifacts, folder)?;
    }
    Ok(paths)
}

/// Copies the artifacts into `folder` under their file names. One run of Maven serves them all, since starting it costs
/// more than most downloads.
///
/// # Errors
/// If Maven is missing, or could not get one of them; then the last lines that it printed are in the message.
pub(crate) fn copy(artifacts: &[Artifact], folder: &Path) -> Result<()> {
    let pom = folder.join("pom.xml");
    fs::write(&pom, project(artifacts))
        .map_err(|error| format!("cannot write {}: {error}", pom.display()))?;
    let maven = if cfg!(windows) { "mvn.cmd" } else { "mvn" };
    let output = Command::new(maven)
        // `-U`: a download that failed once, for want of a network, is tried again.
        .args(["-B", "-q", "-U", "-Dstyle.color=never", "-f"])
        .arg(&pom)
        .arg(PLUGIN)
        .arg(format!("-DoutputDirectory={}", folder.display()))
        .output()
        .map_err(|error| format!("cannot start Maven ({maven}), which fetches: {error}"))?;
    let missing: Vec<String> = artifacts
        .iter()
        .map(Artifact::file_name)
        .filter(|name| !folder.join(name).is_file())
        .collect();
    // Maven's exit code says less than the files do.
    if output.status.success() && missing.is_empty() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.contains(' ') && !line.contains("re-run") && !line.contains("Re-run"))
        .filter(|line| line.trim() != "[ERROR]")
        .take(5)
        .collect();
    Err(format!(
        "Maven did not bring {}\n{}",
        missing.join(", "),
        lines.join("\n")
    ))
}

/// A project of no content whose one plugin copies the artifacts.
fn project(artifacts: &[Artifact]) -> String {
    let mut items = String::new();
    for artifact in artifacts {
        let _ = write!(
            items,
            "<artifactItem><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version><type>{}</type>",
            artifact.group, artifact.name, artifact.version, artifact.extension
        );
        if let Some(classifier) = artifact.classifier {
            let _ = write!(items, "<classifier>{classifier}</classifier>");
        }
        items.push_str("</artifactItem>\n");
    }
    format!(
        "<project>
<modelVersion>4.0.0</modelVersion>
<groupId>telltale</groupId><artifactId>subjects</artifactId><version>1</version><packaging>pom</packaging>
<build><plugins><plugin>
<groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
<configuration><artifactItems>
{items}</artifactItems></configuration>
</plugin></plugins></build>
</project>
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_names_every_artifact() {
        let jar = Artifact {
            group: "g".to_owned(),
            name: "a".to_owned(),
            version: "1".to_owned(),
            classifier: Some("test-sources"),
            extension: "jar",
        };
        let pom = Artifact {
            classifier: None,
            extension: "pom",
            ..jar.clone()
        };
        assert_eq!(jar.file_name(), "a-1-test-sources.jar");
        assert_eq!(pom.file_name(), "a-1.pom");
        let project = project(&[jar, pom]);
        assert_eq!(project.matches("<artifactItem>").count(), 2);
        assert_eq!(project.matches("<classifier>test-sources<").count(), 1);
        assert!(project.contains("<type>pom</type></artifactItem>"));
    }
}
