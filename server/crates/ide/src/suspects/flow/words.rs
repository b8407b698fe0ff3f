//! The way of a strange value in words: a sentence a step.

use super::Step;
use super::born::Seed;
use super::graph::{Graph, Node};
use super::scene::Scene;
use flow::{CallId, Callee, ExprId, ExprKind, Target};
use program::MethodId;

/// The arguments of longer calls are not shown.
const SHOWN: usize = 36;

/// A call on the way, as far as it is told.
struct Said {
    at: ExprId,
    words: String,
    does: Does,
}

/// What a call on the way does before it gives or changes something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// It is where the way begins.
    Begin,
    /// It runs what was strange.
    Run,
    /// It asks what was strange, as assertions do.
    Ask,
    /// It reads what is strange.
    Read,
}

impl Said {
    /// With what comes of it.
    fn and(self, begins: &str, goes_on: &str) -> (ExprId, String) {
        let more = match self.does {
            Does::Begin => begins,
            _ => goes_on,
        };
        (self.at, self.words + more)
    }

    /// The value goes into something that has no name.
    fn on(self) -> (ExprId, String) {
        self.and(" gave a value", "")
    }

    /// It goes into the condition itself.
    fn last(self) -> (ExprId, String) {
        let goes_on = match self.does {
            Does::Run => " and gave what is asserted",
            _ => "",
        };
        self.and(" gave what is asserted", goes_on)
    }
}

/// The steps of a way, from the seed on.
pub(super) fn steps(
    scene: &Scene<'_>,
    graph: &Graph<'_, '_>,
    seeds: &[Seed],
    way: &[u32],
) -> Vec<Step> {
    let mut out: Vec<(ExprId, String)> = Vec::new();
    // What the value is called where it is now.
    let mut subject = String::from("it");
    // A call whose value waits for a name.
    let mut waits: Option<Said> = None;
    for &id in way {
        let seed = graph.seed(id).map(|s| &seeds[s]);
        match graph.node(id) {
            Node::Value(e) => {
                let ExprKind::Call(call) = scene.body.expr(e).kind else {
                    continue;
                };
                out.extend(waits.take().map(Said::on));
                waits = Some(match seed {
                    Some(seed) => born(scene, seed, call),
                    None => reads(scene, call, &subject),
                });
                "it".clone_into(&mut subject);
            }
            Node::Def(def) => {
                let def = &scene.body.defs[def.ix()];
                let name = match def.target {
                    Target::Local(l) => scene.body.locals[l.ix()].name.as_str(),
                    Target::Place(e) | Target::Element(e) => scene.name(e),
                    Target::OwnField(n) => scene.body.name(n),
                };
                match waits.take() {
                    Some(said) => {
                        out.push(said.and(&format!(" gave {name}"), &format!(" and gave {name}")));
                    }
                    None if name != subject => {
                        out.push((def.expr, format!("{name} was made of {subject}")));
                    }
                    None => {}
                }
                name.clone_into(&mut subject);
            }
            Node::Change(at, object) => {
                let name = scene.name(object);
                // The same object, changed once more.
                if seed.is_none() && waits.is_none() && subject == name {
                    continue;
                }
                out.extend(waits.take().map(Said::on));
                let said = match (scene.body.expr(at).kind, seed) {
                    (ExprKind::Call(call), Some(seed)) => Some(born(scene, seed, call)),
                    (ExprKind::Call(call), None) => Some(reads(scene, call, &subject)),
                    _ => None,
                };
                out.push(match said {
                    Some(said) => said.and(
                        &format!(" left it in {name}"),
                        &format!(" and changed {name}"),
                    ),
                    None => (at, format!("{name} was given {subject}")),
                });
                name.clone_into(&mut subject);
            }
        }
    }
    out.extend(waits.map(Said::last));
    let step = |(e, words): (ExprId, String)| {
        let e = scene.body.expr(e);
        let span = scene.span(e.start, e.end);
        Step { span, words }
    };
    out.into_iter().map(step).collect()
}

fn reads(scene: &Scene<'_>, call: CallId, subject: &str) -> Said {
    Said {
        at: scene.body.calls[call.ix()].expr,
        words: format!("{} read {subject}", called(scene, call)),
        does: Does::Read,
    }
}

/// The first words of a way: the call, and what it ran.
fn born(scene: &Scene<'_>, seed: &Seed, call: CallId) -> Said {
    let own = called(scene, call);
    let (words, does) = match seed.through.and_then(|m| name_of(scene, m)) {
        Some(name) if seed.within.is_some() => (format!("{own} asked {name}"), Does::Ask),
        Some(name) => (format!("{own} ran {name}"), Does::Run),
        None => (own, Does::Begin),
    };
    Said {
        at: seed.expr,
        words,
        does,
    }
}

/// `cut()`, `new Complex()`.
fn name_of(scene: &Scene<'_>, method: MethodId) -> Option<String> {
    let program = scene.program();
    Some(match program.method_decl(method)?.name.as_str() {
        "<init>" => {
            let class = program.type_name(program.method_owner(method));
            format!("new {}()", class.rsplit(['.', '$']).next().unwrap_or(class))
        }
        name => format!("{name}()"),
    })
}

/// `conjugate()`, `equals(complex1)`, `new Complex(…)`.
fn called(scene: &Scene<'_>, call: CallId) -> String {
    let body = scene.body;
    let record = &body.calls[call.ix()];
    let whole = scene.text_between(record.name_start, body.expr(record.expr).end);
    if whole.chars().count() <= SHOWN && !whole.contains(['\n', '{']) {
        return whole.to_owned();
    }
    let name = match record.callee {
        Callee::Method { name, .. } => body.name(name).to_string(),
        _ => {
            let ty = scene.program().type_text(scene.resolved.ty(record.expr));
            format!("new {ty}")
        }
    };
    let inside = if record.args.len == 0 { "" } else { "…" };
    format!("{name}({inside})")
}
