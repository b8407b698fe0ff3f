//! Public repositories as they lie on a disk: a git directory without work tree, a clone, or a plain folder. Nothing is
//! written into them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::evaluate::build::failed;

/// Files to read, of a folder or of the last commit of a git directory without work tree.
pub(super) enum Tree {
    Folder(PathBuf),
    Git(PathBuf),
}

impl Tree {
    pub(super) fn open(folder: &Path) -> Result<Tree> {
        match (folder.is_dir(), is_bare(folder)) {
            (false, _) => Err(format!("{} is no folder", folder.display())),
            (_, true) => Ok(Tree::Git(folder.to_owned())),
            (_, false) => Ok(Tree::Folder(folder.to_owned())),
        }
    }

    /// The bytes of a file, none if there is none.
    pub(super) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        match self {
            Tree::Folder(root) => fs::read(root.join(path)).ok(),
            Tree::Git(dir) => {
                let mut command = git(dir);
                command.args(["cat-file", "blob"]);
                let output = command.arg(format!("HEAD:{path}")).output().ok()?;
                output.status.success().then_some(output.stdout)
            }
        }
    }

    /// The text of a file; what is not UTF-8 in it is replaced.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.bytes(path)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The paths of all files below a folder, in order; none if there is no such folder.
    pub(super) fn files(&self, folder: &str) -> Result<Vec<String>> {
        let mut out: Vec<String> = match self {
            Tree::Folder(root) if !root.join(folder).is_dir() => Vec::new(),
            Tree::Folder(root) => {
                let walk = ignore::WalkBuilder::new(root.join(folder))
                    .standard_filters(false)
                    .build();
                walk.filter_map(|entry| {
                    let path = entry.ok()?.into_path();
                    let path = path.is_file().then(|| path.strip_prefix(root).ok())??;
                    Some(path.to_string_lossy().replace('\\', "/"))
                })
                .collect()
            }
            Tree::Git(dir) => {
                let mut command = git(dir);
                command.args(["ls-tree", "-r", "-z", "--name-only", "HEAD", "--", folder]);
                let said = said(&mut command)?;
                said.split('\0')
                    .filter(|p| !p.is_empty())
                    .map(str::to_owned)
                    .collect()
            }
        };
        out.sort();
        Ok(out)
    }

    /// The names of the folders in a folder.
    pub(super) fn folders(&self, folder: &str) -> Result<Vec<String>> {
        match self {
            Tree::Folder(root) => {
                let entries = fs::read_dir(root.join(folder))
                    .into_iter()
                    .flatten()
                    .flatten();
                let folders = entries.filter(|entry| entry.path().is_dir());
                Ok(folders
                    .map(|entry| entry.file_name().to_string_lossy().into_owned())
                    .collect())
            }
            Tree::Git(dir) => {
                let mut command = git(dir);
                command.args(["ls-tree", "-d", "-z", "--name-only"]);
                let said = said(command.arg(format!("HEAD:{folder}")))?;
                Ok(said
                    .split('\0')
                    .filter(|p| !p.is_empty())
                    .map(str::to_owned)
                    .collect())
            }
        }
    }
}

/// The commits of a project.
pub(super) struct History {
    git_dir: PathBuf,
}

impl History {
    pub(super) fn open(folder: &Path) -> Result<History> {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder);
        command.args(["rev-parse", "--absolute-git-dir"]);
        let said = said(&mut command).map_err(|why| format!("{}: {why}", folder.display()))?;
        Ok(History {
            git_dir: said.trim_end().into(),
        })
    }

    /// True if the commit is there, with `folder` in it.
    pub(super) fn has(&self, commit: &str, folder: &str) -> bool {
        let mut command = git(&self.git_dir);
        command.args(["cat-file", "-e"]).arg(tree(commit, folder));
        command.output().is_ok_and(|output| output.status.success())
    }

    /// The names of the folders at the root of a commit.
    pub(super) fn folders(&self, commit: &str) -> Vec<String> {
        let mut command = git(&self.git_dir);
        command.args(["ls-tree", "-d", "-z", "--name-only", commit]);
        let said = said(&mut command).unwrap_or_default();
        let all = said.split('\0').filter(|name| !name.is_empty());
        all.map(str::to_owned).collect()
    }

    /// Writes what `folder` holds at a commit into `to`.
    pub(super) fn export(&self, commit: &str, folder: &str, to: &Path) -> Result<()> {
        fs::create_dir_all(to).map_err(|e| failed("create", to, &e))?;
        let index = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
        // git refuses an index that is empty, and makes one that is not there.
        let index = index.into_temp_path();
        fs::remove_file(&index).map_err(|e| failed("remove", &index, &e))?;
        let on = || {
            let mut command = git(&self.git_dir);
            command.args(["-c", "core.autocrlf=false", "-c", "core.bare=false"]);
            command.arg("--work-tree").arg(to);
            command.env("GIT_INDEX_FILE", &index);
            command
        };
        said(on().arg("read-tree").arg(tree(commit, folder)))?;
        // A copy of a repository may lack its largest files; what of them is needed is missed where it is used.
        drop(said(on().current_dir(to).args([
            "checkout-index",
            "--all",
            "--force",
            "--quiet",
        ])));
        let lock = index.with_extension("lock");
        drop(fs::remove_file(lock));
        Ok(())
    }
}

/// Applies a patch to a folder, whose own path from the patch's root has `depth` parts.
pub(super) fn apply(patch: &[u8], folder: &Path, depth: usize) -> Result<()> {
    let file = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    fs::write(file.path(), patch).map_err(|e| failed("write", file.path(), &e))?;
    // As Defects4J does: `a/src`, then `src`, then one more folder.
    let mut last = String::new();
    for strip in [1, 0, 2] {
        let mut command = Command::new("git");
        command.current_dir(folder);
        // A repository around the folder is no matter here: its paths would count.
        command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder));
        command.env_remove("GIT_DIR");
        command.args(["apply", "--whitespace=nowarn"]);
        command.arg(format!("-p{}", strip + depth)).arg(file.path());
        match said(&mut command) {
            Ok(_) => return Ok(()),
            Err(why) => last = why,
        }
    }
    Err(format!("the patch does not apply: {last}"))
}

fn tree(commit: &str, folder: &str) -> String {
    match folder {
        "" => format!("{commit}^{{tree}}"),
        folder => format!("{commit}:{folder}"),
    }
}

fn is_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir()
}

fn git(dir: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(dir);
    command
}

fn said(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|e| format!("git: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!(
                "git: {}",
                said.lines().take(2).collect::<Vec<_>>().join("; ")
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository of two commits: a module's class, and that class changed. Its git directory, and both.
    fn repository(folder: &Path) -> (PathBuf, [String; 2]) {
        let run = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.current_dir(folder).args(arguments);
            for who in ["GIT_AUTHOR", "GIT_COMMITTER"] {
                command.env(format!("{who}_NAME"), "a");
                command.env(format!("{who}_EMAIL"), "a@example.org");
            }
            said(&mut command).expect("git does as it is told")
        };
        run(&["init", "-q"]);
        let commits = ["class A {}\n", "class A { int b; }\n"].map(|text| {
            let module = folder.join("core/src");
            fs::create_dir_all(&module).expect("a folder");
            fs::write(module.join("A.java"), text).expect("a file");
            run(&["add", "."]);
            run(&["commit", "-q", "--no-gpg-sign", "-m", "x"]);
            run(&["rev-parse", "HEAD"]).trim().to_owned()
        });
        (folder.join(".git"), commits)
    }

    #[test]
    fn a_module_is_written_as_it_was_and_patched() {
        let work = tempfile::tempdir().expect("a folder");
        let (git_dir, [old, new]) = repository(work.path());
        let history = History::open(work.path()).expect("a history");
        assert!(history.has(&old, "core") && !history.has(&old, "cor"));
        assert!(!history.has("0123456789abcdef0123456789abcdef01234567", ""));
        // Inside another repository, as folders for builds often are.
        let to = work.path().join("kept/fixed");
        history.export(&old, "core", &to).expect("it is written");
        let file = to.join("src/A.java");
        let text = || fs::read_to_string(&file).expect("a file");
        assert_eq!(text(), "class A {}\n");
        let patch = said(git(&git_dir).args(["diff", &old, &new])).expect("a patch");
        assert!(patch.contains("a/core/src/A.java"));
        apply(patch.as_bytes(), &to, 1).expect("it applies");
        assert_eq!(text(), "class A { int b; }\n");
        assert!(apply(patch.as_bytes(), &to, 1).is_err());
        // Nothing was staged in the repository itself.
        let staged = said(
            Command::new("git")
                .current_dir(work.path())
                .args(["diff", "--cached"]),
        );
        assert_eq!(staged.as_deref(), Ok(""));
    }

    #[test]
    fn files_are_read_from_folders_and_from_git() {
        let work = tempfile::tempdir().expect("a folder");
        let (git_dir, _) = repository(work.path());
        for tree in [work.path(), &git_dir].map(|at| Tree::open(at).expect("a tree")) {
            assert_eq!(
                tree.files("core/").as_deref(),
                Ok(&["core/src/A.java".to_owned()][..])
            );
            assert_eq!(tree.files("none/").as_deref(), Ok(&[][..]));
            assert_eq!(tree.folders("core").as_deref(), Ok(&["src".to_owned()][..]));
            assert_eq!(
                tree.text("core/src/A.java").as_deref(),
                Some("class A { int b; }\n")
            );
            assert_eq!(tree.text("core/src/B.java"), None);
        }
        assert!(Tree::open(&work.path().join("none")).is_err());
    }
}
