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
use oracle::Form;
use program::{MethodId, Program, TypeId};

/// No collection has so many.
const SIZE: &str = "-1";
const HAMCREST: [&str; 2] = ["org.hamcrest.Matchers", "org.hamcrest.CoreMatchers"];

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
        let actual = value.expression.as_str();
        match self.style.form {
            Form::AssertJ | Form::Truth => {
                if let Some((asked, object, of)) = self.asked(value)
                    && let Some(statement) = self.fluent_asked(asked, object, &of)
                {
                    return Some(statement);
                }
                self.fluent(actual, &kind)
            }
            Form::Hamcrest => {
                if let Some((Asked::Size, object, Kind::List(_) | Kind::Set(_))) = self.asked(value)
                    && self.has_matchers()
                {
                    let size = self.matcher("hasSize");
                    return Some(self.hamcrest(object, sized().within(&format!("{size}("), ")")));
                }
                self.matching(actual, &kind)
            }
            _ => self.plain(actual, &kind),
        }
    }

    // --- AssertJ and Truth ---

    /// `assertThat(object).hasSize(n)`, if what is asked has words of its own.
    fn fluent_asked(&mut self, asked: Asked, object: &str, of: &Kind) -> Option<Statement> {
        let assertj = self.style.form == Form::AssertJ;
        let (before, filled, after) = match (asked, of) {
            (Asked::Size, Kind::Plain(_)) if !assertj => ("hasLength(", SIZE, ")"),
            (Asked::Size, Kind::Optional(_)) => return None,
            (Asked::Size, _) => ("hasSize(", SIZE, ")"),
            (Asked::Empty, Kind::Optional(_)) if !assertj => return None,
            (Asked::Empty, _) => ("", "isEmpty", "()"),
            (Asked::Present, Kind::Optional(_)) if assertj => ("", "isPresent", "()"),
            (Asked::Present, _) => return None,
        };
        Some(self.that(object, Expected::of(before, filled, after)))
    }

    fn fluent(&mut self, actual: &str, kind: &Kind) -> Option<Statement> {
        let assertj = self.style.form == Form::AssertJ;
        let has_size = || Expected::of("hasSize(", SIZE, ")");
        let check = match kind {
            Kind::Truth => Expected::of("", "isTrue", "()"),
            Kind::Plain(plain) => equal(plain.exact()),
            Kind::List(Some(one)) | Kind::Iterable(Some(one)) => {
                one.exact().within("containsExactly(", ")")
            }
            Kind::Set(Some(one)) => {
                let word = match assertj {
                    true => "containsExactlyInAnyOrder(",
                    false => "containsExactly(",
                };
                one.exact().within(word, ")")
            }
            Kind::Array(_, Some(one)) if assertj => one.exact().within("containsExactly(", ")"),
            Kind::Array(_, Some(one)) => equal(one.array()),
            Kind::Array(element, None) if assertj && !element.ends_with("[]") => has_size(),
            Kind::Array(..) => return Some(self.that(&of(actual, ".length")?, equal(sized()))),
            Kind::List(None) | Kind::Set(None) | Kind::Iterable(None) | Kind::Map(None) => {
                has_size()
            }
            Kind::Map(Some((key, value))) => {
                let pair = two(*key, *value);
                match assertj {
                    true => {
                        let entry =
                            self.imports
                                .method(self.style.class, "entry", self.style.by_class);
                        pair.within(&format!("containsOnly({entry}("), "))")
                    }
                    false => pair.within("containsExactly(", ")"),
                }
            }
            Kind::Optional(Some(one)) if assertj => one.exact().within("contains(", ")"),
            Kind::Optional(None) if assertj => Expected::of("", "isEmpty", "()"),
            Kind::Optional(_) | Kind::Made(_) | Kind::Enum(_) => equal(self.object(kind)),
            Kind::Object => Expected::of("", "isNull", "()"),
        };
        Some(self.that(actual, check))
    }

    pub(super) fn that(&mut self, actual: &str, check: Expected) -> Statement {
        let (class, by_class) = (self.style.class, self.style.by_class);
        let that = self.imports.method(class, self.style.that, by_class);
        check.within(&format!("{that}({actual})."), "")
    }

    // --- Hamcrest ---

    fn matching(&mut self, actual: &str, kind: &Kind) -> Option<Statement> {
        let expected = match kind {
            Kind::Truth => Expected::of("", "true", ""),
            Kind::Plain(plain) => plain.exact(),
            Kind::List(Some(one)) | Kind::Iterable(Some(one)) if self.has_matchers() => {
                let contains = self.matcher("contains");
                let check = one.exact().within(&format!("{contains}("), ")");
                return Some(self.hamcrest(actual, check));
            }
            Kind::Set(Some(one)) if self.has_matchers() => {
                let contains = self.matcher("containsInAnyOrder");
                let check = one.exact().within(&format!("{contains}("), ")");
                return Some(self.hamcrest(actual, check));
            }
            Kind::Array(_, Some(one)) => one.array(),
            Kind::Array(_, None) => {
                let check = self.is(sized());
                return Some(self.hamcrest(&of(actual, ".length")?, check));
            }
            Kind::List(None) | Kind::Set(None) | Kind::Map(None) => {
                let check = self.is(sized());
                return Some(self.hamcrest(&of(actual, ".size()")?, check));
            }
            Kind::Iterable(_) | Kind::Object => {
                let null = self.matcher("nullValue");
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
        let name = self.matcher(
            match self.style.equal_to && !expected.text().ends_with("()") {
                true => "equalTo",
                false => "is",
            },
        );
        expected.within(&format!("{name}("), ")")
    }

    pub(super) fn hamcrest(&mut self, actual: &str, check: Expected) -> Statement {
        // JUnit 4 has it, too, and people import either.
        let assert = "org.junit.Assert";
        let has = |class: &str| self.text.contains(&format!("import static {class}."));
        let class = match has(assert) && !has(self.style.class) {
            true => assert,
            false => self.style.class,
        };
        let that = self
            .imports
            .method(class, "assertThat", self.style.by_class);
        check.within(&format!("{that}({actual}, "), ")")
    }

    /// True if the file knows the matchers that stand in a library of their own.
    fn has_matchers(&self) -> bool {
        self.text.contains(HAMCREST[0])
    }

    /// A matcher by its name, of the class that the file takes matchers from.
    pub(super) fn matcher(&mut self, name: &str) -> String {
        let at = usize::from(!self.has_matchers());
        // `org.hamcrest.core.Is.is`
        let own = format!(".{name};");
        let is_there = |line: &str| {
            line.starts_with("import static org.hamcrest.") && line.trim_end().ends_with(&own)
        };
        match self.text.lines().any(is_there) {
            true => name.to_owned(),
            false => {
                let by_class = self.text.contains(&format!("import {};", HAMCREST[at]));
                self.imports.method(HAMCREST[at], name, by_class)
            }
        }
    }

    // --- JUnit and TestNG ---

    fn plain(&mut self, actual: &str, kind: &Kind) -> Option<Statement> {
        let form = self.style.form;
        Some(match kind {
            Kind::Truth => self.named("assertTrue", actual),
            Kind::Object => self.named("assertNull", actual),
            Kind::Plain(plain) => {
                let expected = match () {
                    () if is_size(actual) => sized(),
                    () if plain.is_text() => plain.exact(),
                    () if plain.boxed && form != Form::Jupiter => plain.in_box(),
                    () if plain.boxed => plain.exact(),
                    () => plain.wide(),
                };
                // Jupiter refuses a tolerance of 0, the others compare such numbers with a tolerance alone.
                let tolerance = match plain.ty {
                    _ if plain.boxed || form == Form::Jupiter => "",
                    "double" => ", 0.0",
                    "float" => ", 0.0f",
                    _ => "",
                };
                self.equals("assertEquals", expected, actual, tolerance)
            }
            Kind::Array(_, Some(one)) => {
                let expected = one.array();
                // JUnit 4 compares numbers with a fraction under a tolerance alone.
                let tolerance = match (form, one.ty) {
                    (Form::JUnit4, "double") => ", 0.0",
                    (Form::JUnit4, "float") => ", 0.0f",
                    _ => "",
                };
                match form {
                    Form::JUnit3 => {
                        let arrays = self.imports.class("java.util.Arrays");
                        let call = self.assertion("assertTrue");
                        let open = format!("{call}({arrays}.equals(");
                        expected.within(&open, &format!(", {actual}))"))
                    }
                    Form::TestNg => self.equals("assertEquals", expected, actual, ""),
                    _ => self.equals("assertArrayEquals", expected, actual, tolerance),
                }
            }
            Kind::Array(..) => self.size(actual, ".length")?,
            Kind::List(None) | Kind::Set(None) | Kind::Map(None) => self.size(actual, ".size()")?,
            Kind::Iterable(Some(_)) if form == Form::Jupiter => {
                let expected = self.object(kind);
                self.equals("assertIterableEquals", expected, actual, "")
            }
            Kind::Iterable(_) => self.named("assertNull", actual),
            _ => {
                let expected = self.object(kind);
                self.equals("assertEquals", expected, actual, "")
            }
        })
    }

    /// `assertTrue(x)`: the name is what is to be looked at.
    pub(super) fn named(&mut self, name: &str, actual: &str) -> Statement {
        let call = self.assertion(name);
        let class = call.strip_suffix(name).unwrap_or("");
        Expected::of(class, name, &format!("({actual})"))
    }

    fn size(&mut self, actual: &str, size: &str) -> Option<Statement> {
        Some(self.equals("assertEquals", sized(), &of(actual, size)?, ""))
    }

    pub(super) fn equals(
        &mut self,
        name: &str,
        expected: Expected,
        actual: &str,
        rest: &str,
    ) -> Statement {
        let call = self.assertion(name);
        match self.style.form {
            // What is expected stands behind.
            Form::TestNg => expected.within(&format!("{call}({actual}, "), &format!("{rest})")),
            _ => expected.within(&format!("{call}("), &format!(", {actual}{rest})")),
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
        let of = ["List.of(", "Set.of(", "Map.of("].map(|of| self.text.contains(of));
        let modern = of.contains(&true);
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
        let binary = self.program.type_name(id).clone();
        let (outer, inner) = binary.split_once('$').unwrap_or((&binary, ""));
        let outer = self.imports.class(outer);
        match inner {
            "" => outer,
            inner => format!("{outer}.{}", inner.replace('$', ".")),
        }
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
            Kind::Array(element, _) => self.style.form == Form::AssertJ && !element.ends_with("[]"),
            Kind::List(_) | Kind::Set(_) | Kind::Map(_) | Kind::Optional(_) => true,
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

fn equal(expected: Expected) -> Expected {
    expected.within("isEqualTo(", ")")
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
