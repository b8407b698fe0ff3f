//! One pass over a parsed file: its declarations, and the records of its bodies.
//!
//! Types are read one after the other from a work list, outermost first, so nesting costs no stack. Local and
//! anonymous classes come to light when a body is lowered; they are numbered as javac does, by the class directly
//! around them and in order of the text: `Outer$1`, `Outer$1$1`, `Outer$1Local`.

mod added;
mod lombok;
mod members;
mod written;

use crate::declarations::{
    BodyMember, FileSummary, Import, ImportKind, Modifiers, TypeDecl, TypeDeclKind,
};
use flow::{Body, Callee, ClassId, Piece, Segment, TypeRef};
use rustc_hash::{FxHashMap, FxHasher};
use smol_str::{SmolStr, format_smolstr};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use syntax::{Field, Kind, NodeId, Nodes, SourceFile};
use text::Span;

/// Types nested deeper are left out, with all that is in them: what a name means is looked for in each type around it, and a
/// binary name has the names of all of them. People nest four or five.
pub const DEEPEST_TYPE: usize = 64;

/// Reads the declarations of `file` and lowers its bodies. Never fails; what the grammar could not read is left out. Takes
/// from `previous` the records of every body that says the same. `name` is the file's, without `.java`: the class of a
/// compact source file is called so. Cost: linear in the text.
pub(crate) fn summarise(
    file: &SourceFile,
    name: &str,
    previous: Option<&FileSummary>,
) -> FileSummary {
    let nodes = file.nodes();
    let mut reader = Reader {
        nodes: &nodes,
        name,
        out: FileSummary::default(),
        known: previous
            .map(|p| {
                p.bodies
                    .iter()
                    .map(|b| ((b.hash, b.layout), b.body.clone()))
                    .collect()
            })
            .unwrap_or_default(),
        work: Vec::new(),
        builders: Vec::new(),
        added: Vec::new(),
        only_declares: inner::is_guard_class(name, file.text()),
    };
    reader.read();
    reader.out
}

/// A type that waits to be read.
struct Pending {
    /// The declaration, or the `class_body` of an anonymous class.
    node: NodeId,
    name: SmolStr,
    binary_name: SmolStr,
    enclosing: Option<u32>,
    enclosing_body: Option<(u32, ClassId)>,
    /// The type after `new`.
    created: Option<TypeRef>,
    is_constant_body: bool,
    /// Declared directly in an interface or annotation: public and static without saying so.
    in_interface: bool,
}

struct Reader<'n> {
    nodes: &'n Nodes<'n>,
    /// The file's name without `.java`.
    name: &'n str,
    out: FileSummary,
    known: FxHashMap<(u64, u64), Arc<Body>>,
    work: Vec<Pending>,
    /// What Lombok adds to builder classes that are written and not read yet.
    builders: Vec<lombok::builders::Builder>,
    /// The code of what was added to the class that is read.
    added: Vec<added::AddedBody>,
    /// No body of the file is read.
    only_declares: bool,
}

impl Reader<'_> {
    fn read(&mut self) {
        let nodes = self.nodes;
        // Recovery from an error may wrap what follows it in an error node: its declarations count all the same.
        let mut work: Vec<NodeId> = vec![nodes.root()];
        let mut tops: Vec<NodeId> = Vec::new();
        while let Some(n) = work.pop() {
            let at = work.len();
            for c in nodes.children(n) {
                match nodes.kind(c) {
                    Kind::PackageDeclaration => {
                        if let Some(name) = self.dotted(c) {
                            self.out.package = name;
                        }
                    }
                    Kind::ImportDeclaration => self.import(c),
                    Kind::Error => work.push(c),
                    kind if type_kind(kind).is_some() => tops.push(c),
                    _ => {}
                }
            }
            work[at..].reverse();
        }
        tops.sort_unstable();
        let mut hasher = FxHasher::default();
        self.out.package.hash(&mut hasher);
        for import in &self.out.imports {
            (import.kind, &import.name).hash(&mut hasher);
        }
        self.out.imports_hash = hasher.finish();
        if self.is_compact(&tops) {
            self.work.push(Pending {
                node: nodes.root(),
                name: self.name.into(),
                binary_name: self.name.into(),
                enclosing: None,
                enclosing_body: None,
                created: None,
                is_constant_body: false,
                in_interface: false,
            });
        } else {
            for &node in tops.iter().rev() {
                self.queue_member_type(node, None, false);
            }
        }
        while let Some(next) = self.work.pop() {
            self.type_decl(next);
        }
        let mut hasher = FxHasher::default();
        self.out.imports_hash.hash(&mut hasher);
        for t in &self.out.types {
            t.hash.hash(&mut hasher);
            for f in &t.fields {
                (f.hash, 1u8).hash(&mut hasher);
            }
            for m in &t.methods {
                (m.hash, 2u8).hash(&mut hasher);
            }
        }
        self.out.declarations_hash = hasher.finish();
    }

    /// True for a compact source file (Java 25): methods stand outside of any class, and the whole file is one, of the
    /// file's name. It has no package and declares no class of that name itself; where one does, a brace too many put the
    /// methods there.
    fn is_compact(&self, tops: &[NodeId]) -> bool {
        let nodes = self.nodes;
        !self.name.is_empty()
            && self.out.package.is_empty()
            && nodes
                .children(nodes.root())
                .any(|c| nodes.kind(c) == Kind::MethodDeclaration)
            && tops.iter().all(|t| self.name_at(*t) != self.name)
    }

    /// The dotted name among the children of a package or import declaration.
    fn dotted(&self, n: NodeId) -> Option<SmolStr> {
        let nodes = self.nodes;
        let name = nodes
            .children(n)
            .find(|&c| matches!(nodes.kind(c), Kind::Identifier | Kind::ScopedIdentifier))?;
        let mut out = String::new();
        for at in name.0..nodes.close(name) {
            let at = NodeId(at);
            if nodes.kind(at) == Kind::Identifier {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(&nodes.name(at));
            }
        }
        Some(out.into())
    }

    fn import(&mut self, n: NodeId) {
        let nodes = self.nodes;
        let span = nodes.span(n);
        let is_static = nodes.child_of(n, Kind::KwStatic).is_some();
        let on_demand = nodes.child_of(n, Kind::Asterisk).is_some();
        let written = nodes.text(n).trim_start_matches("import").trim_start();
        if let Some(module) = written.strip_prefix("module")
            && module.starts_with([' ', '\t', '\n', '\r'])
        {
            let name = module.trim().trim_end_matches(';').trim();
            self.out.imports.push(Import {
                kind: ImportKind::Module,
                name: name.into(),
                span,
            });
            return;
        }
        let Some(name) = self.dotted(n) else { return };
        let kind = match (is_static, on_demand) {
            (false, false) => ImportKind::Single,
            (false, true) => ImportKind::OnDemand,
            (true, false) => ImportKind::StaticSingle,
            (true, true) => ImportKind::StaticOnDemand,
        };
        self.out.imports.push(Import { kind, name, span });
    }

    fn queue_member_type(&mut self, node: NodeId, enclosing: Option<u32>, in_interface: bool) {
        let name = self.name_at(node);
        let binary_name = match enclosing {
            Some(outer) => {
                format_smolstr!("{}${}", self.out.types[outer as usize].binary_name, name)
            }
            None if self.out.package.is_empty() => name.clone(),
            None => format_smolstr!("{}.{}", self.out.package, name),
        };
        self.work.push(Pending {
            node,
            name,
            binary_name,
            enclosing,
            enclosing_body: None,
            created: None,
            is_constant_body: false,
            in_interface,
        });
    }

    fn name_at(&self, node: NodeId) -> SmolStr {
        self.nodes
            .child(node, Field::Name)
            .map_or_else(SmolStr::default, |n| SmolStr::new(self.nodes.name(n)))
    }

    fn name_span(&self, node: NodeId) -> Span {
        let at = self.nodes.span(node).start;
        self.nodes
            .child(node, Field::Name)
            .map_or(Span::new(at, at), |n| self.nodes.span(n))
    }

    fn type_decl(&mut self, pending: Pending) {
        let nodes = self.nodes;
        let node = pending.node;
        let kind = type_kind(nodes.kind(node)).unwrap_or(TypeDeclKind::Class);
        let anonymous = nodes.kind(node) == Kind::ClassBody;
        let (mut modifiers, annotations) = self.modifiers(node);
        let interface = matches!(kind, TypeDeclKind::Interface | TypeDeclKind::Annotation);
        if pending.in_interface {
            modifiers = modifiers.with(Modifiers::PUBLIC).with(Modifiers::STATIC);
        }
        if kind != TypeDeclKind::Class && (pending.enclosing.is_some() || interface) {
            modifiers = modifiers.with(Modifiers::STATIC);
        }
        if interface {
            modifiers = modifiers.with(Modifiers::ABSTRACT);
        }
        let (mut superclass, mut interfaces, mut permits) = (None, Vec::new(), Vec::new());
        if anonymous {
            superclass = pending.created.clone();
        } else {
            for c in nodes.children(node) {
                match nodes.kind(c) {
                    Kind::Superclass => superclass = self.types_in(c).into_iter().next(),
                    Kind::SuperInterfaces | Kind::ExtendsInterfaces => {
                        interfaces = self.types_in(c)
                    }
                    Kind::Permits => permits = self.types_in(c),
                    _ => {}
                }
            }
        }
        let index = self.out.types.len() as u32;
        let decl = TypeDecl {
            kind,
            binary_name: pending.binary_name,
            name: pending.name,
            modifiers,
            annotations,
            told: self.told(node),
            type_params: self.type_params(node),
            superclass,
            interfaces,
            permits,
            enclosing: pending.enclosing,
            enclosing_body: pending.enclosing_body,
            is_constant_body: pending.is_constant_body,
            span: nodes.span(node),
            name_span: self.name_span(node),
            fields: Vec::new(),
            methods: Vec::new(),
            generator: None,
            hash: 0,
        };
        let mut hasher = FxHasher::default();
        (
            decl.kind,
            &decl.binary_name,
            decl.modifiers,
            &decl.type_params,
        )
            .hash(&mut hasher);
        (
            &decl.superclass,
            &decl.interfaces,
            &decl.permits,
            &decl.annotations,
            &decl.told,
        )
            .hash(&mut hasher);
        decl.enclosing
            .map(|e| self.out.types[e as usize].binary_name.clone())
            .hash(&mut hasher);
        (
            decl.enclosing_body.map(|(_, class)| class),
            decl.is_constant_body,
        )
            .hash(&mut hasher);
        let hash = hasher.finish();
        self.out.types.push(TypeDecl { hash, ..decl });
        self.members(index, node);
    }

    /// All that stands in the body of the type `index`.
    fn members(&mut self, index: u32, node: NodeId) {
        let nodes = self.nodes;
        let kind = self.out.types[index as usize].kind;
        let interface = matches!(kind, TypeDeclKind::Interface | TypeDeclKind::Annotation);
        let first_body = self.out.bodies.len();
        if kind == TypeDeclKind::Record {
            self.components(index, node);
        }
        // The body and, of an enum or around errors, the groups within it, in order of the text.
        let mut groups = vec![if nodes.kind(node) == Kind::ClassBody {
            node
        } else {
            nodes.child(node, Field::Body).unwrap_or(node)
        }];
        let (mut nested, mut statics, mut instances) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(group) = groups.pop() {
            let at = groups.len();
            for c in nodes.children(group) {
                match nodes.kind(c) {
                    Kind::EnumBodyDeclarations | Kind::Error => groups.push(c),
                    Kind::EnumConstant => {
                        self.enum_constant(index, c);
                        statics.push(Piece::EnumConstant(c));
                    }
                    Kind::FieldDeclaration | Kind::ConstantDeclaration => {
                        self.fields(index, c, interface, &mut statics, &mut instances);
                    }
                    Kind::MethodDeclaration
                    | Kind::ConstructorDeclaration
                    | Kind::CompactConstructorDeclaration
                    | Kind::AnnotationTypeElementDeclaration => {
                        self.method(index, c, interface, node)
                    }
                    Kind::StaticInitializer => statics.push(Piece::Block(c)),
                    Kind::Block => instances.push(Piece::Block(c)),
                    k if type_kind(k).is_some() => nested.push(c),
                    _ => {}
                }
            }
            groups[at..].reverse();
        }
        self.lombok_members(index, node);
        self.implicit_members(index, node);
        // An error node between members reads later members first.
        statics.sort_by_key(|p| piece_node(p).0);
        instances.sort_by_key(|p| piece_node(p).0);
        self.initialisers(index, BodyMember::Clinit, &statics);
        self.initialisers(index, BodyMember::Init, &instances);
        nested.sort_unstable();
        let mut inner = self.classes_of_bodies(index, first_body, node);
        if !(nested.is_empty() && inner.is_empty()) && self.types_around(index) == DEEPEST_TYPE {
            self.out.too_deep = true;
            return;
        }
        for n in nested {
            let depth = self.work.len();
            self.queue_member_type(n, Some(index), interface);
            inner.extend(self.work.drain(depth..));
        }
        inner.sort_by_key(|p| std::cmp::Reverse(p.node));
        self.work.append(&mut inner);
    }

    fn types_around(&self, index: u32) -> usize {
        let outer = |index: &u32| self.out.types[*index as usize].enclosing;
        std::iter::successors(outer(&index), outer).count()
    }

    /// The local and anonymous classes of the bodies of the type `index`, numbered.
    fn classes_of_bodies(&self, index: u32, first_body: usize, node: NodeId) -> Vec<Pending> {
        let nodes = self.nodes;
        let outer = &self.out.types[index as usize];
        let mut found: Vec<(NodeId, u32, ClassId)> = Vec::new();
        for (at, decl) in self.out.bodies.iter().enumerate().skip(first_body) {
            for (class, record) in decl.body.classes.iter().enumerate() {
                if let Some(n) = class_node(
                    nodes,
                    node,
                    decl.start + record.start,
                    record.name.is_some(),
                ) {
                    found.push((n, at as u32, ClassId(class as u32)));
                }
            }
        }
        found.sort_unstable();
        found.dedup_by_key(|f| f.0);
        let mut counts: FxHashMap<SmolStr, u32> = FxHashMap::default();
        let mut out = Vec::new();
        for (n, at, class) in found {
            let body = &self.out.bodies[at as usize].body;
            let name = body.classes[class.ix()]
                .name
                .map_or_else(SmolStr::default, |n| body.name(n).clone());
            let count = counts.entry(name.clone()).or_insert(0);
            *count += 1;
            let mut created = None;
            let mut is_constant_body = false;
            for call in &body.calls {
                match call.callee {
                    Callee::New {
                        ty, class: Some(c), ..
                    } if c == class => created = Some(body.types[ty.ix()].clone()),
                    Callee::EnumConstant { class: Some(c) } if c == class => {
                        is_constant_body = true
                    }
                    _ => {}
                }
            }
            out.push(Pending {
                node: n,
                binary_name: format_smolstr!("{}${}{}", outer.binary_name, count, name),
                name,
                enclosing: Some(index),
                enclosing_body: Some((at, class)),
                created,
                is_constant_body,
                in_interface: false,
            });
        }
        out
    }
}

fn piece_node(piece: &Piece) -> NodeId {
    match *piece {
        Piece::Field { declarator, .. } => declarator,
        Piece::EnumConstant(n) | Piece::Block(n) => n,
    }
}

fn named(name: &str) -> TypeRef {
    TypeRef::Named(Box::new([Segment {
        name: name.into(),
        args: Box::new([]),
    }]))
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn type_kind(kind: Kind) -> Option<TypeDeclKind> {
    Some(match kind {
        Kind::ClassDeclaration => TypeDeclKind::Class,
        Kind::InterfaceDeclaration => TypeDeclKind::Interface,
        Kind::EnumDeclaration => TypeDeclKind::Enum,
        Kind::RecordDeclaration => TypeDeclKind::Record,
        Kind::AnnotationTypeDeclaration => TypeDeclKind::Annotation,
        _ => return None,
    })
}

/// A literal, possibly negated or in parentheses.
fn is_literal(nodes: &Nodes<'_>, mut n: NodeId) -> bool {
    loop {
        match nodes.kind(n) {
            Kind::ParenthesizedExpression | Kind::UnaryExpression => {
                let inner = nodes
                    .children(n)
                    .find(|&c| nodes.field(c) != Field::Operator);
                match inner {
                    Some(i) => n = i,
                    None => return false,
                }
            }
            kind => return kind.is_literal() && kind != Kind::NullLiteral,
        }
    }
}

/// The node of a local (`named`) or anonymous class that starts at `start`, within `within`.
fn class_node(nodes: &Nodes<'_>, within: NodeId, start: u32, named: bool) -> Option<NodeId> {
    let (mut low, mut high) = (within.0 + 1, nodes.close(within));
    let end = high;
    while low < high {
        let mid = low + (high - low) / 2;
        if nodes.span(NodeId(mid)).start < start {
            low = mid + 1
        } else {
            high = mid
        }
    }
    (low..end)
        .map(NodeId)
        .take_while(|&n| nodes.span(n).start == start)
        .find(|&n| {
            if named {
                type_kind(nodes.kind(n)).is_some()
            } else {
                nodes.kind(n) == Kind::ClassBody
            }
        })
}
