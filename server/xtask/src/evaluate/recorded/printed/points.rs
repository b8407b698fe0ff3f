//! Observation points (`book.open()` where the assertion on it would go): what was recorded of them, and what a statement at
//! that place prints.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{Observed, Order, Value};
use ide::weave::points;
use ide::{Analysis, AssertionPlace, Readable, assertion_place};
use program::{FileId, MethodId};

use super::put::Print;
use super::{agree, different, is_built, told};
use crate::evaluate::chance::Chance;
use crate::evaluate::recorded::build::Build;
use crate::evaluate::recorded::insert::reported_as;

/// So often a point is asked while a test runs.
const ASKED: u64 = 8;

/// An observation point with what was recorded of it.
struct Point {
    test: MethodId,
    asked_as: String,
    /// As what prints has it.
    values: Vec<String>,
    count: u64,
}

/// Those that were drawn.
#[derive(Default)]
pub(super) struct Points {
    all: Vec<Point>,
    /// Why others cannot be compared, and how many.
    not: BTreeMap<&'static str, usize>,
}

/// What became of them.
#[derive(Default)]
pub(in crate::evaluate::recorded) struct Compared {
    pub(in crate::evaluate::recorded) equal: usize,
    pub(in crate::evaluate::recorded) others: Vec<String>,
    pub(in crate::evaluate::recorded) not: BTreeMap<&'static str, usize>,
}

/// Draws points that can be compared until there are so many, with what prints them.
pub(super) fn drawn(
    analysis: &Analysis,
    build: &Build<'_>,
    count: usize,
    chance: &mut Chance,
) -> (Points, Vec<Print>) {
    let (mut out, mut prints) = (Points::default(), Vec::new());
    let told = told(analysis);
    let mut all: Vec<(MethodId, &str, &Observed)> = Vec::new();
    for (test, told) in &told {
        let queries = told.queries.iter();
        all.extend(queries.map(|(asked_as, seen)| (*test, &**asked_as, seen)));
    }
    all.sort_by_key(|(test, asked_as, _)| (*test, *asked_as));
    for n in chance.draw(all.len(), all.len()) {
        if out.all.len() == count {
            break;
        }
        let (test, asked_as, seen) = all[n];
        let point = values(seen).and_then(|values| {
            let file = analysis.program().method_file(test).ok_or("no file")?;
            if is_built(build.root, analysis, file) {
                return Err("the build writes the test");
            }
            let text = at(analysis, file, test, asked_as, out.all.len())?;
            Ok((values, text))
        });
        match point {
            Ok((values, text)) => {
                prints.extend(text);
                out.all.push(Point {
                    test,
                    asked_as: asked_as.to_owned(),
                    values,
                    count: seen.count,
                });
            }
            Err(why) => *out.not.entry(why).or_default() += 1,
        }
    }
    (out, prints)
}

/// What prints a point, where an assertion on it would go.
fn at(
    analysis: &Analysis,
    file: FileId,
    test: MethodId,
    asked_as: &str,
    n: usize,
) -> Result<Vec<Print>, &'static str> {
    let of = |all: &[Readable]| all.iter().find(|r| r.asked_as == asked_as).cloned();
    let value = of(&analysis.offered(test).readable).or_else(|| of(&points(analysis, test)));
    let value = value.ok_or("no test could read it by today's code")?;
    let place = assertion_place(analysis, file, test, &value).ok_or("no place")?;
    let print = |(at, text)| Print {
        file,
        at,
        text,
        point: Some(n),
    };
    let here = prints(
        &value.expression,
        value.span.start,
        value.span.end,
        place,
        n,
    );
    Ok(here.into_iter().map(print).collect())
}

/// Where what stands: a statement before a byte, or a call around the expression, which must not run twice.
fn prints(
    expression: &str,
    start: u32,
    end: u32,
    place: AssertionPlace,
    n: usize,
) -> Vec<(u32, String)> {
    match place {
        AssertionPlace::Around => vec![
            (start, format!("TelltalePrints.see({n}, ")),
            (end, ")".to_owned()),
        ],
        AssertionPlace::Before { at, .. } => vec![(
            at,
            format!(
                "try {{ TelltalePrints.see({n}, {expression}); }} \
                 catch (Throwable telltaleP{n}) {{ TelltalePrints.threw({n}, telltaleP{n}); }} "
            ),
        )],
    }
}

impl Points {
    /// How many were drawn that can be compared.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Compares with what was printed. Of tests that did not pass while that was, and of points that were refused, nothing is known.
    pub(super) fn compared(
        self,
        analysis: &Analysis,
        printed: &str,
        passed: &BTreeMap<String, bool>,
        refused: &BTreeSet<usize>,
    ) -> Compared {
        let program = analysis.program();
        let mut out = Compared {
            not: self.not,
            ..Compared::default()
        };
        for (n, point) in self.all.iter().enumerate() {
            let names = reported_as(program, point.test);
            let ran: Vec<bool> = names
                .iter()
                .filter_map(|r| passed.get(r).copied())
                .collect();
            let method = program.method_name(point.test);
            let found = found(printed, n);
            let is_once = method.ends_with("()") && names.len() == 1;
            let why = match judged(&point.values, point.count, &found, is_once) {
                _ if refused.contains(&n) => "what prints it does not compile",
                _ if ran.is_empty() => "the test did not run again",
                _ if ran.contains(&false) => "the test did not pass again",
                Judged::Not(why) => why,
                Judged::Equal => {
                    out.equal += 1;
                    continue;
                }
                Judged::Other => {
                    out.others.push(format!(
                        "{method}: {}: recorded {:?}, {} times; printed {:?}, {} times",
                        point.asked_as,
                        point.values,
                        point.count,
                        different(&found),
                        found.len()
                    ));
                    continue;
                }
            };
            *out.not.entry(why).or_default() += 1;
        }
        out
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Judged {
    Equal,
    Other,
    Not(&'static str),
}

fn judged(values: &[String], count: u64, found: &[&str], is_once: bool) -> Judged {
    let often = found.len() as u64;
    if found.iter().any(|value| value.starts_with('?')) {
        return Judged::Not("what prints it cannot read it");
    }
    if often > count && count >= ASKED {
        return Judged::Not("it is asked no more often than eight times a test");
    }
    match agree(values, count, found, &[], is_once) {
        true => Judged::Equal,
        false => Judged::Other,
    }
}

/// What was printed of a point, in order.
fn found(printed: &str, n: usize) -> Vec<&str> {
    let number = format!("p{n}\t");
    let lines = printed.lines();
    lines
        .filter_map(|line| line.strip_prefix(&number))
        .collect()
}

/// What is printed of values, if that can be compared.
fn values(seen: &Observed) -> Result<Vec<String>, &'static str> {
    if seen.is_unstable() {
        return Err("it is another value in each run");
    }
    if seen.once {
        return Err("one run alone asked for it");
    }
    if seen.cut {
        return Err("there are more values than are kept");
    }
    seen.values.iter().map(printed).collect()
}

/// What is printed of a value, on one line.
fn printed(value: &Value) -> Result<String, &'static str> {
    let text = match value {
        Value::Threw(thrown) => format!("!{}", written(thrown)?),
        value => written(value)?,
    };
    let plain = text.replace('\\', "\\\\").replace('\n', "\\n");
    Ok(plain.replace('\r', "\\r").replace('\t', "\\t"))
}

/// As `TelltalePrints.java` writes it.
fn written(value: &Value) -> Result<String, &'static str> {
    const PART: &str = "a part of it is all that is kept";
    let all = |values: &[Value]| values.iter().map(written).collect::<Result<Vec<_>, _>>();
    let is_all = |length: u64, kept: usize| match length == kept as u64 {
        true => Ok(length),
        false => Err(PART),
    };
    let text = |text: &evidence::JavaString| {
        if !text.is_whole() {
            return Err(PART);
        }
        let plain =
            String::from_utf16(&text.units).map_err(|_| "a text that is none of Unicode")?;
        Ok(format!("{}:{plain}", text.units.len()))
    };
    Ok(match value.unboxed() {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Byte(n) => format!("b{n}"),
        Value::Short(n) => format!("s{n}"),
        Value::Int(n) => format!("i{n}"),
        Value::Long(n) => format!("l{n}"),
        Value::Char(c) => format!("c{c}"),
        // As bits: how a number is printed is none of the recording's business.
        Value::Float(bits) => format!("f{}", *bits as i32),
        Value::Double(bits) => format!("d{}", *bits as i64),
        Value::Text(own) => format!("t{}", text(own)?),
        Value::Enum { class, name } => format!("e{class}.{name}"),
        Value::Printed { text: own, .. } | Value::Chars { text: own, .. } => {
            format!("p{}", text(own)?)
        }
        Value::Holder { value, .. } => {
            let own = match &**value {
                Value::Int(n) => n.to_string(),
                Value::Long(n) => n.to_string(),
                Value::Bool(b) => b.to_string(),
                _ => return Err("a holder of something else than a number"),
            };
            format!("p{}:{own}", own.len())
        }
        Value::Array {
            length, elements, ..
        } => format!(
            "a{}{}",
            is_all(*length, elements.len())?,
            list(all(elements)?)
        ),
        Value::Collection { class, .. } | Value::Map { class, .. }
            if !class.starts_with("java.") =>
        {
            return Err("a collection or map of the project's own");
        }
        Value::Collection {
            kind,
            size,
            elements,
            ..
        } => {
            let size = is_all(*size, elements.len())?;
            let all = all(elements)?;
            match kind {
                Order::List => format!("l{size}{}", list(all)),
                Order::Set | Order::SortedSet => format!("s{size}{}", list(sorted(all))),
                Order::Queue | Order::Other => format!("q{size}{}", list(all)),
            }
        }
        Value::Map { size, entries, .. } => {
            let entry = |(key, value): &(Value, Value)| {
                let key = written(key)?;
                Ok(format!("{key}={}", written(value)?))
            };
            let all = entries
                .iter()
                .map(entry)
                .collect::<Result<_, &'static str>>()?;
            format!("m{}{}", is_all(*size, entries.len())?, list(sorted(all)))
        }
        Value::Optional { value, .. } => {
            format!(
                "o{}",
                list(value.iter().map(|v| written(v)).collect::<Result<_, _>>()?)
            )
        }
        Value::Throwable { class, message } => match message {
            Some(message) => format!("w{class}t{}", text(message)?),
            None => return Err("an exception of which nobody knows what it says"),
        },
        Value::Object { class, fields, .. } => {
            let field = |(name, value): &(_, Value)| Ok(format!("{name}={}", written(value)?));
            let all = fields
                .iter()
                .map(field)
                .collect::<Result<_, &'static str>>()?;
            format!("x{class}{}", list(all))
        }
        Value::Again(_) => "again".to_owned(),
        Value::Opaque { .. } => return Err("an object in it that is not looked into"),
        Value::Absent | Value::Threw(_) | Value::Boxed(_) => return Err("no value"),
    })
}

/// As the library prints lists.
fn list(all: Vec<String>) -> String {
    format!("[{}]", all.join(", "))
}

/// As the library sorts texts.
fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort_by_cached_key(|text| text.encode_utf16().collect::<Vec<_>>());
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::JavaString;

    #[test]
    fn a_statement_prints_where_the_assertion_would_go() {
        let before = AssertionPlace::Before { at: 30, ends: true };
        let all = prints("book.open()", 3, 14, before, 7);
        let said = "try { TelltalePrints.see(7, book.open()); } \
                    catch (Throwable telltaleP7) { TelltalePrints.threw(7, telltaleP7); } ";
        assert_eq!(all, [(30, said.to_owned())]);
        let all = prints("list.add(n)", 3, 14, AssertionPlace::Around, 7);
        let ends = [(3, "TelltalePrints.see(7, "), (14, ")")];
        assert_eq!(all, ends.map(|(at, text)| (at, text.to_owned())));
    }

    #[test]
    fn values_are_written_as_what_prints_has_them() {
        let text = |t: &str| Value::Text(JavaString::of(t));
        let class = || "java.util.ArrayList".into();
        let list = |kind, size, elements| Value::Collection {
            class: class(),
            kind,
            size,
            elements,
        };
        let of = |value: Value| printed(&value).expect("it can be compared");
        assert_eq!(of(Value::Boxed(Box::new(Value::Long(3)))), "l3");
        assert_eq!(of(Value::Double(0)), "d0");
        assert_eq!(
            of(Value::Double((-0.0f64).to_bits())),
            format!("d{}", i64::MIN)
        );
        assert_eq!(of(text("a\tb\\\n")), "t5:a\\tb\\\\\\n");
        let two = || vec![text("b"), text("a, c")];
        assert_eq!(of(list(Order::List, 2, two())), "l2[t1:b, t4:a, c]");
        let ascending = of(list(Order::Set, 2, vec![text("b"), text("a")]));
        assert_eq!(ascending, "s2[t1:a, t1:b]");
        let object = Value::Object {
            class: "p.Q".into(),
            is_record: false,
            identity: 1,
            fields: vec![("n".into(), Value::Int(1)), ("m".into(), Value::Again(1))],
        };
        assert_eq!(of(object), "xp.Q[n=i1, m=again]");
        let message = Some(JavaString::of("no"));
        let class = "p.E".into();
        let thrown = Value::Threw(Box::new(Value::Throwable { class, message }));
        assert_eq!(of(thrown), "!wp.Et2:no");
        assert!(
            printed(&list(Order::List, 3, two())).is_err(),
            "one is not kept"
        );
    }

    #[test]
    fn what_was_printed_of_a_point_is_found_and_judged() {
        let lines = "1\ti1\t[]\np1\ti1\np11\ti4\np1\ti2\n";
        let own = found(lines, 1);
        assert_eq!(own, ["i1", "i2"]);
        let of = |values: &[&str], count, found: &[&str], is_once| {
            let values: Vec<String> = values.iter().map(|v| (*v).to_owned()).collect();
            judged(&values, count, found, is_once)
        };
        assert_eq!(of(&["i1", "i2"], 2, &own, true), Judged::Equal);
        assert_eq!(of(&["i2", "i1"], 2, &own, true), Judged::Other);
        assert_eq!(of(&["i1"], 2, &own, false), Judged::Other);
        assert_eq!(
            of(&["i1"], 1, &[], true),
            Judged::Other,
            "nothing was printed"
        );
        assert!(matches!(of(&["i1"], 8, &["i1"; 9], true), Judged::Not(_)));
        assert_eq!(of(&["i1"], 7, &["i1"; 9], true), Judged::Other);
        assert!(matches!(of(&["i1"], 1, &["?x"], true), Judged::Not(_)));
    }
}
