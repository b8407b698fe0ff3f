//! The texts of constants, and the classes that names in annotations mean.

use program::{ImportKind, Program, SourceSetId, TypeId};

/// How many constants may rest on one another.
const MAX_DEPTH: usize = 8;

/// The text of the constant that a name in an annotation of `class` stands for.
pub(super) fn constant(program: &Program, class: TypeId, name: &str) -> Option<String> {
    let constants = Constants {
        program,
        unknown: None,
    };
    constants.named(class, name, MAX_DEPTH)
}

/// The text that an initialiser in `class` is; a zero byte stands for each part that is not known.
pub(crate) fn text_of_initialiser(
    program: &Program,
    class: TypeId,
    written: &str,
) -> Option<String> {
    let constants = Constants {
        program,
        unknown: Some("\u{0}"),
    };
    constants.sum(class, written, MAX_DEPTH)
}

/// Constants that rest on one another.
struct Constants<'a> {
    program: &'a Program,
    /// What stands for one that is no text; without it nothing is said of what rests on that.
    unknown: Option<&'static str>,
}

impl Constants<'_> {
    /// `most` constants may rest on one another.
    fn named(&self, class: TypeId, name: &str, most: usize) -> Option<String> {
        let program = self.program;
        let name = name.trim();
        let (owner, field) = match name.rsplit_once('.') {
            Some((owner, field)) => (type_named(program, class, owner)?, field),
            None => match owner_of(program, class, name) {
                Some(owner) => (owner, name),
                None => return self.imported(class, name, most),
            },
        };
        self.of_field(owner, field, most)
    }

    fn of_field(&self, owner: TypeId, name: &str, most: usize) -> Option<String> {
        let program = self.program;
        let above = program.supertypes(owner);
        let mut classes = std::iter::once(owner).chain(above);
        let (class, field) = classes.find_map(|c| {
            let mut fields = program.fields_of_type(c).iter();
            let decl = fields.find_map(|f| program.field_decl(*f).filter(|d| d.name == name))?;
            Some((c, decl))
        })?;
        self.sum(class, field.text.as_deref()?, most)
    }

    fn sum(&self, class: TypeId, written: &str, most: usize) -> Option<String> {
        let most = most.checked_sub(1)?;
        oracle::web::text_of(written, &|name| {
            let text = self.named(class, name, most);
            text.or_else(|| self.unknown.map(str::to_owned))
        })
    }

    /// What a static import gives a name.
    fn imported(&self, class: TypeId, name: &str, most: usize) -> Option<String> {
        let program = self.program;
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
            self.of_field(find(program, set, owner)?, name, most)
        })
    }
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
fn find(program: &Program, set: SourceSetId, name: &str) -> Option<TypeId> {
    let mut binary = name.to_owned();
    loop {
        if let Some(found) = program.find_type(set, &binary) {
            return Some(found);
        }
        let at = binary.rfind('.')?;
        binary.replace_range(at..=at, "$");
    }
}
