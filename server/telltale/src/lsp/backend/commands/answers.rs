//! `telltale.observe`, `telltale.graph` and `telltale.weakest`: the answers of the command line.

use super::{method_named, part, place_of};
use crate::lsp::backend::Backend;
use crate::lsp::convert;
use crate::lsp::world::Found;
use crate::shown::picture;
use ide::answers::{Answer, Ground, Scope, ScopeKind, Weakest, What, all_tests};
use oracle::TestKind;
use program::MethodId;
use serde_json::{Value, json};
use text::Span;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

/// What a scope is answered.
pub(super) type Answered = fn(&Found, Scope) -> Option<Value>;

/// Answers about the test, the method or the file that an argument names: `{ uri, position? | test? }`.
pub(super) async fn of_place(
    backend: &Backend,
    argument: Option<&Value>,
    answer: Answered,
) -> Result<Option<Value>> {
    let Some((uri, name)) = argument.and_then(place_of) else {
        return Err(Error::invalid_params(
            "the command takes [{ uri, position? | test? }]",
        ));
    };
    let position: Option<lsp::Position> = part(argument, "position");
    backend
        .on(uri, move |found, index, coding| {
            let what = match (name, position) {
                (Some(name), _) => Some(method_named(found, &name)?),
                (None, Some(at)) => {
                    let at = convert::offset(index, at, coding);
                    let at = Span::new(at, at);
                    ide::lens::method_around(&found.analysis, found.file, at)
                }
                (None, None) => None,
            };
            answer(found, scope_of(found, what)?)
        })
        .await
}

/// Answers which tests would gain most by an assertion.
pub(super) async fn of_weakest(
    backend: &Backend,
    argument: Option<&Value>,
) -> Result<Option<Value>> {
    let asked = argument.and_then(weakest_arguments);
    let Some((uri, is_file, most)) = asked else {
        return Err(Error::invalid_params(
            "telltale.weakest takes [{ uri, scope?: \"file\" | \"folder\", most?: 1.. }]",
        ));
    };
    let answer = backend
        .on(uri, move |found, _, _| {
            let is_read = found.analysis.is_complete();
            Some(is_read.then(|| weakest(found, is_file, most)).flatten())
        })
        .await?;
    if let Some(None) = answer {
        let why = "Telltale is still reading this project: ask again when it has";
        backend.world.outbox.inform(why.to_owned());
    }
    Ok(answer.flatten())
}

/// How many tests are named where nobody says how many.
const WEAKEST_TESTS: usize = 10;

/// Whose folder, whether only the tests of the file are asked about, and how many are named.
fn weakest_arguments(argument: &Value) -> Option<(lsp::Uri, bool, usize)> {
    let (uri, _) = place_of(argument)?;
    let is_file = match argument.get("scope").map(Value::as_str) {
        None | Some(Some("folder")) => false,
        Some(Some("file")) => true,
        Some(_) => return None,
    };
    let most = match argument.get("most") {
        None => WEAKEST_TESTS,
        Some(most) => usize::try_from(most.as_u64()?).ok().filter(|n| *n > 0)?,
    };
    Some((uri, is_file, most))
}

/// The answer of `telltale observe --weakest`, computed aside: what is known of all tests of a folder would be looked through at
/// each keystroke.
fn weakest(found: &Found, is_file: bool, most: usize) -> Option<Value> {
    let aside = found.analysis.with_settings(*found.analysis.settings());
    let ground = Ground {
        analysis: &aside,
        ..ground(found)
    };
    let scope = match is_file {
        true => scope_of(found, None)?,
        false => Scope {
            kind: ScopeKind::Suite,
            name: "all".to_owned(),
            what: What::Tests(all_tests(aside.workspace())),
        },
    };
    serde_json::to_value(Weakest::new(&ground, &scope, most, &|_, _| ())).ok()
}

/// What a command is about: a test, a method, or the file.
pub(super) fn scope_of(found: &Found, what: Option<MethodId>) -> Option<Scope> {
    let (program, workspace) = (found.analysis.program(), found.analysis.workspace());
    Some(match what {
        Some(m) if workspace.suite().kind(m) == Some(TestKind::Test) => Scope {
            kind: ScopeKind::Test,
            name: program.method_name(m),
            what: What::Tests(vec![workspace.own_run(m)]),
        },
        Some(m) => Scope {
            kind: ScopeKind::Method,
            name: program.method_name(m),
            what: What::Method(m),
        },
        None => {
            let path = program.path(found.file)?.to_string();
            Scope {
                kind: ScopeKind::File,
                name: path.clone(),
                what: What::Path {
                    prefix: path,
                    tests: program.is_test(found.file),
                },
            }
        }
    })
}

/// The answer of `telltale observe` as the contract has it.
pub(super) fn observed(found: &Found, scope: Scope) -> Option<Value> {
    serde_json::to_value(Answer::new(&ground(found), scope, None, false).json).ok()
}

fn ground(found: &Found) -> Ground<'_> {
    Ground {
        analysis: &found.analysis,
        root: found.root.to_string_lossy().into_owned(),
        files: found.analysis.program().files().len(),
        files_skipped: found.skipped,
    }
}

/// The substitution graph as data and as a picture.
pub(super) fn drawn(found: &Found, scope: Scope) -> Option<Value> {
    let ground = ground(found);
    let answer = Answer::new(&ground, scope.clone(), None, false);
    let json = ide::answers::graph(&ground, scope, Some(&answer));
    let svg = picture::as_svg(found.analysis.workspace(), &answer);
    Some(json!({ "svg": svg, "json": json }))
}
