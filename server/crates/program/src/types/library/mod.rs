//! The types that no source declares: from class files, and where there is no JDK from a table of its commonest types.

mod class_file;
mod table;

use crate::classes::ClassSource;
use crate::declarations::Modifiers;
use crate::header::{Closure, Header, Supertypes};
use crate::ids::{Cells, Ids, Symbol, TypeId};
use smol_str::{SmolStr, format_smolstr};
use std::sync::Arc;

/// What library types say, each read when it is first asked for; in cells of their own, so that filling one never waits
/// for another.
#[derive(Debug, Default)]
pub(crate) struct Libraries {
    source: Option<Arc<dyn ClassSource>>,
    /// The source has the JDK, so the table is not asked.
    has_jdk: bool,
    rows: Cells<Option<(Header, Supertypes)>>,
    closures: Cells<Closure>,
}

impl Libraries {
    pub(crate) fn new(source: Option<Arc<dyn ClassSource>>) -> Libraries {
        let has_jdk = source
            .as_ref()
            .is_some_and(|s| s.has_class("java.lang.Object"));
        Libraries {
            source,
            has_jdk,
            ..Libraries::default()
        }
    }

    /// True if there is a type of that binary name.
    pub(crate) fn has(&self, binary_name: &str) -> bool {
        self.source
            .as_ref()
            .is_some_and(|s| s.has_class(binary_name))
            || !self.has_jdk && table::has(binary_name)
    }

    /// True if all public types of that package are known.
    pub(crate) fn has_package(&self, package: &str) -> bool {
        self.source.as_ref().is_some_and(|s| s.has_package(package))
            || !self.has_jdk && table::has_package(package)
    }

    /// The binary name of the type that `import module` of that name means by a simple name.
    pub(crate) fn of_module(&self, module: &str, simple: &str) -> Option<SmolStr> {
        if let Some(source) = self.source.as_ref().filter(|_| self.has_jdk) {
            let packages = source.packages_of_module(module);
            let mut names = packages.iter().map(|p| format_smolstr!("{p}.{simple}"));
            return names.find(|name| {
                source
                    .class(name)
                    .is_some_and(|c| c.access & class_file::PUBLIC != 0)
            });
        }
        table::unique(simple).map(SmolStr::new_static)
    }

    /// The header and supertypes of a type.
    pub(crate) fn row(&self, ids: &Ids, def: TypeId) -> Option<&(Header, Supertypes)> {
        self.rows
            .cell(def.0)
            .get_or_init(|| {
                let of_source = self
                    .source
                    .as_deref()
                    .and_then(|source| class_file::read(ids, source, def));
                match of_source {
                    None if !self.has_jdk => table::read(ids, def),
                    found => found,
                }
            })
            .as_ref()
    }

    /// True if the type is one of the table, of whose supertypes those that matter are there.
    pub(crate) fn is_of_table(&self, ids: &Ids, def: TypeId) -> bool {
        !self.has_jdk && table::has(ids.type_name(def))
    }

    pub(crate) fn closure(&self, def: TypeId, compute: impl FnOnce() -> Closure) -> &Closure {
        self.closures.cell(def.0).get_or_init(compute)
    }

    /// The type of a package that `import package.*` and the package `java.lang` give: a public one.
    pub(crate) fn of_package(&self, ids: &Ids, package: &str, simple: &str) -> Option<TypeId> {
        let name = format_smolstr!("{package}.{simple}");
        if !self.has(&name) {
            return None;
        }
        let def = ids.library_type(&name);
        self.row(ids, def)
            .is_none_or(|(header, _)| header.modifiers.has(Modifiers::PUBLIC))
            .then_some(def)
    }

    /// The package of a library type.
    pub(crate) fn package_of(ids: &Ids, def: TypeId) -> Symbol {
        let name = ids.type_name(def);
        ids.symbol(name.rsplit_once('.').map_or("", |p| p.0))
    }
}
