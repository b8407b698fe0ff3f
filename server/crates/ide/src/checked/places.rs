//! Lines while tests run, places in the code of members once they are kept: what moves the lines of a file, or formats it anew, does
//! not move them.

use crate::code::Code;
use evidence::Lines;
use program::{FileId, MethodId, Program};
use rustc_hash::FxHashMap;
use slices::FileLines;
use smol_str::SmolStr;
use std::sync::Arc;
use text::{LineIndex, LineSet, Span};

/// Where the lines of a program's methods are.
#[derive(Clone, Debug)]
pub struct Places {
    /// What edits within bodies leave as it is.
    names: Arc<Names>,
    files: FxHashMap<FileId, Arc<LinesOf>>,
}

#[derive(Debug, Default)]
struct Names {
    /// By class, as a binary name. Of a class that is there twice nobody knows whose lines ran.
    files: FxHashMap<SmolStr, Option<FileId>>,
    /// The file of a member, and its place there; none if there are two of one name.
    members: FxHashMap<SmolStr, Option<(FileId, u32)>>,
}

/// The lines of a file.
#[derive(Debug)]
struct LinesOf {
    /// As they are declared.
    members: Vec<Member>,
    /// Of each line the member that it is in, by its place in `members`, and how much of its code stands before; [`NOBODYS`] of
    /// one that is in none.
    places: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct Member {
    name: SmolStr,
    /// How much of its code stands before each line that has some, and the line; in order.
    lines: Vec<(u32, u32)>,
}

/// The place of a line in no member.
const NOBODYS: (u32, u32) = (u32::MAX, 0);

impl LinesOf {
    /// Linear in the code of the file.
    fn new(program: &Program, file: FileId) -> Option<LinesOf> {
        let text = program.text(file)?;
        let index = LineIndex::new(text);
        let types = program.types_of_file(file).iter();
        let methods = types.flat_map(|t| program.methods_of_type(*t));
        let methods: Vec<(MethodId, Span)> = methods
            .filter_map(|m| {
                program.method_body(*m)?;
                Some((*m, program.method_decl(*m)?.span))
            })
            .collect();
        // Those that stand in others last.
        let mut order: Vec<usize> = (0..methods.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(methods[*at].1.len()));
        let mut lines: Vec<Vec<(u32, u32)>> = vec![Vec::new(); methods.len()];
        let mut places = vec![NOBODYS; index.line_count() as usize + 2];
        for member in order {
            let (lines, span) = (&mut lines[member], methods[member].1);
            let mut line = index.position(span.start, text::Encoding::Utf8).line;
            let code = Code::new(text, span.start as usize, span.end as usize);
            for (count, (at, _)) in (0u32..).zip(code) {
                while index
                    .line(line + 1)
                    .is_some_and(|next| next.start as usize <= at)
                {
                    line += 1;
                }
                if lines.last().is_none_or(|last| last.1 != line + 1) {
                    lines.push((count, line + 1));
                    if let Some(own) = places.get_mut(line as usize + 1) {
                        *own = (member as u32, count);
                    }
                }
            }
            lines.shrink_to_fit();
        }
        let named = methods.iter().zip(lines).map(|((m, _), lines)| Member {
            name: SmolStr::new(program.method_name(*m)),
            lines,
        });
        Some(LinesOf {
            members: named.collect(),
            places,
        })
    }

    fn at(&self, line: u32) -> Option<(&SmolStr, u32)> {
        let (member, before) = *self.places.get(line as usize)?;
        Some((&self.members.get(member as usize)?.name, before))
    }

    fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.members.iter().map(|m| &m.name)
    }
}

impl Places {
    /// Linear in the code.
    pub fn new(program: &Program) -> Places {
        let (mut names, mut files) = (Names::default(), FxHashMap::default());
        for &file in program.files() {
            if let Some(lines) = LinesOf::new(program, file) {
                names.add(program, file, &lines);
                files.insert(file, Arc::new(lines));
            }
        }
        Places {
            names: Arc::new(names),
            files,
        }
    }

    /// The same after edits within bodies of some files: linear in their code.
    pub(super) fn after(&self, program: &Program, changed: &[FileId]) -> Places {
        let mut out = self.clone();
        for &file in changed {
            let (old, new) = (self.files.get(&file), LinesOf::new(program, file));
            match (old, new) {
                (Some(old), Some(new)) if old.names().eq(new.names()) => {
                    out.files.insert(file, Arc::new(new));
                }
                (None, None) => {}
                _ => return Places::new(program),
            }
        }
        out
    }

    /// The lines of a member, and its file.
    fn member(&self, name: &str) -> Option<(FileId, &Member)> {
        let (file, at) = (*self.names.members.get(name)?)?;
        Some((file, self.files.get(&file)?.members.get(at as usize)?))
    }

    /// The file of a class.
    fn file(&self, class: &str) -> Option<FileId> {
        let top = || class.get(..class.get(1..)?.find('$')? + 1);
        let files = &self.names.files;
        let found = files.get(class).or_else(|| files.get(top()?));
        found.copied().flatten()
    }

    /// As they are kept. Lines outside of methods are left out.
    pub fn keep<'a>(&self, lines: impl Iterator<Item = (&'a str, &'a LineSet)>) -> Lines {
        let mut of_file: FxHashMap<FileId, LineSet> = FxHashMap::default();
        for (class, lines) in lines {
            if let Some(file) = self.file(class) {
                of_file.entry(file).or_default().extend(lines);
            }
        }
        let mut of_member: FxHashMap<&SmolStr, Vec<u32>> = FxHashMap::default();
        let mut of_file: Vec<(FileId, LineSet)> = of_file.into_iter().collect();
        of_file.sort_unstable_by_key(|(file, _)| *file);
        for (file, lines) in &of_file {
            let Some(places) = self.files.get(file) else {
                continue;
            };
            for line in lines.iter() {
                if let Some((member, at)) = places.at(line)
                    && matches!(self.names.members.get(member), Some(Some(_)))
                {
                    of_member.entry(member).or_default().push(at);
                }
            }
        }
        let mut out: Lines = of_member
            .into_iter()
            .map(|(m, at)| (m.clone(), at))
            .collect();
        out.iter_mut().for_each(|(_, at)| at.sort_unstable());
        out.sort();
        out
    }

    /// The lines of a member today, without those of members inside of it.
    pub(super) fn lines_of<'a>(&'a self, member: &'a str) -> impl Iterator<Item = u32> + 'a {
        self.member(member).into_iter().flat_map(move |(file, of)| {
            let lines = of.lines.iter().map(|(_, line)| *line);
            lines.filter(move |line| self.member_at(file, *line).is_some_and(|m| m == member))
        })
    }

    /// The member that a line is in.
    pub(super) fn member_at(&self, file: FileId, line: u32) -> Option<&SmolStr> {
        Some(self.files.get(&file)?.at(line)?.0)
    }

    /// The file of a member that there is once.
    pub(super) fn file_of(&self, member: &str) -> Option<FileId> {
        self.member(member).map(|(file, _)| file)
    }

    /// Where kept lines are today. Members that are gone are left out.
    pub(super) fn today(&self, lines: &Lines) -> FileLines {
        let mut out = FileLines::default();
        for (member, at) in lines {
            let Some((file, own)) = self.member(member) else {
                continue;
            };
            let file = out.entry(file).or_default();
            for at in at {
                let next = own.lines.partition_point(|(before, _)| before <= at);
                if let Some((_, line)) = next.checked_sub(1).and_then(|i| own.lines.get(i)) {
                    file.insert(*line);
                }
            }
        }
        out
    }
}

impl Names {
    fn add(&mut self, program: &Program, file: FileId, lines: &LinesOf) {
        for &class in program.types_of_file(file) {
            let known = self.files.entry(program.type_name(class).clone());
            known
                .and_modify(|of| {
                    if *of != Some(file) {
                        *of = None;
                    }
                })
                .or_insert(Some(file));
        }
        for (at, name) in (0u32..).zip(lines.names()) {
            let known = self.members.entry(name.clone());
            known
                .and_modify(|of| *of = None)
                .or_insert(Some((file, at)));
        }
    }
}
