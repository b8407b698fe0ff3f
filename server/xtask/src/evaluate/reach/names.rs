//! From the names of class files to bodies.
//!
//! A class file says `a/Outer$Inner`, `<init>`, `(La/Outer;I)V` of what is written `Inner(int)`. javac adds parameters to
//! constructors (the object around, the name and number of an enum's constant, captured variables), and methods that
//! nobody wrote: bridges, accessors, the bodies of lambdas, which belong to the methods that make them.

use std::collections::HashMap;
use std::fmt;

use program::{BodyId, Member, Program, TypeId};

/// A method as a class file names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Method {
    /// `a.Outer$Inner`.
    class: String,
    name: String,
    /// Erased types as people write them.
    params: Vec<String>,
}

impl Method {
    /// From `a/Outer$Inner`, `m`, `(I[Ljava/lang/String;)V`.
    pub(super) fn new(class: &str, name: &str, descriptor: &str) -> Method {
        Method {
            class: class.replace('/', "."),
            name: name.to_owned(),
            params: params(descriptor),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}({})", self.class, self.name, self.params.join(","))
    }
}

fn params(descriptor: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = descriptor.trim_start_matches('(');
    let mut dimensions = 0;
    while let Some(first) = rest.chars().next().filter(|c| *c != ')') {
        let mut length = 1;
        let name = match first {
            '[' => {
                dimensions += 1;
                rest = &rest[1..];
                continue;
            }
            'L' => {
                length = rest.find(';').map_or(rest.len(), |end| end + 1);
                rest[1..length].trim_end_matches(';').replace('/', ".")
            }
            'Z' => "boolean".to_owned(),
            'B' => "byte".to_owned(),
            'C' => "char".to_owned(),
            'S' => "short".to_owned(),
            'J' => "long".to_owned(),
            'F' => "float".to_owned(),
            'D' => "double".to_owned(),
            _ => "int".to_owned(),
        };
        out.push(name + &"[]".repeat(dimensions));
        dimensions = 0;
        rest = &rest[length..];
    }
    out
}

/// The parameters of a method, and its body.
type Overload = (Vec<String>, BodyId);

/// The bodies of a program by the names that class files give them.
pub(super) struct Names {
    /// By class and name.
    bodies: HashMap<(String, String), Vec<Overload>>,
    classes: HashMap<String, TypeId>,
}

impl Names {
    pub(super) fn of(program: &Program) -> Names {
        let mut names = Names {
            bodies: HashMap::new(),
            classes: HashMap::new(),
        };
        for &file in program.files() {
            for &class in program.types_of_file(file) {
                names
                    .classes
                    .insert(program.type_name(class).to_string(), class);
            }
        }
        for body in program.bodies() {
            let (class, member) = program.body_member(body);
            let Some(whole) = program.body_name(body) else {
                continue;
            };
            let class = program.type_name(class).to_string();
            let (name, params) = match member {
                Member::Clinit => ("<clinit>", Vec::new()),
                // Inlined into constructors: named only where none is written.
                Member::Init => ("<fields>", Vec::new()),
                Member::Method(_) => {
                    let (_, method) = whole.split_once('#').unwrap_or_default();
                    let (name, params) = method.split_once('(').unwrap_or((method, ")"));
                    let params = params.trim_end_matches(')').split(',');
                    let params = params.filter(|p| !p.is_empty()).map(str::to_owned);
                    (name, params.collect())
                }
            };
            let at = names.bodies.entry((class, name.to_owned())).or_default();
            at.push((params, body));
        }
        names
    }

    /// A class by its binary name.
    pub(super) fn class(&self, name: &str) -> Option<TypeId> {
        self.classes.get(name).copied()
    }

    /// The body that a method of a class file was made of.
    pub(super) fn body(&self, method: &Method) -> Option<BodyId> {
        let named = |name: &str| {
            let key = (method.class.clone(), name.to_owned());
            self.bodies.get(&key).map_or(&[][..], Vec::as_slice)
        };
        if method.name != "<init>" {
            let found = named(&method.name).iter().find(|b| b.0 == method.params);
            return found.map(|b| b.1);
        }
        let fits = |params: &[String]| {
            params.is_empty() || method.params.windows(params.len()).any(|w| w == params)
        };
        let fitting = named("<init>").iter().filter(|b| fits(&b.0));
        let written = fitting.max_by_key(|b| b.0.len());
        let fields = named("<fields>").first();
        written.or(fields).map(|b| b.1)
    }

    /// True for what somebody may have written: no lambda, no bridge, no initialiser without content.
    pub(super) fn is_written(&self, method: &Method) -> bool {
        let is_added = method.name.starts_with("lambda$") || method.name.starts_with('<');
        !is_added && !method.name.contains('$')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_read() {
        let read = |d: &str| Method::new("a/B$C", "m", d).to_string();
        assert_eq!(read("()V"), "a.B$C#m()");
        assert_eq!(
            read("(I[[Ljava/lang/String;[JZ)[I"),
            "a.B$C#m(int,java.lang.String[][],long[],boolean)"
        );
        assert_eq!(read("(Lbroken"), "a.B$C#m(broken)");
    }

    #[test]
    fn what_javac_adds_to_a_constructor_is_not_in_the_way() {
        let text = "package a; class B { int x = 1; class C { C(int i) {} C() {} } enum E { ONE(2); E(int i) {} } \
                    void m(B b, int... i) { Runnable r = () -> {}; } }";
        let set = program::SourceSetInput::default();
        let file = program::FileInput {
            path: "B.java".into(),
            source_set: program::SourceSetId(0),
            text: text.into(),
        };
        let program = Program::build(vec![set], vec![file]);
        let names = Names::of(&program);
        let found = |class: &str, name: &str, descriptor: &str| {
            let body = names.body(&Method::new(class, name, descriptor))?;
            program.body_name(body)
        };
        assert_eq!(
            found("a/B$C", "<init>", "(La/B;I)V").as_deref(),
            Some("a.B$C#<init>(int)")
        );
        assert_eq!(
            found("a/B$C", "<init>", "(La/B;)V").as_deref(),
            Some("a.B$C#<init>()")
        );
        let constant = found("a/B$E", "<init>", "(Ljava/lang/String;II)V");
        assert_eq!(constant.as_deref(), Some("a.B$E#<init>(int)"));
        assert_eq!(found("a/B", "<init>", "()V").as_deref(), Some("a.B#<init>"));
        assert_eq!(
            found("a/B", "m", "(La/B;[I)V").as_deref(),
            Some("a.B#m(a.B,int[])")
        );
        assert_eq!(found("a/B", "lambda$m$0", "()V"), None);
        assert!(!names.is_written(&Method::new("a/B", "lambda$m$0", "()V")));
        assert!(names.is_written(&Method::new("a/B", "other", "()V")));
    }
}
