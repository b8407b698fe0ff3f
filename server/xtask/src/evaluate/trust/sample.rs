//! Tests drawn by chance, for people to read: one file each, with what the test is told.
//!
//! What was drawn is remembered in `DIR/drawn.txt` beside the clones, so that nobody reads a test twice. The same seed and
//! the same memory give the same tests.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ide::Analysis;
use text::apply_one;

use super::code;
use super::said::Said;
use crate::Result;
use crate::evaluate::chance::Chance;

/// The readers' words for a test.
const VERDICTS: &str =
    "real gap / plausible / true but useless / silly / wrong / quiet rightly / quiet but a gap";

/// Tests that were drawn before, by project and name.
pub(super) struct Drawn(BTreeSet<String>);

impl Drawn {
    pub(super) fn read(directory: &Path) -> Drawn {
        let text = fs::read_to_string(directory.join("drawn.txt")).unwrap_or_default();
        Drawn(text.lines().map(str::to_owned).collect())
    }

    pub(super) fn write(&self, directory: &Path) -> Result<()> {
        let path = directory.join("drawn.txt");
        let lines: Vec<&str> = self.0.iter().map(String::as_str).collect();
        fs::write(&path, lines.join("\n"))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

/// Draws tests of a project and writes a page of each.
pub(super) fn draw(
    project: &str,
    analysis: &Analysis,
    said: &[&Said],
    count: usize,
    chance: &mut Chance,
    drawn: &mut Drawn,
    out: &Path,
) -> Result<usize> {
    let program = analysis.program();
    let key = |s: &Said| format!("{project} {}", program.method_name(s.test));
    let fresh = said.iter().copied();
    let fresh: Vec<&Said> = fresh.filter(|s| !drawn.0.contains(&key(s))).collect();
    let mut pages = Vec::new();
    for at in chance.draw(count, fresh.len()) {
        drawn.0.insert(key(fresh[at]));
        pages.push(page(project, analysis, fresh[at]));
    }
    fs::create_dir_all(out).map_err(|error| format!("cannot create {}: {error}", out.display()))?;
    for (at, page) in pages.iter().enumerate() {
        let path = out.join(format!("{project}-{:02}.md", at + 1));
        fs::write(&path, page)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(pages.len())
}

fn page(project: &str, analysis: &Analysis, said: &Said) -> String {
    let program = analysis.program();
    let path = program.path(said.file).map_or("", |p| p);
    let mut out = String::new();
    let mut line = |text: &str| {
        let _ = writeln!(out, "{text}");
    };
    line(&format!("# {project} {path}:{}", said.line));
    line(&format!(
        "lens: {}",
        said.lens.as_deref().unwrap_or("(none)")
    ));
    match said
        .action
        .as_ref()
        .and_then(|first| inserted(program.text(said.file)?, &first.edit))
    {
        Some(text) => line(&format!("first action: `{text}`")),
        None => line("first action: (none)"),
    }
    line("readable:");
    for r in said.offered.readable.iter().take(3) {
        line(&format!("- `{}` ({})", r.expression, r.ty));
    }
    line("inside:");
    for i in said.offered.inside.iter().take(3) {
        line(&format!("- {}", i.name));
    }
    line("\n```java");
    line(&code::source(program, said.test));
    line("```\n");
    let before = code::set_up_text(analysis, said.test);
    if !before.is_empty() {
        line("Around it (fields, set-up, tear-down):\n\n```java");
        before.iter().for_each(|text| line(text));
        line("```\n");
    }
    line(&format!("verdict ({VERDICTS}):"));
    line("why:");
    out
}

/// The line or lines that differ after an edit, without space around.
fn inserted(text: &str, edit: &text::Edit) -> Option<String> {
    let mut new = text.to_owned();
    if !apply_one(&mut new, edit) {
        return None;
    }
    let start = edit.span.start as usize;
    let from = new[..start].rfind('\n').map_or(0, |n| n + 1);
    let end = start + edit.text.trim_end().len();
    let to = new[end..].find('\n').map_or(new.len(), |n| end + n);
    Some(new[from..to].trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_what_is_drawn_and_nothing_is_drawn_twice() {
        let draw = |seed| Chance::new(seed).draw(5, 20);
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        let mut all = draw(7);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 5);
        assert_eq!(Chance::new(1).draw(9, 3).len(), 3);
    }
}
