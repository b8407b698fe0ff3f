//! Observation points that captors give: what code under test gave to a mock, and what that can be asked.

use super::{Finder, Object, Point, Scene};
use crate::statistics::{Ask, type_key};
use observe::Reads;
use smol_str::SmolStr;
use std::rc::Rc;

impl Finder<'_> {
    /// What each captor of a test keeps. What goes into it stands in the code under test; that is not looked for here.
    pub(super) fn kept(&mut self, scene: &Scene<'_>) {
        let program = self.workspace.program();
        for kept in &scene.kept {
            let e = scene.reader.body.expr(kept.asked);
            let at = (scene.start + e.start, scene.start + e.end);
            let mut point = Point {
                reads: Some(Reads::Uses(Vec::new())),
                ask: Ask {
                    ty: type_key(program, kept.ty),
                    query: SmolStr::default(),
                },
                unused: kept.is_unread,
                object: kept.captor,
                kept: Some(Rc::clone(kept)),
                ..self.point(scene, &kept.root, &kept.text, kept.ty, at)
            };
            point.observation.object = kept.captor;
            point.observation.is_kept = true;
            self.add(scene, point);
            let object = Object {
                text: kept.text.clone(),
                root: kept.root.clone(),
                ty: kept.ty,
                depth: 0,
                at,
                uses: Vec::new(),
                unused: kept.is_unread,
                kept: Some(Rc::clone(kept)),
            };
            self.queries(scene, &object);
        }
    }
}
