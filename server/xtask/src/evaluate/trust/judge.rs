//! What is wrong with a value that a test is told to look at: one function a cause.
//!
//! Each is meant to miss rather than to accuse wrongly: a cause counts where plain rules over the test's text and what
//! its names mean show it. What only running or compiling shows stands in `compile` and `runs`.

use flow::{Callee, ExprKind, Target};
use ide::Analysis;
use program::{MethodId, Modifiers, TypeDeclKind};

use super::cause::Cause;
use super::code::{gives_field, has_word, method_text, writes};
use super::scene::{Asked, Scene, step};
use super::words;

/// The causes that its test's text shows for an expression of a type.
pub(super) fn causes(
    analysis: &Analysis,
    test: MethodId,
    expression: &str,
    ty: &str,
) -> Vec<Cause> {
    let Some(scene) = Scene::new(analysis, test) else {
        return Vec::new();
    };
    let value = Value::new(&scene, expression, ty);
    let mut out = Vec::new();
    // What changes by being asked was asserted before, not now.
    if !value.changes() {
        out.extend(value.asserted());
    }
    let judged = [
        (Cause::EmptyBesideSize, value.is_empty_beside_size()),
        (Cause::MustThrow, value.must_throw()),
        (Cause::Changes, value.changes()),
        (Cause::Mock, value.is_of_mock()),
        (Cause::Stubbed, value.is_stubbed()),
        (Cause::Fixture, value.is_fixture()),
        (Cause::Bare, value.is_bare()),
        (Cause::Noise, value.is_noise()),
        (Cause::PutIn, value.is_put_in()),
    ];
    for (cause, _) in judged.into_iter().filter(|j| j.1) {
        out.push(match cause {
            Cause::PutIn if value.is_given_away() => Cause::PutInGiven,
            cause => cause,
        });
    }
    out.sort_unstable();
    out
}

/// A value that a test is told of.
struct Value<'s, 'a> {
    scene: &'s Scene<'a>,
    set_up: Vec<Scene<'a>>,
    /// Without white space.
    text: String,
    /// As people write it.
    ty: &'s str,
}

impl<'s, 'a> Value<'s, 'a> {
    fn new(scene: &'s Scene<'a>, expression: &str, ty: &'s str) -> Value<'s, 'a> {
        Value {
            scene,
            set_up: scene.set_up(),
            text: words::squeeze(expression),
            ty,
        }
    }

    /// The objects that it goes through, the longest first.
    fn objects(&self) -> Vec<&str> {
        let mut out = words::prefixes(&self.text);
        out.reverse();
        out
    }

    /// The variable that it starts from.
    fn variable(&self) -> &str {
        let first = words::steps(&self.text)[0];
        first.split(['(', '[']).next().unwrap_or(first)
    }

    fn last_step(&self) -> &str {
        words::steps(&self.text).last().copied().unwrap_or_default()
    }

    // --- asserted already ---

    fn asserted(&self) -> Option<Cause> {
        let scene = self.scene;
        let checks = scene.checks(&self.text);
        let cannot_change = words::steps(&self.text).len() == 1 && words::is_value(self.ty);
        let stays = |root| {
            scene.only_assertions_after(root, self.variable())
                || cannot_change && scene.untouched_after(root, self.variable())
        };
        if checks.iter().any(|(root, _)| stays(*root)) {
            return Some(Cause::Asserted);
        }
        if checks
            .iter()
            .any(|(root, _)| scene.untouched_after(*root, self.variable()))
        {
            return Some(Cause::AssertedUntouched);
        }
        let stays = |root| {
            scene.only_assertions_after(root, self.variable())
                || scene.untouched_after(root, self.variable())
        };
        for object in self.objects() {
            let rest = &self.text[object.len() + 1..];
            let whole = scene.checks(object);
            if whole.iter().any(|(root, whole)| *whole && stays(*root)) && self.covers(object, rest)
            {
                return Some(Cause::AssertedWhole);
            }
        }
        if self.is_taken_out(&stays) {
            return Some(Cause::AssertedForm);
        }
        let texts = [
            format!("{}.toString()", self.text),
            format!("String.valueOf({})", self.text),
        ];
        let own = texts.iter().any(|text| {
            scene
                .checks(text)
                .iter()
                .any(|(root, whole)| *whole && stays(*root))
        });
        let around = self.objects().into_iter().any(|object| {
            let text = scene.checks(&format!("{object}.toString()"));
            text.iter().any(|(root, whole)| *whole && stays(*root))
                && self.mentions(object, "toString", &self.text[object.len() + 1..])
        });
        (own || around).then_some(Cause::AssertedText)
    }

    /// True if two objects that are equal agree in this: by type, or by what `equals` compares.
    fn covers(&self, object: &str, rest: &str) -> bool {
        let program = self.scene.program;
        let Some(ty) = self.scene.type_of(object) else {
            return false;
        };
        let Some(class) = program.class_of(ty) else {
            let text = program.type_text(ty);
            return words::is_value(&text) || words::is_container(&text);
        };
        let Some(decl) = program.type_decl(class) else {
            return false;
        };
        let generated = ["Data", "Value", "EqualsAndHashCode"];
        matches!(decl.kind, TypeDeclKind::Record | TypeDeclKind::Enum)
            || decl
                .annotations
                .iter()
                .any(|a| generated.contains(&a.as_str()))
            || self.mentions(object, "equals", rest)
    }

    /// True if a method of the object's class names the property that is asked for.
    fn mentions(&self, object: &str, method: &str, rest: &str) -> bool {
        let program = self.scene.program;
        let class = self
            .scene
            .type_of(object)
            .and_then(|ty| program.class_of(ty));
        let property = words::property(words::steps(rest)[0]);
        class.is_some_and(|class| {
            let mut all = vec![class];
            all.extend(program.supertypes(class));
            all.into_iter()
                .flat_map(|t| program.methods_of_type(t))
                .filter(|m| program.method_decl(**m).is_some_and(|d| d.name == method))
                .any(|m| {
                    let text = method_text(program, *m);
                    has_word(text, &property)
                        || has_word(text, &format!("get{}", words::capital(&property)))
                })
        })
    }

    /// `extracting(Owner::getName)`, `hasProperty("name", …)`, `assertOwner(owner)` that reads it.
    fn is_taken_out(&self, stays: &dyn Fn(flow::ExprId) -> bool) -> bool {
        let scene = self.scene;
        let property = words::property(self.last_step());
        let (name, _) = words::call(self.last_step());
        self.objects().into_iter().any(|object| {
            scene.occurrences(object).into_iter().any(|e| {
                let root = scene.root(e);
                if !scene.asserts(root) || !stays(root) {
                    return false;
                }
                let within = scene.within(root);
                let referred = within.iter().any(|e| match scene.kind(*e) {
                    ExprKind::MethodRef { name: n, .. } => scene.body.name(n) == name,
                    _ => false,
                });
                referred
                    || scene.strings(root).contains(&property.as_str())
                    || self.own_assertion_reads(root, object)
            })
        })
    }

    /// True if the assertion is a method of the tests that reads this of its parameter.
    fn own_assertion_reads(&self, root: flow::ExprId, object: &str) -> bool {
        let scene = self.scene;
        let rest = &self.text[object.len()..];
        scene.chain(root).into_iter().any(|call| {
            let Some(target) = scene.target(call) else {
                return false;
            };
            let Some(decl) = scene.program.method_decl(target) else {
                return false;
            };
            scene
                .args(call)
                .iter()
                .zip(&decl.params)
                .any(|(arg, param)| {
                    scene.text(*arg) == object
                        && words::squeeze(method_text(scene.program, target))
                            .contains(&format!("{}{rest}", param.name))
                })
        })
    }

    fn is_empty_beside_size(&self) -> bool {
        let scene = self.scene;
        let Some(object) = self.text.strip_suffix(".isEmpty()") else {
            return false;
        };
        let sizes = [".size()", ".length()", ".length"].map(|size| format!("{object}{size}"));
        let sized = [
            "hasSize",
            "hasSizeGreaterThan",
            "isNotEmpty",
            "isEmpty",
            "hasLength",
        ];
        let by_name = |root| {
            let chain = scene.chain(root);
            chain.iter().any(|c| {
                sized.contains(&scene.call_name(*c)) || scene.call_name(*c).starts_with("contains")
            })
        };
        sizes.iter().any(|size| !scene.checks(size).is_empty())
            || scene
                .checks(object)
                .iter()
                .any(|(root, whole)| *whole || by_name(*root))
    }

    // --- wrong ---

    fn must_throw(&self) -> bool {
        let scene = self.scene;
        let thrown = scene.occurrences(&self.text).into_iter().any(|e| {
            matches!(scene.kind(e), ExprKind::Call(_))
                && (self.is_thrown(e) || self.is_before_fail(e))
        });
        let null = self.objects().iter().any(|object| {
            scene.checks(object).iter().any(|(root, _)| {
                let names: Vec<&str> = scene
                    .chain(*root)
                    .iter()
                    .map(|c| scene.call_name(*c))
                    .collect();
                let is_null = names.contains(&"assertNull") || names.contains(&"isNull");
                is_null && scene.untouched_after(*root, self.variable())
            })
        });
        thrown || null
    }

    /// It stands in what `assertThrows` and its kin run.
    fn is_thrown(&self, e: flow::ExprId) -> bool {
        let scene = self.scene;
        let mut at = Some(e);
        let mut in_lambda = false;
        while let Some(e) = at {
            match scene.kind(e) {
                ExprKind::Lambda(_) => in_lambda = true,
                ExprKind::Call(call)
                    if in_lambda && words::THROWING.contains(&scene.call_name(call)) =>
                {
                    return true;
                }
                _ => {}
            }
            at = scene.parent(e);
        }
        false
    }

    /// It is the last call before a `fail()` in the same `try`.
    fn is_before_fail(&self, e: flow::ExprId) -> bool {
        let scene = self.scene;
        let root = scene.root(e);
        let next = scene.roots().find(|r| *r > root);
        let fails = next.is_some_and(|next| {
            scene
                .chain(next)
                .iter()
                .any(|c| scene.call_name(*c) == "fail")
        });
        let has_catch = scene.body.blocks.iter().any(|b| {
            b.entered_from.is_some_and(|from| {
                let first =
                    |block: flow::BlockId| scene.body.blocks.get(block.ix()).map(|b| b.first);
                first(from.first).is_some_and(|f| f <= e.0)
                    && first(from.end).is_none_or(|f| e.0 < f)
            })
        });
        fails && has_catch
    }

    /// The steps behind the longest part whose type is known, each with what it asks of a class of the workspace.
    fn asked(&self) -> Vec<(&str, Option<Asked>)> {
        let scene = self.scene;
        let mut parts = words::prefixes(&self.text);
        parts.push(&self.text);
        let known = parts
            .iter()
            .enumerate()
            .find_map(|(at, part)| Some((at, scene.type_of(part)?)));
        let all = words::steps(&self.text);
        let Some((at, mut ty)) = known else {
            return all.into_iter().skip(1).map(|s| (s, None)).collect();
        };
        let mut out = Vec::new();
        for one in all.into_iter().skip(at + 1) {
            let class = scene.program.class_of(ty);
            let found = class.and_then(|class| step(scene.program, class, one));
            ty = found.map_or(program::Ty::UNKNOWN, |(_, ty)| ty);
            out.push((one, found.map(|f| f.0)));
        }
        out
    }

    fn changes(&self) -> bool {
        self.asked().into_iter().any(|(step, asked)| match asked {
            Some(Asked::Method(m)) => writes(self.scene.program, m, 1),
            Some(Asked::Field) => false,
            None => words::call(step).1.is_some() && words::changes(words::call(step).0),
        })
    }

    // --- known to the test ---

    fn is_of_mock(&self) -> bool {
        let root = self.variable();
        let by_call = |scene: &Scene<'_>| {
            scene.all().any(|e| match scene.kind(e) {
                ExprKind::Define(def) => {
                    let def = &scene.body.defs[def.ix()];
                    let named = match def.target {
                        Target::Local(l) => scene.body.locals[l.ix()].name == root,
                        Target::Place(p) => scene.text(p) == root,
                        Target::OwnField(n) => scene.body.name(n) == root,
                        Target::Element(_) => false,
                    };
                    named
                        && scene
                            .body
                            .list(def.sources)
                            .first()
                            .is_some_and(|s| is_mocking(scene, *s))
                }
                _ => false,
            })
        };
        let annotated = self.scene.field(root).is_some_and(|f| {
            let decl = self.scene.program.field_decl(f);
            decl.is_some_and(|d| {
                d.annotations
                    .iter()
                    .any(|a| words::MOCKED.contains(&a.as_str()))
            })
        });
        let parameter = self
            .scene
            .program
            .method_decl(self.scene.test)
            .is_some_and(|d| {
                d.params.iter().any(|p| p.name == root)
                    && method_text(self.scene.program, self.scene.test).contains("@Mock")
            });
        // `verify(mailer).send(…)` is no value.
        let verifies = words::steps(&self.text)
            .iter()
            .any(|step| words::VERIFYING.contains(&words::call(step).0));
        annotated || parameter || verifies || by_call(self.scene) || self.set_up.iter().any(by_call)
    }

    fn is_stubbed(&self) -> bool {
        let stubs = |scene: &Scene<'_>| {
            scene.all().any(|e| {
                let ExprKind::Call(call) = scene.kind(e) else {
                    return false;
                };
                matches!(scene.call_name(call), "when" | "given" | "expect" | "every")
                    && scene.args(call).iter().any(|a| scene.text(*a) == self.text)
            })
        };
        let answered = |scene: &Scene<'_>| {
            let Some(object) = words::steps(&self.text).first().copied() else {
                return false;
            };
            // What the code under test may change in it is worth a look.
            self.cannot_change(object)
                && scene.all().any(|e| {
                    let ExprKind::Call(call) = scene.kind(e) else {
                        return false;
                    };
                    matches!(
                        scene.call_name(call),
                        "thenReturn"
                            | "willReturn"
                            | "doReturn"
                            | "andReturn"
                            | "thenAnswer"
                            | "returnValue"
                    ) && scene.args(call).iter().any(|a| {
                        scene.within(scene.root(*a)).iter().any(|e| {
                            scene.text(*e) == object
                                && scene.is_variable(*e)
                                && is_part(scene, *e, *a)
                        })
                    })
                })
        };
        let any =
            |judge: &dyn Fn(&Scene<'_>) -> bool| judge(self.scene) || self.set_up.iter().any(judge);
        any(&stubs) || any(&answered)
    }

    /// True if an object is a value, or holds nothing but values that are final.
    fn cannot_change(&self, object: &str) -> bool {
        let program = self.scene.program;
        let Some(ty) = self.scene.type_of(object) else {
            return false;
        };
        let Some(class) = program.class_of(ty) else {
            return words::is_value(&program.type_text(ty));
        };
        let mut all = vec![class];
        all.extend(program.supertypes(class));
        let decls = all.iter().filter_map(|t| program.type_decl(*t));
        decls.flat_map(|d| &d.fields).all(|f| {
            let is_value = words::is_value(&program.display_written(&f.ty));
            f.modifiers.has(Modifiers::STATIC) || f.modifiers.has(Modifiers::FINAL) && is_value
        })
    }

    fn is_fixture(&self) -> bool {
        let root = self.variable();
        let is_name = !root.is_empty() && !root.contains(' ');
        let is_call = words::steps(&self.text)[0].contains('(');
        is_name && !is_call && !self.scene.names(root) && self.scene.field(root).is_some()
    }

    /// The test, or what runs before it, gives its object this property.
    fn is_put_in(&self) -> bool {
        let Some(object) = self.objects().first().copied() else {
            return false;
        };
        let step_text = self.last_step();
        let property = words::property(step_text);
        let (getter, arguments) = words::call(step_text);
        if arguments.is_some_and(|count| count > 0) {
            return false;
        }
        // What other code makes of it is an answer; a getter gives what was put in.
        if let Some((_, Some(Asked::Method(m)))) = self.asked().last()
            && !gives_field(self.scene.program, *m)
        {
            return false;
        }
        let setter = format!("set{}", words::capital(&property));
        let wither = format!("with{}", words::capital(&property));
        let written = |scene: &Scene<'_>| {
            scene.all().any(|e| match scene.kind(e) {
                ExprKind::Call(call) if !scene.args(call).is_empty() => {
                    let name = scene.call_name(call);
                    let receiver = scene.receiver(call).map(|r| scene.text(r));
                    name == setter && receiver == Some(object)
                }
                ExprKind::Define(def) => {
                    let def = &scene.body.defs[def.ix()];
                    match def.target {
                        Target::Place(p) => scene.text(p) == format!("{object}.{getter}"),
                        _ => false,
                    }
                }
                _ => false,
            })
        };
        let made = |scene: &Scene<'_>| {
            scene.all().any(|e| {
                let ExprKind::Define(def) = scene.kind(e) else {
                    return false;
                };
                let def = &scene.body.defs[def.ix()];
                let names = match def.target {
                    Target::Local(l) => scene.body.locals[l.ix()].name == object,
                    Target::Place(p) => scene.text(p) == object,
                    Target::OwnField(n) => scene.body.name(n) == object,
                    Target::Element(_) => false,
                };
                let Some(&source) = scene.body.list(def.sources).first().filter(|_| names) else {
                    return false;
                };
                let chain = scene.chain(source);
                let builds = chain
                    .first()
                    .is_some_and(|c| scene.call_name(*c) == "build");
                let built = chain.iter().any(|c| {
                    let name = scene.call_name(*c);
                    !scene.args(*c).is_empty()
                        && (name == property || name == setter || name == wither)
                });
                builds && built || self.is_constructed(scene, source, &property)
            })
        };
        let any =
            |judge: &dyn Fn(&Scene<'_>) -> bool| judge(self.scene) || self.set_up.iter().any(judge);
        any(&written) || any(&made)
    }

    /// `new Owner("x")` whose constructor keeps its parameter as this property.
    fn is_constructed(&self, scene: &Scene<'_>, source: flow::ExprId, property: &str) -> bool {
        let ExprKind::Call(call) = scene.kind(source) else {
            return false;
        };
        let program = scene.program;
        if !matches!(scene.body.calls[call.ix()].callee, Callee::New { .. })
            || scene.args(call).is_empty()
        {
            return false;
        }
        let Some(class) = program.class_of(scene.resolved.ty(source)) else {
            return false;
        };
        let Some(decl) = program.type_decl(class) else {
            return false;
        };
        let generated = ["AllArgsConstructor", "Value", "RequiredArgsConstructor"];
        if decl.kind == TypeDeclKind::Record
            || decl
                .annotations
                .iter()
                .any(|a| generated.contains(&a.as_str()))
        {
            return decl.fields.iter().any(|f| f.name == property);
        }
        scene.target(call).is_some_and(|constructor| {
            let text = words::squeeze(method_text(program, constructor));
            program.method_decl(constructor).is_some_and(|d| {
                d.params
                    .iter()
                    .any(|p| text.contains(&format!("this.{property}={};", p.name)))
            })
        })
    }

    /// Its object is an argument or the receiver of a call that is more than a getter or setter.
    fn is_given_away(&self) -> bool {
        let scene = self.scene;
        let variable = self.variable();
        scene.all().any(|e| {
            let ExprKind::Call(call) = scene.kind(e) else {
                return false;
            };
            if scene.asserts(scene.root(e)) {
                return false;
            }
            let name = scene.call_name(call);
            let argument = scene.args(call).iter().any(|a| scene.text(*a) == variable);
            let receiver = scene
                .receiver(call)
                .is_some_and(|r| scene.text(r) == variable);
            argument || receiver && !name.starts_with("set") && !words::is_getter(name)
        })
    }

    // --- noise ---

    fn is_bare(&self) -> bool {
        let is_call = self.last_step().contains('(');
        if words::is_value(self.ty) || words::is_container(self.ty) || self.ty == "?" {
            return false;
        }
        let program = self.scene.program;
        let class = self
            .scene
            .type_of(&self.text)
            .and_then(|ty| program.class_of(ty));
        let says = class
            .and_then(|c| program.type_decl(c))
            .is_some_and(|d| matches!(d.kind, TypeDeclKind::Enum | TypeDeclKind::Record));
        !says && !is_call
    }

    fn is_noise(&self) -> bool {
        [".isEmpty()", ".toString()", ".getClass()", ".hashCode()"]
            .iter()
            .any(|end| self.text.ends_with(end))
    }
}

fn is_mocking(scene: &Scene<'_>, source: flow::ExprId) -> bool {
    let chain = scene.chain(source);
    chain.iter().any(|c| words::MOCKING.contains(&scene.call_name(*c)))
        // What a stand-in answers is one, or stubbed.
        && chain.len() <= 3
}

/// True if `part` stands within `whole`.
fn is_part(scene: &Scene<'_>, part: flow::ExprId, whole: flow::ExprId) -> bool {
    std::iter::successors(Some(part), |e| scene.parent(*e)).any(|e| e == whole)
}
