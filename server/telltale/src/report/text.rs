//! `telltale observe` for people: a table with the source line and the reason of each place.

use crate::screen::{BOLD, DIM, NAME, NOTE, PLAIN};
use crate::words::shorten;
use ide::answers::{
    CandidateKind, Described, Describer, LeftOut, Observe, RankedValue, Role, ScopeKind,
    UnverifiedCall, because, name,
};
use project::DISMISSED;
use recommend::Doubt;
use recommend::LEAST_GAIN;
use std::io::{self, Write};

/// How the value gets here that is covered most surely of those farther away: `flows through a → b → c`. Nothing where
/// all that is covered goes into the value itself.
fn chain(r: &RankedValue, describe: &dyn Fn(u32) -> Described) -> Option<String> {
    let told = r.stands_for.iter().find(|s| s.via.len() > 2)?;
    let mut steps: Vec<String> = Vec::new();
    for &id in told.via.iter().rev() {
        let step = name(&describe(id));
        // A value that is handed on keeps its name.
        if steps.last() != Some(&step) {
            steps.push(step);
        }
    }
    (steps.len() > 2).then(|| format!("flows through {}", steps.join(" → ")))
}

/// `1 method`, `2 methods`.
fn counted(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}

/// Said where nothing is left.
const DISMISSED_ALL: &str = "All that there is to say was dismissed in telltale-dismissed.toml.";

/// Said below an answer without figures.
const MORE: &str =
    "--verbose adds how much each covers, and the way by which a wrong value gets there.";

/// Said above what code computes.
const COMPUTED: &str = "What code computes and no assertion is seen to read, and the test that comes there by the fewest calls.";

/// Said below it.
const ALL: &str = "What is only handed on, caught or logged, or decides what runs, is left out; --offer all ranks that, too.";

/// What the figures mean.
const LEGEND: [&str; 2] = [
    "The number says how many variables this value covers, beyond those above it;",
    "a percentage, how often a wrong value there would show here.",
];

/// The same for a ranking by centrality.
const CENTRALITY: [&str; 2] = [
    "The number says how central a value is: its PageRank (1 is the mean), or on how many shortest ways of values it lies;",
    LEGEND[1],
];

/// Said where the figures of the readable list do not simply fall.
const HABITS: &str = "Of what can be read, what tests usually ask comes first.";
/// The same of the inside list.
const LIKELY: &str = "Of what is not visible, what this test most likely runs comes first.";

/// Said below what may not run at all.
const NOT_RECORDED: &str =
    "as far as code tells what runs; `telltale record` says which of these do";

/// Said above an answer over what ran.
const OVER_RUNS: &str = "Of the code that ran when this was recorded, not of all that may run.";

/// What of an answer is printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The figures and ways behind the reasons.
    pub(crate) verbose: bool,
    /// In full what does not look worth an assertion.
    pub(crate) doubtful: bool,
    /// Only what code computes was ranked.
    pub(crate) computed: bool,
}

/// The class of a ranking in which nothing but code of tests stands.
fn class_of_tests(answer: &Observe) -> Option<&str> {
    let of_tests = |ranking: &&Vec<RankedValue>| {
        !ranking.is_empty() && ranking.iter().all(|r| r.candidate.role == Role::Test)
    };
    let ranking = answer.ranking.as_ref().filter(of_tests)?;
    let class = ranking.first()?.candidate.method.split('#').next()?;
    let is_one = |r: &RankedValue| {
        let of_class = r.candidate.method.strip_prefix(class);
        of_class.is_some_and(|rest| rest.starts_with(['#', '$', '.']))
    };
    ranking.iter().all(is_one).then_some(class)
}

/// Prints the whole answer: reasons, and what is asked for beside.
pub(crate) fn print(
    out: &mut dyn Write,
    answer: &Observe,
    describer: &Describer<'_>,
    shown: Shown,
) -> io::Result<()> {
    let Shown {
        verbose,
        doubtful,
        computed,
    } = shown;
    let scope = match answer.scope.kind {
        ScopeKind::Workspace => "this project".to_owned(),
        ScopeKind::Suite => "the whole suite".to_owned(),
        ScopeKind::TestClass => format!("test class {}", answer.scope.name),
        kind => format!("{} {}", kind.name(), answer.scope.name),
    };
    let is_sods = answer.strategy == "sods";
    let one_test = answer.scope.kind == ScopeKind::Test;
    let c = &answer.counts;
    let mut facts = Vec::new();
    if verbose {
        facts.push(counted(c.methods, "method"));
        facts.push(counted(c.candidates as usize, "candidate"));
        facts.push(counted(c.edges as usize, "chain"));
        let unresolved = format!("{} of {} calls unresolved", c.calls_unresolved, c.calls);
        facts.push(unresolved);
    }
    if c.files_skipped > 0 {
        facts.push(format!("{} skipped", counted(c.files_skipped, "file")));
    }
    match facts.join(" · ").as_str() {
        "" => writeln!(out, "{BOLD}What to observe in {scope}{PLAIN}")?,
        facts => writeln!(
            out,
            "{BOLD}What to observe in {scope}{PLAIN}  {DIM}{facts}{PLAIN}"
        )?,
    }
    if answer.over_runs {
        writeln!(out, "{DIM}{OVER_RUNS}{PLAIN}")?;
    }
    let is_unread = |r: &RankedValue| r.checked.is_some_and(|c| !c.this);
    let mut ranked = answer.ranking.iter().flatten();
    if computed && ranked.next().is_some_and(is_unread) {
        writeln!(out, "{DIM}{COMPUTED}{PLAIN}")?;
    }
    let inside_title = match one_test {
        true => "Not visible to this test: only a check inside the code can see it",
        false => "Not visible to these tests: only a check inside the code can see it",
    };
    let is_told = |u: &UnverifiedCall| u.sure || doubtful;
    let is_unverified =
        answer.unverified.iter().flatten().any(is_told) || answer.open_arguments.is_some();
    let lists = [
        (
            &answer.ranking,
            "",
            "Nothing to observe here: no statement gives a variable a value.",
        ),
        (
            &answer.readable,
            if one_test {
                "This test could assert"
            } else {
                "These tests could assert"
            },
            match answer.read.as_deref() {
                Some([]) if answer.expectations.is_some() => {
                    "Nothing more: what could be expected of the answers to its requests stands above."
                }
                Some([]) if answer.sends => {
                    "Nothing: what could be expected of the answers to its requests is not known here."
                }
                Some([]) => {
                    "Nothing that can be read here would reveal a wrong value of the code under test."
                }
                _ if is_unverified => {
                    "Nothing more that can be read: what is left are the calls of mocks below."
                }
                _ => {
                    "Nothing more: what can be read here adds nothing to what the assertions read."
                }
            },
        ),
        (
            &answer.inside,
            inside_title,
            match answer.read.as_deref() {
                Some([]) => "Nothing that a check in the code would add.",
                _ if is_unverified => "Nothing more that is not visible.",
                _ => "Nothing more that is not visible: what is read covers all of it.",
            },
        ),
    ];
    let mut some = expectations(answer, out)?;
    for (list, title, empty) in lists {
        let Some(list) = list else { continue };
        let is_inside = title == inside_title;
        let (differing, throwing) = taken_off(answer, is_inside);
        writeln!(out)?;
        if !title.is_empty() {
            writeln!(out, "{BOLD}{title}{PLAIN}")?;
        }
        let (told, besides): (Vec<&RankedValue>, Vec<&RankedValue>) = list
            .iter()
            .filter(|r| !r.dismissed)
            .partition(|r| doubtful || r.worth != Some(false));
        let dismissed = list.len() - told.len() - besides.len();
        let all = told.len();
        // An offer has nothing in it that is not worth a word.
        let is_offer = !title.is_empty();
        let list: Vec<&RankedValue> = told
            .into_iter()
            .filter(|r| is_offer || !is_sods || r.gain >= LEAST_GAIN)
            .collect();
        if list.is_empty() {
            let empty = match (dismissed, &answer.hidden) {
                (0, Some(_)) => HIDDEN,
                (0, None) if is_offer && answer.is_blind && besides.is_empty() => BLIND,
                (0, None) if !besides.is_empty() && is_inside => match answer.is_recorded {
                    true => NOTHING_WORTH_A_CHECK,
                    false => UNKNOWN_WHAT_RUNS,
                },
                (0, None) if !besides.is_empty() && is_unverified => NOTHING_WORTH_TO_READ,
                (0, None) if !besides.is_empty() => NOTHING_WORTH,
                (0, None) if !differing.is_empty() || !throwing.is_empty() => NOTHING_THE_SAME,
                (0, None) => empty,
                _ => DISMISSED_ALL,
            };
            writeln!(out, "  {empty}")?;
            say_besides(&besides, is_inside, out)?;
            say_taken_off(&differing, &throwing, out)?;
            continue;
        }
        some = true;
        let width = list
            .iter()
            .map(|r| labelled(r).chars().count())
            .max()
            .unwrap_or(0)
            .min(36);
        let rest = all - list.len();
        for (place, r) in list.into_iter().enumerate() {
            let c = &r.candidate;
            let label = labelled(r);
            let pad = " ".repeat(width.saturating_sub(label.chars().count()));
            let gain = match verbose {
                true => format!("  {:>6.2}", r.gain),
                false => String::new(),
            };
            writeln!(
                out,
                "{BOLD}{:>3}{PLAIN}  {NAME}{label}{PLAIN}{pad}{gain}  {DIM}{}:{}{PLAIN}",
                place + 1,
                c.path,
                r.after_line.map_or(c.line, |after| after.max(c.line)),
            )?;
            let line = describer.source_line(c);
            if c.kind != CandidateKind::Query && !line.is_empty() {
                writeln!(out, "       {DIM}│{PLAIN} {}", shorten(&line, 96))?;
            }
            let describe = |v| describer.describe(v);
            let because = because(r, &describe, verbose);
            writeln!(out, "       {DIM}└{PLAIN} {because}")?;
            if let Some(where_to) = where_to(r) {
                writeln!(out, "       {DIM}└{PLAIN} {where_to}")?;
            }
            if let Some(chain) = chain(r, &describe).filter(|_| verbose) {
                writeln!(out, "         {DIM}{chain}{PLAIN}")?;
            }
            // What looks worth a line is not talked down in the next.
            let is_asked = verbose || doubtful;
            if let Some(why) = why_not(r).filter(|_| is_asked) {
                writeln!(out, "         {DIM}not sure: {why}{PLAIN}")?;
            }
        }
        say_besides(&besides, is_inside, out)?;
        say_taken_off(&differing, &throwing, out)?;
        if is_inside && !answer.is_recorded {
            writeln!(out, "  {DIM}{NOT_RECORDED}{PLAIN}")?;
        }
        if rest > 0 {
            let add = if rest == 1 { "adds" } else { "add" };
            writeln!(out, "  {DIM}{rest} more {add} nothing to these{PLAIN}")?;
        }
        if dismissed > 0 {
            writeln!(out, "  {DIM}{dismissed} left out by {DISMISSED}{PLAIN}")?;
        }
    }
    unverified(answer, doubtful, out)?;
    open_arguments(answer, out)?;
    if let Some(name) = class_of_tests(answer) {
        writeln!(
            out,
            "\nThese are variables of tests themselves; `telltale observe --test {name}` says what the tests could assert."
        )?;
    }
    if some {
        writeln!(out)?;
        if !verbose {
            if computed {
                writeln!(out, "{DIM}{ALL}{PLAIN}")?;
            }
            writeln!(out, "{DIM}{MORE}{PLAIN}")?;
            return Ok(());
        }
        let legend = match is_sods {
            true => LEGEND,
            false => CENTRALITY,
        };
        for line in legend {
            writeln!(out, "{DIM}{line}{PLAIN}")?;
        }
        let falls = |l: &Vec<RankedValue>| l.is_sorted_by(|a, b| a.gain >= b.gain);
        if !answer.readable.as_ref().is_none_or(falls) {
            writeln!(out, "{DIM}{HABITS}{PLAIN}")?;
        }
        if !answer.inside.as_ref().is_none_or(falls) {
            writeln!(out, "{DIM}{LIKELY}{PLAIN}")?;
        }
    }
    if let Some(bound) = answer.parameters.error_bound.filter(|b| *b > 0.0) {
        writeln!(
            out,
            "\n{NOTE}note:{PLAIN} the scope is large for this λ: capabilities below {:.1e} were left out; a value may be too low by up to {bound:.3}",
            answer.parameters.epsilon,
        )?;
    }
    Ok(())
}

/// Of a value in a ranking of a folder: which test comes there, or that none does, and what assertions read of its method.
fn where_to(r: &RankedValue) -> Option<String> {
    let Some(nearest) = r.nearest_test.as_ref()? else {
        return Some("no test reaches it".to_owned());
    };
    let test = nearest.test.split('(').next().unwrap_or(&nearest.test);
    let test = test.rsplit('.').next().unwrap_or(test).replace('$', ".");
    let by = match nearest.calls {
        0 | 1 => "calls it".to_owned(),
        2 => "calls what calls it".to_owned(),
        n => format!("comes to it by {n} calls"),
    };
    Some(match r.checked {
        Some(c) if c.this => format!("{test} {by}, and an assertion may read it already"),
        Some(c) if c.read > 0 => format!(
            "to assert in {test}, which {by}; assertions read {} of {} of this method",
            c.read,
            counted(c.values as usize, "value")
        ),
        _ => format!("to assert in {test}, which {by}"),
    })
}

/// Where a test could read more, and nothing of it looks worth an assertion.
const NOTHING_WORTH: &str = "Nothing more that looks worth an assertion.";

/// The same where mocks take calls that nobody asks for.
const NOTHING_WORTH_TO_READ: &str = "Nothing more to read that looks worth an assertion.";

/// The same of what is inside.
const NOTHING_WORTH_A_CHECK: &str = "Nothing that looks worth a check in the code.";

/// Where code alone would have to tell which lines the test runs.
const UNKNOWN_WHAT_RUNS: &str = "Nothing is named without a recording (`telltale record`): code alone tells too badly what runs.";

/// Where what there would be is nothing to assert.
const NOTHING_THE_SAME: &str = "Nothing more that is the same in each run.";

/// What a recording took off one of the lists of tests: what differs from run to run, and what threw.
fn taken_off(answer: &Observe, is_inside: bool) -> (Vec<&Described>, Vec<&Described>) {
    let list = if is_inside { "inside" } else { "readable" };
    let all = answer.left_out.iter().filter(|l| l.list == list);
    let (differing, throwing): (Vec<&LeftOut>, Vec<&LeftOut>) =
        all.partition(|l| l.why == "unstable");
    let candidates = |all: Vec<_>| all.into_iter().map(candidate).collect();
    (candidates(differing), candidates(throwing))
}

fn candidate(of: &LeftOut) -> &Described {
    &of.candidate
}

/// Says it, in a line each.
fn say_taken_off(
    differing: &[&Described],
    throwing: &[&Described],
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = [
        ("left out, since it differs from run to run", differing),
        ("left out, since asking it throws", throwing),
    ];
    for (why, all) in all.into_iter().filter(|(_, all)| !all.is_empty()) {
        writeln!(out, "  {DIM}{why}: {}{PLAIN}", named(all))?;
    }
    Ok(())
}

/// The first few, and how many more.
fn named(all: &[&Described]) -> String {
    let first = all.iter().take(BESIDES);
    let first: Vec<String> = first.map(|c| shorten(&name(c), 40)).collect();
    let first = first.join(", ");
    match all.len().saturating_sub(BESIDES) {
        0 => first,
        n => format!("{first} and {n} more"),
    }
}

/// How many of these are named.
const BESIDES: usize = 3;

/// What could be read, or is inside, besides, in a line.
fn say_besides(besides: &[&RankedValue], is_inside: bool, out: &mut dyn Write) -> io::Result<()> {
    if besides.is_empty() {
        return Ok(());
    }
    let named = named(&besides.iter().map(|r| &r.candidate).collect::<Vec<_>>());
    let which = match is_inside {
        true => "most likely passed on, not run, or seen in what can be read",
        false => "could be read, and most likely nobody wants it asserted",
    };
    // Only where it is said of each.
    let how = match besides.iter().all(|r| why_not(r).is_some()) {
        true => "says why",
        false => "lists them",
    };
    writeln!(out, "  {DIM}{which}: {named} (--doubtful {how}){PLAIN}")
}

/// Instead of *nothing more*, where a test runs no code under test as far as anybody knows.
const BLIND: &str = "Nothing that is known: no code of the project is seen to run in this test.";

/// Instead of *nothing more*, where nobody knows what a call runs.
const HIDDEN: &str = "Nothing that is known: what runs behind the calls above is not.";

/// What a test could expect of the answers to its requests, and what hides the code that these run; whether there is such
/// an expectation.
fn expectations(answer: &Observe, out: &mut dyn Write) -> io::Result<bool> {
    if let Some(hidden) = &answer.hidden {
        writeln!(out)?;
        let what = match answer.sends {
            true => "requests",
            false => "calls",
        };
        writeln!(
            out,
            "{BOLD}Hidden: what these {what} run is not known{PLAIN}"
        )?;
        for h in hidden {
            let label = shorten(&h.expression, 60);
            writeln!(
                out,
                "     {NAME}{label}{PLAIN}  {DIM}{}:{}{PLAIN}",
                h.path, h.line
            )?;
            writeln!(out, "       {DIM}└{PLAIN} {}", h.why)?;
        }
    }
    let Some(expected) = &answer.expectations else {
        return Ok(false);
    };
    writeln!(out)?;
    writeln!(
        out,
        "{BOLD}Of the answer to a request could be expected{PLAIN}"
    )?;
    for (place, e) in expected.iter().enumerate() {
        writeln!(
            out,
            "{BOLD}{:>3}{PLAIN}  {NAME}{}{PLAIN}  {DIM}{}:{}{PLAIN}",
            place + 1,
            e.expression,
            e.path,
            e.line,
        )?;
        let handler = e.handler.split('(').next().unwrap_or(&e.handler);
        let handler = handler
            .rsplit('.')
            .next()
            .unwrap_or(handler)
            .replace('#', ".");
        let gives = match e.finished {
            true => "gives this",
            false => "gives such a value, which is not known",
        };
        writeln!(out, "       {DIM}└{PLAIN} {handler} {gives}")?;
    }
    Ok(true)
}

/// The calls that mocks take and their test does not ask for: those that are surely made in full; if asked for, the others by
/// name.
fn unverified(answer: &Observe, doubtful: bool, out: &mut dyn Write) -> io::Result<()> {
    let all = answer.unverified.iter().flatten();
    let (sure, other): (Vec<_>, Vec<_>) = all.filter(|u| u.sure || doubtful).partition(|u| u.sure);
    if sure.is_empty() && other.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    writeln!(
        out,
        "{BOLD}Calls that mocks take, and this test does not verify{PLAIN}"
    )?;
    for u in sure.iter().take(UNVERIFIED) {
        let label = shorten(&u.expression, 60);
        writeln!(
            out,
            "     {NAME}{label}{PLAIN}  {DIM}{}:{}{PLAIN}",
            u.path, u.line
        )?;
    }
    let more = sure.iter().skip(UNVERIFIED);
    for (rest, which) in [
        (more.copied().collect(), "and"),
        (other, "where the code comes by"),
    ] {
        let rest: Vec<&UnverifiedCall> = rest;
        let named: Vec<&str> = rest.iter().take(BESIDES).map(|u| u.call.as_str()).collect();
        let more = match rest.len().saturating_sub(BESIDES) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        if !rest.is_empty() {
            writeln!(out, "  {DIM}{which}: {}{more}{PLAIN}", named.join(", "))?;
        }
    }
    Ok(())
}

/// What mocks are given, and no test of the class looks at.
fn open_arguments(answer: &Observe, out: &mut dyn Write) -> io::Result<()> {
    let Some(all) = &answer.open_arguments else {
        return Ok(());
    };
    writeln!(out)?;
    writeln!(
        out,
        "{BOLD}What mocks are given, and no test of this class looks at{PLAIN}"
    )?;
    for a in all.iter().take(UNVERIFIED) {
        let (call, argument) = (shorten(&a.expression, 60), shorten(&a.argument, 60));
        writeln!(
            out,
            "     {NAME}{argument}{PLAIN} of {NAME}{call}{PLAIN}  {DIM}{}:{}{PLAIN}",
            a.path, a.line
        )?;
    }
    match all.len().saturating_sub(UNVERIFIED) {
        0 => Ok(()),
        n => writeln!(out, "  {DIM}and {n} more{PLAIN}"),
    }
}

/// How many of them are told in full.
const UNVERIFIED: usize = 5;

/// `cart.size() = 3`
fn labelled(r: &RankedValue) -> String {
    let label = name(&r.candidate);
    match &r.recorded {
        Some(recorded) => format!("{label} = {recorded}"),
        None => label.to_string(),
    }
}

/// Why a value that could be read may not be wanted, as far as that is known.
fn why_not(r: &RankedValue) -> Option<&'static str> {
    let of_test = r.is_passed_over.then_some(PASSED_OVER);
    r.doubt.map(doubted).or(of_test)
}

/// Of what only a test would want that checks nothing.
const PASSED_OVER: &str =
    "the test checks something else, itself or behind it, or says that it need only run";

/// Why no lens names a value, as a person reads it.
fn doubted(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Asserted => {
            "an assertion, or what may be one, reads it in another form, or its object"
        }
        Doubt::Untouched => "only the test had its object in its hands",
        Doubt::Passed => "the code under test only passed on what it was given",
        Doubt::Covered => "what the assertions read covers it already",
        Doubt::Aside => "nothing shows that this test is about it",
        Doubt::Changes => "asking may change something",
        Doubt::Unknown => "nobody can tell here that it compiles",
        Doubt::Unstable => "it differs from run to run",
        Doubt::Bare => "an object: its parts are compared more easily",
        Doubt::Little => "it says little",
        Doubt::Mock | Doubt::Throws => doubt.name(),
    }
}
