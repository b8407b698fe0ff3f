//! Whether code ran, as far as lines tell.

use crate::graph::{Graph, Piece};
use flow::ExprId;
use program::{BodyId, FileId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use text::LineSet;

/// Lines by file.
pub type FileLines = FxHashMap<FileId, LineSet>;

/// Which code ran. Of what nobody knows, it says that it did.
pub struct Executed<'a> {
    graph: &'a Graph,
    /// Lines that have code, of the classes that were loaded.
    code: &'a FileLines,
    /// Those of them that ran.
    ran: &'a FileLines,
    bodies: RefCell<FxHashMap<BodyId, bool>>,
}

impl<'a> Executed<'a> {
    /// From the lines that have code, of the classes that were loaded, and from those that ran.
    pub fn new(graph: &'a Graph, code: &'a FileLines, ran: &'a FileLines) -> Executed<'a> {
        Executed {
            graph,
            code,
            ran,
            bodies: RefCell::default(),
        }
    }

    /// Whether the code of an expression ran, or may have.
    pub fn expr(&self, body: BodyId, e: ExprId) -> bool {
        let piece = self.graph.piece(body);
        piece.is_none_or(|piece| self.in_piece(body, piece, e))
    }

    /// The files of which something ran.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> {
        self.ran.keys().copied()
    }

    pub(crate) fn in_piece(&self, body: BodyId, piece: &Piece, e: ExprId) -> bool {
        if piece.runs_unseen() {
            return true;
        }
        let line = piece.lines[e.ix()];
        let has = |lines: &FileLines| lines.get(&piece.file).is_some_and(|l| l.contains(line));
        match has(self.code) {
            true => has(self.ran),
            false => self.body(body),
        }
    }

    /// Whether a body ran; false for one that the workspace does not have.
    pub fn body(&self, body: BodyId) -> bool {
        if let Some(known) = self.bodies.borrow().get(&body) {
            return *known;
        }
        let ran = self.graph.piece(body).is_some_and(|piece| {
            if piece.runs_unseen() {
                return true;
            }
            let (first, last) = piece.span;
            let meets =
                |lines: &FileLines| lines.get(&piece.file).is_some_and(|l| l.meets(first, last));
            match meets(self.code) {
                true => meets(self.ran),
                // A class was loaded of which this was not woven: nobody knows.
                false => self.code.contains_key(&piece.file),
            }
        });
        self.bodies.borrow_mut().insert(body, ran);
        ran
    }
}
