//! Whether a build of Maven runs integration tests apart from its tests: by its plugin failsafe, behind the package.

use crate::reactor::each;
use crate::xml::Node;
use std::path::Path;

/// True if the build of a root, or of a module of it, has the plugin: not one that only manages its version, nor what a
/// profile adds, of which a file alone does not say whether it is on.
pub fn has_failsafe(root: &Path) -> bool {
    each(root, |_, project| names_it(project))
}

fn names_it(project: Node<'_>) -> bool {
    let builds = project
        .children("build")
        .flat_map(|b| b.children("plugins"));
    let mut plugins = builds.flat_map(|all| all.children("plugin"));
    plugins.any(|plugin| plugin.text_of("artifactId") == Some("maven-failsafe-plugin"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const PLUGIN: &str =
        "<plugins><plugin><artifactId>maven-failsafe-plugin</artifactId></plugin></plugins>";

    #[test]
    fn a_module_that_has_it_is_enough_and_managing_it_is_not() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, inside: &str| {
            let pom = root.path().join(path);
            std::fs::create_dir_all(pom.parent().unwrap()).unwrap();
            std::fs::write(pom, format!("<project>{inside}</project>")).unwrap();
        };
        assert!(!has_failsafe(root.path()));
        let modules =
            "<modules><module>a</module><module>gone</module><module>..</module></modules>";
        let managed =
            format!("{modules}<build><pluginManagement>{PLUGIN}</pluginManagement></build>");
        write("pom.xml", &managed);
        write(
            "a/pom.xml",
            "<modules><module>b/own.xml</module><module>.</module></modules>",
        );
        let off = format!(
            "<!-- {PLUGIN} --><profiles><profile><build>{PLUGIN}</build></profile></profiles>"
        );
        write("a/b/own.xml", &off);
        assert!(!has_failsafe(root.path()));
        write("a/b/own.xml", &format!("<build>{PLUGIN}</build>"));
        assert!(has_failsafe(root.path()));
    }
}
