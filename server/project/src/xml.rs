//! A small XML tree for build files: element names without prefixes, attributes, texts, offsets.
//!
//! Built with an explicit stack and kept as far as it goes: what stands before an error is there,
//! so a broken pom still tells its coordinates.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// An XML file as a tree; element 0 is the document, its children the root elements.
pub(crate) struct Tree {
    elements: Vec<Element>,
    /// Where and why reading stopped: a 1-based line and a message.
    pub(crate) problem: Option<(u32, String)>,
}

struct Element {
    name: String,
    text: String,
    attributes: Vec<(String, String)>,
    children: Vec<u32>,
}

impl Element {
    fn new(name: &str) -> Element {
        Element {
            name: name.to_owned(),
            text: String::new(),
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }

    fn open(start: &BytesStart<'_>) -> Element {
        let mut element = Element::new(start.local_name().as_ref());
        for attribute in start.attributes().flatten() {
            let value = attribute.value.as_ref();
            let value = quick_xml::escape::unescape(value).map_or(value.to_owned(), Into::into);
            element
                .attributes
                .push((attribute.key.local_name().as_ref().to_owned(), value));
        }
        element
    }
}

/// One element of a [`Tree`].
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t Tree,
    index: usize,
}

impl Tree {
    pub(crate) fn parse(text: &str) -> Tree {
        let mut reader = Reader::from_str(text);
        let mut elements = vec![Element::new("")];
        let mut open: Vec<usize> = vec![0];
        let mut problem = None;
        loop {
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(e) => {
                    let at = usize::try_from(reader.error_position()).unwrap_or(0);
                    problem = Some((line_at(text, at), e.to_string()));
                    break;
                }
            };
            let current = open.last().copied().unwrap_or(0);
            let content = match event {
                Event::Start(ref start) | Event::Empty(ref start) => {
                    let index = elements.len();
                    elements[current]
                        .children
                        .push(u32::try_from(index).unwrap_or(u32::MAX));
                    elements.push(Element::open(start));
                    if matches!(event, Event::Start(_)) {
                        open.push(index);
                    }
                    continue;
                }
                Event::End(_) => {
                    if open.len() > 1 {
                        open.pop();
                    }
                    continue;
                }
                Event::Text(ref text) => text.xml10_content().into_owned(),
                Event::CData(ref text) => text.xml10_content().into_owned(),
                Event::GeneralRef(ref reference) => match reference.resolve_char_ref() {
                    Ok(Some(c)) => c.to_string(),
                    _ => {
                        let name = reference.xml10_content();
                        quick_xml::escape::resolve_xml_entity(&name)
                            .unwrap_or("")
                            .to_owned()
                    }
                },
                Event::Eof => {
                    if let [_, .., last] = open[..] {
                        let message = format!("<{}> is never closed", elements[last].name);
                        problem = Some((line_at(text, text.len()), message));
                    }
                    break;
                }
                _ => continue,
            };
            elements[current].text.push_str(&content);
        }
        Tree { elements, problem }
    }

    /// The outermost element of this name.
    pub(crate) fn root(&self, name: &str) -> Option<Node<'_>> {
        Node {
            tree: self,
            index: 0,
        }
        .child(name)
    }
}

impl<'t> Node<'t> {
    /// The name without its prefix.
    pub(crate) fn name(self) -> &'t str {
        &self.tree.elements[self.index].name
    }

    /// The text directly inside, without white space around it.
    pub(crate) fn text(self) -> &'t str {
        self.tree.elements[self.index].text.trim()
    }

    pub(crate) fn attribute(self, name: &str) -> Option<&'t str> {
        let attributes = &self.tree.elements[self.index].attributes;
        attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn elements(self) -> impl Iterator<Item = Node<'t>> {
        let tree = self.tree;
        let children = &tree.elements[self.index].children;
        children.iter().map(move |&index| Node {
            tree,
            index: index as usize,
        })
    }

    pub(crate) fn children(self, name: &'t str) -> impl Iterator<Item = Node<'t>> {
        self.elements().filter(move |node| node.name() == name)
    }

    pub(crate) fn child(self, name: &str) -> Option<Node<'t>> {
        self.elements().find(|node| node.name() == name)
    }

    /// The first element at `path`, a name a level.
    pub(crate) fn at(self, path: &[&str]) -> Option<Node<'t>> {
        path.iter().try_fold(self, |node, name| node.child(name))
    }

    /// The text of the child `name`, if there is one and it is not empty.
    pub(crate) fn text_of(self, name: &str) -> Option<&'t str> {
        self.child(name)
            .map(Node::text)
            .filter(|text| !text.is_empty())
    }
}

/// The 1-based line of a byte offset.
pub(crate) fn line_at(text: &str, offset: usize) -> u32 {
    let newlines = text
        .as_bytes()
        .iter()
        .take(offset)
        .filter(|&&byte| byte == b'\n')
        .count();
    u32::try_from(newlines).unwrap_or(u32::MAX - 1) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_texts_and_references() {
        let tree = Tree::parse(
            "<?xml version='1.0'?>\n<m:a x='1 &lt; 2'> b &amp; &#99;<c/><![CDATA[<d>]]></m:a>",
        );
        let a = tree.root("a").expect("an element");
        assert_eq!(a.text(), "b & c<d>");
        assert_eq!(a.attribute("x"), Some("1 < 2"));
        assert!(a.child("c").is_some());
        assert!(tree.problem.is_none());
    }

    #[test]
    fn keeps_what_stands_before_an_error() {
        let tree = Tree::parse("<a>\n<b>x</b>\n<c></d></a>");
        assert_eq!(tree.root("a").and_then(|a| a.text_of("b")), Some("x"));
        assert_eq!(tree.problem.as_ref().map(|(line, _)| *line), Some(3));
        assert!(Tree::parse("<a><b>").problem.is_some());
    }

    #[test]
    fn half_a_file_is_a_problem_not_a_panic() {
        let text = "<?xml version='1.0'?><!-- ä --><a x='1'><b>&amp;</b><![CDATA[<]]></a>";
        let start = text.find("<a").expect("the root");
        for end in (start + 1..text.len()).filter(|end| text.is_char_boundary(*end)) {
            assert!(
                Tree::parse(&text[..end]).problem.is_some(),
                "{}",
                &text[..end]
            );
        }
        assert!(Tree::parse(text).problem.is_none());
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let tree = Tree::parse(&"<a>".repeat(200_000));
        assert!(tree.problem.is_some());
    }
}
