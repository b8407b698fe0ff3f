//! Lines while tests run, places in the code of members once they are kept: what moves the lines of a file, or formats it anew, does
//! not move them.

use crate::code::Code;
use evidence::Lines;
use program::{FileId, Program};
use rustc_hash::FxHashMap;
use slices::FileLines;
use smol_str::SmolStr;
use std::sync::{Arc, LazyLock};
use text::{LineIndex, LineSet, Span};

/// Where the lines of a program's methods are.
#[derive(Clone, Debug)]
pub struct Places {
    /// What edits within bodies leave as it is.
    names: Arc<Names>,
    /// As they were when these were first found.
    files: Arc<FxHashMap<FileId, Arc<LinesOf>>>,
    /// Of files that were edited since.
    edited: FxHashMap<FileId, Arc<LinesOf>>,
}

#[derive(Debug, Default)]
struct Names {
    /// By class, as a binary name. Of a class that is there twice nobody knows whose lines ran.
    files: FxHashMap<SmolStr, Option<FileId>>,
    /// The file of a member, and its place there; none if there are two of one name.
    members: FxHashMap<SmolStr, Option<(FileId, u32)>>,
}

/// The lines of a file. Where they are is found when somebody asks: after most keystrokes nobody does.
#[derive(Debug)]
struct LinesOf {
    /// The names of its members, as they are declared.
    names: Vec<SmolStr>,
    found: LazyLock<Found, Box<dyn FnOnce() -> Found + Send>>,
}

#[derive(Debug)]
struct Found {
    /// By member, as in `names`: how much of its code stands before each line that has some, and the line; in order.
    members: Vec<Vec<(u32, u32)>>,
    /// Of each line the member that it is in, by its place in `members`; [`NOBODYS`] of one that is in none.
    places: Vec<u32>,
}

/// The member of a line that is in none.
const NOBODYS: u32 = u32::MAX;

/// What is kept of the members of one file: their places there, and places in their code.
pub(super) type OfMembers = Vec<(u32, Vec<u32>)>;

impl LinesOf {
    /// Linear in the members of the file; what is found when somebody asks, in its code.
    fn new(program: &Program, file: FileId) -> Option<LinesOf> {
        let text = Arc::clone(program.text(file)?);
        let types = program.types_of_file(file).iter();
        let methods = types.flat_map(|t| program.methods_of_type(*t));
        let (names, spans): (Vec<SmolStr>, Vec<Span>) = methods
            .filter_map(|m| {
                program.method_body(*m)?;
                let span = program.method_decl(*m)?.span;
                Some((SmolStr::new(program.method_name(*m)), span))
            })
            .unzip();
        Some(LinesOf {
            names,
            found: LazyLock::new(Box::new(move || Found::new(&text, &spans))),
        })
    }

    fn at(&self, line: u32) -> Option<(&SmolStr, u32)> {
        let member = *self.found.places.get(line as usize)? as usize;
        let own = self.found.members.get(member)?;
        let at = own.binary_search_by_key(&line, |(_, line)| *line).ok()?;
        Some((self.names.get(member)?, own[at].0))
    }

    /// Where kept lines of its members are today.
    fn today<'a>(&'a self, of: &'a OfMembers) -> impl Iterator<Item = u32> + 'a {
        of.iter().flat_map(|(member, at)| {
            let own = self.found.members.get(*member as usize);
            let own = own.map_or(&[][..], |own| own);
            at.iter().filter_map(|at| {
                let next = own.partition_point(|(before, _)| before <= at);
                Some(own.get(next.checked_sub(1)?)?.1)
            })
        })
    }
}

impl Found {
    fn new(text: &str, methods: &[Span]) -> Found {
        let index = LineIndex::new(text);
        // Those that stand in others last.
        let mut order: Vec<usize> = (0..methods.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(methods[*at].len()));
        let mut members: Vec<Vec<(u32, u32)>> = vec![Vec::new(); methods.len()];
        let mut places = vec![NOBODYS; index.line_count() as usize + 2];
        for member in order {
            let (lines, span) = (&mut members[member], methods[member]);
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
                        *own = member as u32;
                    }
                }
            }
            lines.shrink_to_fit();
        }
        Found { members, places }
    }
}

/// Where the lines of one file are.
#[derive(Debug)]
pub(super) struct PlacesIn {
    file: FileId,
    names: Arc<Names>,
    lines: Arc<LinesOf>,
}

impl PlacesIn {
    pub(super) fn file(&self) -> FileId {
        self.file
    }

    /// What is kept of its members, but for those that there are twice.
    pub(super) fn members(&self, kept: impl Fn(&SmolStr) -> Option<Vec<u32>>) -> OfMembers {
        let named = (0u32..).zip(&self.lines.names);
        let own = named.filter(|(at, name)| {
            let known = self.names.members.get(*name);
            known == Some(&Some((self.file, *at)))
        });
        own.filter_map(|(at, name)| Some((at, kept(name)?)))
            .collect()
    }

    /// Where kept lines of its members are today.
    pub(super) fn today<'a>(&'a self, of: &'a OfMembers) -> impl Iterator<Item = u32> + 'a {
        self.lines.today(of)
    }
}

impl Places {
    /// Linear in the code.
    pub fn new(program: &Program) -> Places {
        let (mut names, mut files) = (Names::default(), FxHashMap::default());
        for &file in program.files() {
            if let Some(lines) = LinesOf::new(program, file) {
                names.add(program, file, &lines);
                // Else it keeps the text, also of a file that is edited later.
                LazyLock::force(&lines.found);
                files.insert(file, Arc::new(lines));
            }
        }
        Places {
            names: Arc::new(names),
            files: Arc::new(files),
            edited: FxHashMap::default(),
        }
    }

    /// The same after edits within bodies of some files: linear in their members, and in all files that were edited.
    pub(super) fn after(&self, program: &Program, changed: &[FileId]) -> Places {
        let mut out = self.clone();
        for &file in changed {
            let (old, new) = (self.lines_in(file), LinesOf::new(program, file));
            match (old, new) {
                (Some(old), Some(new)) if old.names == new.names => {
                    out.edited.insert(file, Arc::new(new));
                }
                (None, None) => {}
                _ => return Places::new(program),
            }
        }
        out
    }

    fn lines_in(&self, file: FileId) -> Option<&Arc<LinesOf>> {
        self.edited.get(&file).or_else(|| self.files.get(&file))
    }

    /// True if members have the same numbers in both.
    pub(super) fn has_members_of(&self, other: &Places) -> bool {
        Arc::ptr_eq(&self.names, &other.names)
    }

    /// Where the lines of one file are.
    pub(super) fn within(&self, file: FileId) -> Option<PlacesIn> {
        Some(PlacesIn {
            file,
            names: Arc::clone(&self.names),
            lines: Arc::clone(self.lines_in(file)?),
        })
    }

    /// The lines of a member with what stands before each, and its file.
    fn member(&self, name: &str) -> Option<(FileId, &[(u32, u32)])> {
        let (file, at) = (*self.names.members.get(name)?)?;
        let own = self.lines_in(file)?.found.members.get(at as usize)?;
        Some((file, own))
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
            let Some(places) = self.lines_in(*file) else {
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
            let lines = of.iter().map(|(_, line)| *line);
            lines.filter(move |line| self.member_at(file, *line).is_some_and(|m| m == member))
        })
    }

    /// The member that a line is in.
    pub(super) fn member_at(&self, file: FileId, line: u32) -> Option<&SmolStr> {
        Some(self.lines_in(file)?.at(line)?.0)
    }

    /// Kept lines by file. Members that are gone are left out.
    pub(super) fn by_file(&self, lines: &Lines) -> FxHashMap<FileId, OfMembers> {
        let mut out: FxHashMap<FileId, OfMembers> = FxHashMap::default();
        for (name, at) in lines {
            if let Some((file, member)) = self.names.members.get(name).copied().flatten() {
                out.entry(file).or_default().push((member, at.clone()));
            }
        }
        out
    }

    /// Where lines of one file are today.
    pub(super) fn today_in<'a>(
        &'a self,
        file: FileId,
        of: &'a OfMembers,
    ) -> impl Iterator<Item = u32> + 'a {
        let lines = self.lines_in(file).into_iter();
        lines.flat_map(|lines| lines.today(of))
    }

    /// Where kept lines are today. Members that are gone are left out.
    pub(super) fn today(&self, lines: &Lines) -> FileLines {
        let by_file = self.by_file(lines).into_iter();
        by_file
            .map(|(file, of)| (file, self.today_in(file, &of).collect()))
            .collect()
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
        for (at, name) in (0u32..).zip(&lines.names) {
            let known = self.members.entry(name.clone());
            known
                .and_modify(|of| *of = None)
                .or_insert(Some((file, at)));
        }
    }
}
