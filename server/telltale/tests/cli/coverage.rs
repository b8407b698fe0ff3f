//! What `telltale checked` writes for other tools, read by readers that are not ours: LCOV by the crate of that name, JaCoCo's XML
//! by an XML parser and what JaCoCo's `report.dtd` allows. Both say of each line what the JSON says.

use crate::support::telltale;
use lcov::Record;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// By file and line: how many tests check it.
type Lines = BTreeMap<String, BTreeMap<u32, u64>>;

/// Both formats are as their readers want them, and say the same as the JSON; by group and package the names of the XML's files.
pub(crate) fn is_read_by_others(root: &Path) -> BTreeSet<String> {
    let answer = |format: &str| {
        let ran = telltale(root, &["checked", "-q", "--format", format]);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran
    };
    let json = answer("json").json();
    let by_lcov = lcov(&answer("lcov").stdout);
    agree(&json, &by_lcov);
    let mut of_files = BTreeSet::new();
    let mut by_jacoco = Lines::new();
    for (place, lines) in jacoco(&answer("jacoco").stdout) {
        // The group is what stands before the package.
        let [group, package, name] = &place;
        let parts = [group, package, name].into_iter().filter(|p| !p.is_empty());
        let path: Vec<&str> = parts.map(String::as_str).collect();
        let path = path.join("/");
        let is_it = |file: &&String| **file == path || file.ends_with(&format!("/{path}"));
        let files: Vec<&String> = by_lcov.keys().filter(is_it).collect();
        assert_eq!(files.len(), 1, "{place:?} is one of {:?}", by_lcov.keys());
        by_jacoco.insert(files[0].clone(), lines);
        of_files.insert(place.join("|"));
    }
    // This format knows no numbers: a line is covered or not.
    let is_covered = |(line, by): (u32, u64)| (line, u64::from(by > 0));
    let of = |lines: BTreeMap<u32, u64>| lines.into_iter().map(is_covered).collect();
    let by_lcov = by_lcov.into_iter().map(|(file, lines)| (file, of(lines)));
    assert_eq!(by_jacoco, by_lcov.collect());
    of_files
}

/// What ran stands there as the JSON has it; what did not run is not covered.
fn agree(json: &Value, lines: &Lines) {
    let files = json["files"].as_array().expect("files");
    let names: Vec<&str> = files.iter().filter_map(|f| f["path"].as_str()).collect();
    assert_eq!(lines.keys().collect::<Vec<_>>(), names);
    let (mut hit, mut missed) = (0, 0);
    for file in files {
        let own = &lines[file["path"].as_str().expect("a path")];
        let mut left = own.clone();
        for line in file["lines"].as_array().expect("lines") {
            let number = line["line"].as_u64().and_then(|n| u32::try_from(n).ok());
            let number = number.expect("a line");
            let (by, unchecked) = (line["checked_by"].as_u64(), line["unchecked"] == true);
            // Of the others nobody can say it.
            let known = (by > Some(0) || unchecked).then(|| by.expect("a number"));
            assert_eq!(left.remove(&number), known, "{line} of {}", file["path"]);
            hit += u64::from(by > Some(0));
            missed += u64::from(unchecked);
        }
        assert!(left.values().all(|n| *n == 0), "{left:?} did not run");
    }
    assert!(hit > 0);
    assert_eq!(json["counts"]["checked"], hit);
    assert_eq!(json["counts"]["unchecked"], missed);
}

/// The lines of an LCOV tracefile, whose sums and order are looked at.
fn lcov(text: &str) -> Lines {
    let records: Result<Vec<Record>, _> = lcov::Reader::new(text.as_bytes()).collect();
    let records = records.expect("each line is a record");
    let mut out = Lines::new();
    let (last, sections) = records.split_last().expect("records");
    assert_eq!(*last, Record::EndOfRecord);
    for section in sections.split(|r| *r == Record::EndOfRecord) {
        let [
            Record::TestName { name },
            Record::SourceFile { path },
            lines @ ..,
            Record::LinesFound { found },
            Record::LinesHit { hit },
        ] = section
        else {
            panic!("not a section: {section:?}");
        };
        assert_eq!(name, "");
        let mut own = BTreeMap::new();
        for line in lines {
            let Record::LineData {
                line,
                count,
                checksum: None,
            } = line
            else {
                panic!("not a line: {line:?}");
            };
            assert!(own.keys().all(|before| before < line), "{path:?}:{line}");
            own.insert(*line, *count);
        }
        assert_eq!(own.len(), *found as usize, "{path:?}");
        let counted = own.values().filter(|n| **n > 0).count();
        assert_eq!(counted, *hit as usize, "{path:?}");
        let path = path.to_str().expect("a path").to_owned();
        assert!(out.insert(path.clone(), own).is_none(), "{path} twice");
    }
    // And as the crate merges tracefiles.
    let report = lcov::Report::from_reader(lcov::Reader::new(text.as_bytes()));
    let report = report.expect("a report");
    let read = report.sections.into_iter().map(|(key, value)| {
        let path = key.source_file.to_str().expect("a path").to_owned();
        let lines = value.lines.into_iter().map(|(k, v)| (k.line, v.count));
        (path, lines.collect())
    });
    assert_eq!(read.collect::<Lines>(), out);
    out
}

/// What an element may hold, one part behind the other; each may be empty.
enum Part {
    /// Any of these, as often as one likes.
    Any(&'static [&'static str]),
    /// One of these, as often as one likes.
    Either(&'static [&'static str]),
}

/// An element of JaCoCo's report, by `report.dtd` 1.1 of JaCoCo 0.8.15.
struct Element {
    name: &'static str,
    parts: &'static [Part],
    required: &'static [&'static str],
    optional: &'static [&'static str],
}

const COUNTERS: Part = Part::Any(&["counter"]);

#[rustfmt::skip]
const ELEMENTS: &[Element] = &[
    Element { name: "report", parts: &[Part::Any(&["sessioninfo"]), Part::Either(&["group", "package"]), COUNTERS], required: &["name"], optional: &[] },
    Element { name: "sessioninfo", parts: &[], required: &["id", "start", "dump"], optional: &[] },
    Element { name: "group", parts: &[Part::Either(&["group", "package"]), COUNTERS], required: &["name"], optional: &[] },
    Element { name: "package", parts: &[Part::Any(&["class", "sourcefile"]), COUNTERS], required: &["name"], optional: &[] },
    Element { name: "class", parts: &[Part::Any(&["method"]), COUNTERS], required: &["name"], optional: &["sourcefilename"] },
    Element { name: "method", parts: &[COUNTERS], required: &["name", "desc"], optional: &["line"] },
    Element { name: "sourcefile", parts: &[Part::Any(&["line"]), COUNTERS], required: &["name"], optional: &[] },
    Element { name: "line", parts: &[], required: &["nr"], optional: &["mi", "ci", "mb", "cb"] },
    Element { name: "counter", parts: &[], required: &["type", "missed", "covered"], optional: &[] },
];

/// What a counter counts.
const TYPES: &[&str] = &[
    "INSTRUCTION",
    "BRANCH",
    "LINE",
    "COMPLEXITY",
    "METHOD",
    "CLASS",
];

/// By which a validating parser finds the rules.
const PUBLIC: &str = "report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\"";

/// An element that is read.
struct Node {
    element: &'static Element,
    attributes: BTreeMap<String, String>,
    children: Vec<Node>,
}

impl Node {
    fn of(start: &BytesStart<'_>) -> Node {
        let name = start.name();
        let known = ELEMENTS.iter().find(|e| e.name == name.as_ref());
        let element = known.unwrap_or_else(|| panic!("no element {name:?}"));
        let mut attributes = BTreeMap::new();
        for attribute in start.attributes() {
            let attribute = attribute.expect("an attribute");
            let value = quick_xml::escape::unescape(attribute.value.as_ref());
            let value = value.expect("text").into_owned();
            attributes.insert(attribute.key.as_ref().to_owned(), value);
        }
        let own: Vec<&str> = attributes.keys().map(String::as_str).collect();
        let missing: Vec<_> = element
            .required
            .iter()
            .filter(|r| !own.contains(r))
            .collect();
        assert!(missing.is_empty(), "<{}> lacks {missing:?}", element.name);
        let is_known = |a: &&&str| element.required.contains(a) || element.optional.contains(a);
        let odd: Vec<_> = own.iter().filter(|a| !is_known(a)).collect();
        assert!(odd.is_empty(), "<{}> has {odd:?}", element.name);
        Node {
            element,
            attributes,
            children: Vec::new(),
        }
    }

    /// Children stand in the order of the rules, and no others.
    fn is_in_order(&self) {
        let names: Vec<&str> = self.children.iter().map(|c| c.element.name).collect();
        let mut left = &names[..];
        for part in self.element.parts {
            let is_of = |name: &&str| match part {
                Part::Any(names) => names.contains(name),
                Part::Either(names) => names.contains(name) && *name == left[0],
            };
            let end = left.iter().position(|n| !is_of(n)).unwrap_or(left.len());
            left = &left[end..];
        }
        assert!(left.is_empty(), "<{}> holds {names:?}", self.element.name);
    }

    fn number(&self, attribute: &str) -> u64 {
        let value = self.attributes.get(attribute);
        value.map_or(0, |v| v.parse().expect("a number"))
    }

    fn called(&self, element: &str) -> impl Iterator<Item = &Node> {
        self.children
            .iter()
            .filter(move |c| c.element.name == element)
    }

    /// What its counters say, missed and covered, by their type; each once, and none of nothing.
    fn counters(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut out = BTreeMap::new();
        for counter in self.called("counter") {
            let kind = counter.attributes["type"].as_str();
            assert!(TYPES.contains(&kind), "{kind}");
            let both = (counter.number("missed"), counter.number("covered"));
            assert!(out.insert(kind, both).is_none(), "{kind} twice");
        }
        out
    }

    /// The lines of its files, by group, package and name. What it counts is the sum of what is in it.
    fn files(
        &self,
        at: &[String; 3],
        out: &mut BTreeMap<[String; 3], BTreeMap<u32, u64>>,
    ) -> [u64; 2] {
        let mut own = at.clone();
        let name = self.attributes.get("name").cloned().unwrap_or_default();
        match self.element.name {
            "group" => own[0] = name,
            "package" => own[1] = name,
            "sourcefile" => own[2] = name,
            _ => {}
        }
        let mut sum = [0, 0];
        if self.element.name == "sourcefile" {
            let mut lines = BTreeMap::new();
            for line in self.called("line") {
                let (nr, hit, missed) = (line.number("nr"), line.number("ci"), line.number("mi"));
                assert_eq!(hit + missed, 1, "line {nr} is one instruction");
                assert_eq!(line.number("mb") + line.number("cb"), 0, "no branches");
                let nr = u32::try_from(nr).expect("a line");
                assert!(lines.keys().all(|before| *before < nr), "{own:?}:{nr}");
                lines.insert(nr, hit);
                sum = [sum[0] + missed, sum[1] + hit];
            }
            assert!(out.insert(own.clone(), lines).is_none(), "{own:?} twice");
        }
        for kind in ["group", "package", "sourcefile"] {
            for child in self.called(kind) {
                let [missed, hit] = child.files(&own, out);
                sum = [sum[0] + missed, sum[1] + hit];
            }
        }
        let expected = ["INSTRUCTION", "LINE"].map(|kind| (kind, (sum[0], sum[1])));
        let expected = BTreeMap::from(expected);
        assert!(
            self.counters() == expected || sum == [0, 0] && self.counters().is_empty(),
            "{own:?}: {sum:?}, not {:?}",
            self.counters()
        );
        sum
    }
}

/// The lines of JaCoCo's XML by group, package and file, 1 where one is covered.
fn jacoco(text: &str) -> BTreeMap<[String; 3], BTreeMap<u32, u64>> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut open: Vec<Node> = Vec::new();
    let mut root = None;
    let mut close = |node: Node, open: &mut Vec<Node>| {
        node.is_in_order();
        match open.last_mut() {
            Some(parent) => parent.children.push(node),
            None => assert!(root.replace(node).is_none(), "one root"),
        }
    };
    let mut is_declared = [false; 2];
    loop {
        match reader.read_event().expect("well formed") {
            Event::Decl(_) => is_declared[0] = true,
            Event::DocType(text) => {
                assert_eq!(text.xml10_content(), PUBLIC);
                is_declared[1] = true;
            }
            Event::Start(start) => open.push(Node::of(&start)),
            Event::Empty(start) => close(Node::of(&start), &mut open),
            Event::End(_) => {
                let node = open.pop().expect("it is open");
                close(node, &mut open);
            }
            Event::Text(text) => assert_eq!(text.xml10_content().trim(), ""),
            Event::Eof => break,
            other => panic!("{other:?}"),
        }
    }
    assert!(open.is_empty(), "all is closed");
    assert_eq!(is_declared, [true; 2]);
    let root = root.expect("a root");
    assert_eq!(root.element.name, "report");
    let mut out = BTreeMap::new();
    root.files(&Default::default(), &mut out);
    out
}
