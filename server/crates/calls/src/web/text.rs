//! The text that an expression is, as far as constants say.

use crate::Workspace;
use flow::{BinaryOp, Body, Callee, ExprId, ExprKind, Literal, Target};
use oracle::web::unquoted;
use program::{BodyId, ImportKind, NameTarget, Program, TypeId};

/// How many parts of an expression are looked at.
const MAX_PARTS: usize = 60;

/// How many constants may rest on one another.
const MAX_DEPTH: usize = 8;

/// Stands for what is not known.
const UNKNOWN: &str = "\u{0}";

/// The text of an expression, in which a zero byte stands for each part that is not known; none if none of it is.
pub(super) fn text_of(workspace: &Workspace, id: BodyId, e: ExprId) -> Option<String> {
    let mut left = MAX_PARTS;
    let text = text(workspace, id, e, &mut left)?;
    (!text.chars().all(|c| c == '\u{0}')).then_some(text)
}

fn text(workspace: &Workspace, id: BodyId, e: ExprId, left: &mut usize) -> Option<String> {
    *left = left.checked_sub(1)?;
    let program = workspace.program();
    let decl = program.body(id)?;
    let body: &Body = &decl.body;
    let written = |e: ExprId| {
        let at = body.expr(e);
        let text = program.text(program.body_file(id)?)?;
        text.get((decl.start + at.start) as usize..(decl.start + at.end) as usize)
    };
    let unknown = || Some(UNKNOWN.to_owned());
    match body.expr(e).kind {
        ExprKind::Literal(Literal::Str) => unquoted(written(e)?),
        ExprKind::Literal(Literal::Int) => Some(written(e)?.to_owned()),
        ExprKind::Binary {
            op: BinaryOp::Add,
            left: a,
            right: b,
        } => {
            let a = text(workspace, id, a, left)?;
            Some(a + &text(workspace, id, b, left)?)
        }
        ExprKind::Local(local) => {
            let mut defs = body
                .defs
                .iter()
                .filter(|d| matches!(d.target, Target::Local(l) if l == local));
            let def = defs.next().filter(|d| !d.compound);
            match (def.map(|d| body.list(d.sources)), defs.next()) {
                (Some(&[source]), None) => text(workspace, id, source, left),
                _ => unknown(),
            }
        }
        ExprKind::Name(_) | ExprKind::Field { .. } => {
            let name = workspace.resolved(id).and_then(|r| r.name(e));
            match name {
                Some(NameTarget::Field(field)) => {
                    let decl = program.field_decl(field);
                    let text = decl.and_then(|f| f.text.as_deref());
                    let owner = program.field_owner(field);
                    let text = text.and_then(|t| sum(program, owner, t, MAX_DEPTH));
                    text.map_or_else(unknown, Some)
                }
                _ => unknown(),
            }
        }
        ExprKind::Call(call) => {
            let call = &body.calls[call.ix()];
            let args = body.list(call.args);
            match (call.callee, args) {
                // `URI.create("/a")`, `new URI("/a")`.
                (Callee::Method { name, .. }, &[one]) if body.name(name) == "create" => {
                    text(workspace, id, one, left)
                }
                (Callee::New { .. }, &[one]) => text(workspace, id, one, left),
                (Callee::Method { name, .. }, &[format, ..]) if body.name(name) == "format" => {
                    let format = text(workspace, id, format, left)?;
                    Some(format.replace("%s", UNKNOWN).replace("%d", UNKNOWN))
                }
                _ => unknown(),
            }
        }
        _ => unknown(),
    }
}

/// The text of the constant that a name in an annotation of `class` stands for.
pub(super) fn constant(program: &Program, class: TypeId, name: &str) -> Option<String> {
    within(program, class, name, MAX_DEPTH)
}

/// The same; `most` constants may rest on one another.
fn within(program: &Program, class: TypeId, name: &str, most: usize) -> Option<String> {
    let name = name.trim();
    let (owner, field) = match name.rsplit_once('.') {
        Some((owner, field)) => (type_named(program, class, owner)?, field),
        None => match owner_of(program, class, name) {
            Some(owner) => (owner, name),
            None => return imported(program, class, name, most),
        },
    };
    of_field(program, owner, field, most)
}

fn of_field(program: &Program, owner: TypeId, name: &str, most: usize) -> Option<String> {
    let above = program.supertypes(owner);
    let mut classes = std::iter::once(owner).chain(above);
    let (class, field) = classes.find_map(|c| {
        let mut fields = program.fields_of_type(c).iter();
        let decl = fields.find_map(|f| program.field_decl(*f).filter(|d| d.name == name))?;
        Some((c, decl))
    })?;
    sum(program, class, field.text.as_deref()?, most)
}

/// The text that an initialiser in `class` is.
fn sum(program: &Program, class: TypeId, written: &str, most: usize) -> Option<String> {
    let most = most.checked_sub(1)?;
    oracle::web::text_of(written, &|name| within(program, class, name, most))
}

/// The class around, or itself, that has a field of that name.
fn owner_of(program: &Program, class: TypeId, name: &str) -> Option<TypeId> {
    let mut around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    around.find(|c| {
        let all = std::iter::once(*c).chain(program.supertypes(*c));
        let mut fields = all.flat_map(|c| program.fields_of_type(c).iter().copied());
        fields.any(|f| program.field_decl(f).is_some_and(|d| d.name == name))
    })
}

/// What a static import gives a name.
fn imported(program: &Program, class: TypeId, name: &str, most: usize) -> Option<String> {
    let (file, _) = program.type_place(class)?;
    let set = program.source_set(file)?;
    program.summary(file)?.imports.iter().find_map(|i| {
        let owner = match i.kind {
            ImportKind::StaticSingle => {
                let (owner, member) = i.name.rsplit_once('.')?;
                (member == name).then_some(owner)?
            }
            ImportKind::StaticOnDemand => i.name.as_str(),
            _ => return None,
        };
        of_field(program, find(program, set, owner)?, name, most)
    })
}

/// The class of the workspace that a name means in the file of `class`.
pub fn type_named(program: &Program, class: TypeId, name: &str) -> Option<TypeId> {
    let (file, _) = program.type_place(class)?;
    let set = program.source_set(file)?;
    let summary = program.summary(file)?;
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    for c in around.take(super::MAX_CLASSES) {
        let own = program.type_name(c);
        if own.rsplit(['.', '$']).next() == Some(name) {
            return Some(c);
        }
        let inner = format!("{own}${}", name.replace('.', "$"));
        if let Some(found) = program.find_type(set, &inner) {
            return Some(found);
        }
    }
    let (first, rest) = match name.split_once('.') {
        Some((first, rest)) => (first, format!("${}", rest.replace('.', "$"))),
        None => (name, String::new()),
    };
    let single = summary.imports.iter().find_map(|i| {
        let is = i.kind == ImportKind::Single && i.name.rsplit('.').next() == Some(first);
        is.then(|| find(program, set, &i.name)).flatten()
    });
    let whole = |owner: TypeId| match rest.as_str() {
        "" => Some(owner),
        rest => program.find_type(set, &format!("{}{rest}", program.type_name(owner))),
    };
    if let Some(found) = single {
        return whole(found);
    }
    let package = match summary.package.as_str() {
        "" => first.to_owned(),
        package => format!("{package}.{first}"),
    };
    let on_demand = || {
        let packages = summary.imports.iter();
        packages
            .filter(|i| i.kind == ImportKind::OnDemand)
            .find_map(|i| find(program, set, &format!("{}.{first}", i.name)))
    };
    let found = program.find_type(set, &package).or_else(on_demand);
    found.and_then(whole).or_else(|| find(program, set, name))
}

/// A class by its dotted name, of which the last parts may be classes within classes.
fn find(program: &Program, set: program::SourceSetId, name: &str) -> Option<TypeId> {
    let mut binary = name.to_owned();
    loop {
        if let Some(found) = program.find_type(set, &binary) {
            return Some(found);
        }
        let at = binary.rfind('.')?;
        binary.replace_range(at..=at, "$");
    }
}
