//! The assertion on a value, as a person writes it in a file of that style: `assertTrue(x)`, `assertThat(x).isTrue()`,
//! `assertThat(list).containsExactly(…)`.
//!
//! No test ran, so what is expected is not known, and what stands for it fails, except where a value is one of two: a truth
//! value is said to be true, which is as good a guess as any and reads as what people write. Of an object that no short
//! expression makes the assertion says that it is null; of a collection of such, how many it has.

use super::expected::{Expected, Kind, Plain};
use super::imports::Imports;
use super::style::Style;
use super::{Readable, Statement};
use oracle::frameworks::{Entries, Fluent, Matchers, Plain as PlainWords, Tolerance, Words, homes};
use program::{MethodId, Program, TypeId};

/// No collection has so many.
const SIZE: &str = "-1";

/// See the module's description.
pub(super) struct Writer<'a, 'b> {
    pub(super) program: &'a Program,
    pub(super) test: MethodId,
    pub(super) text: &'a str,
    pub(super) style: Style,
    pub(super) imports: &'b mut Imports<'a>,
}

/// What a query asks of an object that assertions have words for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Size,
    Empty,
    Present,
}

impl Writer<'_, '_> {
    /// The assertion on a value; none if its type is not known.
    pub(super) fn statement(&mut self, value: &Readable) -> Option<Statement> {
        let kind = Kind::of(self.program, &value.ty)?;
        // All that could be said of an object is that there is none.
        if value.is_kept && kind == Kind::Object {
            return None;
        }
        let actual = value.expression.as_str();
        match &self.style.form.words {
            Words::Fluent(words) => {
                if let Some((asked, object, of)) = self.asked(value)
                    && let Some(statement) = self.fluent_asked(words, asked, object, &of)
                {
                    return Some(statement);
                }
                self.fluent(words, actual, &kind)
            }
            Words::Matchers(words) => {
                if let Some((
                    Asked::Size,
                    object,
                    Kind::List(_) | Kind::Set(_) | Kind::Collection(_),
                )) = self.asked(value)
                    && self.has_matchers()
                {
                    let size = self.matcher(words.size);
                    return Some(self.hamcrest(object, sized().within(&format!("{size}("), ")")));
                }
                self.matching(words, actual, &kind)
            }
            Words::Plain(words) => self.plain(words, actual, &kind),
        }
    }

    // --- links behind the method that takes the value ---

    /// `assertThat(object).hasSize(n)`, if what is asked has words of its own.
    fn fluent_asked(
        &mut self,
        words: &Fluent,
        asked: Asked,
        object: &str,
        of: &Kind,
    ) -> Option<Statement> {
        let (before, filled, after) = match (asked, of, &words.optionals) {
            (Asked::Size, Kind::Plain(_), _) => (words.length, SIZE, ")"),
            (Asked::Size, Kind::Optional(_), _) => return None,
            (Asked::Size, ..) => (words.size, SIZE, ")"),
            (Asked::Empty, Kind::Optional(_), None) => return None,
            (Asked::Empty, ..) => ("", words.empty, "()"),
            (Asked::Present, Kind::Optional(_), Some(words)) => ("", words.present, "()"),
            (Asked::Present, ..) => return None,
        };
        Some(self.that(object, Expected::of(before, filled, after)))
    }

    fn fluent(&mut self, words: &Fluent, actual: &str, kind: &Kind) -> Option<Statement> {
        let has_size = || Expected::of(words.size, SIZE, ")");
        let equal = |expected: Expected| expected.within(words.equal, ")");
        let check = match kind {
            Kind::Truth => Expected::of("", words.is_true, "()"),
            Kind::Plain(plain) => equal(plain.exact()),
            Kind::List(Some(one)) | Kind::Iterable(Some(one)) => {
                one.exact().within(words.ordered, ")")
            }
            Kind::Set(Some(one)) | Kind::Collection(Some(one)) => {
                one.exact().within(words.unordered, ")")
            }
            Kind::Array(_, Some(one)) => match &words.arrays {
                Some(words) => one.exact().within(words.elements, ")"),
                None => equal(one.array()),
            },
            Kind::Array(element, None) if words.arrays.is_some() && !element.ends_with("[]") => {
                has_size()
            }
            Kind::Array(..) => return Some(self.that(&of(actual, ".length")?, equal(sized()))),
            Kind::List(None)
            | Kind::Set(None)
            | Kind::Collection(None)
            | Kind::Iterable(None)
            | Kind::Map(None) => has_size(),
            Kind::Map(Some((key, value))) => {
                let pair = two(*key, *value);
                match words.entries {
                    Entries::Made(check, entry) => {
                        let (class, by_class) = (self.style.class, self.style.by_class);
                        let entry = self.imports.method(class, entry, by_class);
                        pair.within(&format!("{check}{entry}("), "))")
                    }
                    Entries::InTurn(check) => pair.within(check, ")"),
                }
            }
            Kind::Optional(one) if let Some(of) = &words.optionals => match one {
                Some(one) => one.exact().within(of.holds, ")"),
                None => Expected::of("", words.empty, "()"),
            },
            Kind::Optional(_) | Kind::Made(_) | Kind::Enum(_) => equal(self.object(kind)),
            Kind::Object => Expected::of("", words.is_null, "()"),
        };
        Some(self.that(actual, check))
    }

    pub(super) fn that(&mut self, actual: &str, check: Expected) -> Statement {
        let (class, by_class) = (self.style.class, self.style.by_class);
        let that = self.imports.method(class, self.style.that, by_class);
        check.within(&format!("{that}({actual})."), "")
    }

    // --- matchers ---

    fn matching(&mut self, words: &Matchers, actual: &str, kind: &Kind) -> Option<Statement> {
        let expected = match kind {
            Kind::Truth => Expected::of("", "true", ""),
            Kind::Plain(plain) => plain.exact(),
            Kind::List(Some(one)) | Kind::Iterable(Some(one)) if self.has_matchers() => {
                let contains = self.matcher(words.ordered);
                let check = one.exact().within(&format!("{contains}("), ")");
                return Some(self.hamcrest(actual, check));
            }
            Kind::Set(Some(one)) | Kind::Collection(Some(one)) if self.has_matchers() => {
                let contains = self.matcher(words.unordered);
                let check = one.exact().within(&format!("{contains}("), ")");
                return Some(self.hamcrest(actual, check));
            }
            Kind::Array(_, Some(one)) => one.array(),
            Kind::Array(_, None) => {
                let check = self.is(sized());
                return Some(self.hamcrest(&of(actual, ".length")?, check));
            }
            Kind::List(None) | Kind::Set(None) | Kind::Collection(_) | Kind::Map(None) => {
                let check = self.is(sized());
                return Some(self.hamcrest(&of(actual, ".size()")?, check));
            }
            Kind::Iterable(_) | Kind::Object => {
                let null = self.matcher(words.null);
                let check = self.is(Expected::of("", &null, "()"));
                return Some(self.hamcrest(actual, check));
            }
            _ => self.object(kind),
        };
        let check = self.is(expected);
        Some(self.hamcrest(actual, check))
    }

    /// `is(expected)`
    pub(super) fn is(&mut self, expected: Expected) -> Expected {
        let equal_to = self.style.equal_to && !expected.text().ends_with("()");
        let name = self.matchers();
        let name = name.map_or("", |m| if equal_to { m.equal } else { m.is });
        let name = self.matcher(name);
        expected.within(&format!("{name}("), ")")
    }

    pub(super) fn hamcrest(&mut self, actual: &str, check: Expected) -> Statement {
        // JUnit 4 has it, too, and people import either.
        let own = self.style.class;
        let has = |class: &str| self.text.contains(&format!("import static {class}."));
        let other = homes().find(|h| h.form.hands_on == Some(own) && has(h.class));
        let other = other.filter(|_| !has(own));
        let (class, that) = other.map_or((own, self.style.that), |h| (h.class, h.that));
        let that = self.imports.method(class, that, self.style.by_class);
        check.within(&format!("{that}({actual}, "), ")")
    }

    fn matchers(&self) -> Option<&'static Matchers> {
        match &self.style.form.words {
            Words::Matchers(matchers) => Some(matchers),
            _ => None,
        }
    }

    /// True if the file knows the matchers that stand in a library of their own.
    fn has_matchers(&self) -> bool {
        let matchers = self.matchers();
        matchers.is_some_and(|m| self.text.contains(m.all))
    }

    /// A matcher by its name, of the class that the file takes matchers from.
    pub(super) fn matcher(&mut self, name: &str) -> String {
        let (class, package) = match self.matchers() {
            Some(m) if self.has_matchers() => (m.all, m.package),
            Some(m) => (m.few, m.package),
            None => ("", ""),
        };
        // `org.hamcrest.core.Is.is`
        let own = format!(".{name};");
        let is_there = |line: &str| {
            let import = line.strip_prefix("import static ");
            import.is_some_and(|i| i.starts_with(package)) && line.trim_end().ends_with(&own)
        };
        match self.text.lines().any(is_there) {
            true => name.to_owned(),
            false => {
                let by_class = self.text.contains(&format!("import {class};"));
                self.imports.method(class, name, by_class)
            }
        }
    }

    // --- methods with arguments ---

    fn plain(&mut self, words: &PlainWords, actual: &str, kind: &Kind) -> Option<Statement> {
        Some(match kind {
            Kind::Truth => self.named(words.is_true, actual),
            Kind::Object => self.named(words.is_null, actual),
            Kind::Plain(plain) => {
                let expected = match () {
                    () if is_size(actual) => sized(),
                    () if plain.is_text() => plain.exact(),
                    () if plain.boxed && !words.is_exact => plain.in_box(),
                    () if plain.boxed => plain.exact(),
                    () => plain.exact_widened(),
                };
                let tolerance = match plain.boxed || words.is_exact {
                    true => "",
                    false => zero(plain.ty),
                };
                self.equals(words.equal, expected, actual, tolerance)
            }
            Kind::Array(_, Some(one)) => {
                let expected = one.array();
                self.arrays(words, one.ty, expected, actual, None)
            }
            Kind::Array(..) => self.equals(words.equal, sized(), &of(actual, ".length")?, ""),
            Kind::List(None) | Kind::Set(None) | Kind::Collection(_) | Kind::Map(None) => {
                self.equals(words.equal, sized(), &of(actual, ".size()")?, "")
            }
            Kind::Iterable(Some(_)) if let Some(equals) = words.iterables => {
                let expected = self.object(kind);
                self.equals(equals, expected, actual, "")
            }
            Kind::Iterable(_) => self.named(words.is_null, actual),
            _ => {
                let expected = self.object(kind);
                self.equals(words.equal, expected, actual, "")
            }
        })
    }

    /// Two arrays have equal elements, which are of this type, or elements that are as near as this.
    pub(super) fn arrays(
        &mut self,
        words: &PlainWords,
        element: &str,
        expected: Expected,
        actual: &str,
        tolerance: Option<&str>,
    ) -> Statement {
        let Some(name) = words.arrays else {
            let arrays = self.imports.class("java.util.Arrays");
            let call = self.assertion(words.is_true);
            let equals = match element.ends_with("[]") {
                true => "deepEquals",
                false => "equals",
            };
            let open = format!("{call}({arrays}.{equals}(");
            return expected.within(&open, &format!(", {actual}))"));
        };
        let tolerance = match (words.tolerance_in_arrays, tolerance) {
            (Tolerance::Needed | Tolerance::Taken, Some(near)) => format!(", {near}"),
            (Tolerance::Needed, None) => zero(element).to_owned(),
            _ => String::new(),
        };
        self.equals(name, expected, actual, &tolerance)
    }

    /// `assertTrue(x)`: the name is what is to be looked at.
    pub(super) fn named(&mut self, name: &str, actual: &str) -> Statement {
        let call = self.assertion(name);
        let class = call.strip_suffix(name).unwrap_or("");
        Expected::of(class, name, &format!("({actual})"))
    }

    pub(super) fn equals(
        &mut self,
        name: &str,
        expected: Expected,
        actual: &str,
        rest: &str,
    ) -> Statement {
        let call = self.assertion(name);
        match self.style.form.is_actual_first {
            true => expected.within(&format!("{call}({actual}, "), &format!("{rest})")),
            false => expected.within(&format!("{call}("), &format!(", {actual}{rest})")),
        }
    }

    pub(super) fn assertion(&mut self, name: &str) -> String {
        self.imports
            .method(self.style.class, name, self.style.by_class)
    }

    // --- what is expected ---

    /// An object of a kind that an expression makes.
    fn object(&mut self, kind: &Kind) -> Expected {
        // Where the file is written for a Java that has them.
        let modern = calls_of(self.text);
        match kind {
            Kind::List(Some(one)) | Kind::Iterable(Some(one)) => {
                let open = match modern {
                    true => format!("{}.of(", self.imports.class("java.util.List")),
                    false => format!("{}.asList(", self.imports.class("java.util.Arrays")),
                };
                one.exact().within(&open, ")")
            }
            Kind::Set(Some(one)) => {
                let open = match modern {
                    true => format!("{}.of(", self.imports.class("java.util.Set")),
                    false => format!("{}.singleton(", self.imports.class("java.util.Collections")),
                };
                one.exact().within(&open, ")")
            }
            Kind::Map(Some((key, value))) => {
                let open = match modern {
                    true => format!("{}.of(", self.imports.class("java.util.Map")),
                    false => {
                        let class = self.imports.class("java.util.Collections");
                        format!("{class}.singletonMap(")
                    }
                };
                two(*key, *value).within(&open, ")")
            }
            Kind::Optional(one) => {
                let class = self.imports.class("java.util.Optional");
                match one {
                    Some(one) => one.exact().within(&format!("{class}.of("), ")"),
                    None => Expected::of(&format!("{class}."), "empty", "()"),
                }
            }
            Kind::Made(row) => Expected::made(*row, self.imports),
            Kind::Enum(id) => {
                let name = self.own_name(*id);
                // It is there to be completed, and throws until it is.
                let words = "valueOf(\"what should it be?\")";
                Expected::of(&format!("{name}."), words, "")
            }
            _ => Expected::of("", "null", ""),
        }
    }

    /// A class of the workspace as the file can name it.
    fn own_name(&mut self, id: TypeId) -> String {
        let binary = self.program.type_name(id);
        self.imports.class_of_binary(binary)
    }

    // --- what is asked of what ---

    /// The query of a value that assertions have words for, with its object: `list.size()`.
    pub(super) fn asked<'v>(&self, value: &'v Readable) -> Option<(Asked, &'v str, Kind)> {
        let (object, query) = value.expression.rsplit_once('.')?;
        let asked = match query {
            "size()" | "length()" | "length" => Asked::Size,
            "isEmpty()" => Asked::Empty,
            "isPresent()" => Asked::Present,
            _ => return None,
        };
        let kind = Kind::of(self.program, &value.object)?;
        let has_words = match &kind {
            Kind::Plain(plain) => plain.is_text(),
            Kind::Array(element, _) => match &self.style.form.words {
                Words::Fluent(words) => words.arrays.is_some() && !element.ends_with("[]"),
                _ => false,
            },
            Kind::List(_)
            | Kind::Set(_)
            | Kind::Collection(_)
            | Kind::Map(_)
            | Kind::Optional(_) => true,
            _ => false,
        };
        has_words.then_some((asked, object, kind))
    }
}

/// The size that nothing has.
fn sized() -> Expected {
    Expected::of("", SIZE, "")
}

/// True for what is never below zero.
fn is_size(actual: &str) -> bool {
    [".size()", ".length()", ".length"]
        .iter()
        .any(|query| actual.ends_with(query))
}

/// The tolerance of nothing, which fractions of a primitive type are compared under.
pub(super) fn zero(ty: &str) -> &'static str {
    match ty {
        "double" => ", 0.0",
        "float" => ", 0.0f",
        _ => "",
    }
}

/// `key, value`, of which the key is to be filled in.
fn two(key: Plain, value: Plain) -> Expected {
    key.exact()
        .within("", &format!(", {}", value.exact().text()))
}

/// A query of an expression; none where brackets would be needed.
pub(super) fn of(actual: &str, query: &str) -> Option<String> {
    let is_one =
        actual.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ')' | ']'));
    (is_one && !actual.starts_with(['(', '!', '-'])).then(|| format!("{actual}{query}"))
}

/// True for a text that calls `List.of` or its kin, and not only `EnumSet.of` or `ImmutableList.of`.
pub(super) fn calls_of(text: &str) -> bool {
    let is_whole = |at: usize| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    };
    ["List.of(", "Set.of(", "Map.of("]
        .iter()
        .any(|of| text.match_indices(of).any(|(at, _)| is_whole(at)))
}
