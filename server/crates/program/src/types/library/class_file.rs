//! From the record of a class file to a header and supertypes: flags, descriptors (JVMS 4.3) and generic signatures
//! (JVMS 4.7.9.1).
//!
//! What cannot be read (a signature cut short, a type variable that nobody declares) is unknown.

use crate::classes::{ClassRecord, ClassSource, MemberRecord};
use crate::declarations::{Modifiers, TypeDeclKind};
use crate::header::{FieldSignature, Header, MethodSignature, Supertypes, TypeParam};
use crate::ids::{FieldId, FieldKey, Ids, MethodId, MethodKey, TypeId};
use crate::types::{Ty, TyKind};

// JVMS tables 4.1-B, 4.5-A, 4.6-A and 4.7.6-A.
pub(super) const PUBLIC: u16 = 0x0001;
const PRIVATE: u16 = 0x0002;
const PROTECTED: u16 = 0x0004;
const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
const VARARGS: u16 = 0x0080;
const INTERFACE: u16 = 0x0200;
const ABSTRACT: u16 = 0x0400;
const SYNTHETIC: u16 = 0x1000;
const ANNOTATION: u16 = 0x2000;
const ENUM: u16 = 0x4000;

/// Types in types, beyond which they are unknown.
const MAX_DEPTH: u32 = 40;

/// Classes around classes: nobody nests more.
const MAX_OUTER: usize = 20;

/// The header and supertypes of a class of `source`.
pub(super) fn read(
    ids: &Ids,
    source: &dyn ClassSource,
    def: TypeId,
) -> Option<(Header, Supertypes)> {
    let record = source.class(ids.type_name(def))?;
    let record = &*record;
    let mut scope = TypeVariables {
        ids,
        own: None,
        classes: Vec::new(),
    };
    let outer = if record.access & STATIC == 0 {
        outer_of(source, &record.name)
    } else {
        None
    };
    scope.enter(def, record);
    // The type variables of the classes around an inner one are in scope in it.
    let mut around = outer.clone();
    while let Some(class) = around.filter(|_| scope.classes.len() < MAX_OUTER) {
        let is_static = class.access & STATIC != 0;
        scope.enter(ids.library_type(&class.name), &class);
        around = if is_static {
            None
        } else {
            outer_of(source, &class.name)
        };
    }
    Some((
        header(&scope, def, record, outer.as_deref()),
        supertypes(&scope, record),
    ))
}

/// The class of which the one of that name is a member.
fn outer_of(source: &dyn ClassSource, name: &str) -> Option<std::sync::Arc<ClassRecord>> {
    // A name may itself hold `$`, so the nearest class that lists the member is taken.
    let mut ends = name.rmatch_indices('$').map(|m| m.0);
    ends.find_map(|end| {
        let outer = source.class(&name[..end])?;
        outer.members.iter().any(|m| **m == *name).then_some(outer)
    })
}

fn kind(record: &ClassRecord) -> TypeDeclKind {
    match record.access {
        a if a & ANNOTATION != 0 => TypeDeclKind::Annotation,
        a if a & INTERFACE != 0 => TypeDeclKind::Interface,
        a if a & ENUM != 0 => TypeDeclKind::Enum,
        _ if record.is_record => TypeDeclKind::Record,
        _ => TypeDeclKind::Class,
    }
}

fn modifiers(access: u16) -> Modifiers {
    let pairs = [
        (PUBLIC, Modifiers::PUBLIC),
        (PRIVATE, Modifiers::PRIVATE),
        (PROTECTED, Modifiers::PROTECTED),
        (STATIC, Modifiers::STATIC),
        (FINAL, Modifiers::FINAL),
        (ABSTRACT, Modifiers::ABSTRACT),
    ];
    pairs
        .iter()
        .filter(|(bit, _)| access & bit != 0)
        .fold(Modifiers::default(), |all, (_, m)| all.with(*m))
}

fn supertypes(scope: &TypeVariables<'_>, record: &ClassRecord) -> Supertypes {
    let is_interface = record.access & INTERFACE != 0;
    let plain = |name: &str| scope.ids.class(scope.ids.library_type(name), &[]);
    let superclass = record.superclass.as_deref().map(plain);
    let mut interfaces: Vec<Ty> = record.interfaces.iter().map(|i| plain(i)).collect();
    let mut superclass = superclass;
    if let Some(signature) = &record.signature {
        let mut reader = Reader::new(scope, signature);
        reader.type_params();
        let first = reader.ty(0);
        let rest: Vec<Ty> = std::iter::from_fn(|| reader.more().then(|| reader.ty(0))).collect();
        // A signature that says something else than the class file itself is not trusted.
        if rest.len() == interfaces.len() {
            superclass = superclass.map(|_| first);
            interfaces = rest;
        }
    }
    Supertypes {
        superclass: superclass.filter(|_| !is_interface),
        interfaces: interfaces.into(),
    }
}

fn header(
    scope: &TypeVariables<'_>,
    def: TypeId,
    record: &ClassRecord,
    outer: Option<&ClassRecord>,
) -> Header {
    let ids = scope.ids;
    let params = match &record.signature {
        Some(signature) => {
            let params = Reader::new(scope, signature).type_params();
            let params = params.into_iter().map(|(name, bounds)| TypeParam {
                name: ids.symbol(name),
                bounds,
            });
            params.collect()
        }
        None => Vec::new(),
    };
    let visible = |m: &&MemberRecord| m.access & (PRIVATE | SYNTHETIC) == 0;
    let fields = record.fields.iter().filter(visible).map(|f| {
        let written = f.signature.as_deref().unwrap_or(&f.descriptor);
        let name = ids.symbol(&f.name);
        FieldSignature {
            name,
            id: FieldId(ids.fields.intern(FieldKey {
                owner: def,
                name,
                duplicate: 0,
            })),
            in_workspace: false,
            ty: Reader::new(scope, written).ty(0),
            modifiers: modifiers(f.access),
        }
    });
    let fields = fields.collect();
    let methods = record.methods.iter().filter(visible);
    let methods = methods.map(|m| method(scope, def, record, outer, m));
    let methods = methods.collect();
    let mut of_class = modifiers(record.access);
    if !record.permits.is_empty() {
        of_class = of_class.with(Modifiers::SEALED);
    }
    Header::new(
        kind(record),
        of_class,
        params,
        fields,
        methods,
        Box::default(),
    )
}

fn method(
    scope: &TypeVariables<'_>,
    def: TypeId,
    record: &ClassRecord,
    outer: Option<&ClassRecord>,
    m: &MemberRecord,
) -> MethodSignature {
    let ids = scope.ids;
    let name = ids.symbol(&m.name);
    let id = MethodId(ids.methods.intern(MethodKey {
        owner: def,
        name,
        params: ids.symbol(&m.descriptor),
        duplicate: 0,
    }));
    let mut found = match &m.signature {
        Some(signature) => {
            let own = Reader::names(signature);
            if own.is_empty() {
                Reader::new(scope, signature).method()
            } else {
                let own = TypeVariables {
                    own: Some((id, own)),
                    ..scope.clone()
                };
                Reader::new(&own, signature).method()
            }
        }
        None => Reader::new(scope, &m.descriptor).method(),
    };
    let constructor = &*m.name == "<init>";
    // The outer instance is no parameter of the language; a generic signature does not mention it.
    let of_inner = constructor && m.signature.is_none() && outer.is_some();
    if of_inner && !found.params.is_empty() {
        found.params.remove(0);
    }
    let mut all = modifiers(m.access);
    let instance = m.access & (STATIC | ABSTRACT | PRIVATE) == 0;
    if record.access & INTERFACE != 0 && instance {
        all = all.with(Modifiers::DEFAULT);
    }
    MethodSignature {
        name,
        id,
        varargs: m.access & VARARGS != 0 && !found.params.is_empty(),
        params: found.params.into(),
        ret: if constructor { Ty::VOID } else { found.ret },
        type_params: found.type_params.into(),
        modifiers: all,
    }
}

/// The type variables that a signature may name.
#[derive(Clone)]
struct TypeVariables<'a> {
    ids: &'a Ids,
    /// Those of the method.
    own: Option<(MethodId, Vec<String>)>,
    /// Those of the class, then of the classes around it.
    classes: Vec<(TypeId, Vec<String>)>,
}

impl TypeVariables<'_> {
    fn enter(&mut self, def: TypeId, record: &ClassRecord) {
        let names = record.signature.as_deref().map(Reader::names);
        self.classes.push((def, names.unwrap_or_default()));
    }

    fn variable(&self, name: &str) -> Ty {
        let at = |names: &[String]| names.iter().position(|n| n == name).map(|i| i as u16);
        if let Some((owner, names)) = &self.own
            && let Some(index) = at(names)
        {
            return self.ids.ty(TyKind::MethodVar {
                owner: *owner,
                index,
            });
        }
        for (owner, names) in &self.classes {
            if let Some(index) = at(names) {
                return self.ids.ty(TyKind::ClassVar {
                    owner: *owner,
                    index,
                });
            }
        }
        Ty::UNKNOWN
    }
}

struct Method {
    type_params: Vec<Box<[Ty]>>,
    params: Vec<Ty>,
    ret: Ty,
}

struct Reader<'a> {
    scope: &'a TypeVariables<'a>,
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(scope: &'a TypeVariables<'a>, text: &'a str) -> Reader<'a> {
        Reader { scope, text, at: 0 }
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }
    fn more(&self) -> bool {
        self.at < self.text.len()
    }
    fn eat(&mut self, byte: u8) -> bool {
        let hit = self.peek() == byte;
        self.at += usize::from(hit);
        hit
    }
    /// What stands before the first of `ends`, all of them ASCII.
    fn until(&mut self, ends: &[u8]) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|b| ends.contains(&b));
        let end = end.unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The names of the type parameters with which a signature begins.
    fn names(signature: &str) -> Vec<String> {
        let Some(rest) = signature.strip_prefix('<') else {
            return Vec::new();
        };
        let (mut out, mut depth, mut start, mut in_name) = (Vec::new(), 0u32, 0, true);
        let mut at = 0;
        let bytes = rest.as_bytes();
        while let Some(&b) = bytes.get(at) {
            match b {
                b':' if in_name => {
                    out.push(rest[start..at].to_owned());
                    in_name = false;
                }
                b'>' if depth == 0 => break,
                b'<' => depth += 1,
                b'>' => depth -= 1,
                // After a bound either the next bound or the next name stands.
                b';' if depth == 0 && bytes.get(at + 1) != Some(&b':') => {
                    in_name = true;
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        out
    }

    /// `<T:Ljava/lang/Object;U::Ljava/lang/Comparable<TT;>;>`, if it stands here: names and bounds.
    fn type_params(&mut self) -> Vec<(&'a str, Box<[Ty]>)> {
        let mut out = Vec::new();
        if !self.eat(b'<') {
            return out;
        }
        while self.more() && !self.eat(b'>') {
            let name = self.until(b":");
            let mut bounds = Vec::new();
            while self.eat(b':') {
                // The class bound may be missing.
                if self.peek() != b':' {
                    bounds.push(self.ty(0));
                }
            }
            out.push((name, bounds.into()));
        }
        out
    }

    fn method(&mut self) -> Method {
        let type_params = self.type_params().into_iter().map(|p| p.1).collect();
        self.eat(b'(');
        let mut params = Vec::new();
        while self.more() && !self.eat(b')') {
            params.push(self.ty(0));
        }
        Method {
            type_params,
            params,
            ret: self.ty(0),
        }
    }

    fn ty(&mut self, depth: u32) -> Ty {
        let ids = self.scope.ids;
        let mut dimensions = 0u32;
        while self.eat(b'[') {
            dimensions += 1;
        }
        let first = self.peek();
        self.at += usize::from(self.more());
        let mut ty = match first {
            b'V' => Ty::VOID,
            b'Z' => Ty::BOOLEAN,
            b'B' => Ty::BYTE,
            b'S' => Ty::SHORT,
            b'C' => Ty::CHAR,
            b'I' => Ty::INT,
            b'J' => Ty::LONG,
            b'F' => Ty::FLOAT,
            b'D' => Ty::DOUBLE,
            b'T' => {
                let name = self.until(b";");
                self.eat(b';');
                self.scope.variable(name)
            }
            b'L' if depth < MAX_DEPTH => self.class(depth),
            // Not a signature: nothing after this can be trusted.
            _ => {
                self.at = self.text.len();
                Ty::UNKNOWN
            }
        };
        if ty != Ty::UNKNOWN {
            for _ in 0..dimensions.min(255) {
                ty = ids.array(ty);
            }
        }
        ty
    }

    /// `java/util/Map$Entry<TK;TV;>;`, `java/util/HashMap<TK;TV;>.KeySet;`.
    fn class(&mut self, depth: u32) -> Ty {
        let ids = self.scope.ids;
        let mut name = self.until(b"<;.").replace('/', ".");
        let mut args = Vec::new();
        loop {
            if self.eat(b'<') {
                args.clear();
                while self.more() && !self.eat(b'>') {
                    args.push(self.argument(depth + 1));
                }
            }
            if !self.eat(b'.') {
                break;
            }
            args.clear();
            name.push('$');
            name.push_str(self.until(b"<;."));
        }
        self.eat(b';');
        ids.class(ids.library_type(&name), &args)
    }

    fn argument(&mut self, depth: u32) -> Ty {
        let ids = self.scope.ids;
        if self.eat(b'*') {
            return ids.ty(TyKind::Any);
        }
        if self.eat(b'-') {
            let bound = self.ty(depth);
            return ids.ty(TyKind::Lower(bound));
        }
        if self.eat(b'+') {
            let bound = self.ty(depth);
            let is_object = ids.as_class(bound).is_some_and(|(def, args)| {
                args.is_empty() && ids.type_name(def) == "java.lang.Object"
            });
            return if is_object {
                ids.ty(TyKind::Any)
            } else {
                bound
            };
        }
        self.ty(depth)
    }
}
