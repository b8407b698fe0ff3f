//! A constraint that somebody wrote down: `x > 0`, `a[] elements != null`. It is asked of samples one by one, so that the first one that
//! breaks it can be named.
//!
//! The learner keeps nothing of what was falsified; who asks why reads the samples a second time, for this one question.

use crate::constraint::Constraint;
use crate::family::Family;
use crate::look;
use crate::order::Relation;
use crate::point::Point;
use crate::rule::{Rule, Verdict};
use crate::term::{Source, Term, terms};
use crate::trace;
use crate::value::{Kind, Rep, Value};

/// What is claimed of a point's variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    rule: Rule,
    sources: Vec<Source>,
}

impl Claim {
    /// Reads a claim as constraints are written, and `x > 5` where no family says so.
    ///
    /// # Errors
    /// A sentence that says what was not understood.
    pub fn parse(point: &Point, text: &str) -> Result<Claim, String> {
        Claim::parse_knowing(point, text, &|_| true)
    }

    /// Reads a claim where not every name is one of a constant: a variable that is written wrong is none. In quotes, and between
    /// braces or brackets, where no variable can stand, any is.
    ///
    /// # Errors
    /// A sentence that says what was not understood.
    pub fn parse_knowing(
        point: &Point,
        text: &str,
        is_constant: &dyn Fn(&str) -> bool,
    ) -> Result<Claim, String> {
        let terms = terms(point);
        let term = |name: &str| terms.iter().find(|t| t.name == name.trim());
        let known = |name: &str| {
            term(name).ok_or_else(|| format!("{:?} is no variable there", name.trim()))
        };
        let claim = |rule, sources: &[&Term]| {
            Ok(Claim {
                rule,
                sources: sources.iter().map(|t| t.source).collect(),
            })
        };
        let text = text.trim();
        // What stands in quotes is a value.
        let quoted = text.find(['"', '\'']).unwrap_or(text.len());
        let around = |word: &str| {
            let sides = text.split_once(word);
            sides.filter(|(before, _)| before.len() < quoted)
        };
        if let Some(name) = text.strip_suffix(" is a power of 2") {
            return claim(Rule::PowerOfTwo, &[known(name)?]);
        }
        if let Some((a, b)) = around(" is the reverse of ") {
            return claim(Rule::Reverse, &[known(a)?, known(b)?]);
        }
        if let Some((name, relation)) = around(" sorted by ") {
            let relation =
                relation_of(relation).ok_or_else(|| format!("{relation:?} is no order"))?;
            return claim(Rule::Sorted(relation), &[known(name)?]);
        }
        if let Some(name) = text.strip_suffix(" elements are equal") {
            return claim(Rule::Sorted(Relation::Equal), &[known(name)?]);
        }
        if let Some((one, all)) = around(" in ") {
            return claim(Rule::Member, &[known(all)?, known(one)?]);
        }
        if let Some((name, values)) = around(" one of ") {
            let (name, of_elements) = without_elements(name);
            let term = known(name)?;
            let inner = values
                .trim()
                .strip_prefix('{')
                .and_then(|v| v.strip_suffix('}'));
            let inner = inner.ok_or_else(|| "write the values in braces: { 1, 2 }".to_owned())?;
            let values = look::parts(inner).into_iter();
            let values: Result<Vec<Value>, String> =
                values.map(|v| value(v, term, of_elements)).collect();
            let rule = if of_elements {
                Rule::ElementsOneOf
            } else {
                Rule::OneOf
            };
            return claim(rule(values?), &[term]);
        }
        let Some((left, relation, right)) = split(text) else {
            return Err(
                "it is written with none of ==, !=, <, <=, >, >=, in, one of, sorted by".to_owned(),
            );
        };
        if let (Relation::Equal, Some((x, y)), "0") = (relation, left.split_once(" % "), right) {
            return claim(Rule::Divides { swapped: false }, &[known(x)?, known(y)?]);
        }
        if let (Relation::Equal, Some(y)) = (relation, right.strip_suffix("**2")) {
            return claim(Rule::Square { swapped: false }, &[known(left)?, known(y)?]);
        }
        let (left, of_elements) = without_elements(left);
        let first = known(left)?;
        let (right, how) = without_how(right);
        if let Some(second) = term(right) {
            let rule = match (of_elements, how, first.rep.sequence) {
                (true, ..) => Rule::ElementsCompare(relation),
                (_, How::Elementwise, _) => Rule::Pairwise(relation),
                (.., true) => Rule::Lexical(relation),
                _ => Rule::Compare(relation),
            };
            return claim(rule, &[first, second]);
        }
        let value = value(right, first, of_elements)?;
        if let Value::Text(Some(name)) = &value
            && **name == *right
            && !is_constant(right)
        {
            return Err(format!(
                "{right:?} is neither a variable there nor a constant that was seen; in quotes any is understood"
            ));
        }
        let rule = match (relation, of_elements) {
            (Relation::Equal, false) => Rule::OneOf(vec![value]),
            (Relation::Equal, true) => Rule::ElementsOneOf(vec![value]),
            (Relation::NotEqual, false) if is_zero(&value) => Rule::NonZero,
            (Relation::NotEqual, true) if is_zero(&value) => Rule::ElementsNonZero,
            (relation, false) => Rule::Bound(relation, value),
            (relation, true) => Rule::ElementsBound(relation, value),
        };
        claim(rule, &[first])
    }

    /// What a constraint says.
    pub fn of(constraint: &Constraint) -> Claim {
        Claim {
            rule: constraint.rule.clone(),
            sources: constraint.sources.to_vec(),
        }
    }

    /// As constraints of these terms are written, whatever way it was written in.
    pub fn text(&self, terms: &[Term]) -> String {
        let term = |source: &Source| terms.iter().find(|t| t.source == *source);
        let these: Vec<&Term> = self.sources.iter().filter_map(term).collect();
        self.rule.text(&these)
    }

    /// What it may read as among constraints of these terms: as it was written, as they are written, `c == 'A'` for `c == 65`, and
    /// from the other side, `x < y` for `y > x`.
    pub fn spellings(&self, text: &str, terms: &[Term]) -> impl Iterator<Item = String> + use<> {
        let text = text.trim().to_owned();
        let turned = turned(&text);
        [Some(text), Some(self.text(terms)), turned]
            .into_iter()
            .flatten()
    }

    /// The constraint among some that says at least as much of the same (`x >= 1` says `x > 0`, `x < y` says `y != x`), or of a
    /// value that is equal by some that are `believed` (`x >= 1` and `y == x` say `y >= 1`), with that equality.
    pub fn implied_by<'c>(
        &self,
        all: impl Iterator<Item = &'c Constraint> + Clone,
        believed: impl Iterator<Item = &'c Constraint>,
    ) -> Option<(&'c Constraint, Option<&'c Constraint>)> {
        let of = |sources: &[Source]| {
            let mut other_side = sources.to_vec();
            other_side.reverse();
            all.clone().find(|c| {
                let own = &c.sources[..];
                own == sources && says(&c.rule, &self.rule)
                    || own == other_side
                        && from_the_other_side(&c.rule).is_some_and(|r| says(&r, &self.rule))
            })
        };
        if let Some(nearer) = of(&self.sources) {
            return Some((nearer, None));
        }
        let mut equal = believed.filter(|c| c.family == Family::Equal);
        equal.find_map(|equality| {
            let [a, b] = equality.sources[..] else {
                return None;
            };
            let other = |s: &Source| match *s {
                s if s == a => b,
                s if s == b => a,
                s => s,
            };
            let turned: Vec<Source> = self.sources.iter().map(other).collect();
            let is_other = turned != self.sources;
            let found = is_other.then(|| of(&turned)).flatten()?;
            Some((found, Some(equality)))
        })
    }

    /// Where the values come from that it speaks of.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Says whether it holds in a sample of the point.
    pub fn judge(&self, sample: &[Value]) -> Verdict {
        let values: Option<Vec<Value>> = self.sources.iter().map(|s| s.value(sample)).collect();
        match values {
            None => Verdict::Missing,
            Some(values) if self.rule.holds(&values) => Verdict::Holds,
            Some(_) => Verdict::Broken,
        }
    }
}

/// A comparison said from the other side: `y > x` of `x < y`.
fn turned(text: &str) -> Option<String> {
    let (left, relation, right) = split(text.trim())?;
    Some(format!("{right} {} {left}", relation.turned().symbol()))
}

/// How two sequences are compared.
enum How {
    Lexically,
    Elementwise,
}

fn without_how(right: &str) -> (&str, How) {
    match (
        right.strip_suffix("(elementwise)"),
        right.strip_suffix("(lexically)"),
    ) {
        (Some(right), _) => (right.trim(), How::Elementwise),
        (_, Some(right)) => (right.trim(), How::Lexically),
        _ => (right, How::Lexically),
    }
}

fn without_elements(left: &str) -> (&str, bool) {
    match left.trim().strip_suffix(" elements") {
        Some(left) => (left, true),
        None => (left.trim(), false),
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(v) => *v == 0,
        Value::Double(v) => *v == 0.0,
        Value::Text(text) => text.is_none(),
        _ => false,
    }
}

fn relation_of(symbol: &str) -> Option<Relation> {
    Relation::ALL
        .into_iter()
        .find(|r| r.symbol() == symbol.trim())
}

/// Splits at the relation that stands between blanks.
fn split(text: &str) -> Option<(&str, Relation, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find(' ').map(|i| from + i) {
        let rest = &text[at + 1..];
        let end = rest.find(' ').unwrap_or(rest.len());
        if let Some(relation) = relation_of(&rest[..end]) {
            return Some((text[..at].trim(), relation, rest[end..].trim()));
        }
        from = at + 1;
    }
    None
}

fn value(text: &str, term: &Term, of_elements: bool) -> Result<Value, String> {
    let rep = match of_elements {
        true => Rep::one(term.rep.kind),
        false => term.rep,
    };
    let text = text.trim();
    if let Some(value) = look::read(text, rep, term.look) {
        return Ok(value);
    }
    if rep == Rep::one(Kind::Text)
        && let Some(class) = text.strip_suffix(".class")
    {
        return Ok(Value::text(class));
    }
    let text = match text.strip_suffix('L') {
        Some(number) if rep == Rep::one(Kind::Int) => number,
        _ => text,
    };
    let spelled = if rep.sequence {
        text.replace(',', " ")
    } else {
        text.to_owned()
    };
    trace::value(&spelled, rep)
        .ok_or_else(|| format!("{text:?} is neither a variable there nor a value of this one"))
}

/// True if one rule says of the same values all that another does.
fn says(more: &Rule, less: &Rule) -> bool {
    match (more, less) {
        (Rule::Bound(r, a), Rule::Bound(q, b)) => bounds(*r, a, *q, b),
        (Rule::ElementsBound(r, a), Rule::ElementsBound(q, b)) => bounds(*r, a, *q, b),
        (Rule::Bound(r, a), Rule::NonZero) => leaves_out_zero(*r, a),
        (Rule::ElementsBound(r, a), Rule::ElementsNonZero) => leaves_out_zero(*r, a),
        (Rule::Compare(r), Rule::Compare(q))
        | (Rule::Sorted(r), Rule::Sorted(q))
        | (Rule::ElementsCompare(r), Rule::ElementsCompare(q))
        | (Rule::Pairwise(r), Rule::Pairwise(q))
        | (Rule::Lexical(r), Rule::Lexical(q)) => r.says(*q),
        // Of a value that is one of a few it is enough that each is so.
        (Rule::OneOf(all), less) if more != less => {
            let each = |v: &Value| less.holds(std::slice::from_ref(v));
            !all.is_empty() && all.iter().all(each)
        }
        _ => more == less,
    }
}

/// True if a bound is at least as near as another.
fn bounds(r: Relation, a: &Value, q: Relation, b: &Value) -> bool {
    let (Some(a), Some(b)) = (a.number(), b.number()) else {
        return false;
    };
    match (r, q) {
        (Relation::GreaterEqual, Relation::GreaterEqual) => a >= b,
        (Relation::GreaterEqual, Relation::Greater) => a > b,
        (Relation::LessEqual, Relation::LessEqual) => a <= b,
        (Relation::LessEqual, Relation::Less) => a < b,
        (Relation::GreaterEqual, Relation::NotEqual) => a > b,
        (Relation::LessEqual, Relation::NotEqual) => a < b,
        _ => false,
    }
}

fn leaves_out_zero(relation: Relation, bound: &Value) -> bool {
    bound.number().is_some_and(|b| match relation {
        Relation::GreaterEqual => b > 0.0,
        Relation::LessEqual => b < 0.0,
        _ => false,
    })
}

/// `y > x` of `x < y`.
fn from_the_other_side(rule: &Rule) -> Option<Rule> {
    match rule {
        Rule::Compare(r) => Some(Rule::Compare(r.turned())),
        Rule::Pairwise(r) => Some(Rule::Pairwise(r.turned())),
        Rule::Lexical(r) => Some(Rule::Lexical(r.turned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::{PointKind, Variable, VariableKind};

    fn point() -> Point {
        let mut a = Variable::new("this.a[..]", "int[]", Rep::many(Kind::Int));
        a.kind = VariableKind::Array;
        Point::new(
            "p:::POINT",
            PointKind::Point,
            vec![
                Variable::new("x", "int", Rep::one(Kind::Int)),
                Variable::new("y", "int", Rep::one(Kind::Int)),
                Variable::new("s", "java.lang.String", Rep::one(Kind::Text)),
                a,
            ],
        )
    }

    #[test]
    fn claims_are_judged() {
        let sample = [
            Value::Int(3),
            Value::Int(9),
            Value::text("a b"),
            Value::Ints([1, 3, 3].into()),
        ];
        let table = [
            ("x > 0", Verdict::Holds),
            ("x > 3", Verdict::Broken),
            ("x == y", Verdict::Broken),
            ("y == x**2", Verdict::Holds),
            ("y % x == 0", Verdict::Holds),
            ("x one of { 1, 3 }", Verdict::Holds),
            ("s == \"a b\"", Verdict::Holds),
            ("s != null", Verdict::Holds),
            ("s != \"a\"", Verdict::Holds),
            ("s != \"a b\"", Verdict::Broken),
            ("this.a[] != [1, 3]", Verdict::Holds),
            ("x in this.a[]", Verdict::Holds),
            ("y in this.a[]", Verdict::Broken),
            ("this.a[] sorted by <=", Verdict::Holds),
            ("this.a[] sorted by <", Verdict::Broken),
            ("this.a[] elements <= x", Verdict::Holds),
            ("this.a[] elements >= 2", Verdict::Broken),
            ("this.a[] == [1, 3, 3]", Verdict::Holds),
            ("size(this.a[])-1 < x", Verdict::Holds),
            ("this.a[x-1] == x", Verdict::Holds),
            ("this.a[x] == x", Verdict::Missing),
        ];
        for (text, verdict) in table {
            let claim = Claim::parse(&point(), text);
            assert_eq!(claim.map(|c| c.judge(&sample)), Ok(verdict), "{text}");
        }
    }

    #[test]
    fn a_comparison_is_turned_round() {
        for (text, other) in [
            ("x > 0", Some("0 < x")),
            ("a.b <= size(c[])-1", Some("size(c[])-1 >= a.b")),
            ("x == y", Some("y == x")),
            ("x one of { 1, 2 }", None),
        ] {
            assert_eq!(turned(text).as_deref(), other, "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for (text, part) in [
            ("z > 0", "\"z\" is no variable"),
            ("x", "written with none of"),
            ("x == maybe", "neither a variable there nor a value"),
            ("x one of 1, 2", "in braces"),
        ] {
            let said = Claim::parse(&point(), text).expect_err(text);
            assert!(said.contains(part), "{text}: {said}");
        }
    }
}
