//! How a file can name a library's class or static method, and the imports that it lacks for that, each where a person
//! of that project would put it: among those of its kind and origin, in their order.
//!
//! A name that means something else in the file is not imported; the class stands before it then, and before the class,
//! where that is taken too, its package.

use oracle::frameworks::extended_for;
use program::{FileId, FileSummary, Import, ImportKind, Program, TypeId};
use text::{Edit, Span};

/// How many files of a source set say where static imports stand.
const NEIGHBOURS: usize = 50;

/// See the module's description.
pub(super) struct Imports<'a> {
    program: &'a Program,
    file: FileId,
    text: &'a str,
    summary: &'a FileSummary,
    /// The types around the place, the innermost first.
    around: Vec<TypeId>,
    newline: &'static str,
    /// What was asked for and is not there: static or not, and the dotted name.
    lacking: Vec<(bool, String)>,
}

impl<'a> Imports<'a> {
    /// The imports of a file, for code in a class of it.
    pub(super) fn of(program: &'a Program, file: FileId, class: TypeId) -> Option<Imports<'a>> {
        let text = program.text(file)?;
        Some(Imports {
            program,
            file,
            text,
            summary: program.summary(file)?,
            around: std::iter::successors(Some(class), |t| program.enclosing_type(*t))
                .take(100)
                .collect(),
            newline: newline(text),
            lacking: Vec::new(),
        })
    }

    /// What stands for a class: its simple name, imported from now on, or its full name where that is taken.
    pub(super) fn class(&mut self, full: &str) -> String {
        let (package, simple) = full.rsplit_once('.').unwrap_or(("", full));
        if package == "java.lang" || package == self.summary.package || self.has_class(full) {
            return simple.to_owned();
        }
        if self.is_taken(simple) {
            return full.to_owned();
        }
        self.lack(false, full);
        simple.to_owned()
    }

    /// The same by its binary name: a nested class by the one around it.
    pub(super) fn class_of_binary(&mut self, binary: &str) -> String {
        let (outer, inner) = binary.split_once('$').unwrap_or((binary, ""));
        let outer = self.class(outer);
        match inner {
            "" => outer,
            inner => format!("{outer}.{}", inner.replace('$', ".")),
        }
    }

    /// What calls a static method of a class: `assertEquals`, or `Assert.assertEquals` where that is the file's habit or
    /// another method goes by the name.
    pub(super) fn method(&mut self, class: &str, name: &str, by_class: bool) -> String {
        let own = self.is_own_method(name);
        if !own && self.inherits(class) {
            return name.to_owned();
        }
        let full = format!("{class}.{name}");
        let has = |kind, name: &str| self.imports(kind).any(|i| i.name == name);
        let is_single = has(ImportKind::StaticSingle, &full);
        let of_another = self
            .imports(ImportKind::StaticSingle)
            .any(|i| i.name.rsplit('.').next() == Some(name) && i.name != full);
        let on_demand = has(ImportKind::StaticOnDemand, class);
        if !own && !of_another && (is_single || on_demand && !by_class) {
            return name.to_owned();
        }
        if own || of_another || by_class {
            return format!("{}.{name}", self.class(class));
        }
        self.lack(true, &full);
        name.to_owned()
    }

    /// True if the file imports a class, or something of it.
    pub(super) fn knows(&self, class: &str) -> bool {
        let within = |name: &str| {
            name.strip_prefix(class)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.summary.imports.iter().any(|i| within(&i.name))
    }

    /// The imports that are to be added, in order of position.
    pub(super) fn edits(self) -> Vec<Edit> {
        let mut lacking = self.lacking.clone();
        lacking.sort();
        lacking.dedup();
        let mut out: Vec<Edit> = Vec::new();
        for is_static in [true, false] {
            let of_kind = lacking.iter().filter(|l| l.0 == is_static).map(|l| &l.1);
            let there: Vec<&Import> = self.of_kind(is_static).collect();
            if there.is_empty() {
                out.extend(self.block(is_static, of_kind));
            } else {
                out.extend(of_kind.map(|name| self.among(&there, is_static, name)));
            }
        }
        out.sort_by_key(|e| e.span);
        out
    }

    /// How many imports were asked for so far.
    pub(super) fn asked(&self) -> usize {
        self.lacking.len()
    }

    /// Takes back what was asked for since.
    pub(super) fn forget(&mut self, since: usize) {
        self.lacking.truncate(since);
    }

    fn lack(&mut self, is_static: bool, name: &str) {
        self.lacking.push((is_static, name.to_owned()));
    }

    fn imports(&self, kind: ImportKind) -> impl Iterator<Item = &'a Import> {
        self.summary.imports.iter().filter(move |i| i.kind == kind)
    }

    fn of_kind(&self, is_static: bool) -> impl Iterator<Item = &'a Import> {
        let imports = self.summary.imports.iter();
        imports.filter(move |i| static_of(i) == Some(is_static))
    }

    fn has_class(&self, full: &str) -> bool {
        let package = full.rsplit_once('.').map_or("", |(package, _)| package);
        self.imports(ImportKind::Single).any(|i| i.name == full)
            || self
                .imports(ImportKind::OnDemand)
                .any(|i| i.name == package)
                && !self.declares(full.rsplit('.').next().unwrap_or(full))
    }

    /// True if the simple name of a class means something else here, or may.
    fn is_taken(&self, simple: &str) -> bool {
        self.imports(ImportKind::Single)
            .any(|i| i.name.rsplit('.').next() == Some(simple))
            || self.declares(simple)
            // By an import of a whole package, or a class that is inherited.
            || mentions(self.text, simple)
    }

    /// True if the file or its package has a class of this name.
    pub(super) fn declares(&self, simple: &str) -> bool {
        let package = &self.summary.package;
        let full = match package.as_str() {
            "" => simple.to_owned(),
            _ => format!("{package}.{simple}"),
        };
        let set = self.program.source_set(self.file);
        self.summary.types.iter().any(|t| t.name == simple)
            || set.is_some_and(|set| self.program.find_type(set, &full).is_some())
    }

    /// True if the class around, or one that is around that, is below `class`, whose static methods it inherits.
    pub(super) fn inherits(&self, class: &str) -> bool {
        let is = |name: &str| name == class || extended_for(class) == Some(name);
        let mut above = self
            .around
            .iter()
            .flat_map(|t| self.program.supertype_names(*t));
        above.any(|name| is(&name))
    }

    /// True if a call of this name means a method of the tests: a class around has it or inherits it.
    fn is_own_method(&self, name: &str) -> bool {
        let has = |t: &TypeId| {
            let decl = self.program.type_decl(*t);
            decl.is_some_and(|d| d.methods.iter().any(|m| m.name == name))
        };
        self.around
            .iter()
            .any(|t| has(t) || self.program.supertypes(*t).iter().any(has))
    }

    /// One import among those of its kind.
    fn among(&self, there: &[&Import], is_static: bool, name: &str) -> Edit {
        let run = self.nearest_run(there, name);
        let sorted = run.windows(2).all(|w| w[0].name <= w[1].name);
        let line = format!("{}{}", self.line(is_static, name), self.newline);
        let next = run.iter().find(|i| i.name.as_str() > name);
        if let Some(next) = next.filter(|_| sorted) {
            return insert(self.line_start(next.span.start), line);
        }
        let near = run.iter().map(|i| (common(&i.name, name), i.span.end));
        let last = match sorted {
            true => run.last().map_or(0, |i| i.span.end),
            false => near.max().map_or(0, |(_, end)| end),
        };
        self.behind(last, line)
    }

    /// The imports without a blank line between them that have the most of a name in common.
    fn nearest_run<'b>(&self, there: &'b [&'b Import], name: &str) -> &'b [&'b Import] {
        let nearest = (0..there.len())
            .max_by_key(|i| (common(&there[*i].name, name), *i))
            .unwrap_or(0);
        let joined = |a: &Import, b: &Import| {
            let between = self
                .text
                .get(a.span.end as usize..b.span.start as usize)
                .unwrap_or("");
            between.matches('\n').count() <= 1 && between.trim().is_empty()
        };
        let (mut from, mut to) = (nearest, nearest);
        while from > 0 && joined(there[from - 1], there[from]) {
            from -= 1;
        }
        while to + 1 < there.len() && joined(there[to], there[to + 1]) {
            to += 1;
        }
        &there[from..=to]
    }

    /// The first imports of their kind.
    fn block<'b>(&self, is_static: bool, names: impl Iterator<Item = &'b String>) -> Option<Edit> {
        let nl = self.newline;
        let lines: Vec<String> = names.map(|n| self.line(is_static, n)).collect();
        if lines.is_empty() {
            return None;
        }
        let lines = lines.join(nl);
        let others: Vec<&Import> = self.of_kind(!is_static).collect();
        Some(match (others.first(), others.last()) {
            (Some(first), _) if self.statics_stand_first() == is_static => insert(
                self.line_start(first.span.start),
                format!("{lines}{nl}{nl}"),
            ),
            (_, Some(last)) => self.behind(last.span.end, format!("{nl}{lines}{nl}")),
            _ => match self.package_end() {
                Some(end) => self.behind(end, format!("{nl}{lines}{nl}")),
                None => insert(0, format!("{lines}{nl}{nl}")),
            },
        })
    }

    /// Where static imports stand in the files around; before the others if nothing says.
    fn statics_stand_first(&self) -> bool {
        let (program, set) = (self.program, self.program.source_set(self.file));
        let (mut first, mut behind) = (0, 0);
        for other in program.files() {
            if program.source_set(*other) != set || first + behind >= NEIGHBOURS {
                continue;
            }
            let imports = program.summary(*other).map_or(&[][..], |s| &s.imports);
            let kinds: Vec<bool> = imports.iter().filter_map(static_of).collect();
            match (kinds.first(), kinds.last()) {
                (Some(true), Some(false)) => first += 1,
                (Some(false), Some(true)) => behind += 1,
                _ => {}
            }
        }
        first >= behind
    }

    fn line(&self, is_static: bool, name: &str) -> String {
        let keyword = if is_static { "static " } else { "" };
        format!("import {keyword}{name};")
    }

    fn line_start(&self, at: u32) -> u32 {
        let before = self.text.get(..at as usize).unwrap_or("");
        before.rfind('\n').map_or(0, |n| n as u32 + 1)
    }

    /// Whole lines behind the line on which `at` lies.
    fn behind(&self, at: u32, lines: String) -> Edit {
        let rest = self.text.get(at as usize..).unwrap_or("");
        match rest.find('\n') {
            Some(end) => insert(at + end as u32 + 1, lines),
            None => insert(self.text.len() as u32, format!("{}{lines}", self.newline)),
        }
    }

    /// Behind the semicolon of the package.
    fn package_end(&self) -> Option<u32> {
        let name = self.summary.package.as_str();
        if name.is_empty() {
            return None;
        }
        self.text.match_indices("package").find_map(|(at, word)| {
            let rest = self.text.get(at + word.len()..)?;
            let behind = rest.trim_start().strip_prefix(name)?.trim_start();
            let is_line = self.text.get(self.line_start(at as u32) as usize..at)?;
            let semicolon = self.text.len() - behind.len() + 1;
            (is_line.trim().is_empty() && behind.starts_with(';')).then_some(semicolon as u32)
        })
    }
}

/// How lines end in a text.
pub(super) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn static_of(import: &Import) -> Option<bool> {
    match import.kind {
        ImportKind::Single | ImportKind::OnDemand => Some(false),
        ImportKind::StaticSingle | ImportKind::StaticOnDemand => Some(true),
        ImportKind::Module => None,
    }
}

fn insert(at: u32, text: String) -> Edit {
    Edit::new(Span::new(at, at), text)
}

/// How many parts two dotted names begin with alike.
fn common(a: &str, b: &str) -> usize {
    let pairs = a.split('.').zip(b.split('.'));
    pairs.take_while(|(a, b)| a == b).count()
}

/// True if a text uses a class by its simple name: `Arrays.asList`, `Optional<String>`, not `java.util.Arrays`.
fn mentions(text: &str, simple: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.';
    text.match_indices(simple).any(|(at, _)| {
        !text[..at].ends_with(is_part) && text[at + simple.len()..].starts_with(['.', '<'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_mentioned_by_its_simple_name_alone() {
        assert!(mentions("a(Arrays.asList())", "Arrays"));
        assert!(mentions("Optional<String> a;", "Optional"));
        assert!(!mentions("java.util.Arrays.asList(MyArrays.x)", "Arrays"));
        assert_eq!(common("org.junit.Assert.a", "org.junit.Test"), 2);
    }
}
