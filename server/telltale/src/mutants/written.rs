//! Which mutants stand in code that somebody wrote. Compilers and Lombok add methods to classes (`toString` and accessors of records,
//! getters, builders): no test has to notice what they do. Nor what a logger is told.

use mutants::{Mutant, Operator};
use program::{FileId, MethodDecl, Program, TypeDecl, TypeDeclKind, TypeId};
use rustc_hash::FxHashMap;
use text::{Encoding, LineIndex};

/// Packages of loggers: those of which PIT removes no calls, and two more.
const LOGGERS: &[&str] = &[
    "java/util/logging/",
    "org/apache/log4j/",
    "org/apache/logging/log4j/",
    "org/slf4j/",
    "org/apache/commons/logging/",
    "org/jboss/logging/",
];

/// The classes of some files, as class files name them.
pub(super) struct Written<'p> {
    program: &'p Program,
    classes: FxHashMap<String, (TypeId, FileId)>,
}

impl<'p> Written<'p> {
    pub(super) fn new(program: &'p Program, files: &[FileId]) -> Written<'p> {
        let of_file = |&file: &FileId| {
            let types = program.types_of_file(file).iter();
            types.map(move |&class| {
                let name = program.type_name(class).replace('.', "/");
                (name, (class, file))
            })
        };
        Written {
            program,
            classes: files.iter().flat_map(of_file).collect(),
        }
    }

    /// False for what is known to stand in no text, and for what a logger is told.
    pub(super) fn has(&self, mutant: &Mutant) -> bool {
        if mutant.operator == Operator::VoidMethodCalls
            && LOGGERS.iter().any(|of| mutant.what.starts_with(of))
        {
            return false;
        }
        let Some(&(class, file)) = self.classes.get(&*mutant.class) else {
            return true;
        };
        // Compilers count those without a name.
        let decl = self.program.type_decl(class);
        let Some(decl) = decl.filter(|d| !d.name.is_empty()) else {
            return true;
        };
        match &*mutant.method {
            "<clinit>" => true,
            "<init>" => self.is_initialised(class, decl, file, mutant),
            // Lambdas, and what else javac names so.
            name if name.contains('$') => true,
            name => {
                let taken = parameters(&mutant.descriptor);
                let is_it = |m: &&MethodDecl| m.name == name && m.params.len() == taken;
                self.methods(class).any(|m| is_it(&m) && !m.implicit)
            }
        }
    }

    fn methods(&self, class: TypeId) -> impl Iterator<Item = &MethodDecl> {
        let all = self.program.methods_of_type(class).iter();
        all.filter_map(|m| self.program.method_decl(*m))
    }

    /// Of a constructor that is written, or where initialisers stand in one that is not.
    fn is_initialised(
        &self,
        class: TypeId,
        decl: &TypeDecl,
        file: FileId,
        mutant: &Mutant,
    ) -> bool {
        let mut constructors = self.methods(class).filter(|m| m.name == "<init>");
        if constructors.any(|m| !m.implicit) {
            return true;
        }
        if decl.kind == TypeDeclKind::Record {
            return false;
        }
        // A tool's stands at an annotation, or at the name.
        let is_added = self
            .methods(class)
            .any(|m| m.name == "<init>" && m.body.is_some());
        let lines = LineIndex::new(self.program.text(file).map_or("", |t| t));
        let line = |at: u32| lines.position(at, Encoding::Utf8).line + 1;
        !is_added || mutant.line > line(decl.name_span.start)
    }
}

/// How many parameters a descriptor has.
fn parameters(descriptor: &str) -> usize {
    let list = descriptor.trim_start_matches('(');
    let list = list.split_once(')').map_or("", |both| both.0);
    let (mut count, mut rest) = (0, list);
    while let Some(first) = rest.trim_start_matches('[').chars().next() {
        let at = rest.trim_start_matches('[');
        let end = match first {
            'L' => at.find(';').map_or(at.len(), |end| end + 1),
            _ => first.len_utf8(),
        };
        rest = &at[end..];
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::parameters;

    #[test]
    fn parameters_are_counted_by_descriptor() {
        for (descriptor, count) in [
            ("()V", 0),
            ("(I)V", 1),
            ("(Ljava/lang/String;[[IJ)I", 3),
            ("([Lown/A;[[DLown/B$C;)Lown/A;", 3),
        ] {
            assert_eq!(parameters(descriptor), count, "{descriptor}");
        }
    }
}
