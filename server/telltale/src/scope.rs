//! What the arguments of a command name: a path, a class, a method or a test.

use crate::args::Place;
use crate::failure::Failure;
use crate::load::Loaded;
use ide::answers::{Named, Scope, ScopeKind, What, files_below};

/// Finds the scope that the arguments name.
pub(crate) fn find(place: &Place, loaded: &Loaded) -> Result<Scope, Failure> {
    let named = match (&place.test, &place.class, &place.method) {
        (Some(name), _, _) => Named::Test(name),
        (_, Some(name), _) => Named::Class(name),
        (_, _, Some(name)) => Named::Method(name),
        (None, None, None) => return below(loaded),
    };
    let is_meant = |path: &str| loaded.covers(path);
    ide::answers::find(&loaded.workspace, named, &is_meant)
        .map_err(|e| Failure::usage(e.message, e.help))
}

/// What lies at or below the path that was given: production code, tests if the path lies in tests.
fn below(loaded: &Loaded) -> Result<Scope, Failure> {
    let program = loaded.workspace.program();
    let prefix = loaded.inside.clone();
    let kind = match (prefix.is_empty(), loaded.is_file) {
        (_, true) => ScopeKind::File,
        (true, false) => ScopeKind::Workspace,
        (false, false) => ScopeKind::Folder,
    };
    let files: Vec<_> = files_below(program, &prefix).collect();
    if files.is_empty() {
        return Err(Failure::usage(
            format!("no Java file of the project lies under {prefix}"),
            "give a folder with Java sources; ignored and generated files are left out",
        ));
    }
    Ok(Scope {
        kind,
        name: prefix.clone(),
        what: What::Path {
            prefix,
            tests: files.iter().all(|f| program.is_test(*f)),
        },
    })
}
