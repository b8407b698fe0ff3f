//! Where in the code under test a value is checked: behind the statement that defines it, behind the loop in which it
//! grows, at the start of the block that a parameter belongs to, or around the expression itself where no statement can
//! stand.

mod loops;

use crate::refusal::Refusal;
use crate::tree::{
    enclosing_member, indent_of, is_block, line_start, newline_at, node_at, rest_of_line,
    unit_of_indent,
};
use flow::VariableKind;
use loops::{in_loop, is_loop};
use syntax::{Kind, SourceFile};
use text::{Edit, Span};
use tree_sitter::Node;

/// What defines the value that is to be checked.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The defining expression, declarator or name, in bytes of the file; of a returned value the statement, or the body
    /// of a lambda.
    pub span: Span,
    /// The variable; empty for a returned value.
    pub variable: String,
    /// What it is.
    pub kind: VariableKind,
}

/// A place where a call can check a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What stands there.
    pub form: Form,
    /// The value, as an expression that can be written there.
    pub value: String,
    /// True if it is passed once for each turn of a loop.
    pub in_loop: bool,
}

/// How the call stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A statement of its own, on a line of its own, indented like its neighbour.
    Line {
        /// Where the line is inserted: the end of the line before it, without its line end.
        at: u32,
        /// The end of what it stands behind, before any comment.
        behind: u32,
        /// White space before it.
        indent: String,
    },
    /// A statement of its own, behind another on the same line.
    Beside {
        /// The end of what stands before it.
        at: u32,
    },
    /// Around an expression.
    Around(Span),
    /// One more expression at the end of the update of a `for`.
    Update {
        /// The end of the last one.
        at: u32,
    },
    /// Behind a statement that stands without braces: both get some.
    Braced(Span),
}

/// A text that is put into a line. Those of one offset stand in the order of their nesting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insert {
    /// Where.
    pub at: u32,
    /// How it stands to others there.
    pub nest: Nest,
    /// What.
    pub text: String,
}

/// How an insertion stands to others at its offset; in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nest {
    /// Behind an expression of so many bytes: the shorter one ends first.
    Closes(u32),
    /// A statement.
    Between,
    /// Before an expression of so many bytes: the longer one begins first.
    Opens(u32),
}

impl Insert {
    /// A text with insertions in it. Those that are equal in position and nesting keep their order.
    pub fn all_into(text: &str, mut inserts: Vec<Insert>) -> String {
        inserts.sort_by_key(|i| {
            let nest = match i.nest {
                Nest::Closes(length) => (0, i64::from(length)),
                Nest::Between => (1, 0),
                Nest::Opens(length) => (2, -i64::from(length)),
            };
            (i.at, nest)
        });
        let mut out = String::with_capacity(text.len() + inserts.len() * 40);
        let mut from = 0;
        for insert in &inserts {
            let at = insert.at as usize;
            out.push_str(text.get(from..at).unwrap_or(""));
            out.push_str(between(&out, &insert.text));
            out.push_str(&insert.text);
            from = at;
        }
        out.push_str(text.get(from..).unwrap_or(""));
        out
    }
}

/// What keeps two texts apart that would be one word: `return("a")` has no space to begin with.
fn between(before: &str, text: &str) -> &'static str {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    match before.ends_with(is_of_word) && text.starts_with(is_of_word) {
        true => " ",
        false => "",
    }
}

impl Place {
    /// The edits that write a call of `class` here. `call` makes it from the value that it is given.
    pub fn edits(&self, file: &SourceFile, call: &dyn Fn(&str) -> String) -> Vec<Edit> {
        let own = call(&self.value);
        let empty = |at: u32| Span::new(at, at);
        match &self.form {
            Form::Line { at, indent, .. } => {
                let newline = newline_at(file.text(), *at as usize);
                vec![Edit::new(empty(*at), format!("{newline}{indent}{own};"))]
            }
            Form::Beside { at } => vec![Edit::new(empty(*at), format!(" {own};"))],
            Form::Around(span) => {
                let before = file.text().get(..span.start as usize).unwrap_or("");
                vec![Edit::new(*span, format!("{}{own}", between(before, &own)))]
            }
            Form::Update { at } => vec![Edit::new(empty(*at), format!(", {own}"))],
            Form::Braced(span) => vec![
                Edit::new(empty(span.start), "{"),
                Edit::new(empty(span.end), format!(" {own};}}")),
            ],
        }
    }

    /// What hands the value to a call without adding a line, so that lines keep their numbers: for code that is compiled
    /// and that nobody reads. `open` and `close` stand around the value.
    pub fn inline(&self, open: &str, close: &str) -> Vec<Insert> {
        let call = || format!("{open}{}{close}", self.value);
        let statement = |at: u32| Insert {
            at,
            nest: Nest::Between,
            text: format!(" {};", call()),
        };
        let around = |span: Span, before: String, after: String| {
            let ends = [
                (span.start, Nest::Opens(span.len()), before),
                (span.end, Nest::Closes(span.len()), after),
            ];
            ends.map(|(at, nest, text)| Insert { at, nest, text })
        };
        match &self.form {
            Form::Line { behind, .. } => vec![statement(*behind)],
            Form::Beside { at } => vec![statement(*at)],
            Form::Around(span) => around(*span, open.to_owned(), close.to_owned()).into(),
            Form::Update { at } => vec![Insert {
                at: *at,
                nest: Nest::Between,
                text: format!(", {}", call()),
            }],
            Form::Braced(span) => around(*span, "{".to_owned(), format!(" {};}}", call())).into(),
        }
    }

    /// True if a statement can stand here, so that it may have a condition around it.
    pub fn takes_statements(&self) -> bool {
        !matches!(self.form, Form::Around(_) | Form::Update { .. })
    }
}

/// Finds the place of a definition's value.
///
/// # Errors
/// A [`Refusal`] says why there is none.
pub fn place(file: &SourceFile, definition: &Definition) -> Result<Place, Refusal> {
    let node = node_at(file, definition.span).ok_or(Refusal::NotFound)?;
    let member = enclosing_member(node).ok_or(Refusal::NotFound)?;
    if member.has_error() {
        return Err(Refusal::SyntaxError);
    }
    let finder = Finder { file, definition };
    if definition.kind == VariableKind::Return {
        return finder.returned(node);
    }
    let node = finder.defining(node);
    match Kind::of(&node) {
        Kind::VariableDeclarator => finder.declared(node),
        Kind::AssignmentExpression => finder.assigned(node),
        Kind::UpdateExpression => finder.updated(node),
        Kind::Resource => finder.in_block_of(node, &[Kind::TryWithResourcesStatement]),
        Kind::EnumConstant => Err(Refusal::EnumConstant),
        _ => match definition.kind {
            VariableKind::Parameter => finder.parameter(node),
            VariableKind::LambdaParameter => finder.in_block_of(node, &[Kind::LambdaExpression]),
            VariableKind::Loop => finder.in_block_of(node, &[Kind::EnhancedForStatement]),
            VariableKind::Catch => finder.in_block_of(node, &[Kind::CatchClause]),
            VariableKind::Pattern => finder.pattern(node),
            _ => Err(Refusal::RecordComponent),
        },
    }
}

struct Finder<'a> {
    file: &'a SourceFile,
    definition: &'a Definition,
}

impl<'a> Finder<'a> {
    fn text(&self, node: Node<'_>) -> &'a str {
        self.file.text().get(node.byte_range()).unwrap_or("")
    }

    /// The node of a definition's span is the smallest with that span; the one that defines may be around it.
    fn defining<'t>(&self, node: Node<'t>) -> Node<'t> {
        let defines = |n: &Node<'_>| {
            matches!(
                Kind::of(n),
                Kind::VariableDeclarator
                    | Kind::AssignmentExpression
                    | Kind::UpdateExpression
                    | Kind::Resource
                    | Kind::EnumConstant
            )
        };
        let same = |n: &Node<'_>| n.byte_range() == node.byte_range();
        let mut around = std::iter::successors(Some(node), Node::parent).take_while(same);
        around.find(defines).unwrap_or(node)
    }

    /// `int a = f();`
    fn declared(&self, node: Node<'_>) -> Result<Place, Refusal> {
        let declaration = node.parent().ok_or(Refusal::NotFound)?;
        let parent = declaration.parent().ok_or(Refusal::NotFound)?;
        if Kind::of(&declaration) == Kind::LocalVariableDeclaration {
            if holds_statements(parent) && Kind::of(&parent) != Kind::Program {
                return Ok(self.behind(
                    declaration,
                    self.definition.variable.clone(),
                    in_loop(node),
                ));
            }
            if Kind::of(&parent) != Kind::ForStatement {
                return Err(Refusal::NoPlace);
            }
        }
        let value = node.child_by_field_name("value").ok_or(Refusal::NoPlace)?;
        if Kind::of(&value) == Kind::ArrayInitializer {
            return Err(Refusal::ArrayInitializer);
        }
        let ty = declaration.child_by_field_name("type");
        if ty.is_none_or(|t| is_narrow(self.text(t))) {
            return Err(Refusal::NarrowType);
        }
        if Kind::of(&declaration) != Kind::LocalVariableDeclaration && is_constant(value) {
            return Err(Refusal::Constant);
        }
        self.around(value)
    }

    /// `a = f()`, `this.a += 2`, `a[i++] = 3`
    fn assigned(&self, node: Node<'_>) -> Result<Place, Refusal> {
        let left = node.child_by_field_name("left").ok_or(Refusal::NotFound)?;
        let right = node.child_by_field_name("right").ok_or(Refusal::NotFound)?;
        if !self.is_readable_again(left) || self.changes_any_name_of(left, right) {
            return self.around(node);
        }
        if let Some(place) = self.behind_loop(node, left) {
            return Ok(place);
        }
        match self.statement_of(node) {
            Some(statement) => {
                Ok(self.behind(statement, self.text(left).to_owned(), in_loop(node)))
            }
            None if self.is_for_update(node) => Ok(self.update(node, left)),
            None => self.around(node),
        }
    }

    /// `a++`, `--a[i]`
    fn updated(&self, node: Node<'_>) -> Result<Place, Refusal> {
        let is_prefix = node.child(0).is_some_and(|c| !c.is_named());
        let left = node.named_child(0).ok_or(Refusal::NotFound)?;
        if !self.is_readable_again(left) {
            return match is_prefix {
                true => self.around(node),
                false => Err(Refusal::OldValue),
            };
        }
        if let Some(place) = self.behind_loop(node, left) {
            return Ok(place);
        }
        if let Some(statement) = self.statement_of(node) {
            return Ok(self.behind(statement, self.text(left).to_owned(), in_loop(node)));
        }
        if self.is_for_update(node) {
            return Ok(self.update(node, left));
        }
        let parent = node.parent().ok_or(Refusal::NotFound)?;
        match Kind::of(&parent) {
            _ if is_prefix => self.around(node),
            Kind::ExpressionStatement if is_body(parent) => Ok(Place {
                form: Form::Braced(span(parent)),
                value: self.text(left).to_owned(),
                in_loop: in_loop(node),
            }),
            _ => Err(Refusal::OldValue),
        }
    }

    /// A returned value: of a `return`, or the body of a lambda.
    fn returned(&self, node: Node<'_>) -> Result<Place, Refusal> {
        let mut around = std::iter::successors(Some(node), Node::parent)
            .take_while(|n| n.byte_range() == node.byte_range());
        let value = match around.find(|n| Kind::of(n) == Kind::ReturnStatement) {
            Some(statement) => statement.named_child(0).ok_or(Refusal::NotFound)?,
            None => node,
        };
        let returns = |n: &Node<'_>| {
            matches!(
                Kind::of(n),
                Kind::MethodDeclaration | Kind::LambdaExpression
            )
        };
        let callable = std::iter::successors(value.parent(), Node::parent).find(returns);
        let ty = callable.and_then(|c| c.child_by_field_name("type"));
        if ty.is_some_and(|t| is_narrow(self.text(t))) {
            return Err(Refusal::NarrowType);
        }
        self.around(value)
    }

    /// Around an expression, if it means the same as an argument.
    fn around(&self, mut value: Node<'_>) -> Result<Place, Refusal> {
        // `return(x)`: within the parentheses, which keep it apart from the word before.
        let before = value.start_byte().checked_sub(1);
        let is_space = |b: &u8| b.is_ascii_whitespace() || *b == b'(';
        let is_glued = before
            .and_then(|at| self.file.text().as_bytes().get(at))
            .is_some_and(|b| !is_space(b));
        if is_glued && Kind::of(&value) == Kind::ParenthesizedExpression {
            value = value.named_child(0).unwrap_or(value);
        }
        if is_functional(value) {
            return Err(Refusal::Functional);
        }
        Ok(Place {
            form: Form::Around(span(value)),
            value: self.text(value).to_owned(),
            in_loop: in_loop(value),
        })
    }

    fn update(&self, node: Node<'_>, left: Node<'_>) -> Place {
        Place {
            form: Form::Update {
                at: node.end_byte() as u32,
            },
            value: self.text(left).to_owned(),
            in_loop: true,
        }
    }

    /// True for the last expression of the update of a `for`; others are followed by one that may change the value.
    fn is_for_update(&self, node: Node<'_>) -> bool {
        let Some(parent) = node.parent().filter(|p| Kind::of(p) == Kind::ForStatement) else {
            return false;
        };
        let mut cursor = parent.walk();
        let last = parent.children_by_field_name("update", &mut cursor).last();
        last.is_some_and(|l| l.id() == node.id())
    }

    /// The statement behind which the value of a definition can be read: the one that it is, or is part of and where it
    /// always runs and nothing changes the variable again.
    fn statement_of<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut child = node;
        let mut at = node.parent()?;
        loop {
            match Kind::of(&at) {
                Kind::ExpressionStatement | Kind::LocalVariableDeclaration => break,
                Kind::BinaryExpression
                    if matches!(self.operator(at), "&&" | "||")
                        && at
                            .child_by_field_name("right")
                            .is_some_and(|r| r.id() == child.id()) =>
                {
                    return None;
                }
                Kind::TernaryExpression
                    if at
                        .child_by_field_name("condition")
                        .is_none_or(|c| c.id() != child.id()) =>
                {
                    return None;
                }
                Kind::LambdaExpression | Kind::ClassBody | Kind::SwitchExpression => return None,
                kind if is_statement(kind) => return None,
                _ => {}
            }
            child = at;
            at = at.parent()?;
        }
        let after = |n: Node<'_>| n.start_byte() >= node.end_byte();
        let name = self.root_name(node);
        let again = descendants(at).any(|n| after(n) && self.defines(n, name))
            // The variable that is declared there shadows nothing, but an element or field of it may be meant.
            || std::iter::successors(node.parent(), Node::parent)
                .take_while(|n| n.id() != at.id())
                .any(|n| self.defines(n, name));
        (holds_statements(at.parent()?) && !again).then_some(at)
    }

    fn operator(&self, binary: Node<'_>) -> &'a str {
        binary
            .child_by_field_name("operator")
            .map_or("", |o| self.text(o))
    }

    /// The name that a definition's variable begins with: `a` of `a[i].b`.
    fn root_name(&self, node: Node<'_>) -> &'a str {
        let own = match Kind::of(&node) {
            Kind::AssignmentExpression => node.child_by_field_name("left"),
            Kind::UpdateExpression => node.named_child(0),
            _ => None,
        };
        own.map_or("", |left| {
            let field = self.text(left).strip_prefix("this.");
            let text = field.unwrap_or_else(|| self.text(left));
            text.split(['.', '[', ' ']).next().unwrap_or("")
        })
    }

    /// True for a node that defines something of a name.
    fn defines(&self, node: Node<'_>, name: &str) -> bool {
        let kind = Kind::of(&node);
        matches!(kind, Kind::AssignmentExpression | Kind::UpdateExpression)
            && self.root_name(node) == name
    }

    /// True for a variable, a field of variables, or an element whose index is simple: what can be read again and is the
    /// same.
    fn is_readable_again(&self, left: Node<'_>) -> bool {
        descendants(left).all(|n| {
            !n.is_named()
                || matches!(
                    Kind::of(&n),
                    Kind::Identifier
                        | Kind::This
                        | Kind::Super
                        | Kind::FieldAccess
                        | Kind::ArrayAccess
                        | Kind::BinaryExpression
                        | Kind::ParenthesizedExpression
                        | Kind::DecimalIntegerLiteral
                )
        })
    }

    /// True if an expression changes a variable by which another is found: `a[i] = i++`.
    fn changes_any_name_of(&self, left: Node<'_>, right: Node<'_>) -> bool {
        let found = descendants(left).filter(|n| Kind::of(n) == Kind::Identifier);
        let names: Vec<&str> = found.map(|n| self.text(n)).collect();
        descendants(right).any(|n| names.iter().any(|name| self.defines(n, name)))
    }

    /// At the start of the method's body, behind the call of another constructor.
    fn parameter(&self, node: Node<'_>) -> Result<Place, Refusal> {
        let owner = std::iter::successors(node.parent(), Node::parent).find(|n| {
            matches!(
                Kind::of(n),
                Kind::MethodDeclaration | Kind::ConstructorDeclaration | Kind::RecordDeclaration
            )
        });
        let owner = owner.ok_or(Refusal::NotFound)?;
        if Kind::of(&owner) == Kind::RecordDeclaration {
            return Err(Refusal::RecordComponent);
        }
        let body = owner.child_by_field_name("body").ok_or(Refusal::NoPlace)?;
        let mut cursor = body.walk();
        let call = body
            .named_children(&mut cursor)
            .find(|c| Kind::of(c) == Kind::ExplicitConstructorInvocation);
        let variable = self.definition.variable.clone();
        match call {
            Some(call) => Ok(self.behind(call, variable, false)),
            None => Ok(self.at_start(body, variable, false)),
        }
    }

    /// At the start of the block of the construct that a variable belongs to.
    fn in_block_of(&self, node: Node<'_>, kinds: &[Kind]) -> Result<Place, Refusal> {
        let is_owner = |n: &Node<'_>| kinds.contains(&Kind::of(n));
        let owner = std::iter::successors(Some(node), Node::parent).find(is_owner);
        let body = owner.and_then(|o| o.child_by_field_name("body"));
        let body = body.ok_or(Refusal::NotFound)?;
        match is_block(Kind::of(&body)) {
            true => Ok(self.at_start(body, self.definition.variable.clone(), in_loop(body))),
            false if kinds == [Kind::LambdaExpression] => Err(Refusal::LambdaExpression),
            false => Err(Refusal::NoPlace),
        }
    }

    /// `if (o instanceof Book b) {`, `case Book b -> {`
    fn pattern(&self, node: Node<'_>) -> Result<Place, Refusal> {
        let mut child = node;
        while let Some(parent) = child.parent() {
            let is = |field: &str| {
                parent
                    .child_by_field_name(field)
                    .is_some_and(|c| c.id() == child.id())
            };
            let block = match Kind::of(&parent) {
                Kind::IfStatement if is("condition") => parent.child_by_field_name("consequence"),
                Kind::WhileStatement if is("condition") => parent.child_by_field_name("body"),
                Kind::SwitchRule => {
                    parent.named_child(parent.named_child_count().saturating_sub(1) as u32)
                }
                Kind::BinaryExpression if self.operator(parent) == "&&" => {
                    child = parent;
                    continue;
                }
                Kind::ParenthesizedExpression
                | Kind::InstanceofExpression
                | Kind::Pattern
                | Kind::TypePattern
                | Kind::SwitchLabel
                | Kind::RecordPattern
                | Kind::RecordPatternBody
                | Kind::RecordPatternComponent => {
                    child = parent;
                    continue;
                }
                _ => None,
            };
            let block = block.filter(|b| is_block(Kind::of(b)));
            let block = block.ok_or(Refusal::Pattern)?;
            return Ok(self.at_start(block, self.definition.variable.clone(), in_loop(block)));
        }
        Err(Refusal::Pattern)
    }

    /// Behind a statement of a block.
    fn behind(&self, statement: Node<'_>, value: String, in_loop: bool) -> Place {
        let text = self.file.text();
        let end = statement.end_byte();
        let is_first = text[line_start(text, statement.start_byte())..statement.start_byte()]
            .trim()
            .is_empty();
        let form = match rest_of_line(text, end) {
            Some(at) if is_first => Form::Line {
                at: at as u32,
                behind: end as u32,
                indent: indent_of(text, statement.start_byte()).to_owned(),
            },
            _ => Form::Beside { at: end as u32 },
        };
        Place {
            form,
            value,
            in_loop,
        }
    }

    /// As the first statement of a block.
    fn at_start(&self, block: Node<'_>, value: String, in_loop: bool) -> Place {
        let text = self.file.text();
        let open = block.start_byte() + 1;
        let first = block.named_child(0);
        let form = match (rest_of_line(text, open), first) {
            (Some(at), Some(first)) if first.start_byte() > at => Form::Line {
                at: at as u32,
                behind: open as u32,
                indent: indent_of(text, first.start_byte()).to_owned(),
            },
            (Some(at), None) => Form::Line {
                at: at as u32,
                behind: open as u32,
                indent: format!(
                    "{}{}",
                    indent_of(text, block.start_byte()),
                    unit_of_indent(text)
                ),
            },
            _ => Form::Beside { at: open as u32 },
        };
        Place {
            form,
            value,
            in_loop,
        }
    }
}

fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

/// A node and all below it, in order of position.
fn descendants(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut open = vec![node];
    std::iter::from_fn(move || {
        let next = open.pop()?;
        for at in (0..next.child_count()).rev() {
            open.extend(next.child(at));
        }
        Some(next)
    })
}

fn is_statement(kind: Kind) -> bool {
    is_loop(kind)
        || matches!(
            kind,
            Kind::IfStatement
                | Kind::ReturnStatement
                | Kind::ThrowStatement
                | Kind::YieldStatement
                | Kind::AssertStatement
                | Kind::SynchronizedStatement
                | Kind::TryStatement
                | Kind::TryWithResourcesStatement
                | Kind::Block
                | Kind::ConstructorBody
                | Kind::ExplicitConstructorInvocation
                | Kind::FieldDeclaration
        )
}

/// True for what has statements one after another.
fn holds_statements(node: Node<'_>) -> bool {
    is_block(Kind::of(&node)) || Kind::of(&node) == Kind::SwitchBlockStatementGroup
}

/// True for a statement that is the body of another, without braces.
fn is_body(statement: Node<'_>) -> bool {
    statement.parent().is_some_and(|p| {
        is_loop(Kind::of(&p))
            || matches!(
                Kind::of(&p),
                Kind::IfStatement | Kind::LabeledStatement | Kind::SwitchRule
            )
    })
}

/// The method, constructor, initialiser or lambda around a node.
fn enclosing_callable(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(node.parent(), Node::parent).find(|n| {
        matches!(
            Kind::of(n),
            Kind::LambdaExpression
                | Kind::MethodDeclaration
                | Kind::ConstructorDeclaration
                | Kind::CompactConstructorDeclaration
                | Kind::StaticInitializer
                | Kind::ClassBody
                | Kind::EnumBodyDeclarations
                | Kind::InterfaceBody
        )
    })
}

/// True for types that take a constant of a wider one only as such: an argument is none.
fn is_narrow(ty: &str) -> bool {
    matches!(
        ty,
        "byte" | "short" | "char" | "Byte" | "Short" | "Character"
    )
}

/// True for an expression that may be a constant of the language: it must stay one for a `case` or an annotation.
fn is_constant(value: Node<'_>) -> bool {
    descendants(value).all(|n| {
        !matches!(
            Kind::of(&n),
            Kind::MethodInvocation
                | Kind::ObjectCreationExpression
                | Kind::ArrayCreationExpression
                | Kind::ArrayAccess
                | Kind::This
                | Kind::AssignmentExpression
                | Kind::UpdateExpression
        )
    })
}

/// True for an expression that has a type only where it stands.
fn is_functional(value: Node<'_>) -> bool {
    match Kind::of(&value) {
        Kind::LambdaExpression | Kind::MethodReference => true,
        Kind::ParenthesizedExpression => value.named_child(0).is_some_and(is_functional),
        Kind::TernaryExpression => ["consequence", "alternative"]
            .iter()
            .any(|f| value.child_by_field_name(f).is_some_and(is_functional)),
        Kind::CastExpression => false,
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
