//! What the client tells of folders: that they come and go, that files in them changed on disk, how they are to be read.

use super::documents::settle;
use super::due::Due;
use super::folder::Folder;
use super::readings::Reader;
use super::{Shared, World, relative};
use crate::lsp::convert;
use crate::lsp::settings::overlay;
use crate::lsp::wide_folders;
use project::Config;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp::ls_types as lsp;

impl Shared {
    /// A folder that holds only its open documents, until it was read.
    pub(super) fn add_folder(&self, world: &mut World, root: PathBuf, whole: bool) {
        if world.snapshot.folders.iter().any(|f| f.root == root) {
            return;
        }
        let id = self.next_id();
        if whole {
            world.readers.insert(id, Reader::default());
        }
        let folder = Folder::new(id, root, whole, &world.from_client);
        world.folders().push(folder);
    }

    pub(super) fn folders_changed(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        let mut world = self.lock();
        for gone in &params.event.removed {
            if let Some(root) = convert::any_path_of(&gone.uri) {
                world.folders().retain(|f| !(f.whole && f.root == root));
            }
        }
        let mut new = Vec::new();
        for added in &params.event.added {
            let Some(root) = convert::any_path_of(&added.uri) else {
                continue;
            };
            if let Some(why) = wide_folders::left_out(&root) {
                self.outbox.warn(why);
                continue;
            }
            // Lone files of this folder are part of it now.
            world.folders().retain(|f| f.whole || f.root != root);
            let is_new = !world.snapshot.folders.iter().any(|f| f.root == root);
            self.add_folder(&mut world, root, true);
            new.extend(
                world
                    .snapshot
                    .folders
                    .last()
                    .filter(|_| is_new)
                    .map(|f| f.id),
            );
        }
        let World {
            snapshot, readers, ..
        } = &mut *world;
        readers.retain(|id, _| snapshot.folders.iter().any(|f| f.id == *id));
        settle(self, &mut world);
        for id in new {
            self.ask(&mut world, id, Due::whole());
        }
        self.tell_status(&world);
        drop(world);
        self.refresh();
    }

    pub(super) fn watched(&self, params: lsp::DidChangeWatchedFilesParams) {
        let paths: Vec<PathBuf> = params
            .changes
            .iter()
            .filter_map(|c| convert::any_path_of(&c.uri))
            .collect();
        self.changed(&paths);
    }

    /// Files changed on disk, as the client tells or as we know.
    pub(crate) fn changed(&self, paths: &[PathBuf]) {
        let mut world = self.lock();
        let told: Vec<(u64, Due)> = world
            .snapshot
            .folders
            .iter()
            .filter(|f| f.whole)
            .map(|f| (f.id, told(f, paths)))
            .collect();
        for (id, due) in told {
            self.ask(&mut world, id, due);
        }
    }

    pub(super) fn configure_pushed(&self, params: lsp::DidChangeConfigurationParams) {
        let own = match params.settings.get("telltale") {
            Some(own) => own.clone(),
            None => params.settings,
        };
        // Some say only that something changed, and are asked.
        let says_nothing = own.as_object().is_some_and(serde_json::Map::is_empty);
        if !(own.is_null() || says_nothing && self.outbox.configures()) {
            self.configure(own);
        }
        self.configuration_changed();
    }

    /// Settings of the client: what stands under `telltale`.
    pub(crate) fn configure(&self, settings: Value) {
        let mut world = self.lock();
        if world.from_client == settings {
            return;
        }
        world.from_client = settings;
        let from_client = world.from_client.clone();
        // The same for all folders, and with none.
        let (_, problems) = overlay(&Config::default(), &from_client);
        let mut read_differently = Vec::new();
        for folder in world.folders() {
            let (settings, _) = overlay(&folder.config, &from_client);
            let old = &folder.settings;
            if folder.whole
                && (old.java != settings.java
                    || old.sources != settings.sources
                    || old.tests.generated != settings.tests.generated)
            {
                read_differently.push(folder.id);
            }
            let new = convert::settings(&settings);
            folder.revision = Arc::new(folder.revision.with_settings(new));
            folder.settings = Arc::new(settings);
        }
        for id in read_differently {
            self.ask_anew(&mut world, id);
        }
        drop(world);
        self.refresh();
        self.report(None, problems.into_iter().collect());
    }
}

/// What is to be read of a folder of which some files were told.
fn told(folder: &Folder, paths: &[PathBuf]) -> Due {
    let mut due = Due::default();
    for path in paths.iter().filter(|path| folder.holds(path)) {
        let Some(inside) = relative(&folder.root, path) else {
            continue;
        };
        let name = path.file_name().unwrap_or_default();
        if path.extension().is_some_and(|e| e == "java") {
            due.files.insert(path.clone());
        } else if name.to_str().is_some_and(project::is_build_file) {
            due.files.insert(path.clone());
            due.layout = true;
        } else if inside == project::DISMISSED {
            due.dismissed = true;
        } else if inside.starts_with(project::EVIDENCE) {
            due.recorded = true;
        } else if name.to_str().is_some_and(says_versions) {
            due.whole = true;
        } else {
            due.layout |= inside == "telltale.toml"
                || inside.starts_with(project::QUERIES)
                || name == ".gitignore"
                || is_around_files(folder, path);
        }
    }
    due
}

/// True if a file of this name says which libraries a build takes, beside its build files.
fn says_versions(name: &str) -> bool {
    matches!(
        name,
        "gradle.properties" | "libs.versions.toml" | "maven.config"
    ) || name.ends_with(".lockfile")
}

/// True for a folder with known files in it: some clients tell that one is gone, and nothing of what was in it.
fn is_around_files(folder: &Folder, path: &Path) -> bool {
    let Some(inside) = relative(&folder.root, path) else {
        return false;
    };
    let prefix: Arc<str> = Arc::from(format!("{inside}/"));
    let mut from = folder.sets.range(Arc::clone(&prefix)..);
    from.next()
        .is_some_and(|(first, _)| first.starts_with(&*prefix))
}
