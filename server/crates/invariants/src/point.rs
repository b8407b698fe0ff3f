//! Program points and their variables, as a trace declares them.

use crate::look::Look;
use crate::value::{Kind, Rep, Value};
use smallvec::SmallVec;

/// What sort of place a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointKind {
    /// Before a method's body.
    Enter,
    /// After it, however it was left.
    Exit,
    /// At one of its returns.
    Subexit,
    /// An instance between calls of its public methods.
    Object,
    /// A class's static fields.
    Class,
    /// Any other place.
    Point,
}

impl PointKind {
    /// As traces write it.
    pub fn name(self) -> &'static str {
        match self {
            PointKind::Enter => "enter",
            PointKind::Exit => "exit",
            PointKind::Subexit => "subexit",
            PointKind::Object => "object",
            PointKind::Class => "class",
            PointKind::Point => "point",
        }
    }
}

/// How a point or a variable belongs to a point above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The name of the point above.
    pub point: String,
    /// Which of several relations to that point.
    pub relation: i64,
    /// True if what is learnt here holds there (`parent`), false if this point only uses it (`user`).
    pub feeds: bool,
    /// A variable's name there, if it is another one.
    pub variable: Option<String>,
}

/// A program point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// `pkg.Class.method(int):::ENTER`.
    pub name: String,
    /// What sort of place it is.
    pub kind: PointKind,
    /// `static`, `private`, … as declared.
    pub flags: Vec<String>,
    /// The points above.
    pub parents: Vec<Parent>,
    /// In the order of a sample's values.
    pub variables: Vec<Variable>,
}

/// What a variable is to the one that it hangs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// A field of the enclosing variable.
    Field(String),
    /// What a pure method of the enclosing variable gives.
    Function(String),
    /// The elements of the enclosing variable.
    Array,
    /// A parameter, `this`, a static field.
    Variable,
    /// What the method returns.
    Return,
}

/// Which variables it makes sense to compare.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comparability {
    /// Of the value or the elements; below zero means any.
    pub own: i64,
    /// Of the index, for sequences; below zero means any.
    pub index: i64,
}

impl Comparability {
    /// Comparable with everything.
    pub const ANY: Comparability = Comparability { own: -1, index: -1 };
}

/// True if two numbers of comparability agree.
pub(crate) fn agree(a: i64, b: i64) -> bool {
    a < 0 || b < 0 || a == b
}

/// What is known of a variable beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Traits {
    /// A parameter of the method.
    pub parameter: bool,
    /// A sequence without equal elements.
    pub no_duplicates: bool,
    /// A sequence whose order means nothing.
    pub unordered: bool,
    /// A sequence whose length means nothing.
    pub no_size: bool,
    /// The name of a class.
    pub class_name: bool,
    /// What `toString` gave.
    pub to_string: bool,
    /// Made by the one who recorded.
    pub synthetic: bool,
    /// Cannot be null.
    pub non_null: bool,
    /// A text without a reference beside it: it alone says whether there is one. Traces of Daikon's format have none.
    pub alone: bool,
    /// Never changes.
    pub read_only: bool,
    /// A property, an enum's constant, not to be changed: kept for who reads the file again.
    pub property: bool,
    pub is_enum: bool,
    pub no_modification: bool,
}

/// A variable of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// As declared: `this.data[..]`, `orig(x)`.
    pub name: String,
    pub kind: VariableKind,
    /// The variable that it hangs on.
    pub enclosing: Option<String>,
    /// `offset` references are not held apart from others.
    pub is_offset: bool,
    /// The type in the source.
    pub declared: String,
    /// How its values are represented.
    pub rep: Rep,
    /// How they read.
    pub look: Look,
    pub traits: Traits,
    pub comparability: Comparability,
    /// The same variable at points above.
    pub parents: SmallVec<[Parent; 1]>,
    /// Its only value; then samples in a trace leave it out.
    pub constant: Option<Value>,
    /// Of a function: what it was called with.
    pub arguments: Vec<String>,
    /// What the file says about values that there can be, by key.
    pub limits: Vec<(String, String)>,
    /// The index, at this exit, of … : set for variables that hold what another one held at the entry.
    pub original: bool,
}

impl Variable {
    /// A variable of which only the essential is said: comparable with all, not null-checked, no parents.
    pub fn new(name: &str, declared: &str, rep: Rep) -> Variable {
        Variable {
            name: name.to_owned(),
            kind: VariableKind::Variable,
            enclosing: None,
            is_offset: false,
            declared: declared.to_owned(),
            rep,
            look: Look::Plain,
            traits: Traits::default(),
            comparability: Comparability::ANY,
            parents: SmallVec::new(),
            constant: None,
            arguments: Vec::new(),
            limits: Vec::new(),
            original: false,
        }
    }

    /// What this variable held at the entry, as a variable of the exit.
    pub fn at_entry(&self) -> Variable {
        let orig = |name: &String| format!("orig({name})");
        Variable {
            name: orig(&self.name),
            enclosing: self.enclosing.as_ref().map(orig),
            arguments: self.arguments.iter().map(orig).collect(),
            parents: SmallVec::new(),
            original: true,
            ..self.clone()
        }
    }

    /// The name that a reader sees: `this.data[]` for `this.data[..]`.
    pub fn shown(&self) -> String {
        self.name.replace("[..]", "[]")
    }

    /// The class name that `getClass()` gives, or a sequence of such.
    pub(crate) fn is_type(&self) -> bool {
        self.traits.class_name && self.rep.kind == Kind::Text
    }
}

impl Point {
    /// A point of which only the essential is said.
    pub fn new(name: &str, kind: PointKind, variables: Vec<Variable>) -> Point {
        Point {
            name: name.to_owned(),
            kind,
            flags: Vec::new(),
            parents: Vec::new(),
            variables,
        }
    }

    /// The variable of that name.
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v.name == name)
    }

    /// True where what the entry held is known too.
    pub(crate) fn is_exit(&self) -> bool {
        matches!(self.kind, PointKind::Exit | PointKind::Subexit)
    }

    /// The parameter that a variable hangs on, itself included; `this` is none, and neither is what the entry held.
    pub(crate) fn parameter_of(&self, variable: u32) -> Option<usize> {
        self.handed(variable)
            .filter(|at| self.variables[*at].name != "this")
    }

    /// The parameter that a variable hangs on, itself and `this` among them.
    pub(crate) fn handed(&self, variable: u32) -> Option<usize> {
        let mut at = variable as usize;
        // Who writes traces may let variables hang on each other in a circle.
        for _ in 0..64 {
            let variable = self.variables.get(at)?;
            if variable.original {
                return None;
            }
            if variable.traits.parameter || variable.name == "this" {
                return Some(at);
            }
            at = self.variable(variable.enclosing.as_ref()?)?;
        }
        None
    }

    /// True for a parameter, `this` among them, and for its class: the caller does not see what becomes of it.
    pub(crate) fn is_own_to_call(&self, variable: u32) -> bool {
        let parameter = self.parameter_of(variable);
        let parameter = parameter.map_or("this", |i| &self.variables[i].name);
        self.variables.get(variable as usize).is_some_and(|v| {
            let is_class = v.is_type() && !v.rep.sequence;
            v.name == parameter || is_class && v.enclosing.as_deref() == Some(parameter)
        })
    }
}
