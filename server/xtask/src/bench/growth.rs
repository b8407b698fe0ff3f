//! Many modules made of one project.

use std::fs;
use std::path::Path;

use ignore::WalkBuilder;
use tempfile::TempDir;

use crate::Result;

/// A Maven project of `count` modules, each with the sources of `folder` and a pom of its own. With `rename` the last part
/// of the package that all files share gets the module's number, so that no two modules declare the same type.
pub(super) fn modules(folder: &Path, count: usize, rename: bool) -> Result<TempDir> {
    let failed = |error: std::io::Error| format!("cannot copy the project: {error}");
    let root = tempfile::Builder::new()
        .prefix("telltale-bench-")
        .tempdir()
        .map_err(failed)?;
    let mut files: Vec<(String, String)> = Vec::new();
    for entry in WalkBuilder::new(folder).standard_filters(false).build() {
        let entry = entry.map_err(|error| format!("cannot copy the project: {error}"))?;
        let path = entry.path();
        if path.extension().is_none_or(|e| e != "java") {
            continue;
        }
        let inside = path.strip_prefix(folder).unwrap_or(path);
        let text = fs::read(path).map_err(failed)?;
        files.push((
            inside.to_string_lossy().into_owned(),
            String::from_utf8_lossy(&text).into_owned(),
        ));
    }
    let package = shared_package(files.iter().map(|f| f.1.as_str()));
    let mut names = String::new();
    for at in 0..count {
        let module = root.path().join(format!("m{at}"));
        names.push_str(&format!("<module>m{at}</module>"));
        for (path, text) in &files {
            let to = module.join(path);
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(failed)?;
            }
            let renamed = rename.then(|| text.replace(&package, &format!("{package}m{at}")));
            fs::write(to, renamed.as_ref().unwrap_or(text)).map_err(failed)?;
        }
        fs::write(module.join("pom.xml"), pom(&format!("m{at}"), "")).map_err(failed)?;
    }
    let modules = format!("<packaging>pom</packaging><modules>{names}</modules>");
    fs::write(root.path().join("pom.xml"), pom("all", &modules)).map_err(failed)?;
    Ok(root)
}

fn pom(name: &str, rest: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>{name}</artifactId><version>1</version>{rest}</project>\n"
    )
}

/// The longest dotted prefix of all package declarations.
fn shared_package<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut shared: Option<Vec<&str>> = None;
    for text in texts {
        let declared = text.lines().find_map(|line| line.strip_prefix("package "));
        let Some(name) = declared.and_then(|rest| rest.split(';').next()) else {
            continue;
        };
        let parts: Vec<&str> = name.trim().split('.').collect();
        shared = Some(match shared {
            None => parts,
            Some(before) => {
                let same = before.iter().zip(&parts).take_while(|(a, b)| a == b);
                let len = same.count();
                before[..len].to_vec()
            }
        });
    }
    shared.unwrap_or_default().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_that_all_share() {
        let texts = ["package a.b.c;\n", "// x\npackage a.b.d.e;\n", "class X {}"];
        assert_eq!(shared_package(texts.into_iter()), "a.b");
    }
}
