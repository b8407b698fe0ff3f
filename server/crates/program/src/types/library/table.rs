//! The commonest types of the JDK, for want of a JDK: supertypes, members and signatures, one row a type.
//!
//! The table `jdk.txt` is printed by `tests/java/LibraryTable.java` from a JDK. A row is
//! `kind binary.Name<T:Bound> Super<$T>&Iface member member …`; kind is `c`, `a` (abstract), `f` (final), `i`, `e` or `@`. A
//! member is `name<T>(int,Outer...)Return` or `field:Type`, with `/` static, `#` protected, `!` abstract in front.
//! A type is named by its simple name where that is clear in the table; `$T` is a type variable, `-T` a `? super T`.

use crate::declarations::{Modifiers, TypeDeclKind};
use crate::header::{FieldSignature, Header, MethodSignature, Supertypes, TypeParam};
use crate::ids::{FieldId, FieldKey, Ids, MethodId, MethodKey, Symbol, TypeId};
use crate::types::{Ty, TyKind};
use flow::Primitive;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

struct Table {
    rows: FxHashMap<&'static str, &'static str>,
    /// Binary names by simple name, `""` where two types share it.
    simple: FxHashMap<&'static str, &'static str>,
    packages: FxHashMap<&'static str, ()>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        rows: FxHashMap::default(),
        simple: FxHashMap::default(),
        packages: FxHashMap::default(),
    };
    for row in include_str!("../jdk.txt").lines() {
        let name = row
            .get(2..)
            .unwrap_or("")
            .split(['<', ' '])
            .next()
            .unwrap_or("");
        table.rows.insert(name, row);
        let simple = name.rsplit(['.', '$']).next().unwrap_or(name);
        table
            .simple
            .entry(simple)
            .and_modify(|n| *n = "")
            .or_insert(name);
        table
            .packages
            .insert(name.rsplit_once('.').map_or("", |p| p.0), ());
    }
    table
});

/// True if the table has a type of that binary name.
pub(crate) fn has(binary_name: &str) -> bool {
    TABLE.rows.contains_key(binary_name)
}

/// True if the table lists all public types of that package.
pub(crate) fn has_package(package: &str) -> bool {
    TABLE.packages.contains_key(package)
}

/// The binary name of the one type of that simple name.
pub(crate) fn unique(simple: &str) -> Option<&'static str> {
    TABLE.simple.get(simple).copied().filter(|n| !n.is_empty())
}

/// The header and supertypes of a type of the table.
pub(crate) fn read(ids: &Ids, def: TypeId) -> Option<(Header, Supertypes)> {
    let row = TABLE.rows.get(ids.type_name(def).as_str())?;
    Some(Row::new(ids, row, def).row())
}

struct Row<'a> {
    ids: &'a Ids,
    text: &'a str,
    at: usize,
    def: TypeId,
    class_params: Vec<&'a str>,
    method_params: Vec<&'a str>,
    method: Option<MethodId>,
}

impl<'a> Row<'a> {
    fn new(ids: &'a Ids, row: &'a str, def: TypeId) -> Row<'a> {
        Row {
            ids,
            text: row,
            at: 2,
            def,
            class_params: Vec::new(),
            method_params: Vec::new(),
            method: None,
        }
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }
    fn eat(&mut self, byte: u8) -> bool {
        let hit = self.peek() == byte;
        self.at += usize::from(hit);
        hit
    }
    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '$'))
            .unwrap_or(rest.len());
        // `T...` is a varargs parameter, not a name with dots.
        let end = rest[..end].find("...").unwrap_or(end);
        self.at += end;
        &rest[..end]
    }

    fn row(&mut self) -> (Header, Supertypes) {
        let kind = match self.text.as_bytes()[0] {
            b'i' => TypeDeclKind::Interface,
            b'e' => TypeDeclKind::Enum,
            b'@' => TypeDeclKind::Annotation,
            _ => TypeDeclKind::Class,
        };
        let interface = matches!(kind, TypeDeclKind::Interface | TypeDeclKind::Annotation);
        let mut modifiers = Modifiers::PUBLIC.with(Modifiers::STATIC);
        if interface || self.text.starts_with('a') {
            modifiers = modifiers.with(Modifiers::ABSTRACT);
        }
        if matches!(self.text.as_bytes()[0], b'f' | b'e') {
            modifiers = modifiers.with(Modifiers::FINAL);
        }
        self.word();
        let (names, bounds) = self.type_params(false);
        let params = names
            .iter()
            .zip(bounds)
            .map(|(n, bounds)| TypeParam {
                name: self.ids.symbol(n),
                bounds,
            })
            .collect();
        self.eat(b' ');
        let mut supers = Vec::new();
        if !self.eat(b'-') {
            loop {
                supers.push(self.ty(0));
                if !self.eat(b'&') {
                    break;
                }
            }
        }
        let superclass = if interface || supers.is_empty() {
            None
        } else {
            Some(supers.remove(0))
        };
        let (mut fields, mut methods) = (Vec::new(), Vec::new());
        while self.eat(b' ') {
            self.member(&mut fields, &mut methods);
        }
        let header = Header::new(kind, modifiers, params, fields, methods, Box::default());
        (
            header,
            Supertypes {
                superclass,
                interfaces: supers.into(),
            },
        )
    }

    fn member(&mut self, fields: &mut Vec<FieldSignature>, methods: &mut Vec<MethodSignature>) {
        let mut modifiers = Modifiers::PUBLIC;
        loop {
            if self.eat(b'/') {
                modifiers = modifiers.with(Modifiers::STATIC);
            } else if self.eat(b'#') {
                modifiers =
                    Modifiers(modifiers.0 & !Modifiers::PUBLIC.0).with(Modifiers::PROTECTED);
            } else if self.eat(b'!') {
                modifiers = modifiers.with(Modifiers::ABSTRACT);
            } else {
                break;
            }
        }
        let start = self.at;
        let constructor = self.text[start..].starts_with("<init>");
        let name = if constructor {
            self.at += "<init>".len();
            "<init>"
        } else {
            self.word()
        };
        let name: Symbol = self.ids.symbol(name);
        if self.eat(b':') {
            let ty = self.ty(0);
            fields.push(FieldSignature {
                name,
                id: FieldId(self.ids.fields.intern(FieldKey {
                    owner: self.def,
                    name,
                    duplicate: 0,
                })),
                in_workspace: false,
                ty,
                modifiers,
            });
            return;
        }
        let end = self.text[start..]
            .find(' ')
            .map_or(self.text.len(), |e| start + e);
        let params = self.ids.symbol(&self.text[start..end]);
        let id = MethodId(self.ids.methods.intern(MethodKey {
            owner: self.def,
            name,
            params,
            duplicate: 0,
        }));
        self.method = Some(id);
        let (_, type_params) = self.type_params(true);
        self.eat(b'(');
        let (mut params, mut varargs) = (Vec::new(), false);
        while self.at < self.text.len() && !self.eat(b')') {
            let mut ty = self.ty(0);
            if self.text[self.at..].starts_with("...") {
                self.at += 3;
                varargs = true;
                ty = self.ids.array(ty);
            }
            params.push(ty);
            self.eat(b',');
        }
        let ret = if constructor { Ty::VOID } else { self.ty(0) };
        self.method = None;
        self.method_params.clear();
        methods.push(MethodSignature {
            name,
            id,
            params: params.into(),
            varargs,
            ret,
            type_params: type_params.into(),
            modifiers,
        });
    }

    /// `<T:Bound&Bound,U>`, entered as the parameters of the method or of the class.
    fn type_params(&mut self, of_method: bool) -> (Vec<&'a str>, Vec<Box<[Ty]>>) {
        if !self.eat(b'<') {
            return (Vec::new(), Vec::new());
        }
        // Bounds may name later parameters, so the names are read first.
        let start = self.at;
        let (mut names, mut depth, mut at_name) = (Vec::new(), 1, true);
        while depth > 0 && self.at < self.text.len() {
            if at_name {
                names.push(self.word());
                at_name = false;
                continue;
            }
            match self.peek() {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                b',' if depth == 1 => at_name = true,
                _ => {}
            }
            self.at += 1;
        }
        if of_method {
            self.method_params.clone_from(&names)
        } else {
            self.class_params.clone_from(&names)
        }
        self.at = start;
        let mut bounds = Vec::new();
        while self.at < self.text.len() && !self.eat(b'>') {
            self.word();
            let mut of_one = Vec::new();
            if self.eat(b':') {
                of_one.push(self.ty(0));
                while self.eat(b'&') {
                    of_one.push(self.ty(0));
                }
            }
            bounds.push(of_one.into());
            self.eat(b',');
        }
        (names, bounds)
    }

    fn ty(&mut self, depth: u32) -> Ty {
        let ids = self.ids;
        let mut ty = if depth > 20 {
            Ty::UNKNOWN
        } else if self.eat(b'?') {
            ids.ty(TyKind::Any)
        } else if self.eat(b'-') {
            let bound = self.ty(depth + 1);
            ids.ty(TyKind::Lower(bound))
        } else if self.eat(b'$') {
            let name = self.word();
            let at = |list: &[&str]| list.iter().position(|n| *n == name).map(|i| i as u16);
            match (self.method, at(&self.method_params), at(&self.class_params)) {
                (Some(owner), Some(index), _) => ids.ty(TyKind::MethodVar { owner, index }),
                (_, _, Some(index)) => ids.ty(TyKind::ClassVar {
                    owner: self.def,
                    index,
                }),
                _ => Ty::UNKNOWN,
            }
        } else {
            let name = self.word();
            match primitive(name) {
                Some(p) => Ty::primitive(p),
                None => {
                    let binary = match TABLE.simple.get(name) {
                        Some(binary) if !binary.is_empty() => binary,
                        _ => name,
                    };
                    let def = ids.library_type(binary);
                    let mut args = Vec::new();
                    if self.eat(b'<') {
                        while self.at < self.text.len() && !self.eat(b'>') {
                            args.push(self.ty(depth + 1));
                            self.eat(b',');
                        }
                    }
                    ids.class(def, &args)
                }
            }
        };
        while self.text[self.at..].starts_with("[]") {
            self.at += 2;
            ty = ids.array(ty);
        }
        ty
    }
}

fn primitive(name: &str) -> Option<Primitive> {
    Some(match name {
        "void" => Primitive::Void,
        "boolean" => Primitive::Boolean,
        "byte" => Primitive::Byte,
        "short" => Primitive::Short,
        "char" => Primitive::Char,
        "int" => Primitive::Int,
        "long" => Primitive::Long,
        "float" => Primitive::Float,
        "double" => Primitive::Double,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_to_its_end() {
        let ids = Ids::with_first_types();
        for (name, row) in TABLE
            .rows
            .iter()
            .collect::<std::collections::BTreeMap<_, _>>()
        {
            let def = ids.library_type(name);
            let mut reader = Row::new(&ids, row, def);
            reader.row();
            assert_eq!(reader.at, row.len(), "{row}");
        }
    }

    #[test]
    fn a_signature_comes_out_as_it_is_in_the_jdk() {
        let ids = Ids::with_first_types();
        let (map, _) =
            read(&ids, ids.library_type("java.util.Map")).expect("java.util.Map is in the table");
        let get = map.methods_named(ids.symbol("get"));
        assert_eq!(get.len(), 1);
        assert_eq!(
            get[0].ret,
            ids.ty(TyKind::ClassVar {
                owner: ids.library_type("java.util.Map"),
                index: 1
            })
        );
        let (_, supers) = read(&ids, ids.library_type("java.util.ArrayList"))
            .expect("java.util.ArrayList is in the table");
        let (list, args) = ids.as_class(supers.interfaces[0]).expect("a class");
        assert_eq!(
            (ids.type_name(list).as_str(), args.len()),
            ("java.util.List", 1)
        );
    }
}
