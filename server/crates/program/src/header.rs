//! The resolved declaration of one type: type parameters, supertypes, and the signatures of its members.

use crate::declarations::{Modifiers, TypeDeclKind};
use crate::ids::{FieldId, MethodId, Symbol};
use crate::types::Ty;

/// A type parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypeParam {
    pub(crate) name: Symbol,
    /// None means `Object`.
    pub(crate) bounds: Box<[Ty]>,
}

/// What a type extends and implements, as declared. [`Ty::UNKNOWN`] stands for what could not be found.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Supertypes {
    /// `None` for interfaces and `java.lang.Object`.
    pub(crate) superclass: Option<Ty>,
    pub(crate) interfaces: Box<[Ty]>,
}

/// All supertypes of a type, in terms of its own type parameters.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Closure {
    /// Itself, its superclasses upwards, then interfaces breadth first; each class once.
    pub(crate) types: Box<[Ty]>,
    /// How many of `types` are classes: itself (also if it is an interface) and its superclasses.
    pub(crate) classes: u32,
    /// True if some supertype is not known, so that members and supertypes may be missing here.
    pub(crate) opaque: bool,
}

/// A field as its users see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldSignature {
    pub(crate) name: Symbol,
    pub(crate) id: FieldId,
    /// False for a library's field.
    pub(crate) in_workspace: bool,
    pub(crate) ty: Ty,
    pub(crate) modifiers: Modifiers,
}

/// A method as its callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MethodSignature {
    pub(crate) name: Symbol,
    pub(crate) id: MethodId,
    pub(crate) params: Box<[Ty]>,
    pub(crate) varargs: bool,
    pub(crate) ret: Ty,
    /// The bounds of its type parameters.
    pub(crate) type_params: Box<[Box<[Ty]>]>,
    pub(crate) modifiers: Modifiers,
}

/// See the module's description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: TypeDeclKind,
    pub(crate) modifiers: Modifiers,
    pub(crate) params: Box<[TypeParam]>,
    fields: Box<[FieldSignature]>,
    methods: Box<[MethodSignature]>,
    /// The simple names that its signatures looked up, found or not; sorted.
    pub(crate) looked_up: Box<[Symbol]>,
}

impl Header {
    pub(crate) fn new(
        kind: TypeDeclKind,
        modifiers: Modifiers,
        params: Vec<TypeParam>,
        mut fields: Vec<FieldSignature>,
        mut methods: Vec<MethodSignature>,
        looked_up: Box<[Symbol]>,
    ) -> Header {
        // Stable: members of one name stay in order of the text.
        fields.sort_by_key(|f| f.name);
        methods.sort_by_key(|m| m.name);
        Header {
            kind,
            modifiers,
            params: params.into(),
            fields: fields.into(),
            methods: methods.into(),
            looked_up,
        }
    }
    /// True for interfaces and annotations.
    pub(crate) fn is_interface(&self) -> bool {
        matches!(
            self.kind,
            TypeDeclKind::Interface | TypeDeclKind::Annotation
        )
    }
    /// Grouped by name, groups in no meaningful order.
    pub(crate) fn methods(&self) -> &[MethodSignature] {
        &self.methods
    }
    /// Grouped by name, groups in no meaningful order.
    pub(crate) fn fields(&self) -> &[FieldSignature] {
        &self.fields
    }
    /// The methods of that name, in order of the text.
    pub(crate) fn methods_named(&self, name: Symbol) -> &[MethodSignature] {
        let first = self.methods.partition_point(|m| m.name < name);
        let len = self.methods[first..]
            .iter()
            .take_while(|m| m.name == name)
            .count();
        &self.methods[first..first + len]
    }
    /// The first field of that name.
    pub(crate) fn field_named(&self, name: Symbol) -> Option<&FieldSignature> {
        let first = self.fields.partition_point(|f| f.name < name);
        self.fields.get(first).filter(|f| f.name == name)
    }
}
