//! `telltale observe` for people: a table with the source line and the reason of each place.

use super::candidates::{CandidateJson, Describer, readable_method};
use super::json::{ObserveJson, RankedJson};
use std::io::{self, Write};

/// What a candidate is called in a sentence.
pub(crate) fn name(c: &CandidateJson) -> String {
    match c.kind {
        "return" => format!("the value of {}", readable_method(&c.method)),
        "query" => c.variable.clone(),
        _ => c.variable.clone(),
    }
}

/// Why a value was chosen, in words: what it stands in for, nearest first.
pub(crate) fn because(r: &RankedJson, describe: &dyn Fn(u32) -> CandidateJson) -> String {
    if r.stands_for.is_empty() {
        return "observes itself only: nothing else passes its value on".to_owned();
    }
    // The nearest ones say most: whole ones first, then by chance.
    let mut parts: Vec<String> = Vec::new();
    for s in r.stands_for.iter() {
        let c = describe(s.id);
        let what = if c.kind == "return" {
            format!("the value of {}", readable_method(&c.method))
        } else if c.method == r.candidate.method {
            format!("{} (line {})", c.variable, c.line)
        } else {
            format!("{} in {}", c.variable, readable_method(&c.method))
        };
        let part = if s.foc >= 0.995 {
            what
        } else {
            format!("{what} ({})", share(s.foc))
        };
        if !parts.contains(&part) {
            parts.push(part);
        }
        if parts.len() == 3 {
            break;
        }
    }
    let more = r.stands_for.len().saturating_sub(parts.len());
    let tail = match more {
        0 => String::new(),
        1 => " and 1 more".to_owned(),
        n => format!(" and {n} more"),
    };
    format!("also tells on {}{tail}", parts.join(", "))
}

/// A capability as people say it.
fn share(foc: f64) -> String {
    let percent = foc * 100.0;
    if percent >= 1.0 {
        format!("{percent:.0} %")
    } else {
        "under 1 %".to_owned()
    }
}

/// Prints the whole answer.
pub(crate) fn print(
    out: &mut dyn Write,
    answer: &ObserveJson,
    describer: &Describer<'_>,
) -> io::Result<()> {
    let scope = match answer.scope.kind {
        "workspace" => "this project".to_owned(),
        kind => format!("{kind} {}", answer.scope.name),
    };
    let c = &answer.counts;
    writeln!(
        out,
        "\x1b[1mWhat to observe in {scope}\x1b[0m  \x1b[2m{} methods · {} candidates · {} chains · {} of {} calls unresolved{}\x1b[0m",
        c.methods,
        c.candidates,
        c.edges,
        c.calls_unresolved,
        c.calls,
        if c.files_skipped > 0 {
            format!(" · {} files skipped", c.files_skipped)
        } else {
            String::new()
        },
    )?;
    let lists = [
        (
            &answer.ranking,
            "",
            "Nothing to observe here: no statement gives a variable a value.",
        ),
        (
            &answer.readable,
            "Readable: this test could assert",
            "Nothing more: what this test can read adds nothing to what its assertions read.",
        ),
        (
            &answer.inside,
            "Inside: only an inner oracle can check",
            "Nothing more inside: what the test reads tells on all of it.",
        ),
    ];
    for (list, title, empty) in lists {
        let Some(list) = list else { continue };
        writeln!(out)?;
        if !title.is_empty() {
            writeln!(out, "\x1b[1m{title}\x1b[0m")?;
        }
        if list.is_empty() {
            writeln!(out, "  {empty}")?;
            continue;
        }
        let width = list
            .iter()
            .map(|r| name(&r.candidate).chars().count())
            .max()
            .unwrap_or(0)
            .min(36);
        for r in list {
            let c = &r.candidate;
            let label = name(c);
            let pad = " ".repeat(width.saturating_sub(label.chars().count()));
            writeln!(
                out,
                "\x1b[1m{:>3}\x1b[0m  \x1b[36m{label}\x1b[0m{pad}  {:>6.2}  \x1b[2m{}:{}\x1b[0m",
                r.rank, r.gain, c.path, c.line,
            )?;
            let line = describer.source_line(c);
            if c.kind != "query" && !line.is_empty() {
                writeln!(out, "       \x1b[2m│\x1b[0m {}", shorten(&line, 96))?;
            }
            writeln!(out, "       \x1b[2m└\x1b[0m {}", r.because)?;
        }
    }
    if let Some(bound) = answer.parameters.error_bound.filter(|b| *b > 0.0) {
        writeln!(
            out,
            "\n\x1b[33mnote:\x1b[0m the scope is large for this λ: capabilities below {:.1e} were left out; a value may be too low by up to {bound:.3}",
            answer.parameters.epsilon,
        )?;
    }
    Ok(())
}

pub(crate) fn shorten(line: &str, most: usize) -> String {
    if line.chars().count() <= most {
        return line.to_owned();
    }
    let mut cut: String = line.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
