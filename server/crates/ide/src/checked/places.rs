//! Lines while tests run, places in the code of members once they are kept: what moves the lines of a file, or formats it anew, does
//! not move them.

use crate::code::Code;
use evidence::Lines;
use program::{FileId, Program};
use rustc_hash::FxHashMap;
use slices::FileLines;
use smol_str::SmolStr;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use text::{LineIndex, LineSet};

/// Where the lines of a program's methods are.
#[derive(Clone, Debug)]
pub struct Places {
    /// By class, as a binary name. Of a class that is there twice nobody knows whose lines ran.
    files: FxHashMap<SmolStr, Option<FileId>>,
    members: FxHashMap<SmolStr, Option<Member>>,
    lines: FxHashMap<FileId, Arc<LinesOf>>,
}

/// The lines of a file.
#[derive(Debug)]
struct LinesOf {
    members: Vec<SmolStr>,
    /// Of each line the member that it is in, by its place in `members`, and how much of its code stands before; [`NOBODYS`] of
    /// one that is in none.
    places: Vec<(u32, u32)>,
}

/// The place of a line in no member.
const NOBODYS: (u32, u32) = (u32::MAX, 0);

impl LinesOf {
    fn at(&self, line: u32) -> Option<(&SmolStr, u32)> {
        let (member, before) = *self.places.get(line as usize)?;
        Some((self.members.get(member as usize)?, before))
    }
}

#[derive(Clone, Debug)]
struct Member {
    file: FileId,
    /// How much of its code stands before each line that has some, and the line; in order.
    lines: Arc<[(u32, u32)]>,
}

impl Places {
    /// Linear in the code.
    pub fn new(program: &Program) -> Places {
        let mut out = Places {
            files: FxHashMap::default(),
            members: FxHashMap::default(),
            lines: FxHashMap::default(),
        };
        for &file in program.files() {
            out.add(program, file, false);
        }
        out
    }

    /// `is_again`: its members are known, and are where they are now.
    fn add(&mut self, program: &Program, file: FileId, is_again: bool) {
        let Some(text) = program.text(file) else {
            return;
        };
        let index = LineIndex::new(text);
        let types = program.types_of_file(file);
        for &class in types {
            let known = self.files.entry(program.type_name(class).clone());
            known
                .and_modify(|of| {
                    if *of != Some(file) {
                        *of = None;
                    }
                })
                .or_insert(Some(file));
        }
        let methods = types.iter().flat_map(|t| program.methods_of_type(*t));
        let mut methods: Vec<_> = methods
            .filter_map(|m| {
                program.method_body(*m)?;
                Some((
                    SmolStr::new(program.method_name(*m)),
                    program.method_decl(*m)?.span,
                ))
            })
            .collect();
        // Those that stand in others last.
        methods.sort_by_key(|(_, span)| std::cmp::Reverse(span.len()));
        let mut of_file = LinesOf {
            members: Vec::with_capacity(methods.len()),
            places: vec![NOBODYS; index.line_count() as usize + 2],
        };
        for (name, span) in methods {
            let member = of_file.members.len() as u32;
            of_file.members.push(name.clone());
            let mut lines: Vec<(u32, u32)> = Vec::new();
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
                    if let Some(own) = of_file.places.get_mut(line as usize + 1) {
                        *own = (member, count);
                    }
                }
            }
            let lines = lines.into();
            match self.members.entry(name) {
                Entry::Vacant(new) => {
                    new.insert(Some(Member { file, lines }));
                }
                Entry::Occupied(mut of) if is_again => {
                    // Of two of one name nobody knows which is meant.
                    if let Some(of) = of.get_mut() {
                        of.lines = lines;
                    }
                }
                Entry::Occupied(mut of) => *of.get_mut() = None,
            }
        }
        self.lines.insert(file, Arc::new(of_file));
    }

    /// The same after edits within bodies of some files: linear in their code, and in the number of methods.
    pub(super) fn after(&self, program: &Program, changed: &[FileId]) -> Places {
        let mut out = self.clone();
        for &file in changed {
            out.add(program, file, true);
        }
        out
    }

    /// The file of a class.
    fn file(&self, class: &str) -> Option<FileId> {
        let top = || class.get(..class.get(1..)?.find('$')? + 1);
        let found = self.files.get(class).or_else(|| self.files.get(top()?));
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
            let Some(places) = self.lines.get(file) else {
                continue;
            };
            for line in lines.iter() {
                if let Some((member, at)) = places.at(line)
                    && matches!(self.members.get(member), Some(Some(_)))
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
        let known = self.members.get(member).and_then(Option::as_ref);
        let is_own = move |of: &Member, line: u32| {
            let place = self.lines.get(&of.file)?.at(line);
            Some(place?.0 == member)
        };
        known.into_iter().flat_map(move |of| {
            let lines = of.lines.iter().map(|(_, line)| *line);
            lines.filter(move |line| is_own(of, *line) == Some(true))
        })
    }

    /// The member that a line is in.
    pub(super) fn member_at(&self, file: FileId, line: u32) -> Option<&SmolStr> {
        let place = self.lines.get(&file)?.at(line)?;
        Some(place.0)
    }

    /// Where kept lines are today. Members that are gone are left out.
    pub(super) fn today(&self, lines: &Lines) -> FileLines {
        self.today_in(lines, |_| true)
    }

    /// The same, of some files alone.
    pub(super) fn today_in(&self, lines: &Lines, is_meant: impl Fn(FileId) -> bool) -> FileLines {
        let mut out = FileLines::default();
        for (member, at) in lines {
            let own = self.members.get(member).and_then(Option::as_ref);
            let Some(own) = own.filter(|own| is_meant(own.file)) else {
                continue;
            };
            let file = out.entry(own.file).or_default();
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
