//! Chains of one method, marked at its definitions: `x: n 1/2, x#1 1` says that a definition of `x` uses that of `n`, and how likely
//! it runs given that; and the first of `x`.
#![allow(clippy::unwrap_used)]

use crate::*;
use expect_test::expect;
use std::sync::Arc;
use syntax::{Kind, NodeId, SourceFile};
use testkit::{Fixture, FixtureFile, Mark, check_marks, fraction};
use text::Span;

fn lower_first(text: &str) -> Body {
    let file = SourceFile::parse(Arc::from(text));
    let nodes = file.nodes();
    let method = (0..nodes.len() as u32)
        .map(NodeId)
        .find(|&n| {
            matches!(
                nodes.kind(n),
                Kind::MethodDeclaration | Kind::ConstructorDeclaration
            )
        })
        .unwrap();
    lower_member(&nodes, method, None)
}

/// Names in lower case are fields, one variable a name.
fn flow(body: &Body, loops: bool) -> Flow {
    let key = |name: &NameId| {
        body.name(*name)
            .starts_with(|c: char| c.is_lowercase())
            .then_some(VariableKey(name.0))
    };
    Flow::new(
        body,
        Options { loops },
        &Reaching {
            field_of: &|e| match &body.expr(e).kind {
                ExprKind::Name(n) | ExprKind::Field { name: n, .. } => key(n),
                _ => None,
            },
            own_field: &|d| match &body.defs[d.ix()].target {
                Target::OwnField(n) => key(n),
                _ => None,
            },
            changes: &[],
        },
    )
}

fn variable(body: &Body, def: DefId) -> String {
    match body.defs[def.ix()].target {
        Target::Local(l) => body.locals[l.ix()].name.to_string(),
        Target::OwnField(n) => body.name(n).to_string(),
        Target::Place(e) | Target::Element(e) => match body.expr(e).kind {
            ExprKind::Local(l) => body.locals[l.ix()].name.to_string(),
            ExprKind::Name(n) | ExprKind::Field { name: n, .. } => body.name(n).to_string(),
            _ => "?".to_owned(),
        },
    }
}

/// The definitions that a definition uses, calls as black boxes.
fn used(body: &Body, flow: &Flow, def: DefId) -> Vec<DefId> {
    let d = &body.defs[def.ix()];
    let mut out = Vec::new();
    if d.compound {
        out.extend_from_slice(flow.before(def));
    }
    let mut work: Vec<ExprId> = body.list(d.sources).to_vec();
    while let Some(e) = work.pop() {
        match body.expr(e).kind {
            ExprKind::Define(inner) => out.push(inner),
            _ => {
                out.extend_from_slice(flow.reaching(e));
                body.operands_of(e, &mut work);
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// What each definition uses, in place: a variable with several definitions with the number of the one that is meant.
fn chains_of(body: &Body, flow: &Flow, file: &FixtureFile) -> Vec<Mark> {
    let defs = || (0..body.defs.len() as u32).map(DefId);
    let start = |d: DefId| body.defs[d.ix()].name_start;
    let label = |d: DefId| {
        let name = variable(body, d);
        let mut own: Vec<DefId> = defs().filter(|o| variable(body, *o) == name).collect();
        own.sort_by_key(|o| start(*o));
        match own.iter().position(|o| *o == d) {
            Some(at) if own.len() > 1 => format!("{name}#{}", at + 1),
            _ => name,
        }
    };
    let (mut ps, mut scratch) = (Vec::new(), Vec::new());
    let mut chain = |d: DefId, u: DefId| {
        if u >= d {
            return format!("{} later", label(u));
        }
        body.probabilities(flow.block_of(u), &[flow.block_of(d)], &mut ps, &mut scratch);
        format!("{} {}", label(u), fraction(ps[0]))
    };
    let mut out = Vec::new();
    for d in defs() {
        let uses: Vec<String> = used(body, flow, d)
            .into_iter()
            .map(|u| chain(d, u))
            .collect();
        if !uses.is_empty() {
            let span = Span::new(start(d), start(d) + variable(body, d).len() as u32);
            out.push(file.mark(span, format!("{}: {}", label(d), uses.join(", "))));
        }
    }
    out
}

/// Compares the chains of a method with its marks.
#[track_caller]
fn check(method: &str) {
    let fixture = Fixture::parse(method);
    let file = &fixture.files[0];
    let body = lower_first(&format!("class C {{{}}}", file.text));
    let flow = flow(&body, false);
    invariants(&body);
    let found = chains_of(&body, &flow, file);
    check_marks(&fixture, found.into_iter().map(|m| (0, m)));
}

fn invariants(body: &Body) {
    for (i, e) in body.exprs.iter().enumerate() {
        let mut operands = Vec::new();
        if !matches!(e.kind, ExprKind::Lambda(_)) {
            body.operands_of(ExprId(i as u32), &mut operands);
        }
        assert!(
            operands.iter().all(|o| o.ix() < i),
            "operands stand before their user: {e:?}"
        );
    }
    for (i, b) in body.blocks.iter().enumerate() {
        assert!(b.preds.iter().all(|p| p.0.ix() < i), "the graph is acyclic");
    }
    assert!(body.blocks.windows(2).all(|w| w[0].first <= w[1].first));
}

#[test]
fn the_papers_factorial() {
    check(
        r#"
void factorial() {
  int n, factorial, i;
  n = read("enter the number");
  factorial = 1;
  i = n;
//^ i#1: n 1
  if (n < 0) print("wrong input");
  else {
    if (n == 0) { factorial = 1; }
    else while (i > 1) {
      factorial = Multiply(factorial, i);
//    ^^^^^^^^^ factorial#3: factorial#1 1/8, i#1 1/8
      i = i - 1;
//    ^ i#2: i#1 1/8
    }
    print("the result is", factorial);
  } }
"#,
    );
}

#[test]
fn branches_meet() {
    check(
        r#"
void m(boolean c) {
  int x = 1;
  if (c) x = 2; else if (x > 3) x = 4;
  int y = x;
//    ^ y: x#1 1, x#2 1, x#3 1
}
"#,
    );
}

#[test]
fn a_jump_weakens_what_follows() {
    check(
        r#"
int m(int a) {
  int x = a;
//    ^ x: a 1
  if (a > 0) return x;
  int y = x;
//    ^ y#1: x 1/2
  for (;;) { if (y > 2) break; y = y + x; }
//                             ^ y#2: x 1/4, y#1 1/2
  return y + 1;
}
"#,
    );
}

#[test]
fn weak_definitions_leave_the_earlier_ones() {
    check(
        r#"
void m(int i, P o) {
  int[] a = new int[3];
  a[0] = i;
//^ a#2: i 1, a#1 1
  a[i] = 2;
//^ a#3: i 1, a#1 1, a#2 1
  int x = a[1];
//    ^ x: a#1 1, a#2 1, a#3 1
  this.f = x;
//^ f#1: x 1
  o.f = i;
//^ f#2: i 1, o 1
  int y = f;
//    ^ y: f#1 1, f#2 1
  f = 3;
  int z = this.f;
//    ^ z: f#3 1
}
"#,
    );
}

#[test]
fn catch_and_finally() {
    check(
        r#"
void m(int p) {
  int x = 1;
  try {
    x = p;
//  ^ x#2: p 1
    call(x);
    x = 2;
  } catch (A e) {
    int y = x;
//      ^ y: x#1 1/3, x#2 1/3, x#3 1/3
  } catch (B e) {
    x = 5;
  } finally {
    int z = x;
//      ^ z: x#1 1, x#2 1, x#3 1, x#4 1
  }
  int w = x;
//    ^ w: x#1 1, x#2 1, x#3 1, x#4 1
}
"#,
    );
}

#[test]
fn a_switch_divides() {
    check(
        r#"
int m(int k, Object o) {
  int x = k;
//    ^ x#1: k 1
  switch (k) { case 1: x = x + 1; case 2: int u = x; break; default: x = 9; }
//                     ^ x#2: x#1 1/3
//                                            ^ u: x#1 2/3, x#2 1
  int v = switch (o) { case A a when a.b() -> x; case C c -> { int t = x; yield t; } default -> 0; };
//                            ^ a: o 1/3
//                                                      ^ c: o 1/3
//                                                                 ^ t: x#1 1/3, x#2 1/3, x#3 1/3
//    ^ v: o 1, x#1 1, x#2 1, x#3 1, t 1
  return v;
}
"#,
    );
}

#[test]
fn lambdas_capture_and_run_once() {
    check(
        r#"
void m(java.util.List<String> l, int k) {
  int b = k;
//    ^ b: k 1
  l.forEach(s -> { if (s == null) return; int q = b; f = q; });
//                                            ^ q: b 1/2
//                                                   ^ f: q 1
  int r = f;
//    ^ r: f 1
}
"#,
    );
}

#[test]
fn labels_and_short_circuits() {
    check(
        r#"
void m(int a) {
  int x = a;
//    ^ x#1: a 1
  outer: for (int i = 0; i < a; i++) {
//                              ^ i#2: i#1 1/2
    for (int j = 0; j < a; j++) {
//                         ^ j#2: j#1 1/4
      if (j == 3) continue outer;
      x = j;
//    ^ x#2: j#1 1/4
    }
  }
  boolean b = a > 0 && (x = 7) > 0;
//        ^ b: a 1, x#3 1
  int y = x;
//    ^ y: x#1 1, x#2 1, x#3 1
}
"#,
    );
}

#[test]
fn loops_behind_an_option() {
    let method = r#"
void m(int n) {
  int s = 0;
  while (n > 0) { s = s + n; n = n - 1; }
//                ^ s#2: n#1 1/2, s#1 1/2
//                           ^ n#2: n#1 1/2
}
"#;
    check(method);
    let body = lower_first(&format!("class C {{{}}}", method.trim()));
    let flow = flow(&body, true);
    let s = DefId(2);
    assert_eq!(variable(&body, s), "s");
    let names: Vec<u32> = used(&body, &flow, s).iter().map(|d| d.0).collect();
    assert_eq!(
        names,
        [0, 1, 2, 3],
        "the second turn uses what the first defined"
    );
}

#[test]
fn patterns_are_in_scope_where_java_says() {
    check(
        r#"
int m(Object o) {
  if (!(o instanceof String s)) return 0;
//                          ^ s: o 1
  int n = s.length();
//    ^ n: s 1/2
  if (o instanceof Integer i && i > 3) { int k = i; }
//                         ^ i: o 1/2
//                                           ^ k: i 1/2
  int z = i;
}
"#,
    );
}

#[test]
fn a_local_is_named_in_the_block_that_sees_it() {
    let text = r#"class C { void m(Object o, int p) {
  int a = 1;
  for (int i = 0; i < 3; i++) { use(i); }
  for (int j : all()) use(j);
  try (Lock lock = lock()) { use(lock); } catch (Exception e) { throw e; } finally { int f = 1; }
  if (o instanceof String s) { return; }
  if (!(o instanceof Long n)) { use(o); }
  while (true) { int w = 1; if (w > p) { break; } continue; }
  run(x -> { int y = x; use(y); });
  switch (p) { case 1: int k = 1; break; default: int d = 2; break; }
  switch (o) { case Integer t -> { use(t); } default -> use(o); }
} }"#;
    let body = lower_first(text);
    let start = text.find("void").unwrap();
    let mut out = String::new();
    for (at, local) in body.locals.iter().enumerate() {
        let before = match body.scope_of(LocalId(at as u32)) {
            Some(scope) => {
                let from = start + scope.last as usize;
                text[from..].lines().next().unwrap_or_default().trim()
            }
            None => "-",
        };
        let around = local.around.map_or("-", |s| {
            let end = start + body.scopes[s.ix()].end as usize;
            text[end..].split_whitespace().next().unwrap_or_default()
        });
        out.push_str(&format!("{} {before} | {around}\n", local.name));
    }
    expect![[r#"
        o - | -
        p - | -
        a } } | }
        i } | }
        j - | }
        lock } catch (Exception e) { throw e; } finally { int f = 1; } | }
        e throw e; } finally { int f = 1; } | }
        f } | if
        s return; } | }
        n - | }
        w continue; } | run(x
        x - | }
        y }); | );
        k break; } | switch
        d break; } | switch
        t } default -> use(o); } | }
    "#]]
    .assert_eq(&out);
}

#[test]
fn a_qualified_record_pattern_names_its_type() {
    let body = lower_first(
        "class C { void m(Object o) { if (o instanceof Shape.Circle(var r, int s)) { use(r); } } }",
    );
    let named: Vec<String> = body
        .types
        .iter()
        .filter_map(|t| match t {
            TypeRef::Named(segments) => Some(
                segments
                    .iter()
                    .map(|s| s.name.as_str())
                    .collect::<Vec<_>>()
                    .join("/"),
            ),
            _ => None,
        })
        .collect();
    assert!(named.contains(&"Shape/Circle".to_owned()), "{named:?}");
}

#[test]
fn deep_and_long_code_stays_off_the_stack() {
    let run = || {
        let sum = vec!["a"; 5_000].join(" + ");
        let parens = format!("{}a{}", "(".repeat(4_000), ")".repeat(4_000));
        let blocks = format!("{}int q = a;{}", "{".repeat(4_000), "}".repeat(4_000));
        let calls = format!("a{}", ".f(a)".repeat(5_000));
        let ifs = "if (a > 1) a = 2; else ".repeat(5_000);
        let nested = format!(
            "{}a = 1;{}",
            "if (a > 0) { ".repeat(3_000),
            "}".repeat(3_000)
        );
        let text = format!(
            "class C {{ void m(int a) {{ int s = {sum}; int p = {parens}; {blocks} int c = {calls}; {ifs} a = 3; {nested} int z = a; }} }}"
        );
        let body = lower_first(&text);
        let flow = flow(&body, false);
        invariants(&body);
        assert!(body.exprs.len() > 30_000);
        assert!(
            !flow
                .reaching(body.list(body.defs.last().unwrap().sources)[0])
                .is_empty()
        );
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

/// Thousands of classes behind thousands of locals list less than their product; few list all.
#[test]
fn what_classes_see_has_a_bound() {
    let seen = |locals: usize, classes: usize| {
        let locals: String = (0..locals)
            .map(|at| format!("int v{at} = {at}; "))
            .collect();
        let classes: String = (0..classes)
            .map(|at| format!("class C{at} {{ }} "))
            .collect();
        let body = lower_first(&format!("class A {{ void m() {{ {locals}{classes}}} }}"));
        let listed = body.classes.iter().map(|class| {
            // The innermost are listed in any case.
            let last = class
                .visible
                .last()
                .map(|l| body.locals[l.ix()].name.to_string());
            assert_eq!(last, Some(format!("v{}", body.locals.len() - 1)));
            class.visible.len() + class.visible_classes.len()
        });
        (body.classes.len(), listed.collect::<Vec<_>>())
    };
    let (count, listed) = seen(300, 300);
    assert_eq!(count, 300);
    assert!(
        listed
            .iter()
            .enumerate()
            .all(|(at, n)| (300 + at..=301 + at).contains(n))
    );
    let (count, listed) = seen(4_000, 4_000);
    assert_eq!(count, 4_000);
    assert!(listed.iter().all(|n| *n >= 64));
    let all: usize = listed.iter().sum();
    assert!(all <= 1_000_000 + 4_000 * 2 * 64, "{all} of 24,000,000");
}

/// The same walk without stepping over regions.
fn plain_probability(body: &Body, from: BlockId, to: BlockId) -> f64 {
    let mut copy = body.clone();
    copy.regions.clear();
    let (mut out, mut scratch) = (Vec::new(), Vec::new());
    copy.probabilities(from, &[to], &mut out, &mut scratch);
    out[0]
}

mod random {
    use super::*;
    use proptest::prelude::*;

    fn statement() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("x = y;".to_owned()),
            Just("y = x + z;".to_owned()),
            Just("z = g(x) ? y : (x = 3);".to_owned()),
            Just("if (x > 0 && h(y = 2)) break;".to_owned()),
            Just("if (x > 0) continue;".to_owned()),
            Just("if (y > 0) return;".to_owned()),
            Just("l.forEach(q -> { if (q > 1) return; f = x; });".to_owned()),
            Just("a[x] = y;".to_owned()),
        ];
        leaf.prop_recursive(4, 40, 4, |inner| {
            let many = prop::collection::vec(inner, 1..4).prop_map(|v| v.join(" "));
            prop_oneof![
                many.clone().prop_map(|s| format!("if (x > y) {{ {s} }}")),
                (many.clone(), many.clone())
                    .prop_map(|(s, t)| format!("if (x > y) {{ {s} }} else {{ {t} }}")),
                many.clone()
                    .prop_map(|s| format!("while (x > y) {{ {s} }}")),
                many.clone()
                    .prop_map(|s| format!("for (int i = 0; i < x; i++) {{ {s} }}")),
                many.clone()
                    .prop_map(|s| format!("do {{ {s} }} while (x > 0);")),
                (many.clone(), many.clone(), many.clone()).prop_map(|(s, t, u)| format!(
                    "try {{ {s} }} catch (E e) {{ {t} }} finally {{ {u} }}"
                )),
                (many.clone(), many.clone()).prop_map(|(s, t)| format!(
                    "switch (x) {{ case 1: {s} case 2: {t} default: x = 4; }}"
                )),
                // One way leaves: the block behind has the other as its only one.
                (many.clone(), many.clone())
                    .prop_map(|(s, t)| format!("if (x > y) {{ {s} }} else {{ {t} return; }}")),
                (many.clone(), many.clone())
                    .prop_map(|(s, t)| format!("if (x > y) {{ {s} break; }} else {{ {t} }}")),
                (many.clone(), many.clone()).prop_map(|(s, t)| format!(
                    "switch (x) {{ case 1: {s} break; case 2: {t} return; default: return; }}"
                )),
                (many.clone(), many)
                    .prop_map(|(s, t)| format!("try {{ {s} }} catch (E e) {{ {t} return; }}")),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn stepping_over_regions_changes_no_probability(s in prop::collection::vec(statement(), 1..6)) {
            let text = format!("class C {{ void m(int x, int y, int z) {{ for (;;) {{ {} }} }} }}", s.join(" "));
            let body = lower_first(&text);
            invariants(&body);
            let (mut out, mut scratch) = (Vec::new(), Vec::new());
            let blocks: Vec<BlockId> = (0..body.blocks.len() as u32).map(BlockId).collect();
            for &from in &blocks {
                for &to in &blocks[from.ix()..] {
                    body.probabilities(from, &[to], &mut out, &mut scratch);
                    let plain = plain_probability(&body, from, to);
                    prop_assert!((out[0] - plain).abs() < 1e-9, "{from:?} {to:?}: {} and {plain} in {text}", out[0]);
                }
            }
        }

        #[test]
        fn reaching_definitions_equal_the_textbook_fixpoint(s in prop::collection::vec(statement(), 1..6)) {
            let text = format!("class C {{ void m(int x, int y, int z) {{ for (;;) {{ {} }} }} }}", s.join(" "));
            let body = lower_first(&text);
            let flow = flow(&body, false);
            for (e, expected) in textbook(&body) {
                prop_assert_eq!(flow.reaching(e), &expected[..], "{:?} in {}", e, text);
            }
        }
    }

    /// Reaching definitions by bit sets over blocks, as every textbook has them, with this crate's rules for `catch`
    /// and `finally`. Locals only.
    fn textbook(body: &Body) -> Vec<(ExprId, Vec<DefId>)> {
        use std::collections::BTreeSet;
        let local = |d: &Def| match d.target {
            Target::Local(l) => Some((l, true)),
            Target::Element(e) => match body.expr(e).kind {
                ExprKind::Local(l) => Some((l, false)),
                _ => None,
            },
            _ => None,
        };
        let n = body.blocks.len();
        let mut input: Vec<BTreeSet<DefId>> = vec![BTreeSet::new(); n];
        let mut output = input.clone();
        let mut uses = Vec::new();
        let defs_in = |lo: BlockId, hi: BlockId| -> Vec<DefId> {
            (0..body.defs.len() as u32)
                .map(DefId)
                .filter(|d| {
                    let b = body.block_of(body.defs[d.ix()].expr);
                    lo <= b && b < hi
                })
                .collect()
        };
        for b in 0..n {
            let block = &body.blocks[b];
            let mut set = BTreeSet::new();
            if let Some(t) = block.entered_from {
                set.extend(input[t.first.ix()].iter().copied());
                set.extend(defs_in(t.first, t.end));
            } else {
                for (p, _) in &block.preds {
                    set.extend(output[p.ix()].iter().copied());
                }
            }
            if let Some((first, last)) = block.through {
                let touched: BTreeSet<LocalId> = defs_in(first, BlockId(last.0 + 1))
                    .iter()
                    .filter_map(|d| local(&body.defs[d.ix()]).map(|x| x.0))
                    .collect();
                set.retain(|d| {
                    local(&body.defs[d.ix()]).is_none_or(|(l, _)| !touched.contains(&l))
                });
                set.extend(output[last.ix()].iter().copied().filter(|d| {
                    local(&body.defs[d.ix()]).is_some_and(|(l, _)| touched.contains(&l))
                }));
            }
            input[b] = set.clone();
            let end = body
                .blocks
                .get(b + 1)
                .map_or(body.exprs.len() as u32, |b| b.first);
            for e in block.first..end {
                match body.exprs[e as usize].kind {
                    ExprKind::Local(l) => {
                        let reach: Vec<DefId> = set
                            .iter()
                            .copied()
                            .filter(|d| local(&body.defs[d.ix()]).is_some_and(|x| x.0 == l))
                            .collect();
                        // Dead code is reached by nothing.
                        if !block.preds.is_empty() || block.entered_from.is_some() || b == 0 {
                            uses.push((ExprId(e), reach));
                        }
                    }
                    ExprKind::Define(d) => {
                        if let Some((l, strong)) = local(&body.defs[d.ix()]) {
                            if strong {
                                set.retain(|x| local(&body.defs[x.ix()]).is_none_or(|x| x.0 != l));
                            }
                            set.insert(d);
                        }
                    }
                    _ => {}
                }
            }
            output[b] = set;
        }
        uses
    }
}

#[test]
fn the_loop_around_an_expression() {
    let body = lower_first(
        "class C { void m(int[] xs) { before(); for (int i = 0; test(i); i = step(i)) { while (in()) { deep(); } } \
         after(); for (int x : xs) { each(); } do { once(); } while (last()); end(); } }",
    );
    let of = |name: &str| {
        let call = body.calls.iter().find(|c| match c.callee {
            Callee::Method { name: n, .. } => body.name(n) == name,
            _ => false,
        });
        body.loop_around(call.unwrap().expr)
    };
    for outside in ["before", "after", "end"] {
        assert_eq!(of(outside), None, "{outside}");
    }
    for inside in ["test", "step", "in", "deep", "each", "once", "last"] {
        assert!(of(inside).is_some(), "{inside}");
    }
    assert_eq!(of("deep"), of("test"), "the outermost");
    assert_ne!(of("deep"), of("each"));
}

/// What is called on every way that comes to an end, by name.
#[test]
fn what_lies_on_every_way_runs_if_nothing_is_thrown() {
    let of = |code: &str| -> Vec<String> {
        let body = lower_first(&format!("class T {{ int f(int a) {{ {code} }} }}"));
        let calls = (0..body.calls.len() as u32).map(CallId);
        let always = calls.filter(|c| {
            let block = body.block_of(body.calls[c.ix()].expr);
            body.ways().all_lead_through(block)
        });
        always.map(|c| body.called(c).to_owned()).collect()
    };
    for (code, always) in [
        ("a(); return b();", &["a", "b"][..]),
        ("if (a > 1) throw new X(); b(); return c();", &["b", "c"]),
        (
            "if (a > 1) { throw new X(); } else { b(); } c(); return 1;",
            &["b", "c"],
        ),
        ("if (a > 1) return 1; b(); return c();", &[]),
        ("if (a > 1) { b(); return 1; } b(); return 2;", &[]),
        ("a(); if (a > 1) { b(); } c(); return 1;", &["a", "c"]),
        ("while (a()) { b(); } c(); return 1;", &["a", "c"]),
        (
            "switch (a) { case 1: throw new X(); default: b(); } c(); return 1;",
            &["b", "c"],
        ),
        ("return a() && b() ? 1 : 2;", &["a"]),
        (
            "try { a(); } catch (X e) { b(); } c(); return 1;",
            &["a", "c"],
        ),
        (
            "if (a > 1) { return f(() -> { throw new X(); }); } b(); return 1;",
            &[],
        ),
        (
            "if (a > 1) { f(() -> { return 1; }); } b(); return 1;",
            &["b"],
        ),
        (
            "for (int i = 0; i < a; i++) { if (i > 1) throw new X(); a(); } b(); return 1;",
            &["b"],
        ),
        ("throw new X(a());", &["", "a"]),
    ] {
        let found = of(code);
        let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
        found.sort_unstable();
        let mut wanted = always.to_vec();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{code}");
    }
}
