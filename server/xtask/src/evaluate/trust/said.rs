//! What a project's tests are told: each test with its lens, its lists and what its first action inserts.

use calls::Workspace;
use observe::Settings;
use std::path::Path;

use ide::action::{Effect, actions_of};
use ide::lens::{On, lenses};
use ide::title::title;
use ide::{Analysis, Offered};
use program::{FileId, MethodId, Program, TypeId};
use rayon::prelude::*;
use recommend::web::Requests;
use std::collections::BTreeMap;
use std::sync::Arc;
use text::Edit;

use crate::Result;
use crate::bench::load;

/// What one test is told.
pub(super) struct Said {
    pub(super) test: MethodId,
    pub(super) file: FileId,
    /// Of the test's name, from 1.
    pub(super) line: usize,
    /// The text of the lens, if there is one.
    pub(super) lens: Option<String>,
    /// The value that the lens says it could read.
    pub(super) next: Option<String>,
    /// The call of a mock that the lens says is left open: `orders.save(…)`.
    pub(super) open: Option<String>,
    /// The first inside, if the lens names it.
    pub(super) inside: Option<String>,
    pub(super) offered: Arc<Offered>,
    /// What it could expect of the answers to its requests, best first, and why none is known of others.
    pub(super) requests: Requests,
    /// The first action that changes the file.
    pub(super) action: Option<First>,
}

/// What an action inserts.
pub(super) struct First {
    /// The value that it asserts, or what it says that it does.
    pub(super) value: String,
    /// It asks a mock.
    pub(super) asks_mock: bool,
    pub(super) edit: Edit,
    pub(super) imports: Vec<Edit>,
}

/// A project as the editor's server has it after its first reading.
pub(super) fn analysis(folder: &Path, settings: Settings) -> Result<Analysis> {
    let workspace = Workspace::new(load::texts(folder)?.program());
    Ok(Analysis::new(workspace, true, settings))
}

/// All tests, in order of path and position.
pub(super) fn said(analysis: &Analysis) -> Vec<Said> {
    analysis.prepare();
    let program = analysis.program();
    let tests: Vec<(FileId, MethodId)> = program
        .files()
        .iter()
        .flat_map(|&file| {
            let of_test = |l: &ide::lens::Lens| match l.on {
                On::Test(test) => Some((file, test)),
                On::Method(_) | On::Generated(_) | On::Recorded(_) | On::Checked(_) => None,
            };
            lenses(analysis, file)
                .iter()
                .filter_map(of_test)
                .collect::<Vec<_>>()
        })
        .collect();
    // What stands above the tests of a class is decided together and in parallel, so that a class has one part of this
    // computation: no part then waits for what its own thread has begun.
    let mut classes: BTreeMap<TypeId, Vec<usize>> = BTreeMap::new();
    for (at, &(_, test)) in tests.iter().enumerate() {
        let class = program.method_owner(test);
        classes.entry(class).or_default().push(at);
    }
    let classes: Vec<Vec<usize>> = classes.into_values().collect();
    let of_test = |&at: &usize| {
        let (file, test) = tests[at];
        Some((at, one(analysis, program, file, test)?))
    };
    let mut said: Vec<(usize, Said)> = classes
        .par_iter()
        .flat_map_iter(|class| class.iter().filter_map(of_test))
        .collect();
    said.sort_by_key(|(at, _)| *at);
    said.into_iter().map(|(_, said)| said).collect()
}

fn one(analysis: &Analysis, program: &Program, file: FileId, test: MethodId) -> Option<Said> {
    let offered = analysis.offered(test);
    let title = title(analysis, On::Test(test));
    let next = title.as_ref().and_then(|t| t.next.clone());
    let open = title.as_ref().and_then(|t| t.open.clone());
    let lens = title.map(|t| t.text);
    let names = |what: &str| lens.as_deref().is_some_and(|text| text.contains(what));
    let inside = offered.inside.iter().find(|i| i.worth);
    let inside = inside.map(|i| i.name.clone());
    let action = actions_of(analysis, file, test)
        .into_iter()
        .find_map(|action| match action.effect {
            Effect::Assert { change, .. } => {
                let (edit, imports) = change.main()?;
                Some(First {
                    asks_mock: open
                        .as_ref()
                        .is_some_and(|call| action.title.contains(call)),
                    value: action.title.trim_start_matches("Assert ").to_owned(),
                    edit: edit.clone(),
                    imports: imports.to_vec(),
                })
            }
            _ => None,
        });
    let start = program.method_decl(test)?.name_span.start as usize;
    let line = program.text(file)?.get(..start)?.matches('\n').count() + 1;
    Some(Said {
        test,
        file,
        line,
        next,
        open,
        requests: analysis.requests(test).unwrap_or_default(),
        inside: inside.filter(|i| names(i)),
        lens,
        offered,
        action,
    })
}
