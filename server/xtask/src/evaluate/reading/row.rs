//! A row of what people read, as a table of tab-separated values keeps it.

use std::fmt::Write as _;

use super::draw::Today;
use crate::Result;

/// The columns, in order.
const COLUMNS: [&str; 13] = [
    "reading", "project", "commit", "kind", "lens", "why", "path", "line", "test", "value",
    "after", "verdict", "cause",
];

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The first value that a test is told it could read.
    Value,
    /// What it is told to expect of an answer.
    Expectation,
    /// A call of a mock that it is told nobody verifies.
    Call,
    /// What a mock is given, and it is told nobody looks at.
    Argument,
    /// What a rule has against it: that it checks nothing, or only what it catches.
    Finding,
    /// That it is told nothing.
    Quiet,
}

impl Kind {
    pub(super) const ALL: [Kind; 6] = [
        Kind::Value,
        Kind::Expectation,
        Kind::Call,
        Kind::Argument,
        Kind::Finding,
        Kind::Quiet,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Value => "value",
            Kind::Expectation => "expectation",
            Kind::Call => "call",
            Kind::Argument => "argument",
            Kind::Finding => "finding",
            Kind::Quiet => "quiet",
        }
    }
}

/// What one test is told, and what a reader said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Which reading it was, by its number in `docs/evaluation-trust.md`; empty before it was read.
    pub(super) reading: String,
    /// Its folder's name; where a table is kept, with its owner before: `owner/name`.
    pub(super) project: String,
    pub(super) commit: String,
    pub(super) kind: Kind,
    /// The lens above the test names it.
    pub(super) is_lens: bool,
    /// What shows that the test wants it, or the doubt that concerns it.
    pub(super) why: String,
    pub(super) path: String,
    /// The line of the test's name.
    pub(super) line: usize,
    pub(super) test: String,
    pub(super) value: String,
    /// The line behind which it is meant.
    pub(super) after: Option<u32>,
    /// A reader's word; empty before it was read.
    pub(super) verdict: String,
    /// The reason for it.
    pub(super) cause: String,
}

/// The table.
pub(super) fn to_text(rows: &[Row]) -> String {
    let mut out = COLUMNS.join("\t") + "\n";
    for r in rows {
        let cells = [
            plain(&r.reading),
            plain(&r.project),
            plain(&r.commit),
            r.kind.name().to_owned(),
            if r.is_lens { "lens" } else { "" }.to_owned(),
            plain(&r.why),
            plain(&r.path),
            r.line.to_string(),
            plain(&r.test),
            plain(&r.value),
            r.after.map_or(String::new(), |a| a.to_string()),
            plain(&r.verdict),
            plain(&r.cause),
        ];
        let _ = writeln!(out, "{}", cells.join("\t"));
    }
    out
}

/// Without what would end a cell or a row.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a table.
pub(super) fn from_text(text: &str) -> Result<Vec<Row>> {
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, head)| head) != Some(COLUMNS.join("\t").as_str()) {
        return Err(format!("the first line is not {}", COLUMNS.join(", ")));
    }
    lines
        .map(|(at, line)| of_line(line).map_err(|error| format!("line {}: {error}", at + 1)))
        .collect()
}

fn of_line(line: &str) -> Result<Row> {
    let cells: Vec<&str> = line.split('\t').collect();
    let Ok(
        [
            reading,
            project,
            commit,
            kind,
            lens,
            why,
            path,
            line,
            test,
            value,
            after,
            verdict,
            cause,
        ],
    ) = <[&str; 13]>::try_from(cells)
    else {
        return Err(format!("not {} cells", COLUMNS.len()));
    };
    let known = Kind::ALL.into_iter().find(|k| k.name() == kind);
    let number = |text: &str| text.parse().map_err(|_| format!("{text} is no line"));
    Ok(Row {
        reading: reading.to_owned(),
        project: project.to_owned(),
        commit: commit.to_owned(),
        kind: known.ok_or_else(|| format!("no kind {kind}"))?,
        is_lens: lens == "lens",
        why: why.to_owned(),
        path: path.to_owned(),
        line: number(line)? as usize,
        test: test.to_owned(),
        value: value.to_owned(),
        after: match after {
            "" => None,
            line => Some(number(line)?),
        },
        verdict: verdict.to_owned(),
        cause: cause.to_owned(),
    })
}

/// Of each verdict how many there are, and how many are still said, by kind and by what shows them.
pub(super) fn print_table(asked: &[(&Row, Today)]) {
    let mut groups: Vec<(Kind, &str)> = asked.iter().map(|(r, _)| (r.kind, &*r.why)).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut verdicts: Vec<&str> = asked.iter().map(|(r, _)| &*r.verdict).collect();
    verdicts.sort_unstable();
    verdicts.dedup();
    println!("| kind | shown by | {} |", verdicts.join(" | "));
    println!("| --- | --- |{}", " --: |".repeat(verdicts.len()));
    for (kind, why) in groups {
        let cells = verdicts.iter().map(|v| {
            let of = || {
                let own = asked.iter().filter(|(r, _)| r.kind == kind && r.why == why);
                own.filter(|(r, _)| r.verdict == *v)
            };
            let told = of().filter(|(_, today)| *today == Today::First).count();
            format!("{told} of {}", of().count())
        });
        let cells: Vec<String> = cells.collect();
        println!("| {} | {why} | {} |", kind.name(), cells.join(" | "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            reading: "50".into(),
            project: "p".into(),
            commit: "c0ffee".into(),
            kind: Kind::Value,
            is_lens: true,
            why: "barely".into(),
            path: "src/ATest.java".into(),
            line: 7,
            test: "ATest.a".into(),
            value: "x.y(\"ä\t😀\")".into(),
            after: Some(9),
            verdict: String::new(),
            cause: String::new(),
        }
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let of = |kind| Row { kind, ..row() };
        let mut rows: Vec<Row> = Kind::ALL.into_iter().map(of).collect();
        rows[3].after = None;
        let read = from_text(&to_text(&rows)).expect("a table");
        // What would end a cell is a blank.
        rows.iter_mut()
            .for_each(|r| r.value = "x.y(\"ä 😀\")".into());
        assert_eq!(read, rows);
    }

    /// Whoever writes a row by hand finds out here.
    #[test]
    fn what_was_read_is_a_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/readings.tsv");
        let text = std::fs::read_to_string(path).expect("the readings");
        let all = from_text(&text).expect("a table");
        let words = |kind: Kind| match kind {
            Kind::Quiet => &["quiet", "small", "gap"][..],
            _ => &["gap", "plausible", "useless", "silly", "wrong"],
        };
        for row in &all {
            assert!(words(row.kind).contains(&&*row.verdict), "{row:?}");
            assert!(
                row.project.contains('/') && !row.commit.is_empty(),
                "{row:?}"
            );
        }
        assert!(!all.is_empty());
    }

    #[test]
    fn what_is_no_table_says_where() {
        assert!(
            from_text("project\tcommit\n")
                .expect_err("no head")
                .contains("first line")
        );
        let text = to_text(&[row()]).replace("\tvalue\tlens", "\tvalues\tlens");
        assert_eq!(
            from_text(&text).expect_err("no kind"),
            "line 2: no kind values"
        );
        let text = to_text(&[row()]) + "a\tb\n";
        assert_eq!(
            from_text(&text).expect_err("too few"),
            "line 3: not 13 cells"
        );
    }
}
