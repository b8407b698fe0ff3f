//! The methods of a program that answer requests, and the classes of which Spring makes objects.
//!
//! The table hangs on declarations alone, which is why the arguments of such annotations and the texts of constants are part
//! of declarations ([`program::Told`]).

mod constant;

pub(crate) use constant::text_of_initialiser;
pub use constant::type_named;
use oracle::web::context::{is_component, is_controller};
use oracle::web::{
    Argument, Mapping, Pattern, Router, arguments_of, is_application, is_resource, mapping_of,
    maps_class, router_of, text_of,
};
use program::{
    FileId, MethodId, Modifiers, Program, SourceSetId, Told, TypeDecl, TypeDeclKind, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// How many classes are looked through above one another.
pub(crate) const MAX_CLASSES: usize = 100;

/// A method that answers requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// The method.
    pub method: MethodId,
    /// The class whose object answers.
    pub controller: TypeId,
    pub(crate) mapping: Mapping,
    pub(crate) pattern: Pattern,
    pub(crate) set: SourceSetId,
}

/// The methods of a program that answer requests, and the classes of which Spring makes objects.
#[derive(Debug, Default)]
pub(crate) struct Handlers {
    all: Vec<Handler>,
    /// By the first segment of their path, if that is a text.
    by_first: FxHashMap<String, Vec<u32>>,
    /// All others.
    vague: Vec<u32>,
    /// Concrete classes of production code that are annotated as components.
    components: Vec<TypeId>,
}

impl Handlers {
    /// Reads the declarations of all files, one by one: it is looked for where somebody asks first, and a thread that waited for its
    /// part of it could take up a part of something else that asks the same.
    pub(crate) fn find(program: &Program) -> Handlers {
        let composed = composed(program);
        let roots = roots(program);
        let mut out = Handlers::default();
        for file in program.files() {
            let (handlers, components) = in_file(program, *file, &composed, &roots);
            out.all.extend(handlers);
            out.components.extend(components);
        }
        for (at, handler) in out.all.iter().enumerate() {
            match handler.pattern.first() {
                Some(first) => out
                    .by_first
                    .entry(first.to_owned())
                    .or_default()
                    .push(at as u32),
                None => out.vague.push(at as u32),
            }
        }
        out
    }

    /// The concrete classes of production code of which Spring makes objects, by path and position.
    pub(crate) fn components(&self) -> &[TypeId] {
        &self.components
    }

    /// Those that may answer what is asked for by a path of this first segment.
    pub(crate) fn near(&self, first: Option<&str>) -> impl Iterator<Item = &Handler> {
        let named = first.and_then(|f| self.by_first.get(f));
        let named = named.map_or(&[][..], Vec::as_slice).iter();
        named.chain(&self.vague).map(|at| &self.all[*at as usize])
    }
}

/// The workspace's own annotations that are made of a controller's.
fn composed(program: &Program) -> FxHashSet<SmolStr> {
    let files = program.files().iter();
    let types = files
        .filter_map(|f| program.summary(*f))
        .flat_map(|s| &s.types);
    let own = types.filter(|t| t.kind == TypeDeclKind::Annotation && annotated(t, is_controller));
    own.map(|t| t.name.clone()).collect()
}

fn annotated(decl: &TypeDecl, with: fn(&str) -> bool) -> bool {
    decl.annotations.iter().any(|a| with(a))
}

fn in_file(
    program: &Program,
    file: FileId,
    composed: &FxHashSet<SmolStr>,
    roots: &[String],
) -> (Vec<Handler>, Vec<TypeId>) {
    let (mut handlers, mut components) = (Vec::new(), Vec::new());
    let (Some(summary), Some(set)) = (program.summary(file), program.source_set(file)) else {
        return (handlers, components);
    };
    for (decl, &class) in summary.types.iter().zip(program.types_of_file(file)) {
        let is_concrete = matches!(decl.kind, TypeDeclKind::Class | TypeDeclKind::Record)
            && !decl.modifiers.has(Modifiers::ABSTRACT);
        let is_controller = annotated(decl, is_controller)
            || decl.annotations.iter().any(|a| composed.contains(a))
            // Spring takes it for one, as it did before 6; one that is set up alone needs no more.
            || decl.told.iter().any(|t| maps_class(&t.annotation));
        if !is_concrete {
            continue;
        }
        // Of JAX-RS the path may stand at an interface.
        let is_resource = |told: &[Told]| told.iter().any(|t| is_resource(&t.annotation));
        let is_controller = is_controller || is_resource(&decl.told) || {
            let above = program.supertypes(class);
            let mut above = above.iter().filter_map(|c| program.type_decl(*c));
            above.any(|d| is_resource(&d.told))
        };
        if !program.is_test(file) && (is_controller || annotated(decl, is_component)) {
            components.push(class);
        }
        if is_controller {
            of_class(program, class, set, roots, &mut handlers);
        }
    }
    (handlers, components)
}

/// Below which paths the applications of a program answer by JAX-RS: that of `@ApplicationPath`, and none.
fn roots(program: &Program) -> Vec<String> {
    let files = program.files().iter();
    let types = files.flat_map(|f| program.types_of_file(*f));
    let mut out = vec![String::new()];
    for &class in types {
        let told = program.type_decl(class).map_or(&[][..], |d| &d.told);
        let told = told.iter().filter(|t| is_application(&t.annotation));
        for argument in told.flat_map(|t| arguments_of(&t.arguments)) {
            let values = Argument::values(argument).into_iter();
            let texts =
                values.filter_map(|v| text_of(v, &|n| constant::constant(program, class, n)));
            out.extend(texts.filter(|t| !t.trim_matches('/').is_empty()));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The methods of a class, inherited ones too, that answer requests.
fn of_class(
    program: &Program,
    class: TypeId,
    set: SourceSetId,
    roots: &[String],
    out: &mut Vec<Handler>,
) {
    let above = std::iter::successors(Some(class), |c| program.superclass(*c));
    let classes: Vec<TypeId> = above.take(MAX_CLASSES).collect();
    let interfaces = program.supertypes(class);
    let own = classes.iter().chain(&interfaces).find_map(|c| {
        let decl = program.type_decl(*c)?;
        router_of(&decl.told)?;
        Some((*c, &decl.told))
    });
    let prefix = match own {
        Some((of, told)) => match mapping_of(told, &|n| constant::constant(program, of, n)) {
            Some(mapping) => mapping,
            None => return,
        },
        None => Mapping::default(),
    };
    let mut answered: FxHashSet<MethodId> = FxHashSet::default();
    for &of in &classes {
        for &method in program.methods_of_type(of) {
            let runs = program.method_body(method).is_some();
            // An overridden one does not run.
            if !runs || answered.contains(&method) {
                continue;
            }
            let supers = program.super_methods(method);
            answered.extend(&supers);
            let declared = std::iter::once(method).chain(supers).find_map(|m| {
                let decl = program.method_decl(m)?;
                let router = router_of(&decl.told)?;
                Some((program.method_owner(m), &decl.told, router))
            });
            let Some((from, told, router)) = declared else {
                continue;
            };
            let Some(mapping) = mapping_of(told, &|n| constant::constant(program, from, n)) else {
                continue;
            };
            // One without a verb gives an object that answers.
            if router == Router::JaxRs && mapping.verbs.is_empty() {
                continue;
            }
            let roots = match router {
                Router::Spring => &[][..],
                Router::JaxRs => roots,
            };
            let all = joined(&prefix, mapping, roots);
            out.extend(all.map(|(pattern, mapping)| Handler {
                method,
                controller: class,
                mapping,
                pattern,
                set,
            }));
        }
    }
}

/// What a method answers, with what its class says, below any of some paths.
fn joined(
    class: &Mapping,
    own: Mapping,
    roots: &[String],
) -> impl Iterator<Item = (Pattern, Mapping)> {
    let or_one = |paths: &[String]| match paths {
        [] => vec![String::new()],
        paths => paths.to_vec(),
    };
    let mut patterns = Vec::new();
    for root in or_one(roots) {
        for prefix in or_one(&class.paths) {
            for path in or_one(&own.paths) {
                patterns.push(Pattern::new(&format!("{root}/{prefix}/{path}")));
            }
        }
    }
    let of =
        |own: Vec<String>, class: &Vec<String>| if own.is_empty() { class.clone() } else { own };
    let mut params = own.params;
    params.extend(class.params.iter().cloned());
    let mapping = Mapping {
        verbs: match own.verbs.is_empty() {
            true => class.verbs.clone(),
            false => own.verbs,
        },
        paths: Vec::new(),
        params,
        consumes: of(own.consumes, &class.consumes),
        produces: of(own.produces, &class.produces),
        is_narrow: own.is_narrow || class.is_narrow,
    };
    patterns.into_iter().map(move |p| (p, mapping.clone()))
}
