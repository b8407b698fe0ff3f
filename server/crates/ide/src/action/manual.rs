//! *Make it manual*: a generated test that somebody has read moves to the hand-written tests of the class that it is about.
//!
//! It takes along what it imports and is written as the tests there are: their framework, their indentation. What it shares with
//! the class that it leaves does not come along, and what cannot be moved without a thought is refused with the reason: a change that
//! does not compile would be worse than none.

use super::imports::{Imports, newline};
use crate::analysis::Analysis;
use crate::change::SourceChange;
use crate::code::{Code, comments_above};
use crate::suspects::Assertion;
use calls::{class_under_test, under_test};
use oracle::TestKind;
use oracle::frameworks::{
    EVOSUITE, Home, TEST_BEGINS, Tests, all, is_called_assertion, is_shared, marks_tests, of_tests,
};
use program::{FileId, FileSummary, ImportKind, MethodDecl, MethodId, Program, TypeDecl, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use text::{Edit, Span};

/// What stands before a parenthesis and calls nothing.
const KEYWORDS: &[&str] = &[
    "if",
    "while",
    "for",
    "switch",
    "catch",
    "synchronized",
    "return",
    "throw",
    "assert",
    "try",
    "do",
    "else",
    "case",
    "yield",
    "new",
    "super",
    "this",
];

/// Moves the test of an assertion.
///
/// # Errors
/// Why it cannot be moved, as a sentence.
pub(crate) fn make_manual(
    analysis: &Analysis,
    assertion: &Assertion,
) -> Result<SourceChange, String> {
    let program = analysis.program();
    let gone = || "its file is not there any more".to_owned();
    let from = Class::of(program, program.method_owner(assertion.test)).ok_or_else(gone)?;
    let home = home(analysis, &from)?;
    let to = Class::of(program, home).ok_or_else(gone)?;
    if from.summary.package != to.summary.package {
        return Err(format!("{} is in another package", to.decl.name));
    }
    if program.source_set(from.file) != program.source_set(to.file) {
        return Err(format!("{} is in another module", to.decl.name));
    }
    shares_nothing(analysis, &from)?;
    let method = program.method_decl(assertion.test).ok_or_else(gone)?;
    let imports = Imports::of(program, to.file, home).ok_or_else(gone)?;
    let mut moving = Moving {
        from: &from,
        to: &to,
        method,
        frameworks: (framework(from.summary), framework(to.summary)),
        imports,
        renamed: BTreeMap::new(),
    };
    let text = moving.written()?;
    let mut added = moving.imports.edits();
    added.push(insertion(&to, &text));
    added.sort_by_key(|e| e.span);
    Ok(SourceChange {
        edits: vec![(from.file, vec![removal(&from, method)]), (to.file, added)],
        ..SourceChange::default()
    })
}

/// How tests are written, and the class of their assertions.
type Own = (&'static Tests, &'static Home);

/// What a file's imports name.
fn framework(summary: &FileSummary) -> Option<Own> {
    let tests = of_tests(summary)?;
    Some((tests, tests.home()?))
}

/// A test class with its file.
struct Class<'a> {
    file: FileId,
    text: &'a str,
    summary: &'a FileSummary,
    decl: &'a TypeDecl,
    id: TypeId,
}

impl<'a> Class<'a> {
    fn of(program: &'a Program, id: TypeId) -> Option<Class<'a>> {
        let (file, _) = program.type_place(id)?;
        Some(Class {
            file,
            text: program.text(file)?,
            summary: program.summary(file)?,
            decl: program.type_decl(id)?,
            id,
        })
    }
}

/// The hand-written test class of what a generated one is about.
fn home(analysis: &Analysis, from: &Class<'_>) -> Result<TypeId, String> {
    let (program, workspace) = (analysis.program(), analysis.workspace());
    let about = under_test(workspace, from.id);
    let Some(&about) = about.first() else {
        return Err("it is about no class of the project".to_owned());
    };
    let tests = workspace.suite().tests().iter();
    let owners: BTreeSet<TypeId> = tests.map(|t| program.method_owner(*t)).collect();
    let is_own = |t: &TypeId| {
        program.generated(*t).is_none()
            && program.enclosing_type(*t).is_none()
            && class_under_test(program, *t) == Some(about)
    };
    let mut found: Vec<TypeId> = owners.into_iter().filter(is_own).collect();
    // In the same package, then the plainest name.
    let package = |t: &TypeId| {
        let of = |t: TypeId| {
            program
                .type_name(t)
                .rsplit_once('.')
                .map(|(p, _)| p.to_owned())
        };
        of(*t) != of(from.id)
    };
    let name = |t: &TypeId| program.type_name(*t).clone();
    found.sort_by_key(|t| (package(t), name(t).len(), name(t)));
    let simple = program.type_decl(about).map_or("the class", |d| &d.name);
    found
        .first()
        .copied()
        .ok_or_else(|| format!("there is no hand-written test class of {simple}: make one first"))
}

/// That nothing runs around the tests of a class.
fn shares_nothing(analysis: &Analysis, from: &Class<'_>) -> Result<(), String> {
    let program = analysis.program();
    let suite = analysis.workspace().suite();
    let around =
        |m: &&MethodId| matches!(suite.kind(**m), Some(TestKind::SetUp | TestKind::TearDown));
    match program.methods_of_type(from.id).iter().find(around) {
        None => Ok(()),
        Some(m) => {
            let name = program.method_decl(*m).map_or("", |d| &d.name);
            Err(format!("{name}() runs around the tests of its class"))
        }
    }
}

/// A word of code.
#[derive(Clone, Copy)]
struct Word<'a> {
    at: usize,
    text: &'a str,
    /// It belongs to what stands before it: `a.word`, `A::word`, `@word`.
    is_part: bool,
    /// A parenthesis follows, and `new` does not stand before it.
    is_call: bool,
    /// How a call begins, up to the end of its line.
    arguments: &'a str,
}

/// The words of a text between two places, without those of comments and literals.
fn words(text: &str, from: usize, to: usize) -> Vec<Word<'_>> {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
    let mut out: Vec<Word<'_>> = Vec::new();
    let mut before = b' ';
    let mut behind = from;
    for (at, byte) in Code::new(text, from, to) {
        if at < behind {
            continue;
        }
        if !is_name(byte) {
            before = byte;
            continue;
        }
        let bytes = text.as_bytes();
        let end = (at..to).find(|i| !is_name(bytes[*i])).unwrap_or(to);
        behind = end;
        let next = Code::new(text, end, to).next();
        let arguments = match next {
            Some((open, b'(')) => text.get(open + 1..to).unwrap_or(""),
            _ => "",
        };
        let after_new = out.last().is_some_and(|w: &Word<'_>| w.text == "new") && before == b' ';
        out.push(Word {
            at,
            text: &text[at..end],
            is_part: matches!(before, b'.' | b':' | b'@') || byte.is_ascii_digit(),
            is_call: matches!(next, Some((_, b'('))) && !after_new,
            arguments,
        });
        before = b' ';
    }
    out
}

struct Moving<'a> {
    from: &'a Class<'a>,
    to: &'a Class<'a>,
    method: &'a MethodDecl,
    /// Of the class that it leaves, and of that to which it goes.
    frameworks: (Option<Own>, Option<Own>),
    imports: Imports<'a>,
    /// What is written for a word of the test.
    renamed: BTreeMap<String, String>,
}

impl Moving<'_> {
    /// The test as it will stand there.
    fn written(&mut self) -> Result<String, String> {
        let (text, span) = (self.from.text, self.method.span);
        let (start, end) = (span.start as usize, span.end as usize);
        let name_at = self.method.name_span.start as usize;
        // The name's line begins with modifiers and the type; annotations stand before them.
        let head = self.head_end();
        let annotations = self.annotations(start, head)?;
        for word in words(text, head, end) {
            if word.at != name_at {
                self.resolve(word)?;
            }
        }
        let above = text.get(comments_above(text, start)..start).unwrap_or("");
        let above = above.trim();
        let indent = self.indent(self.to, self.to.decl.methods.first());
        let mut out = String::new();
        for part in [above, annotations.as_str()] {
            if !part.is_empty() {
                out.push_str(part);
                out.push('\n');
            }
        }
        let is_public = text[head..name_at]
            .split_whitespace()
            .any(|w| w == "public");
        if !is_public && !self.frameworks.1.is_some_and(|(tests, _)| tests.is_open) {
            out.push_str("public ");
        }
        let new_name = self.new_name();
        let mut at = head;
        for word in words(text, head, end) {
            let new = match word.at == name_at {
                true => Some(&new_name),
                false => self.renamed.get(word.text).filter(|_| !word.is_part),
            };
            if let Some(new) = new {
                out.push_str(&text[at..word.at]);
                out.push_str(new);
                at = word.at + word.text.len();
            }
        }
        out.push_str(&text[at..end]);
        Ok(self.indented(&out, &indent))
    }

    /// Where the annotations of the test end.
    fn head_end(&self) -> usize {
        let text = self.from.text;
        let (start, name) = (
            self.method.span.start as usize,
            self.method.name_span.start as usize,
        );
        // Parentheses before the name are those of annotations.
        let closing = |(at, byte): (usize, u8)| (byte == b')').then_some(at + 1);
        let mut at = Code::new(text, start, name)
            .filter_map(closing)
            .last()
            .unwrap_or(start);
        // Behind the last annotation, with or without parentheses.
        for word in words(text, start, name) {
            let is_annotation = text[..word.at].trim_end().ends_with('@')
                || word.is_part && text[..word.at].trim_end().ends_with('.');
            if is_annotation {
                at = at.max(word.at + word.text.len());
            }
        }
        let rest = &text[at..name];
        at + (rest.len() - rest.trim_start().len())
    }

    /// The annotations as the tests there have them.
    fn annotations(&mut self, start: usize, head: usize) -> Result<String, String> {
        let written = self.from.text[start..head].trim();
        let only_test = self.method.annotations.iter().all(|a| marks_tests(a));
        let (from, to) = self.frameworks;
        let form = |own: Option<Own>| own.map(|(_, home)| home.form);
        if form(from) == form(to) {
            for annotation in &self.method.annotations {
                self.import(annotation)?;
            }
            return Ok(written.to_owned());
        }
        if !only_test {
            return Err(
                "the tests there have another framework, and it has more annotations than @Test"
                    .to_owned(),
            );
        }
        if all(|row| row.throws_by).any(|begins| written.contains(begins)) {
            return Err(
                "the tests there have another framework, and its annotation expects an exception"
                    .to_owned(),
            );
        }
        let Some((tests, _)) = to else {
            return Err("the framework of the tests there is not known".to_owned());
        };
        Ok(match tests.annotation {
            Some(class) => format!("@{}", self.imports.class(class)),
            None => String::new(),
        })
    }

    /// Imports what an annotation is.
    fn import(&mut self, simple: &str) -> Result<(), String> {
        match self.single(simple, ImportKind::Single) {
            Some(full) => match self.imports.class(&full) == simple {
                true => Ok(()),
                false => Err(format!("{simple} means something else there")),
            },
            None => Ok(()),
        }
    }

    /// The import of the file that brings a name.
    fn single(&self, simple: &str, kind: ImportKind) -> Option<String> {
        let all = self.from.summary.imports.iter().filter(|i| i.kind == kind);
        let mut own = all.filter(|i| i.name.rsplit('.').next() == Some(simple));
        own.next().map(|i| i.name.to_string())
    }

    /// The classes that bring a static method of a name, if several do.
    fn overloads(&self, simple: &str) -> Option<Vec<String>> {
        let all = self.from.summary.imports.iter();
        let all = all.filter(|i| i.kind == ImportKind::StaticSingle);
        let named = all.filter_map(|i| i.name.rsplit_once('.').filter(|(_, n)| *n == simple));
        let mut classes: Vec<String> = named.map(|(class, _)| class.to_owned()).collect();
        classes.sort();
        classes.dedup();
        (classes.len() > 1).then_some(classes)
    }

    /// Of a name that several classes bring all are imported: which one a call means its arguments say.
    fn overloaded(&mut self, name: &str, classes: &[String]) -> Result<(), String> {
        for class in classes {
            if self.imports.method(class, name, false) != name {
                return Err(format!(
                    "{name} is of several classes, and one of them there"
                ));
            }
        }
        Ok(())
    }

    /// Finds out what a word means, so that it means the same there.
    fn resolve(&mut self, word: Word<'_>) -> Result<(), String> {
        let name = word.text;
        if word.is_part || KEYWORDS.contains(&name) {
            return Ok(());
        }
        if let Some(full) = self.single(name, ImportKind::Single) {
            is_of_use(&full)?;
            let written = self.imports.class(&full);
            return self.rename(name, written);
        }
        if let Some(full) = self.single(name, ImportKind::StaticSingle) {
            is_of_use(&full)?;
            if let Some(classes) = self.overloads(name) {
                return self.overloaded(name, &classes);
            }
            let (class, _) = full.rsplit_once('.').unwrap_or((&full, ""));
            return self.call(word, class);
        }
        let decl = self.from.decl;
        let is_own = decl.fields.iter().any(|f| f.name == name)
            || word.is_call && decl.methods.iter().any(|m| m.name == name)
            || self.from.summary.types.iter().any(|t| t.name == name);
        if is_own {
            return Err(format!("it uses {name} of {}", decl.name));
        }
        if word.is_call {
            let is_generators = |c: &String| EVOSUITE.has(c);
            let on_demand = self.on_demand(ImportKind::StaticOnDemand);
            return match self.class_of(name, &on_demand) {
                Some(class) => self.call(word, &class),
                None if on_demand.iter().any(is_generators) => {
                    Err(format!("{name}() is of {}", EVOSUITE.name))
                }
                None => Err(format!("nothing in its file says whose {name}() is")),
            };
        }
        let is_type = name.starts_with(|c: char| c.is_uppercase());
        if is_type && !self.on_demand(ImportKind::OnDemand).is_empty() && !self.is_near(name) {
            return Err(format!("{name} may come from an import of a whole package"));
        }
        Ok(())
    }

    /// The class of a static method that is called by its bare name, if an import of all its members brings it: assertions are of the
    /// framework, anything else of the only other class.
    fn class_of(&self, name: &str, on_demand: &[String]) -> Option<String> {
        let (tests, home) = self.frameworks.0.unzip();
        let class = home.map(|home| home.class);
        let is_own = |c: &&String| class.is_some_and(|own| own == c.as_str());
        let mut others = on_demand.iter().filter(|c| !is_own(c) && !EVOSUITE.has(c));
        let inherits = tests.is_some_and(|tests| tests.annotation.is_none());
        let is_there = inherits || on_demand.iter().any(|c| is_own(&c));
        if is_there && (is_shared(name) || is_called_assertion(name)) {
            return class.map(str::to_owned);
        }
        others.next().filter(|_| others.next().is_none()).cloned()
    }

    fn on_demand(&self, kind: ImportKind) -> Vec<String> {
        let all = self.from.summary.imports.iter().filter(|i| i.kind == kind);
        all.map(|i| i.name.to_string()).collect()
    }

    /// True for a class of the package, and for what every file knows.
    fn is_near(&self, name: &str) -> bool {
        const EVERYWHERE: &[&str] = &[
            "Boolean",
            "Byte",
            "Character",
            "CharSequence",
            "Class",
            "Comparable",
            "Double",
            "Error",
            "Exception",
            "Float",
            "Integer",
            "Iterable",
            "Long",
            "Math",
            "Number",
            "Object",
            "Override",
            "Runnable",
            "RuntimeException",
            "Short",
            "String",
            "StringBuffer",
            "StringBuilder",
            "System",
            "Thread",
            "Throwable",
            "Void",
        ];
        EVERYWHERE.contains(&name) || self.imports.declares(name)
    }

    /// A call of a static method of a class.
    fn call(&mut self, word: Word<'_>, class: &str) -> Result<(), String> {
        let name = word.text;
        let (from, to) = self.frameworks;
        let mut class = class;
        if let (Some((_, own)), Some((_, theirs))) = (from, to)
            && let (old, new) = (own.form, theirs.form)
            && old != new
            && own.class == class
            && old.is_plain()
            && new.is_plain()
            && old.is_actual_first == new.is_actual_first
            && is_shared(name)
            && !new.lacks.contains(&name)
        {
            if old.is_message_last != new.is_message_last && has_text(word.arguments) {
                return Err(format!(
                    "the tests there have another framework, and {name}() may have a message"
                ));
            }
            class = theirs.class;
        }
        let written = self.imports.method(class, name, false);
        self.rename(name, written)
    }

    fn rename(&mut self, name: &str, written: String) -> Result<(), String> {
        if written != name {
            self.renamed.insert(name.to_owned(), written);
        }
        Ok(())
    }

    /// A name that no test there has.
    fn new_name(&self) -> String {
        let old = self.method.name.as_str();
        let by_name = self.frameworks.1;
        let by_name = by_name.is_some_and(|(tests, _)| tests.annotation.is_none());
        let plain = match by_name && !old.starts_with(TEST_BEGINS) {
            true => format!("{TEST_BEGINS}{}{}", old[..1].to_uppercase(), &old[1..]),
            false => old.to_owned(),
        };
        let is_free = |name: &String| self.to.decl.methods.iter().all(|m| m.name != *name);
        let generated = format!("{plain}Generated");
        let numbered = (2..).map(|n| format!("{generated}{n}"));
        let mut names = [plain, generated.clone()].into_iter().chain(numbered);
        names.find(is_free).unwrap_or(generated)
    }

    /// The white space before a method of a class.
    fn indent(&self, class: &Class<'_>, method: Option<&MethodDecl>) -> String {
        let written = method.filter(|m| !m.implicit && m.span.start > class.decl.span.start);
        let Some(method) = written else {
            return "    ".to_owned();
        };
        let before = class.text.get(..method.span.start as usize).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |n| n + 1);
        match before[line..].trim().is_empty() {
            true => before[line..].to_owned(),
            false => "    ".to_owned(),
        }
    }

    /// The lines with the indentation of the tests there. What a text block says hangs on its own.
    fn indented(&self, text: &str, indent: &str) -> String {
        let own = self.indent(self.from, Some(self.method));
        let nl = newline(self.to.text);
        let has_block = text.contains("\"\"\"");
        let mut out = String::new();
        for (nth, line) in text.lines().enumerate() {
            let bare = line.trim_end_matches('\r');
            let is_whole = has_block && nth > 0;
            let kept = bare.strip_prefix(&own).unwrap_or(bare.trim_start());
            match (bare.trim().is_empty(), is_whole) {
                (_, true) => out.push_str(bare),
                (true, false) => {}
                // The first line stands without what was before it.
                (false, false) => {
                    out.push_str(indent);
                    out.push_str(if nth == 0 { bare.trim_start() } else { kept });
                }
            }
            out.push_str(nl);
        }
        out
    }
}

/// The mocks and checks of a generator's runtime are of no use elsewhere.
fn is_of_use(full: &str) -> Result<(), String> {
    match EVOSUITE.has(full) {
        true => Err(format!("{full} is of {}", EVOSUITE.name)),
        false => Ok(()),
    }
}

/// True if a call has a text among its arguments: it may be a message.
fn has_text(arguments: &str) -> bool {
    let mut depth = 0u32;
    for (_, byte) in Code::new(arguments, 0, arguments.len()) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            b'"' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// The test with its comments, its lines and the blank one before it.
fn removal(from: &Class<'_>, method: &MethodDecl) -> Edit {
    let text = from.text;
    let (start, end) = (method.span.start as usize, method.span.end as usize);
    let line = text[..start].rfind('\n').map_or(0, |n| n + 1);
    let is_line = text[line..start].trim().is_empty();
    let rest = text[end..].find('\n').map_or(text.len(), |n| end + n + 1);
    let ends = text[end..rest].trim().is_empty();
    if !is_line || !ends {
        return Edit::new(Span::new(method.span.start, method.span.end), "");
    }
    let mut first = comments_above(text, start);
    let before = text[..first].strip_suffix('\n').map_or("", |t| t);
    let blank = before.rfind('\n').map_or(0, |n| n + 1);
    if first > 0 && before[blank..].trim().is_empty() && blank < first {
        first = blank;
    }
    Edit::new(Span::new(first as u32, rest as u32), "")
}

/// Before the brace that ends the class.
fn insertion(to: &Class<'_>, test: &str) -> Edit {
    let text = to.text;
    let brace = (to.decl.span.end as usize).saturating_sub(1);
    let line = text[..brace].rfind('\n').map_or(0, |n| n + 1);
    let nl = newline(text);
    let at = |at: usize| Span::new(at as u32, at as u32);
    match text[line..brace].trim().is_empty() {
        true => Edit::new(at(line), format!("{nl}{test}")),
        false => Edit::new(at(brace), format!("{nl}{test}")),
    }
}
