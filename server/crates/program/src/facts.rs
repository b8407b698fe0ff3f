//! Small facts about members and types, for those who ask what a test can read and what a call runs.

use crate::declarations::Modifiers;
use crate::ids::{BodyId, FieldId, FileId, Member, MethodId, TypeId};
use crate::program::Program;
use crate::types::Ty;
use flow::{ClassId, Primitive, TypeRef};
use smol_str::SmolStr;

impl Program {
    /// The superclass in the workspace.
    pub fn superclass(&self, class: TypeId) -> Option<TypeId> {
        let data = self.data();
        data.supertypes(class)?
            .superclass
            .and_then(|t| self.class_of(t))
    }
    /// The superclass and the interfaces in the workspace that a type names itself.
    pub fn direct_supertypes(&self, id: TypeId) -> Vec<TypeId> {
        let data = self.data();
        let Some(direct) = data.supertypes(id) else {
            return Vec::new();
        };
        let all = direct.superclass.iter().chain(&direct.interfaces);
        all.filter_map(|&t| self.class_of(t)).collect()
    }
    /// A constructor of any form.
    pub fn is_constructor(&self, method: MethodId) -> bool {
        self.method_decl(method).is_some_and(|m| m.name == "<init>")
    }
    /// The constructor without parameters.
    pub fn default_constructor(&self, class: TypeId) -> Option<MethodId> {
        self.methods_of_type(class).iter().copied().find(|&m| {
            self.method_decl(m)
                .is_some_and(|d| d.name == "<init>" && d.params.is_empty())
        })
    }
    /// True if the method has one of these modifiers.
    pub fn method_has(&self, method: MethodId, modifiers: Modifiers) -> bool {
        self.method_decl(method)
            .is_some_and(|m| m.modifiers.has(modifiers))
    }
    /// True for members that the language adds without code: default constructors, `values`, `valueOf`, accessors.
    pub fn is_implicit(&self, method: MethodId) -> bool {
        self.method_decl(method).is_some_and(|m| m.implicit)
    }
    /// True if a type names a supertype that is not of the workspace.
    pub fn has_unseen_supertype(&self, ty: TypeId) -> bool {
        let named = self.type_decl(ty).map_or(0, |d| {
            d.interfaces.len() + usize::from(d.superclass.is_some())
        });
        named > self.direct_supertypes(ty).len()
    }
    /// True for code that stands in no text, since a tool adds it to the class: nothing can be written into it.
    pub fn is_added(&self, body: BodyId) -> bool {
        self.body(body).is_some_and(|b| b.added)
    }
    /// The type whose code a body is.
    pub fn body_owner(&self, body: BodyId) -> TypeId {
        self.body_member(body).0
    }
    /// The method whose code a body is.
    pub fn body_method(&self, body: BodyId) -> Option<MethodId> {
        match self.body_member(body).1 {
            Member::Method(m) => Some(m),
            Member::Clinit | Member::Init => None,
        }
    }
    /// The type directly around a type.
    pub fn enclosing_type(&self, id: TypeId) -> Option<TypeId> {
        let (file, at) = self.data().type_at(id)?;
        file.summary.types[at]
            .enclosing
            .map(|outer| file.types[outer as usize])
    }
    /// For a local or anonymous class: the body in which it stands, and its place there.
    pub fn enclosing_body(&self, id: TypeId) -> Option<(BodyId, ClassId)> {
        let (file, at) = self.data().type_at(id)?;
        file.summary.types[at]
            .enclosing_body
            .map(|(body, class)| (file.bodies[body as usize], class))
    }
    /// True if a type is declared in a test source set.
    pub fn is_test_type(&self, id: TypeId) -> bool {
        self.type_place(id)
            .is_some_and(|(file, _)| self.is_test(file))
    }
    /// False for `void` methods and constructors.
    pub fn returns_value(&self, method: MethodId) -> bool {
        self.method_decl(method).is_some_and(|m| {
            m.name != "<init>" && m.return_ty != TypeRef::Primitive(Primitive::Void)
        })
    }
    /// The type of what a method returns, in terms of its class.
    pub fn return_type(&self, method: MethodId) -> Ty {
        let header = self.data().header(self.method_owner(method));
        header
            .and_then(|h| h.methods().iter().find(|m| m.id == method))
            .map_or(Ty::UNKNOWN, |m| m.ret)
    }
    /// The type of a field, in terms of its class.
    pub fn field_type(&self, field: FieldId) -> Ty {
        let header = self.data().header(self.field_owner(field));
        header
            .and_then(|h| h.fields().iter().find(|f| f.id == field))
            .map_or(Ty::UNKNOWN, |f| f.ty)
    }
    /// True if code of class `from` may use a member of `owner` with these modifiers.
    pub fn accessible(&self, owner: TypeId, modifiers: Modifiers, from: TypeId) -> bool {
        if modifiers.has(Modifiers::PUBLIC) {
            return true;
        }
        if modifiers.has(Modifiers::PRIVATE) {
            return self.data().outermost(owner) == self.data().outermost(from);
        }
        self.data().package_of(owner) == self.data().package_of(from)
            || (modifiers.has(Modifiers::PROTECTED) && self.supertypes(from).contains(&owner))
    }

    /// True for the file of a class by which inner oracles are checked.
    pub fn is_guard_class(&self, file: FileId) -> bool {
        let name = self.path(file).and_then(|p| p.rsplit('/').next());
        let name = name.and_then(|n| n.strip_suffix(".java"));
        match (name, self.text(file)) {
            (Some(name), Some(text)) => inner::is_guard_class(name, text),
            _ => false,
        }
    }

    /// `java.lang.String`.
    pub fn string_type(&self) -> Ty {
        let data = self.data();
        data.ids.class(data.known.string, &[])
    }

    /// A type as people write it: without packages.
    pub fn type_text(&self, ty: Ty) -> SmolStr {
        let full = self.display_type(ty);
        if !full.contains('.') {
            return full;
        }
        let mut out = String::with_capacity(full.len());
        for part in full.split_inclusive(['<', '>', ',', ' ', '[', '?', '&']) {
            let (name, tail) = match part.char_indices().last() {
                Some((i, c)) if !c.is_alphanumeric() && c != '_' && c != '$' => part.split_at(i),
                _ => (part, ""),
            };
            out.push_str(name.rsplit('.').next().unwrap_or(name));
            out.push_str(tail);
        }
        SmolStr::from(out.replace('$', "."))
    }
    /// The text of a part of a body; offsets relative to the body's start.
    pub fn body_text(&self, body: BodyId, start: u32, end: u32) -> &str {
        let (Some(decl), Some(text)) = (
            self.body(body),
            self.body_file(body).and_then(|f| self.text(f)),
        ) else {
            return "";
        };
        text.get((decl.start + start) as usize..(decl.start + end) as usize)
            .unwrap_or("")
    }
}
