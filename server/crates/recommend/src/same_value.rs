//! Which queries of a test's list mean one value: `ids.size()` and `service.getIds().size()` behind
//! `List<String> ids = service.getIds();`, `pair.getFirst()` and `pair.first()`, `all.get(0)` and `all.getFirst()`.
//!
//! Two that mean the same at different times are two: who compares meanings compares the places that gave or changed the
//! object last, too.

use crate::observation_points::{Point, Scene};
use flow::{ExprKind, Target};
use oracle::{Root, squeezed};
use smol_str::{SmolStr, format_smolstr};

/// What a query means, in one of the ways to write it.
pub(crate) fn meaning(scene: &Scene<'_>, point: &Point) -> SmolStr {
    let text = squeezed(&point.observation.expression);
    let (object, rest) = match text.find('.') {
        Some(dot) => text.split_at(dot),
        None => (text.as_str(), ""),
    };
    let given = given_by(scene, point, object);
    let whole = format!("{}{rest}", given.as_deref().unwrap_or(object));
    let mut out = String::with_capacity(whole.len());
    for (at, segment) in segments(&whole).into_iter().enumerate() {
        if at > 0 {
            out.push('.');
        }
        // The first is an object, or a call of the test's own.
        out.push_str(&if at > 0 {
            property(segment)
        } else {
            segment.to_owned()
        });
    }
    out.into()
}

/// What says more than whether it is empty, of something that is asked for that.
pub(crate) fn with_its_size(meaning: &str) -> Vec<SmolStr> {
    match meaning.strip_suffix(".empty") {
        Some(of) => ["size", "length"]
            .map(|s| format_smolstr!("{of}.{s}"))
            .to_vec(),
        None => Vec::new(),
    }
}

/// The call that gave a local its only value.
fn given_by(scene: &Scene<'_>, point: &Point, object: &str) -> Option<SmolStr> {
    let Root::Local(body, local) = point.root else {
        return None;
    };
    let own = scene.reader.body;
    if body != scene.id || own.locals.get(local.ix())?.name != object {
        return None;
    }
    let mut defs = own.defs.iter().filter(|d| d.target == Target::Local(local));
    let (def, None) = (defs.next()?, defs.next()) else {
        return None;
    };
    let [given] = own.list(def.sources) else {
        return None;
    };
    let expr = own.expr(*given);
    let is_query = match expr.kind {
        ExprKind::Call(c) => own.calls[c.ix()].args.len == 0,
        _ => false,
    };
    let text = || {
        scene
            .reader
            .program
            .body_text(scene.id, expr.start, expr.end)
    };
    is_query.then(|| squeezed(text()))
}

/// The parts between dots that stand in no parentheses.
fn segments(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut from) = (Vec::new(), 0_u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => {
                out.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    out
}

/// `name` for `getName()`, `isName()`, `name()` and `name`; the first and the last of several by any of their names.
fn property(segment: &str) -> String {
    if segment == "get(0)" {
        return "first".to_owned();
    }
    let bare = segment.strip_suffix("()").unwrap_or(segment);
    let named = ["get", "is"].iter().find_map(|p| {
        let rest = bare.strip_prefix(p)?;
        rest.starts_with(char::is_uppercase).then_some(rest)
    });
    let Some(named) = named else {
        return bare.to_owned();
    };
    let mut chars = named.chars();
    let first = chars.next().into_iter().flat_map(char::to_lowercase);
    first.chain(chars).collect()
}
