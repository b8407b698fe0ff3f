//! The top ten of fixed scopes in three real projects: `tests/truth/SUBJECT.csv`, recorded from runs that were read
//! beside the source. A line that changes is a change of what people see: it is looked at before it is recorded again,
//! with `TELLTALE_UPDATE_TRUTH=1`, and stands in the review.
// Tests read files, run the binary and say what they skip.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stderr,
    clippy::unwrap_used
)]

use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Subject, and the arguments of each scope after `observe SUBJECT`.
const SCOPES: &[(&str, &[&[&str]])] = &[
    (
        "commons-csv",
        &[
            &[],
            &["src/main/java/org/apache/commons/csv/Lexer.java"],
            &["src/main/java/org/apache/commons/csv/CSVRecord.java"],
            &["--test", "CSVRecordTest#testGetString"],
            &["--test", "CSVParserTest#testGetRecordNumberWithLF"],
            &[
                "--test",
                "CSVPrinterTest#testExcelPrinter1",
                "--offer",
                "all",
            ],
        ],
    ),
    (
        "commons-cli",
        &[
            &[],
            &["src/main/java/org/apache/commons/cli/DefaultParser.java"],
            &["--test", "OptionGroupTest#testTwoOptionsFromGroup"],
            &["--test", "CommandLineTest#testGetOptionProperties"],
        ],
    ),
    (
        "commons-codec",
        &[
            &[],
            &["src/main/java/org/apache/commons/codec/language/Soundex.java"],
            &["--test", "HexTest#testEncodeHex_ByteBufferOfZeroes"],
            &["--test", "SoundexTest#testBadCharacters"],
        ],
    ),
];

#[test]
fn the_top_ten_of_fixed_scopes() {
    let Some(subjects) = std::env::var_os("TELLTALE_SUBJECTS").map(PathBuf::from) else {
        eprintln!("skipped: TELLTALE_SUBJECTS is not set");
        return;
    };
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/truth");
    let update = std::env::var_os("TELLTALE_UPDATE_TRUTH").is_some();
    let mut wrong = Vec::new();
    for (subject, scopes) in SCOPES {
        let mut found = String::from("scope,list,rank,gain,value,line\n");
        for arguments in *scopes {
            rows(&subjects.join(subject), arguments, &mut found);
        }
        let file = truth.join(format!("{subject}.csv"));
        if update {
            std::fs::write(&file, &found).unwrap();
        }
        let recorded = std::fs::read_to_string(&file)
            .unwrap_or_default()
            .replace("\r\n", "\n");
        for (at, line) in diff(&recorded, &found) {
            wrong.push(format!("{subject}.csv:{at}: {line}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nlook at each, then record them with TELLTALE_UPDATE_TRUTH=1",
        wrong.join("\n")
    );
}

/// The rankings of one scope, a line a place.
fn rows(project: &Path, arguments: &[&str], out: &mut String) {
    let (path, rest) = match arguments {
        [path, rest @ ..] if !path.starts_with('-') => (project.join(path), rest),
        rest => (project.to_path_buf(), rest),
    };
    // A home of its own: which libraries a machine has fetched changes no line.
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_telltale"))
        .env("HOME", home.path())
        .env("USERPROFILE", home.path())
        .args(["observe", "--format", "json"])
        .arg(path)
        .args(rest)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    for list in ["ranking", "readable", "inside"] {
        for place in answer[list].as_array().into_iter().flatten() {
            let at = &place["candidate"];
            let value = place["expression"]
                .as_str()
                .or(at["expression"].as_str())
                .or(at["variable"].as_str())
                .unwrap_or("");
            let path = at["path"].as_str().unwrap_or("");
            let name = path.rsplit('/').next().unwrap_or("");
            writeln!(
                out,
                "{},{list},{},{:.4},{},{name}:{}",
                arguments.join(" ").rsplit('/').next().unwrap_or(""),
                place["rank"],
                place["gain"].as_f64().unwrap(),
                quoted(value),
                at["line"],
            )
            .unwrap();
        }
    }
}

fn quoted(value: &str) -> String {
    if value.contains([',', '"']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

/// Lines that differ, by number in what was found.
fn diff(recorded: &str, found: &str) -> Vec<(usize, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (recorded.lines().collect(), found.lines().collect());
    (0..old.len().max(new.len()))
        .filter(|&i| old.get(i) != new.get(i))
        .map(|i| {
            let [was, is] = [old.get(i), new.get(i)].map(|l| l.copied().unwrap_or("nothing"));
            (i + 1, format!("was {was}, is {is}"))
        })
        .collect()
}
