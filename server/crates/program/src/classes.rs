//! Classes that the workspace uses and does not declare: what their class files say, as the library model needs it.
//!
//! `project` finds and reads them (JDK image, jars, folders of class files); [`crate::types`] makes types of them. All
//! names of classes are binary names with dots between packages: `java.util.Map$Entry`.

use std::fmt::Debug;
use std::sync::Arc;

/// Gives classes by name, each read when it is first asked for.
///
/// The answers must not change while the source lives: whoever sees a jar replaced makes a new source.
pub trait ClassSource: Send + Sync + Debug {
    /// The class of that binary name; `None` if there is none, or if its file cannot be read.
    fn class(&self, binary_name: &str) -> Option<Arc<ClassRecord>>;
    /// True if there is a class of that name; cheaper than reading it.
    fn has_class(&self, binary_name: &str) -> bool;
    /// True if some class lies directly in that package (dotted name).
    fn has_package(&self, package: &str) -> bool;
    /// The simple name of every top-level class of a package, sorted; for `import p.*` and modules.
    fn classes_of(&self, package: &str) -> Vec<String>;
    /// The packages that `import module` of that name brings in, those of required transitive modules included.
    fn packages_of_module(&self, module: &str) -> Vec<String>;
}

/// What a class file says about its class.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ClassRecord {
    /// Its binary name.
    pub name: Box<str>,
    /// Access flags as in the class file (JVMS 4.1); of a member class those of its `InnerClasses` row (JVMS 4.7.6),
    /// which alone tell `private`, `protected` and `static`.
    pub access: u16,
    /// True for a record.
    pub is_record: bool,
    /// The generic signature (JVMS 4.7.9.1), where the class or a supertype is generic.
    pub signature: Option<Box<str>>,
    /// Binary name of the superclass; `None` for `java.lang.Object` and modules.
    pub superclass: Option<Box<str>>,
    /// Binary names of its interfaces.
    pub interfaces: Box<[Box<str>]>,
    /// Binary names of its permitted subclasses, where it is sealed.
    pub permits: Box<[Box<str>]>,
    /// Its fields in order of the file, without synthetic ones.
    pub fields: Box<[MemberRecord]>,
    /// Its methods and constructors (`<init>`) in order of the file, without synthetic ones, bridges and `<clinit>`.
    pub methods: Box<[MemberRecord]>,
    /// The binary names of its member classes.
    pub members: Box<[Box<str>]>,
}

/// A field or a method of a class file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct MemberRecord {
    /// Its name.
    pub name: Box<str>,
    /// Access flags as in the class file (JVMS 4.5, 4.6).
    pub access: u16,
    /// Its descriptor (JVMS 4.3).
    pub descriptor: Box<str>,
    /// Its generic signature (JVMS 4.7.9.1), where it says more than the descriptor.
    pub signature: Option<Box<str>>,
    /// True where the class file marks it `Deprecated` (JVMS 4.7.15).
    pub is_deprecated: bool,
}
