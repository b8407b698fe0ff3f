//! Class files (JVMS 4) as far as types need them: names, flags, signatures and members, no code.
//!
//! Attributes are looked at by name, so unknown ones of a newer JDK do no harm. `noak` decodes lazily and never
//! panics; a class file that is cut or changed gives an error (property test below).

use std::fmt;

use noak::MStr;
use noak::error::DecodeError;
use noak::reader::attributes::{InnerClasses, PermittedSubclasses};
use noak::reader::cpool::{self, ConstantPool, Index};
use noak::reader::{Attribute, Class, DecodeMany};
use program::{ClassRecord, MemberRecord};

/// Access flags that mark what no source can name (JVMS 4.6).
const SYNTHETIC: u16 = 0x1000;
const BRIDGE: u16 = 0x0040;

/// Why a class file cannot be used; a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<DecodeError> for Malformed {
    fn from(e: DecodeError) -> Malformed {
        Malformed(format!("not a valid class file: {e}"))
    }
}

/// What a module's descriptor gives to those that import it (JLS 7.7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ModuleRecord {
    pub(crate) name: String,
    /// Dotted names of the packages that it exports to everybody.
    pub(crate) exports: Vec<String>,
    /// The modules that it requires `transitive`.
    pub(crate) passes_on: Vec<String>,
}

/// What `bytes` say about a class.
pub(crate) fn read(bytes: &[u8]) -> Result<ClassRecord, Malformed> {
    let class = Class::new(bytes)?;
    let pool = class.pool();
    let this = pool.retrieve(class.this_class())?.name;
    let mut record = ClassRecord {
        name: dotted(this),
        access: class.access_flags().bits(),
        ..ClassRecord::default()
    };
    if let Some(index) = class.super_class() {
        record.superclass = Some(class_name(pool, index)?);
    }
    record.interfaces = class_names(pool, class.interfaces())?;
    for attribute in class.attributes() {
        let attribute = attribute?;
        match pool.retrieve(attribute.name())?.as_bytes() {
            b"Signature" => record.signature = Some(signature(pool, &attribute)?),
            b"Record" => record.is_record = true,
            b"PermittedSubclasses" => {
                let content: PermittedSubclasses<'_> = decode(pool, &attribute)?;
                record.permits = class_names(pool, content.classes())?;
            }
            b"InnerClasses" => {
                let content: InnerClasses<'_> = decode(pool, &attribute)?;
                let mut members = Vec::new();
                for row in content.classes() {
                    let row = row?;
                    let inner = pool.retrieve(row.inner_class())?.name;
                    let access = row.inner_access_flags().bits();
                    if inner == this {
                        record.access = access;
                    }
                    let Some(outer) = row.outer_class() else {
                        continue;
                    };
                    if row.inner_name().is_some()
                        && access & SYNTHETIC == 0
                        && pool.retrieve(outer)?.name == this
                    {
                        members.push(dotted(inner));
                    }
                }
                record.members = members.into();
            }
            _ => {}
        }
    }
    let mut fields = Vec::new();
    for field in class.fields() {
        let field = field?;
        let access = field.access_flags().bits();
        fields.extend(member(
            pool,
            access,
            field.name(),
            field.descriptor(),
            field.attributes(),
        )?);
    }
    record.fields = fields.into();
    let mut methods = Vec::new();
    for method in class.methods() {
        let method = method?;
        let access = method.access_flags().bits();
        if access & BRIDGE != 0 || pool.retrieve(method.name())?.as_bytes() == b"<clinit>" {
            continue;
        }
        methods.extend(member(
            pool,
            access,
            method.name(),
            method.descriptor(),
            method.attributes(),
        )?);
    }
    record.methods = methods.into();
    Ok(record)
}

type Name<'i> = Index<cpool::Utf8<'i>>;

/// A field or method; `None` if the compiler made it up.
fn member<'i>(
    pool: &ConstantPool<'i>,
    access: u16,
    name: Name<'i>,
    descriptor: Name<'i>,
    attributes: DecodeMany<'i, Attribute<'i>, u16>,
) -> Result<Option<MemberRecord>, Malformed> {
    if access & SYNTHETIC != 0 {
        return Ok(None);
    }
    let mut record = MemberRecord {
        name: text(pool.retrieve(name)?),
        access,
        descriptor: text(pool.retrieve(descriptor)?),
        ..MemberRecord::default()
    };
    for attribute in attributes {
        let attribute = attribute?;
        match pool.retrieve(attribute.name())?.as_bytes() {
            b"Signature" => record.signature = Some(signature(pool, &attribute)?),
            b"Deprecated" => record.is_deprecated = true,
            // Compilers before Java 5 had no flag for it.
            b"Synthetic" => return Ok(None),
            _ => {}
        }
    }
    Ok(Some(record))
}

/// The decoded content of an attribute of a known name.
fn decode<'i, A>(pool: &ConstantPool<'i>, attribute: &Attribute<'i>) -> Result<A, Malformed>
where
    A: TryFrom<noak::reader::AttributeContent<'i>, Error = DecodeError>,
{
    Ok(A::try_from(attribute.read_content(pool)?)?)
}

fn signature(pool: &ConstantPool<'_>, attribute: &Attribute<'_>) -> Result<Box<str>, Malformed> {
    let mut rest = Words(attribute.content());
    utf8(pool, rest.next()?)
}

fn class_name<'i>(
    pool: &ConstantPool<'i>,
    index: Index<cpool::Class<'i>>,
) -> Result<Box<str>, Malformed> {
    Ok(dotted(pool.retrieve(index)?.name))
}

fn class_names<'i>(
    pool: &ConstantPool<'i>,
    indices: DecodeMany<'i, Index<cpool::Class<'i>>, u16>,
) -> Result<Box<[Box<str>]>, Malformed> {
    indices
        .into_iter()
        .map(|index| class_name(pool, index?))
        .collect()
}

/// A module's descriptor (JVMS 4.7.25). Decoded here: a requirement may have no version, which `noak` refuses.
pub(crate) fn read_module(bytes: &[u8]) -> Result<ModuleRecord, Malformed> {
    const TRANSITIVE: u16 = 0x0020;
    let class = Class::new(bytes)?;
    let pool = class.pool();
    for attribute in class.attributes() {
        let attribute = attribute?;
        if pool.retrieve(attribute.name())?.as_bytes() != b"Module" {
            continue;
        }
        let mut words = Words(attribute.content());
        let name = words.next()?;
        let mut record = ModuleRecord {
            name: text(pool.retrieve(Index::<cpool::Module<'_>>::new(name)?)?.name).into(),
            ..ModuleRecord::default()
        };
        let (_flags, _version) = (words.next()?, words.next()?);
        for _ in 0..words.next()? {
            let (module, flags, _version) = (words.next()?, words.next()?, words.next()?);
            if flags & TRANSITIVE != 0 {
                let module = pool.retrieve(Index::<cpool::Module<'_>>::new(module)?)?;
                record.passes_on.push(text(module.name).into());
            }
        }
        for _ in 0..words.next()? {
            let (package, _flags, to) = (words.next()?, words.next()?, words.next()?);
            for _ in 0..to {
                words.next()?;
            }
            if to == 0 {
                let package = pool.retrieve(Index::<cpool::Package<'_>>::new(package)?)?;
                record.exports.push(dotted(package.name).into());
            }
        }
        return Ok(record);
    }
    Err(Malformed("a module-info without a module".to_owned()))
}

/// Big-endian two-byte words.
struct Words<'i>(&'i [u8]);

impl Words<'_> {
    fn next(&mut self) -> Result<u16, Malformed> {
        match self.0 {
            [high, low, rest @ ..] => {
                let word = u16::from_be_bytes([*high, *low]);
                self.0 = rest;
                Ok(word)
            }
            _ => Err(Malformed("an attribute ends too early".to_owned())),
        }
    }
}

fn utf8(pool: &ConstantPool<'_>, index: u16) -> Result<Box<str>, Malformed> {
    Ok(text(pool.retrieve(Index::<cpool::Utf8<'_>>::new(index)?)?))
}

fn dotted(name: &MStr) -> Box<str> {
    let name = text(name);
    if name.contains('/') {
        name.replace('/', ".").into()
    } else {
        name
    }
}

/// A text of the constant pool, which is UTF-8 but for NUL and what lies above U+FFFF (JVMS 4.4.7). Halves of
/// surrogate pairs, which no source can name, are replaced.
fn text(text: &MStr) -> Box<str> {
    if let Some(text) = text.to_str() {
        return text.into();
    }
    let bytes = text.as_bytes();
    let mut units: Vec<u16> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let next = |at: usize| u16::from(bytes.get(at).copied().unwrap_or(0) & 0x3f);
    while let Some(&first) = bytes.get(at) {
        let (unit, width) = match first {
            0..0x80 => (u16::from(first), 1),
            0x80..0xe0 => (u16::from(first & 0x1f) << 6 | next(at + 1), 2),
            _ => (
                u16::from(first & 0x0f) << 12 | next(at + 1) << 6 | next(at + 2),
                3,
            ),
        };
        units.push(unit);
        at += width;
    }
    String::from_utf16_lossy(&units).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `class p.Outer<T> extends java.util.ArrayList<T>` with a field, a method, a member class and a permitted
    /// subclass, its constants in the order of their use.
    fn class() -> Vec<u8> {
        let mut pool: Vec<u8> = Vec::new();
        let texts = [
            "p/Outer",
            "java/util/ArrayList",
            "p/Outer$In",
            "In",
            "f",
            "I",
            "m",
            "()TT;",
            "()V",
            "Signature",
            "InnerClasses",
            "PermittedSubclasses",
            "Record",
            "Deprecated",
            "Module",
            "<T:Ljava/lang/Object;>Ljava/util/ArrayList<TT;>;",
        ];
        for text in texts {
            pool.push(1);
            pool.extend((text.len() as u16).to_be_bytes());
            pool.extend(text.bytes());
        }
        // 17: p/Outer, 18: ArrayList, 19: p/Outer$In, 20: a long, 22: a name and type.
        pool.extend([7, 0, 1, 7, 0, 2, 7, 0, 3]);
        pool.extend([5, 0, 0, 0, 0, 0, 0, 0, 1]);
        pool.extend([12, 0, 5, 0, 6]);
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65];
        out.extend([0, 23]);
        out.extend(pool);
        // Access, this, super, no interface.
        out.extend([0, 0x21, 0, 17, 0, 18, 0, 0]);
        // One field, deprecated.
        out.extend([0, 1, 0, 1, 0, 5, 0, 6, 0, 1, 0, 14, 0, 0, 0, 0]);
        // One method with a signature.
        out.extend([0, 1, 0, 1, 0, 7, 0, 9, 0, 1, 0, 10, 0, 0, 0, 2, 0, 8]);
        out.extend([0, 4]);
        out.extend([0, 10, 0, 0, 0, 2, 0, 16]);
        out.extend([0, 11, 0, 0, 0, 10, 0, 1, 0, 19, 0, 17, 0, 4, 0, 9]);
        out.extend([0, 12, 0, 0, 0, 4, 0, 1, 0, 19]);
        out.extend([0, 13, 0, 0, 0, 2, 0, 0]);
        out
    }

    #[test]
    fn what_it_says() {
        let record = read(&class()).expect("a class");
        assert_eq!(&*record.name, "p.Outer");
        assert_eq!(record.superclass.as_deref(), Some("java.util.ArrayList"));
        assert!(record.is_record && record.fields[0].is_deprecated);
        assert_eq!(record.methods[0].signature.as_deref(), Some("()TT;"));
        assert_eq!(
            (&*record.members[0], &*record.permits[0]),
            ("p.Outer$In", "p.Outer$In")
        );
    }

    #[test]
    fn every_cut_is_an_error() {
        let whole = class();
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn texts_in_modified_utf_8() {
        for (bytes, expected) in [
            (&b"a\xc3\xa4\xe6\x97\xa5"[..], "aä日"),
            // NUL in two bytes, and a character above U+FFFF as two halves.
            (b"\xc0\x80", "\0"),
            (b"\xed\xa0\xbd\xed\xb8\x80", "\u{1F600}"),
            (b"x\xed\xa0\xbdy", "x\u{fffd}y"),
        ] {
            let mutf8 = MStr::from_mutf8(bytes).expect("well-formed");
            assert_eq!(&*text(mutf8), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        /// Cut or changed anywhere: an error or another class, and no panic.
        #[test]
        fn broken_classes_do_no_harm(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let mut bytes = class();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            let _ = (read(&bytes), read_module(&bytes));
        }

        #[test]
        fn noise_does_no_harm(mut bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = (read(&bytes), read_module(&bytes));
            bytes.splice(0..0, [0xca, 0xfe, 0xba, 0xbe]);
            let _ = (read(&bytes), read_module(&bytes));
        }
    }
}
