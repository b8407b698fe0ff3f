//! What no test notices, as mutants told it, at the place where it stands.
//!
//! It holds while no file of the folder is another one: a test that was written since may notice. Then it is stale, as long as
//! its method is what it was, and offers nothing; then it is not there. Texts decide, so what is undone counts again.

use crate::analysis::Analysis;
use crate::change::SourceChange;
use program::{FileId, MethodId, Program};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use text::{Edit, Encoding, LineIndex, Position, Span};

/// How many are kept of a folder; those that were told first go first.
const MOST: usize = 1000;

/// A mutant that no test notices, or a method all of which can be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survivor {
    /// The file, from the root.
    pub path: String,
    /// `pkg.Class#method(int)`.
    pub method: String,
    /// Where it is, from 1.
    pub line: u32,
    /// The whole method can go.
    pub is_pseudo_tested: bool,
    /// What people read.
    pub message: String,
    /// What would have told it.
    pub cure: Option<Cure>,
}

/// An assertion that tells a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cure {
    /// ``Assert `cart.size()` is `1` in `CartTest.adds` ``
    pub title: String,
    /// The file of the test, from the root.
    pub path: String,
    /// From and to, and the new text. Lines and columns from 0, columns in UTF-16.
    pub edits: Vec<(Position, Position, String)>,
}

/// One that was told, with what it hangs on.
#[derive(Clone, Debug)]
struct Known {
    survivor: Survivor,
    /// All of the folder.
    code: Code,
    /// The text of its method; of the file where it is in none.
    own: Arc<str>,
    /// How many lines behind the first of that it is.
    below: u32,
}

/// What was told of a folder.
#[derive(Clone, Debug, Default)]
pub struct Survivors(Vec<Known>);

/// One of them in the text as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The line, or the name of the method.
    pub span: Span,
    /// The whole method can go.
    pub is_pseudo_tested: bool,
    /// What people read.
    pub message: String,
    /// Some file is another one by now.
    pub is_stale: bool,
    /// What puts the assertion there, with its title.
    pub cure: Option<(String, SourceChange)>,
}

impl Survivors {
    /// Takes what was told of some lines of a file, from 1, or of all of it, in place of what was told of them before. It was
    /// told of the code of this analysis.
    pub fn tell(
        &mut self,
        analysis: &Analysis,
        path: &str,
        lines: Option<(u32, u32)>,
        told: Vec<Survivor>,
    ) {
        let program = analysis.program();
        let is_asked = |known: &Known| {
            let line = program.file(path).and_then(|f| known.line(program, f));
            let asked =
                |line: u32| lines.is_none_or(|(from, to)| (from..=to).contains(&(line + 1)));
            known.survivor.path == path && line.is_none_or(asked)
        };
        self.0.retain(|known| !is_asked(known));
        let code = Code::of(program);
        self.0.extend(told.into_iter().filter_map(|survivor| {
            let file = program.file(&survivor.path)?;
            let (own, first) = place(program, file, &survivor.method)?;
            let below = survivor.line.checked_sub(first + 1)?;
            Some(Known {
                survivor,
                code: code.clone(),
                own: own.into(),
                below,
            })
        }));
        let gone = self.0.len().saturating_sub(MOST);
        self.0.drain(..gone);
    }

    /// What is to be shown of a file, methods that can go first.
    pub fn of(&self, analysis: &Analysis, file: FileId) -> Vec<Shown> {
        let program = analysis.program();
        let path = program.path(file).map_or("", |p| p);
        let mut own = self.0.iter().filter(|k| k.survivor.path == path).peekable();
        if own.peek().is_none() {
            return Vec::new();
        }
        // Most were told of the same code.
        let mut judged: Vec<(&Code, bool)> = Vec::new();
        let mut is_stale = |code| match judged.iter().find(|(known, _)| known.is_one_with(code)) {
            Some((_, is_stale)) => *is_stale,
            None => {
                let is_stale = !code.is_that_of(program);
                judged.push((code, is_stale));
                is_stale
            }
        };
        let lines = LineIndex::new(program.text(file).map_or("", |t| t));
        let mut out: Vec<Shown> = own
            .filter_map(|known| known.shown(program, file, &lines, is_stale(&known.code)))
            .collect();
        out.sort_by_key(|s| (!s.is_pseudo_tested, s.span.start));
        out
    }
}

impl Known {
    /// Its line now, from 0, if its method is what it was.
    fn line(&self, program: &Program, file: FileId) -> Option<u32> {
        let (own, first) = place(program, file, &self.survivor.method)?;
        (*own == *self.own).then_some(first + self.below)
    }

    fn shown(
        &self,
        program: &Program,
        file: FileId,
        lines: &LineIndex,
        is_stale: bool,
    ) -> Option<Shown> {
        let line = self.line(program, file)?;
        let survivor = &self.survivor;
        let name = || {
            let method = method(program, file, &survivor.method)?;
            Some(program.method_decl(method)?.name_span)
        };
        let name = survivor.is_pseudo_tested.then(name).flatten();
        let whole = lines.line(line)?;
        let text = program.text(file)?.get(whole.range())?;
        let start = whole.start + (text.len() - text.trim_start().len()) as u32;
        let span = Span::new(start, start + text.trim().len() as u32);
        let cure = survivor.cure.as_ref().filter(|_| !is_stale);
        Some(Shown {
            span: name.unwrap_or(span),
            is_pseudo_tested: survivor.is_pseudo_tested,
            message: match is_stale {
                true => format!(
                    "Found with other code, ask again to know: {}",
                    survivor.message
                ),
                false => survivor.message.clone(),
            },
            is_stale,
            cure: cure.and_then(|c| Some((c.title.clone(), c.change(program)?))),
        })
    }
}

impl Cure {
    fn change(&self, program: &Program) -> Option<SourceChange> {
        let file = program.file(&self.path)?;
        let lines = LineIndex::new(program.text(file)?);
        let offset = |at: Position| lines.try_offset(at, Encoding::Utf16);
        let edit = |(from, to, text): &(Position, Position, String)| {
            Some(Edit::new(
                Span::new(offset(*from)?, offset(*to)?),
                text.clone(),
            ))
        };
        let edits: Option<Vec<Edit>> = self.edits.iter().map(edit).collect();
        Some(SourceChange::of(file, edits?))
    }
}

fn method(program: &Program, file: FileId, name: &str) -> Option<MethodId> {
    let types = program.types_of_file(file).iter();
    let mut all = types.flat_map(|t| program.methods_of_type(*t)).copied();
    all.find(|m| program.method_name(*m) == name)
}

/// The text of a method and its first line, from 0; the file where it has none of that name.
fn place<'p>(program: &'p Program, file: FileId, name: &str) -> Option<(&'p str, u32)> {
    let text = program.text(file)?;
    let Some(decl) = method(program, file, name).and_then(|m| program.method_decl(m)) else {
        return Some((text, 0));
    };
    let first = LineIndex::new(text).position(decl.span.start, Encoding::Utf8);
    Some((text.get(decl.span.range())?, first.line))
}

/// All texts of a folder, by path. Those that nobody changed are the same in memory, so that a keystroke compares one.
#[derive(Clone, Debug)]
struct Code(Arc<FxHashMap<Arc<str>, Arc<str>>>);

impl Code {
    fn of(program: &Program) -> Code {
        let texts = program.files().iter().filter_map(|file| {
            let (path, text) = (program.path(*file)?, program.text(*file)?);
            Some((Arc::clone(path), Arc::clone(text)))
        });
        Code(Arc::new(texts.collect()))
    }

    fn is_one_with(&self, other: &Code) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// True if no file is another one.
    fn is_that_of(&self, program: &Program) -> bool {
        let is_known = |file: &FileId| {
            let (Some(path), Some(text)) = (program.path(*file), program.text(*file)) else {
                return false;
            };
            let known = self.0.get(path);
            known.is_some_and(|known| Arc::ptr_eq(known, text) || known == text)
        };
        program.files().len() == self.0.len() && program.files().iter().all(is_known)
    }
}
