//! What other classes are compiled against of a class file: a change elsewhere in it needs no other class compiled anew.

use super::classfile::{Malformed, read};
use noak::reader::cpool::{ConstantPool, Item};
use noak::reader::{AttributeContent, Class};
use program::MemberRecord;

/// Access flag of what no other file can name (JVMS 4.5).
const PRIVATE: u16 = 0x0002;

/// Two class files of one name with equal answers may take each other's place beside the classes that were compiled with
/// one of them: equal are flags, supertypes, what members that are not private are called and take and give, and constants,
/// which compilers write into other classes. Nothing for what is no class file.
pub fn declared(bytes: &[u8]) -> Option<String> {
    of(bytes).ok()
}

fn of(bytes: &[u8]) -> Result<String, Malformed> {
    let mut record = read(bytes)?;
    for members in [&mut record.fields, &mut record.methods] {
        let own = std::mem::take(members).into_vec().into_iter();
        let mut own: Vec<MemberRecord> = own.filter(|m| m.access & PRIVATE == 0).collect();
        own.sort_by(|a, b| (&a.name, &a.descriptor).cmp(&(&b.name, &b.descriptor)));
        *members = own.into();
    }
    record.members.sort();
    let mut constants = constants(bytes)?;
    constants.sort();
    Ok(format!("{record:?} {constants:?}"))
}

/// Name and value of the constants that are not private.
fn constants(bytes: &[u8]) -> Result<Vec<(String, String)>, Malformed> {
    let class = Class::new(bytes)?;
    let pool = class.pool();
    let mut out = Vec::new();
    for field in class.fields() {
        let field = field?;
        if field.access_flags().bits() & PRIVATE != 0 {
            continue;
        }
        for attribute in field.attributes() {
            let attribute = attribute?;
            if pool.retrieve(attribute.name())?.as_bytes() != b"ConstantValue" {
                continue;
            }
            if let AttributeContent::ConstantValue(value) = attribute.read_content(pool)? {
                let name = pool.retrieve(field.name())?.display().to_string();
                out.push((name, said(pool, pool.get(value.value())?)?));
            }
        }
    }
    Ok(out)
}

fn said(pool: &ConstantPool<'_>, item: &Item<'_>) -> Result<String, Malformed> {
    Ok(match item {
        Item::String(text) => format!("{:?}", pool.get(text.string)?.content.as_bytes()),
        other => format!("{other:?}"),
    })
}
