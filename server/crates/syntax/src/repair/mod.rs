//! Forms of Java that the grammar cannot read, or reads as something else, and what is done about each.
//!
//! A repair never touches the file: it rewrites a copy of *the same length*, the copy is parsed, and its tree is used
//! with the original text, so every span and every name is the file's own. There are three moments ([`Stage`]):
//! what needs no more than a search for a rare byte happens before the first parse, because the grammar reads some of
//! these forms wrongly without an error; what needs tokens happens only after a parse with errors, and its tree is
//! kept only if it has fewer of them; what the grammar reads without an error but under another name is put right in
//! the flat nodes. A clean file therefore pays for a few searches for bytes and nothing else.
//! Beside the forms, three modules look after text that is broken: [`braces`] and [`bytes::floods`] before the first
//! parse, [`statements`] after one with errors.

mod braces;
mod bytes;
mod escapes;
mod patterns;
mod scan;
mod statements;
mod tokens;

pub(crate) use escapes::decode;

use scan::Tokens;

/// One form: a row of [`REPAIRS`].
pub struct Repair {
    /// The row's name, and the folder of its fixture.
    pub id: &'static str,
    /// The first Java version with the form.
    pub since: u8,
    /// The form.
    pub form: &'static str,
    /// What the tree still does not say after the repair; empty if nothing is lost.
    pub lost: &'static str,
    stage: Stage,
}

impl Repair {
    /// True if the row applies only after a parse with errors.
    pub fn after_error(&self) -> bool {
        matches!(self.stage, Stage::OnError(_))
    }
    /// True if the text is parsed as it is and the flat nodes are put right.
    pub fn in_nodes(&self) -> bool {
        matches!(self.stage, Stage::Nodes)
    }
}

enum Stage {
    /// Before the first parse. Sees the text; returns the copy only if the form occurs.
    Before(fn(&[u8]) -> Option<Vec<u8>>),
    /// After a parse with errors. Sees the tokens; rewrites the copy.
    OnError(fn(&Tokens<'_>, &mut [u8])),
    /// In [`crate::Nodes`], where the row is implemented.
    Nodes,
}

/// Every form, in the order in which it is repaired.
pub const REPAIRS: &[Repair] = &[
    Repair {
        id: "unicode_escape",
        since: 8,
        form: r#"int \u0061bc; cl\u0061ss A \u007b }; // \u000a; "\uu0041""#,
        lost: "an escaped operator with operator characters on both sides is not joined to them",
        stage: Stage::Before(escapes::outside_literals),
    },
    Repair {
        id: "lone_cr",
        since: 8,
        form: "a lone CR as line end after //",
        lost: "",
        stage: Stage::Before(bytes::lone_cr),
    },
    Repair {
        id: "nul",
        since: 8,
        form: "a NUL in a literal or a comment",
        lost: "",
        stage: Stage::Before(bytes::nul),
    },
    Repair {
        id: "ctrl_z",
        since: 8,
        form: "Ctrl-Z as last character",
        lost: "",
        stage: Stage::Before(bytes::ctrl_z),
    },
    Repair {
        id: "identifier_characters",
        since: 8,
        form: "int price€, £y, ‿z;",
        lost: "",
        stage: Stage::OnError(tokens::identifier_characters),
    },
    Repair {
        id: "number",
        since: 8,
        form: "0_17, 0xF__F, 1__0.5, 01e3, 09f, 0x1p03",
        lost: "",
        stage: Stage::OnError(tokens::numbers),
    },
    Repair {
        id: "annotated_varargs",
        since: 8,
        form: "void f(int @A ... p)",
        lost: "the annotation",
        stage: Stage::OnError(tokens::annotated_varargs),
    },
    Repair {
        id: "parenthesized_target",
        since: 8,
        form: "(x) = 5; (a[0]) += 1;",
        lost: "",
        stage: Stage::OnError(tokens::parenthesized_target),
    },
    Repair {
        id: "record_in_annotation",
        since: 16,
        form: "@interface A { record R(int x) {} }",
        lost: "the record is read as a class, without its components",
        stage: Stage::OnError(tokens::record_in_annotation),
    },
    Repair {
        id: "final_annotated_pattern",
        since: 16,
        form: "o instanceof @A final String s; case final String s; case P(final int x, @A String s)",
        lost: "final and the annotations",
        stage: Stage::OnError(patterns::modifiers),
    },
    Repair {
        id: "variable_named_when",
        since: 21,
        form: "case String when -> 1;",
        lost: "",
        stage: Stage::OnError(patterns::named_when),
    },
    Repair {
        id: "qualified_record_pattern",
        since: 21,
        form: "case Shape.Circle(var r); o instanceof A.P(int x)",
        lost: "the qualified name is one identifier node, with the dots in its text",
        stage: Stage::OnError(patterns::qualified_record),
    },
    Repair {
        id: "case_null_default",
        since: 21,
        form: "case null, default ->",
        lost: "",
        stage: Stage::Nodes,
    },
    Repair {
        id: "several_patterns",
        since: 22,
        form: "case A _, B _ ->",
        lost: "the patterns after the first (they bind nothing)",
        stage: Stage::OnError(patterns::several),
    },
    Repair {
        id: "import_module",
        since: 25,
        form: "import module java.base;",
        lost: "the name is one scoped identifier whose text starts with `module`",
        stage: Stage::OnError(tokens::import_module),
    },
    Repair {
        id: "statements_before_super",
        since: 25,
        form: "A(int x) { check(x); super(x); }",
        lost: "explicit type arguments of the call",
        stage: Stage::OnError(tokens::late_constructor_call),
    },
    Repair {
        id: "compact_source_field",
        since: 25,
        form: "int x = 1; void main() {}",
        lost: "",
        stage: Stage::Nodes,
    },
];

/// The copy of `text` to parse first; `None` if the text itself will do.
pub(crate) fn before(text: &str) -> Option<Vec<u8>> {
    let mut copy: Option<Vec<u8>> = None;
    for repair in REPAIRS {
        if let Stage::Before(apply) = repair.stage
            && let Some(changed) = apply(copy.as_deref().unwrap_or(text.as_bytes()))
        {
            copy = Some(changed);
        }
    }
    for guard in [braces::balanced, bytes::floods] {
        copy = guard(copy.as_deref().unwrap_or(text.as_bytes())).or(copy);
    }
    copy
}

/// The copy to parse after `source` had errors; `None` if no form of the table occurs.
pub(crate) fn on_error(source: &[u8]) -> Option<Vec<u8>> {
    let tokens = Tokens::of(source);
    let mut copy = source.to_vec();
    for repair in REPAIRS {
        if let Stage::OnError(apply) = repair.stage {
            apply(&tokens, &mut copy);
        }
    }
    (copy != source).then_some(copy)
}

/// The copy to parse if `source` still has errors; `None` if no statement looks unfinished.
pub(crate) fn unfinished(source: &[u8]) -> Option<Vec<u8>> {
    let tokens = Tokens::of(source);
    let mut copy = source.to_vec();
    statements::finished(&tokens, source, &mut copy);
    (copy != source).then_some(copy)
}
