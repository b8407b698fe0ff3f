//! What a mutant did, in words of the language: "`<` became `<=` in `i < n`", "the call of `list.clear()` was left out".
//!
//! The agent knows instructions and lines. Which of a line's conditions or calls an instruction was compiled from follows
//! from their order, if the line has as many of them as it has such mutants and each fits its instruction: a `<` jumps
//! by `lt`, or where it does not hold by `ge`. Where that does not hold (`for` over elements, `finally`, `switch` on texts,
//! conditions over several lines) only the kind of the change is said.

use flow::{BinaryOp, Body, Callable, Callee, ExprId, ExprKind, UnaryOp};
use mutants::{Mutant, Operator};
use program::{FileId, Program};
use std::collections::{BTreeMap, BTreeSet};
use text::{Encoding, LineIndex};

/// How long a piece of source may be that is shown, in characters.
const SHOWN: usize = 60;

/// A place in the source that jumps or calls.
#[derive(Clone, Debug)]
struct Site {
    /// In bytes of the file.
    start: u32,
    /// As it is written, in one line.
    text: String,
    /// Of a comparison, which.
    compares: Option<BinaryOp>,
    /// Of a call, the method's name.
    name: String,
}

/// A file's places, by line.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    conditions: BTreeMap<u32, Vec<Site>>,
    calls: BTreeMap<u32, Vec<Site>>,
    returns: BTreeMap<u32, Vec<Site>>,
    /// The values of lambdas that are an expression.
    lambdas: BTreeMap<u32, Vec<Site>>,
    lines: Vec<String>,
}

impl Changes {
    /// Reads a file; nothing is known of one that is not there.
    pub fn of(program: &Program, file: FileId) -> Changes {
        let mut out = Changes::default();
        let Some(text) = program.text(file) else {
            return out;
        };
        out.lines = text.lines().map(str::to_owned).collect();
        let index = LineIndex::new(text);
        for &id in program.bodies_of_file(file) {
            let Some(decl) = program.body(id) else {
                continue;
            };
            let at = |e: ExprId| {
                let e = decl.body.expr(e);
                (decl.start + e.start, decl.start + e.end)
            };
            let add = |to: &mut BTreeMap<u32, Vec<Site>>, shown: ExprId, from: u32| {
                let (start, end) = at(shown);
                let source = text.get(start as usize..end as usize).unwrap_or("");
                let body = &decl.body;
                let compares = match body.expr(shown).kind {
                    ExprKind::Binary { op, .. } => Some(op).filter(|op| op.compares()),
                    _ => None,
                };
                let name = match body.expr(shown).kind {
                    ExprKind::Call(call) => match body.calls[call.ix()].callee {
                        Callee::Method { name, .. } => body.name(name).to_string(),
                        _ => String::new(),
                    },
                    _ => String::new(),
                };
                let line = index.position(from, Encoding::Utf8).line + 1;
                to.entry(line).or_default().push(Site {
                    start,
                    text: one_line(source),
                    compares,
                    name,
                });
            };
            // What a switch is of is compared with its cases.
            let is_switched = |e: &ExprId| {
                let before = text.get(..at(*e).0 as usize).unwrap_or("").trim_end();
                let before = before.strip_suffix('(').map(str::trim_end);
                before.is_some_and(|b| b.ends_with("switch"))
            };
            for atom in atoms(&decl.body).into_iter().filter(|e| !is_switched(e)) {
                add(&mut out.conditions, atom, at(atom).0);
            }
            for call in &decl.body.calls {
                if matches!(call.callee, Callee::Method { .. }) {
                    add(&mut out.calls, call.expr, decl.start + call.name_start);
                }
            }
            for given in &decl.body.exprs {
                if let ExprKind::Return(at) = given.kind
                    && decl.body.returns[at as usize].callable == Callable::Member
                    && let Some(value) = returned(&decl.body, given.start, given.end)
                {
                    add(&mut out.returns, value, decl.start + given.start);
                }
            }
            for value in decl.body.lambdas.iter().filter_map(|l| l.value) {
                add(&mut out.lambdas, value, at(value).0);
            }
        }
        let all = [
            &mut out.conditions,
            &mut out.calls,
            &mut out.returns,
            &mut out.lambdas,
        ];
        for all in all {
            all.values_mut().for_each(|l| l.sort_by_key(|s| s.start));
        }
        out
    }

    /// What a mutant did; `all` are those of its class, in the order of their numbers.
    pub fn words(&self, mutant: &Mutant, all: &[&Mutant]) -> String {
        let alike: Vec<&Mutant> = all
            .iter()
            .copied()
            .filter(|m| m.line == mutant.line && m.operator == mutant.operator)
            .collect();
        let nth = alike.iter().position(|m| *m == mutant).unwrap_or(0);
        match mutant.operator {
            Operator::ConditionalsBoundary | Operator::NegateConditionals => {
                self.condition(mutant, all)
            }
            Operator::Math => {
                let (was, is) = arithmetic(&mutant.what);
                format!("`{was}` became `{is}`{}", which(nth, alike.len()))
            }
            Operator::InvertNegs => {
                format!("the minus sign was left out{}", which(nth, alike.len()))
            }
            Operator::Increments => self.increment(mutant, &alike, nth),
            Operator::VoidMethodCalls => self.call(mutant, &alike),
            Operator::Body => match returns(&mutant.descriptor) {
                "V" => "all of the method was left out".to_owned(),
                ty => format!("all of the method was left out: it returned {}", zero(ty)),
            },
            operator => self.result(mutant, operator),
        }
    }

    fn condition(&self, mutant: &Mutant, all: &[&Mutant]) -> String {
        // Each condition has one of these, so that it says which condition a mutant is of.
        let jumps: Vec<&Mutant> = all
            .iter()
            .copied()
            .filter(|m| m.line == mutant.line && m.operator == Operator::NegateConditionals)
            .collect();
        let sites = self.conditions.get(&mutant.line).map_or(&[][..], |s| s);
        let fits = jumps.len() == sites.len()
            && jumps
                .iter()
                .zip(sites)
                .all(|(m, s)| fits(&m.what, s.compares));
        let same = |m: &&Mutant| m.method == mutant.method && m.descriptor == mutant.descriptor;
        let ordered = |m: &&Mutant| is_ordered(&m.what);
        let mut at: Vec<usize> = Vec::new();
        for (n, jump) in jumps.iter().enumerate() {
            let counts = mutant.operator == Operator::NegateConditionals || ordered(jump);
            if same(jump) && counts {
                at.push(n);
            }
        }
        let of_line = all
            .iter()
            .copied()
            .filter(|m| m.line == mutant.line && m.operator == mutant.operator && same(m));
        let nth = of_line.clone().position(|m| m == mutant);
        let site = nth.and_then(|n| at.get(n)).and_then(|n| sites.get(*n));
        let is_boundary = mutant.operator == Operator::ConditionalsBoundary;
        let found = site.filter(|_| fits && of_line.count() == at.len());
        match (found, is_boundary) {
            (
                Some(Site {
                    text,
                    compares: Some(op),
                    ..
                }),
                true,
            ) => {
                format!(
                    "`{}` became `{}` in `{text}`",
                    sign(*op),
                    sign(boundary(*op))
                )
            }
            (
                Some(Site {
                    text,
                    compares: Some(op),
                    ..
                }),
                false,
            ) => {
                format!(
                    "`{}` became `{}` in `{text}`",
                    sign(*op),
                    sign(negated(*op))
                )
            }
            (Some(Site { text, .. }), false) => format!("the condition `{text}` was negated"),
            (_, true) => format!(
                "the boundary of a comparison moved (such as `<` to `<=`){}",
                which(nth.unwrap_or(0), at.len())
            ),
            (_, false) => {
                // Of texts it is a row of comparisons.
                let what = match self.line(mutant.line).contains("switch (") {
                    true => "whether a case of the `switch` holds was negated",
                    false => "a condition was negated",
                };
                format!("{what}{}", which(nth.unwrap_or(0), at.len()))
            }
        }
    }

    fn call(&self, mutant: &Mutant, alike: &[&Mutant]) -> String {
        let name = mutant.what.rsplit('.').next().unwrap_or("");
        let named = |what: &str| what.rsplit('.').next() == Some(name);
        let mutants: Vec<&&Mutant> = alike.iter().filter(|m| named(&m.what)).collect();
        let sites = self.calls.get(&mutant.line).into_iter().flatten();
        let sites: Vec<&Site> = sites.filter(|s| s.name == name).collect();
        let nth = mutants.iter().position(|m| **m == mutant);
        match (nth, sites.len() == mutants.len()) {
            (Some(nth), true) => format!("the call of `{}` was left out", sites[nth].text),
            _ => format!("a call of `{name}` was left out"),
        }
    }

    /// The text of a line, from 1.
    fn line(&self, line: u32) -> &str {
        let at = (line as usize).checked_sub(1);
        at.and_then(|l| self.lines.get(l)).map_or("", |l| l)
    }

    fn increment(&self, mutant: &Mutant, alike: &[&Mutant], nth: usize) -> String {
        let by: i64 = mutant.what.parse().unwrap_or(1);
        let line = self.line(mutant.line);
        let (was, is) = match by {
            1 => ("++", "--"),
            -1 => ("--", "++"),
            by if by < 0 => ("-=", "+="),
            _ => ("+=", "-="),
        };
        let written = line.matches(was).count();
        match written == 1 && alike.len() == 1 {
            true => format!("`{was}` became `{is}`"),
            false => format!("a count went the other way{}", which(nth, alike.len())),
        }
    }

    fn result(&self, mutant: &Mutant, operator: Operator) -> String {
        let gave = match operator {
            Operator::FalseReturns => "false",
            Operator::TrueReturns => "true",
            Operator::NullReturns => "null",
            Operator::EmptyReturns => empty(returns(&mutant.descriptor)),
            _ => zero(returns(&mutant.descriptor)),
        };
        let (of, given) = match mutant.method.starts_with("lambda$") {
            true => ("the lambda gave", &self.lambdas),
            false => ("returned", &self.returns),
        };
        match given.get(&mutant.line).map(Vec::as_slice) {
            Some([one]) if !mutant.looks_equivalent => {
                format!("{of} {gave} instead of `{}`", one.text)
            }
            _ => format!("{of} {gave} instead"),
        }
    }
}

/// The value of a return, whose expression has its end.
fn returned(body: &Body, start: u32, end: u32) -> Option<ExprId> {
    let within = |e: &&ExprId| {
        let e = body.expr(**e);
        start < e.start && e.end <= end && !matches!(e.kind, ExprKind::Return(_))
    };
    let all: Vec<ExprId> = (0..body.exprs.len() as u32).map(ExprId).collect();
    let longest = all.iter().filter(within).max_by_key(|e| {
        let e = body.expr(**e);
        e.end - e.start
    });
    longest.copied()
}

/// Conditions of which each is compiled to a jump of its own.
fn atoms(body: &Body) -> Vec<ExprId> {
    let mut out: BTreeSet<u32> = BTreeSet::new();
    let asserted: BTreeSet<u32> = body.asserts.iter().map(|e| e.0).collect();
    let mut conditions: Vec<ExprId> = Vec::new();
    for (at, e) in body.exprs.iter().enumerate() {
        match e.kind {
            ExprKind::Binary { op, .. } if op.compares() => drop(out.insert(at as u32)),
            ExprKind::ShortCircuit { left, right, .. } => conditions.extend([left, right]),
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => conditions.push(operand),
            ExprKind::Conditional { operands } => {
                conditions.extend(body.list(operands).first().copied());
            }
            ExprKind::Test { operand } if !asserted.contains(&operand.0) => {
                conditions.push(operand)
            }
            _ => {}
        }
    }
    for condition in conditions {
        match body.expr(condition).kind {
            ExprKind::Binary { op, .. } if op.compares() => {}
            ExprKind::ShortCircuit { .. }
            | ExprKind::Unary {
                op: UnaryOp::Not, ..
            }
            | ExprKind::Literal(_) => {}
            _ => drop(out.insert(condition.0)),
        }
    }
    out.into_iter().map(ExprId).collect()
}

fn is_ordered(jump: &str) -> bool {
    ["lt", "ge", "gt", "le"]
        .iter()
        .any(|end| jump.ends_with(end))
}

/// Whether a condition may be compiled to a jump: as it is, or as what does not hold.
fn fits(jump: &str, compares: Option<BinaryOp>) -> bool {
    let ends = |all: [&str; 2]| all.iter().any(|end| jump.ends_with(end));
    match compares {
        Some(BinaryOp::Lt | BinaryOp::Ge) => ends(["lt", "ge"]),
        Some(BinaryOp::Gt | BinaryOp::Le) => ends(["gt", "le"]),
        Some(_) => !is_ordered(jump),
        None => matches!(jump, "ifeq" | "ifne"),
    }
}

fn boundary(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Gt,
        other => other,
    }
}

fn negated(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        other => other,
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        _ => "?",
    }
}

/// What an instruction computes, and what its mutant does.
fn arithmetic(instruction: &str) -> (&'static str, &'static str) {
    match instruction.get(1..).unwrap_or("") {
        "add" => ("+", "-"),
        "sub" => ("-", "+"),
        "mul" => ("*", "/"),
        "div" => ("/", "*"),
        "rem" => ("%", "*"),
        "and" => ("&", "|"),
        "or" => ("|", "&"),
        "xor" => ("^", "&"),
        "shl" => ("<<", ">>"),
        "shr" => (">>", "<<"),
        _ => (">>>", "<<"),
    }
}

/// The type that a descriptor returns.
fn returns(descriptor: &str) -> &str {
    descriptor.rsplit(')').next().unwrap_or("")
}

fn zero(ty: &str) -> &'static str {
    match ty {
        "Z" => "false",
        "C" => "'\\0'",
        "J" => "0L",
        "F" => "0f",
        "D" => "0.0",
        "B" | "S" | "I" => "0",
        _ => "null",
    }
}

fn empty(ty: &str) -> &'static str {
    match ty {
        "Ljava/lang/String;" => "\"\"",
        "Ljava/util/Optional;" => "Optional.empty()",
        "Ljava/util/stream/Stream;" => "an empty stream",
        "Ljava/util/Map;" => "an empty map",
        "Ljava/util/Set;" => "an empty set",
        "Ljava/util/List;" | "Ljava/util/Collection;" | "Ljava/lang/Iterable;" => "an empty list",
        _ => "0",
    }
}

/// Which of several on a line.
fn which(nth: usize, of: usize) -> String {
    match of {
        0 | 1 => String::new(),
        of => format!(" ({} of {of} on this line)", nth + 1),
    }
}

/// Source in one line, cut where it is long.
fn one_line(source: &str) -> String {
    let words: Vec<&str> = source.split_whitespace().collect();
    let all = words.join(" ");
    match all.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &all[..at]),
        None => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{FileInput, SourceSetId, SourceSetInput};

    const SOURCE: &str = "class A {
    int n;
    boolean m(int a, int b, java.util.List<String> all) {
        if (a < b && !all.isEmpty() || n == 3) {
            all.clear(); all.add(\"x\"); all.sort(null);
        }
        for (String s : all) n += s.length();
        while (a >= b) a--;
        return a > b ? all.isEmpty() : b != 2;
    }
    int size() {
        return n * 2 + 1;
    }
    int of(String s) {
        switch (s) { case \"a\": return 1; case \"b\": return 2; default: return 3; }
    }
}
";

    fn mutant(line: u32, operator: Operator, ordinal: u32, what: &str) -> Mutant {
        Mutant {
            class: "A".into(),
            method: "m".into(),
            descriptor: "(IILjava/util/List;)Z".into(),
            line,
            operator,
            ordinal,
            looks_equivalent: false,
            what: what.into(),
        }
    }

    fn words(all: &[Mutant]) -> Vec<String> {
        let files = vec![FileInput {
            path: "src/main/java/A.java".into(),
            source_set: SourceSetId(0),
            text: SOURCE.into(),
        }];
        let program = Program::build(SourceSetInput::code_and_tests(), files);
        let changes = Changes::of(&program, program.files()[0]);
        let every: Vec<&Mutant> = all.iter().collect();
        all.iter().map(|m| changes.words(m, &every)).collect()
    }

    #[test]
    fn conditions_are_those_of_the_source() {
        use Operator::{ConditionalsBoundary, NegateConditionals};
        let all = [
            mutant(4, ConditionalsBoundary, 0, "if_icmpge"),
            mutant(4, NegateConditionals, 0, "if_icmpge"),
            mutant(4, NegateConditionals, 1, "ifeq"),
            mutant(4, NegateConditionals, 2, "if_icmpne"),
            mutant(8, ConditionalsBoundary, 1, "if_icmplt"),
            mutant(9, ConditionalsBoundary, 2, "if_icmple"),
            mutant(9, NegateConditionals, 4, "if_icmple"),
            mutant(9, NegateConditionals, 5, "if_icmpeq"),
        ];
        let mut with_while = all.to_vec();
        with_while.insert(5, mutant(8, NegateConditionals, 3, "if_icmplt"));
        assert_eq!(
            words(&with_while),
            [
                "`<` became `<=` in `a < b`",
                "`<` became `>=` in `a < b`",
                "the condition `all.isEmpty()` was negated",
                "`==` became `!=` in `n == 3`",
                "`>=` became `>` in `a >= b`",
                "`>=` became `<` in `a >= b`",
                "`>` became `>=` in `a > b`",
                "`>` became `<=` in `a > b`",
                "`!=` became `==` in `b != 2`",
            ]
        );
    }

    #[test]
    fn what_does_not_fit_is_not_guessed() {
        use Operator::{ConditionalsBoundary, NegateConditionals};
        // One jump more than the line has conditions, and one of another kind.
        let all = [
            mutant(8, NegateConditionals, 0, "if_icmplt"),
            mutant(8, NegateConditionals, 1, "ifeq"),
            mutant(4, ConditionalsBoundary, 0, "if_icmpgt"),
            mutant(7, NegateConditionals, 2, "ifeq"),
            mutant(15, NegateConditionals, 3, "ifeq"),
        ];
        assert_eq!(
            words(&all),
            [
                "a condition was negated (1 of 2 on this line)",
                "a condition was negated (2 of 2 on this line)",
                "the boundary of a comparison moved (such as `<` to `<=`)",
                "a condition was negated",
                "whether a case of the `switch` holds was negated",
            ]
        );
    }

    #[test]
    fn of_a_lambda_its_own_value_is_named() {
        let text = "class A { java.util.List<String> m(java.util.List<String> all) {\n\
                    return all.stream().filter(a -> a.isEmpty()).toList();\n} }\n";
        let file = FileInput {
            path: "A.java".into(),
            source_set: SourceSetId(0),
            text: text.into(),
        };
        let program = Program::build(vec![SourceSetInput::default()], vec![file]);
        let changes = Changes::of(&program, program.files()[0]);
        let of = |method: &str, operator, descriptor: &str| {
            let own = Mutant {
                method: method.into(),
                descriptor: descriptor.into(),
                ..mutant(2, operator, 0, "")
            };
            changes.words(&own, &[&own])
        };
        assert_eq!(
            of("lambda$m$0", Operator::FalseReturns, "(LA;)Z"),
            "the lambda gave false instead of `a.isEmpty()`"
        );
        let whole = of(
            "m",
            Operator::EmptyReturns,
            "(Ljava/util/List;)Ljava/util/List;",
        );
        assert!(whole.contains("instead of `all.stream()"), "{whole}");
    }

    #[test]
    fn calls_and_counts_are_named() {
        use Operator::{Increments, Math, VoidMethodCalls};
        let all = [
            mutant(5, VoidMethodCalls, 0, "java/util/List.clear"),
            mutant(5, VoidMethodCalls, 1, "java/util/List.sort"),
            mutant(5, VoidMethodCalls, 2, "java/util/List.sort"),
            mutant(8, Increments, 0, "-1"),
            mutant(12, Math, 0, "imul"),
            mutant(12, Math, 1, "iadd"),
        ];
        assert_eq!(
            words(&all),
            [
                "the call of `all.clear()` was left out",
                "a call of `sort` was left out",
                "a call of `sort` was left out",
                "`--` became `++`",
                "`*` became `/` (1 of 2 on this line)",
                "`+` became `-` (2 of 2 on this line)",
            ]
        );
    }

    #[test]
    fn results_are_what_was_given_instead() {
        use Operator::{Body, EmptyReturns, FalseReturns, NullReturns, PrimitiveReturns};
        let of = |operator, descriptor: &str, line| Mutant {
            descriptor: descriptor.into(),
            ..mutant(line, operator, 0, "")
        };
        let mut lambda = of(NullReturns, "()LA;", 3);
        lambda.method = "lambda$m$0".into();
        let all = [
            of(PrimitiveReturns, "()I", 12),
            of(FalseReturns, "()Z", 2),
            of(EmptyReturns, "()Ljava/lang/String;", 2),
            of(EmptyReturns, "()Ljava/util/List;", 2),
            of(EmptyReturns, "()Ljava/lang/Integer;", 2),
            lambda,
            of(Body, "()V", 2),
            of(Body, "()J", 2),
        ];
        assert_eq!(
            words(&all),
            [
                "returned 0 instead of `n * 2 + 1`",
                "returned false instead",
                "returned \"\" instead",
                "returned an empty list instead",
                "returned 0 instead",
                "the lambda gave null instead",
                "all of the method was left out",
                "all of the method was left out: it returned 0L",
            ]
        );
    }

    #[test]
    fn every_instruction_has_a_sign() {
        let all = "add sub mul div rem shl shr ushr and or xor";
        for name in all.split(' ') {
            let (was, is) = arithmetic(&format!("i{name}"));
            assert_ne!(was, is);
            assert_eq!(was == ">>>", name == "ushr", "{name}");
        }
    }
}
