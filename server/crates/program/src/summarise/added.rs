//! Code that stands in no text since a tool writes it into the class: read from what the tool would write.
//!
//! Each such body stands where the field does that it is about, so that what it defines is shown there.

use super::{Reader, hash_of};
use crate::declarations::BodyMember;
use smol_str::SmolStr;
use syntax::{Kind, NodeId, SourceFile};
use text::Span;

/// A method as a tool would write it.
#[derive(Clone, Debug)]
pub(super) struct AddedBody {
    /// Its class, and its position there.
    pub(super) owner: u32,
    pub(super) method: u32,
    /// A method of any name, or a constructor.
    pub(super) text: String,
    /// Where it is said to stand.
    pub(super) at: Span,
}

impl Reader<'_> {
    /// Reads what waits. `node` is the class that it is about, and `fields` are its fields and where their names stand.
    pub(super) fn added_bodies(&mut self, node: NodeId, fields: &[(&SmolStr, Span)]) {
        let list = std::mem::take(&mut self.added);
        if self.only_declares || list.is_empty() {
            return;
        }
        let start = self.nodes.span(node).start;
        let relative = |span: Span| (span.start - start, span.end - start);
        let places: Vec<(&SmolStr, (u32, u32))> = fields
            .iter()
            .map(|(name, span)| (*name, relative(*span)))
            .collect();
        let hashes: Vec<(u64, u64)> = list
            .iter()
            .map(|it| {
                let hash = hash_of(&(&it.text, "added"));
                (hash, hash_of(&(hash, relative(it.at), &places)))
            })
            .collect();
        let texts: String = list.iter().map(|it| it.text.as_str()).collect();
        let is_known = hashes.iter().all(|known| self.known.contains_key(known));
        let file = (!is_known).then(|| SourceFile::parse(format!("class A {{{texts}}}").into()));
        let nodes = file.as_ref().map(SourceFile::nodes);
        let methods: Vec<NodeId> = nodes.as_ref().map_or(Vec::new(), |nodes| {
            let all = (0..nodes.len() as u32).map(NodeId);
            let is_one = |k| matches!(k, Kind::MethodDeclaration | Kind::ConstructorDeclaration);
            all.filter(|&n| is_one(nodes.kind(n))).collect()
        });
        // A type that cannot be read: then nothing is known of what they do.
        if !is_known && methods.len() != list.len() {
            return;
        }
        for (at, (it, (hash, layout))) in list.iter().zip(hashes).enumerate() {
            let place = |text: &str| {
                let text = text.strip_prefix("this.").unwrap_or(text);
                let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
                let word = &text[..end.unwrap_or(text.len())];
                let field = places.iter().find(|(name, _)| *name == word);
                field.map_or(relative(it.at), |(_, place)| *place)
            };
            let member = BodyMember::Method(it.method);
            let body = self.body(it.owner, member, start, hash, layout, |own| {
                let nodes = nodes.as_ref().unwrap_or(own);
                let method = methods.get(at).copied().unwrap_or(own.root());
                flow::lower_added(nodes, method, &place)
            });
            self.out.bodies[body as usize].added = true;
            self.out.types[it.owner as usize].methods[it.method as usize].body = Some(body);
        }
    }
}
