//! What hand-written tests taught of one method, for those who expect something of it.

use super::{TeachersOf, classes, method_of, place, source_sets};
use crate::analysis::Analysis;
use evidence::{Called, Calls};
use program::{MethodId, TypeId};
use suspects::{Asked, Options, Sample, Teacher, ask};

/// What there is to say of a claim about a method.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The hand-written tests that call it.
    pub manual: Vec<MethodId>,
    /// Tests that were recorded with other code, and teach nothing.
    pub stale: usize,
    /// At the start of its calls, and at their end; nothing if no test that was recorded calls it.
    pub asked: Vec<Asked>,
    calls: Vec<Calls>,
}

impl Inquiry {
    /// The line of its test's file, from 1, from which a sample's call was made.
    pub fn line(&self, analysis: &Analysis, sample: &Sample) -> Option<u32> {
        let calls = self.calls.get(sample.test)?;
        let from = calls.calls.get(sample.call)?.from?;
        let test = *self.manual.get(sample.test)?;
        place::line(analysis, test, calls.places.get(from as usize)?)
    }
}

/// Says what became of a claim about the values of a method.
pub fn inquire(analysis: &Analysis, method: MethodId, claim: &str, options: &Options) -> Inquiry {
    let program = analysis.program();
    let sets = source_sets(program);
    let teachers = analysis.ask(TeachersOf(about(analysis, method)));
    let mut out = Inquiry {
        manual: Vec::new(),
        stale: 0,
        asked: Vec::new(),
        calls: Vec::new(),
    };
    let mut called: Option<Called> = None;
    for &test in analysis.workspace().suite().tests() {
        if !teachers.manual.contains(&test) {
            continue;
        }
        let told = analysis.recorded(test).filter(|t| t.calls.is_some());
        let Some(told) = told else { continue };
        let is_fresh = told.key == analysis.key(test);
        let calls = told.calls.as_ref().and_then(|c| c.calls());
        let Some(calls) = calls.filter(|_| told.passed) else {
            continue;
        };
        let mut own = calls.methods.iter();
        let Some(this) = own.find(|m| method_of(program, &sets, m) == Some(method)) else {
            continue;
        };
        if !is_fresh {
            out.stale += 1;
            continue;
        }
        called.get_or_insert_with(|| this.clone());
        out.manual.push(test);
        out.calls.push(calls);
    }
    if let Some(called) = called {
        let teacher = |(test, calls)| Teacher {
            calls,
            is_own: teachers.own.contains(test),
        };
        let all: Vec<Teacher<'_>> = out.manual.iter().zip(&out.calls).map(teacher).collect();
        out.asked = ask(&all, &called, claim, options);
    }
    out
}

/// The class under test of which a method is: its own, or the one around it.
fn about(analysis: &Analysis, method: MethodId) -> TypeId {
    let program = analysis.program();
    let owner = program.method_owner(method);
    let name = program.type_name(owner);
    let around = |class: &&TypeId| {
        let outer = program.type_name(**class);
        let rest = name.strip_prefix(outer.as_str());
        rest.is_some_and(|r| r.is_empty() || r.starts_with('$'))
    };
    let all = classes(analysis);
    all.keys().find(around).copied().unwrap_or(owner)
}
