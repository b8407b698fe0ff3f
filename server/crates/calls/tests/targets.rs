//! Where a call may go, asked of the call graph.
#![allow(clippy::unwrap_used)]

use calls::{CallGraph, Workspace};
use program::{BodyId, FileInput, Member, Modifiers, Program, SourceSetId, SourceSetInput};

const TEXT: &str = "
interface Shape { int area(); }
record Square(int area) implements Shape { }
record Circle(int radius) implements Shape { public int area() { return 3 * radius * radius; } }
class Base { int size() { return 1; } }
class Small extends Base { int size() { return super.size(); } native int deep(); }
class Caller {
    static int fixed() { return 0; }
    void calls(Shape shape, Base base, Small small) {
        shape.area();
        base.size();
        small.size();
        small.deep();
        new Base();
        fixed();
    }
}
";

fn workspace() -> Workspace {
    let set = SourceSetInput::default();
    let file = FileInput {
        path: "Main.java".into(),
        source_set: SourceSetId(0),
        text: TEXT.into(),
    };
    Workspace::new(Program::build(vec![set], vec![file]))
}

fn body(program: &Program, name: &str) -> BodyId {
    let is_it = |b: &BodyId| {
        let method = program.body_method(*b);
        method.is_some_and(|m| program.method_name(m).starts_with(name))
    };
    program.bodies().find(is_it).unwrap()
}

fn name(program: &Program, body: BodyId) -> String {
    let (class, member) = program.body_member(body);
    let Member::Method(method) = member else {
        return program.type_name(class).to_string();
    };
    program.method_name(method)
}

/// By call: the bodies, the components, and whether nobody knows what it does.
fn asked(graph: CallGraph<'_>, program: &Program, of: BodyId) -> Vec<String> {
    let sites = graph.sites(of).iter();
    let words = sites.map(|site| {
        let targets = graph.targets(site);
        let mut words: Vec<String> = targets.bodies().iter().map(|b| name(program, *b)).collect();
        let components = targets.components();
        let of = |f: &program::FieldId| program.field_decl(*f).unwrap().name.to_string();
        words.extend(components.iter().map(of));
        words.extend(targets.is_black_box().then(|| "?".to_owned()));
        words.join(" ")
    });
    words.collect()
}

#[test]
fn a_call_goes_where_the_hierarchy_lets_it() {
    let workspace = workspace();
    let program = workspace.program();
    let graph = workspace.call_graph();
    let caller = body(program, "Caller#calls");
    assert_eq!(
        asked(graph, program, caller),
        [
            "Circle#area() area",
            "Base#size() Small#size()",
            "Small#size()",
            "?",
            "",
            "Caller#fixed()"
        ]
    );
    let small = body(program, "Small#size");
    assert_eq!(asked(graph, program, small), ["Base#size()"]);
}

#[test]
fn what_is_below_is_cut_and_each_body_comes_once() {
    let workspace = workspace();
    let program = workspace.program();
    let graph = workspace.call_graph();
    let roots = [body(program, "Caller#calls")];
    let below = |most: usize, only_virtual: bool| {
        let followed = |site: &chains::CallSite| {
            !only_virtual || !program.method_has(site.target, Modifiers::STATIC)
        };
        let all = graph.below(roots, most, followed);
        all.iter().map(|b| name(program, *b)).collect::<Vec<_>>()
    };
    let all = below(100, false);
    assert_eq!(all.len(), 5, "{all:?}");
    assert_eq!(below(2, false)[..], all[..2]);
    assert!(!below(100, true).contains(&"Caller#fixed()".to_owned()));
}
