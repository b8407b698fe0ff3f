//! Files: what is read, what is written and read back, what is refused and where.

use invariants::study::Study;
use invariants::trace::{Declarations, Reader, write_head, write_point, write_sample};
use invariants::{Kind, Look, Options, Point, PointKind, Rep, Value, Variable};
use proptest::prelude::*;
use std::sync::Arc;

const HEAD: &str = "decl-version 2.0\nvar-comparability implicit\n\nppt p:::POINT\nppt-type point\nvariable x\n  var-kind variable\n  dec-type int\n  rep-type int\n  comparability 1\nvariable s\n  var-kind variable\n  dec-type java.lang.String\n  rep-type java.lang.String\n  comparability 2\n\n";

/// The samples' values, then where the trace is cut or what is wrong.
fn read(text: &[u8]) -> (Vec<Vec<Value>>, Option<u64>, Option<String>) {
    let mut declared = Declarations::default();
    let mut reader = Reader::new(text);
    let mut samples = Vec::new();
    loop {
        match reader.next(&mut declared) {
            Ok(Some(sample)) => samples.push(sample.values.to_vec()),
            Ok(None) => return (samples, reader.cut(), None),
            Err(e) => return (samples, None, Some(e.to_string())),
        }
    }
}

fn with(samples: &str) -> Vec<u8> {
    format!("{HEAD}{samples}").into_bytes()
}

const SAMPLE: &str = "p:::POINT\nx\n5\n1\ns\n\"a\"\n1\n\n";

#[test]
fn samples_are_read() {
    let text = with(&format!(
        "# a comment\n{SAMPLE}p:::POINT\nx\n6\n0\ns\nnonsensical\n2\n"
    ));
    let (samples, cut, wrong) = read(&text);
    assert_eq!(
        samples,
        [
            vec![Value::Int(5), Value::text("a")],
            vec![Value::Int(6), Value::Missing]
        ]
    );
    assert_eq!((cut, wrong), (None, None));
}

#[test]
fn of_a_cut_trace_all_that_is_whole_is_read() {
    let text = with(&format!("{SAMPLE}{SAMPLE}"));
    for end in HEAD.len() + SAMPLE.len()..text.len() - 4 {
        let (samples, cut, wrong) = read(&text[..end]);
        assert_eq!(samples.len(), 1, "{end}");
        assert!(
            cut.is_some() || end < HEAD.len() + SAMPLE.len() + 2,
            "{end}"
        );
        assert_eq!(wrong, None, "{end}");
    }
}

#[test]
fn mistakes_are_told_with_their_line() {
    let table = [
        (
            "q:::POINT\n",
            "line 17: no point is declared that is called \"q:::POINT\"",
        ),
        (
            "p:::POINT\ny\n5\n1\n",
            "line 18: \"y\" stands where the value of \"x\" is declared",
        ),
        (
            "p:::POINT\nx\nfive\n1\n",
            "line 19: \"five\" is no value of \"x\"",
        ),
        (
            "p:::POINT\nx\n5\n7\n",
            "line 20: 0, 1 or 2 must follow the value of \"x\"",
        ),
        (
            "p:::POINT\nx\n5\n1\ns\nnull\n1\nz\n",
            "line 24: \"z\" is no variable that the point declares",
        ),
        (
            "p:::POINT\nthis_invocation_nonce\nx\n",
            "line 19: the number of a call is no number",
        ),
        (
            "decl-version 1\n",
            "line 17: only declarations of version 2.0 are read",
        ),
        (
            "ppt r:::POINT\nvariable x\n  var-kind unkind\n",
            "line 19: \"var-kind unkind\" is not understood here",
        ),
        (
            "ppt p:::POINT\nppt-type point\n\n",
            "line 17: \"p:::POINT\" was declared with other variables",
        ),
    ];
    for (text, message) in table {
        let (_, _, wrong) = read(&with(text));
        assert_eq!(wrong.as_deref(), Some(message), "{text}");
    }
}

#[test]
fn a_line_without_end_costs_a_bound() {
    let mut text = with("p:::POINT\nx\n5\n1\ns\n\"");
    text.resize(text.len() + (40 << 20), b'a');
    text.extend_from_slice(b"\"\n1\n\n");
    text.extend_from_slice(SAMPLE.as_bytes());
    let (samples, cut, wrong) = read(&text);
    assert_eq!((cut, wrong), (None, None));
    assert_eq!(
        samples,
        [
            vec![Value::Int(5), Value::Missing],
            vec![Value::Int(5), Value::text("a")]
        ]
    );
}

#[test]
fn what_is_no_text_is_missing() {
    // Halves of surrogate pairs as UTF-8 would have them, and behind an escape: no two are taken for the same.
    for half in [&b"\xed\xa0\x80"[..], b"\xed\xbf\xbf", b"\\n\xed\xa0\x80"] {
        let mut text = with("p:::POINT\nx\n5\n1\ns\n\"");
        text.extend_from_slice(half);
        text.extend_from_slice(b"\"\n1\n\n");
        let (samples, _, wrong) = read(&text);
        assert_eq!(wrong, None);
        assert_eq!(samples, [[Value::Int(5), Value::Missing]]);
    }
}

#[test]
fn what_is_written_is_read_back() {
    let variable = |name: &str, rep| Variable::new(name, "T", rep);
    let looks = |name: &str, kind, look| Variable {
        look,
        ..variable(name, Rep::one(kind))
    };
    let mut named = variable("two words", Rep::one(Kind::Text));
    named.limits.push(("min-length".to_owned(), "1".to_owned()));
    let point = Point::new(
        "p.C.m(int, long):::ENTER",
        PointKind::Enter,
        vec![
            variable("i", Rep::one(Kind::Int)),
            variable("d", Rep::one(Kind::Double)),
            named,
            variable("r[..]", Rep::many(Kind::Reference)),
            variable("t[..]", Rep::many(Kind::Text)),
            variable("e[..]", Rep::many(Kind::Double)),
            looks("c", Kind::Int, Look::Char),
            looks("k", Kind::Text, Look::Constant),
        ],
    );
    let samples = [
        vec![
            Value::Int(i64::MIN),
            Value::Double(-0.0),
            Value::text("a \"b\"\n\\ "),
            Value::Ints([0, 7].into()),
            Value::Texts([None, Some(Arc::from("x y]"))].into()),
            Value::Doubles([1.5e300, f64::INFINITY].into()),
            Value::Int(65),
            Value::text("OPEN"),
        ],
        vec![Value::Missing; 8],
    ];
    let mut text = Vec::new();
    write_head(&mut text).expect("written");
    write_point(&mut text, &point).expect("written");
    for (i, sample) in samples.iter().enumerate() {
        let nonce = i64::try_from(i).ok();
        write_sample(&mut text, &point, nonce, sample).expect("written");
    }
    let mut declared = Declarations::default();
    let mut reader = Reader::new(text.as_slice());
    for (i, expected) in samples.iter().enumerate() {
        let sample = reader
            .next(&mut declared)
            .expect("a trace")
            .expect("a sample");
        assert_eq!(
            (sample.nonce, sample.values),
            (i64::try_from(i).ok(), expected.as_slice())
        );
    }
    assert_eq!(declared.points(), [point]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A trace that was changed anywhere, and cut anywhere, is read to its end or refused.
    #[test]
    fn any_bytes_are_read_or_refused(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), end in any::<prop::sample::Index>()) {
        let mut text = include_bytes!("../../../../../tests/invariants/counter.dtrace").to_vec();
        for (at, byte) in changes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        text.truncate(end.index(text.len()) + 1);
        let mut declared = Declarations::default();
        let mut study = Study::new(Options::default());
        let mut reader = Reader::new(text.as_slice());
        while let Ok(Some(sample)) = reader.next(&mut declared) {
            study.declare(declared.points());
            study.see(&declared.points()[sample.point].name, sample.nonce, sample.values);
        }
        study.learnt();
    }
}
