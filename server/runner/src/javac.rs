//! Compiling woven sources with the JDK's own compiler, against the classes that the build made.

mod module;

use crate::Warm;
use crate::jdk::{knows_release, tool_of};
use crate::lombok::{beside, is_lombok};
use crate::process::{Bounds, Ended, run};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What is compiled at once.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    /// The files.
    pub files: &'a [PathBuf],
    /// What they may use.
    pub class_path: &'a [PathBuf],
    /// Where the classes go.
    pub out: &'a Path,
    /// A class file of them as the build made it: tells the version and what else the build asked for.
    pub like: Option<&'a Path>,
    /// The release for which the build compiles by `--release`, as far as its files say so. It counts where the class file is of
    /// that version.
    pub release: Option<u16>,
    /// The agent's jar and a compiler that is kept, to be asked first where no processor of annotations runs.
    pub warm: Option<(&'a Path, &'a Warm)>,
    /// The JDK whose compiler it is; that of the environment if there is none.
    pub jdk: Option<&'a Path>,
}

/// What the compiler said of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

/// How a compilation went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compiled {
    /// All of it.
    Done,
    /// Nothing was written, because of these.
    Refused(Vec<Problem>),
    /// It did not run to its end: what it said last.
    Failed(String),
}

/// Of few files it ends before a second compiler of the JVM is worth its work.
const FEW: usize = 20;
const QUICK: [&str; 2] = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"];

/// Longer than any test folder takes.
const LONGEST: Duration = Duration::from_secs(600);

/// Compiles.
///
/// # Errors
/// If there is no compiler, or its arguments cannot be written.
pub fn compile(sources: &Sources<'_>, wanted: &dyn Fn() -> bool) -> std::io::Result<Compiled> {
    std::fs::create_dir_all(sources.out)?;
    let mut arguments: Vec<OsString> = [
        "-g",
        "-nowarn",
        "-Xlint:-options",
        "-encoding",
        "UTF-8",
        "-implicit:none",
    ]
    .map(OsString::from)
    .into();
    arguments.extend(["-Xmaxerrs".into(), "100000".into()]);
    let like = sources.like.and_then(|f| std::fs::read(f).ok());
    if let Some(class) = like.as_deref().and_then(ClassFile::of) {
        let release = sources.release.filter(|_| knows_release(sources.jdk));
        arguments.extend(class.options(release));
    }
    // Lombok changes what the code is. Others write files, which are there, and refuse to write them again.
    let own = sources.class_path.iter().filter(|p| is_lombok(p)).cloned();
    let mut lombok: Vec<PathBuf> = own.collect();
    if lombok.is_empty() {
        lombok.extend(beside(sources.files, sources.class_path));
    }
    let uses_processor = !lombok.is_empty();
    let all = sources.class_path.iter().chain(&lombok);
    let class_path = std::env::join_paths(all).unwrap_or_default();
    match uses_processor {
        true => {
            let path = std::env::join_paths(lombok).unwrap_or_default();
            arguments.extend(["-processorpath".into(), path]);
        }
        false => arguments.push("-proc:none".into()),
    }
    arguments.extend(["-d".into(), sources.out.into(), "-cp".into(), class_path]);
    let warm = sources.warm.filter(|_| !uses_processor);
    let compiled = once(sources, &arguments, warm, wanted)?;
    // A hierarchy that is sealed over packages is one within a module alone.
    let is_sealed = |p: &Problem| {
        p.message
            .contains("in unnamed module cannot extend a sealed class")
    };
    if let Compiled::Refused(problems) = &compiled
        && problems.iter().any(is_sealed)
        && let Some(options) = module::options(sources)
    {
        arguments.extend(options);
        let again = once(sources, &arguments, warm, wanted)?;
        if again == Compiled::Done {
            return Ok(again);
        }
    }
    Ok(compiled)
}

/// Compiles with these arguments and the files.
fn once(
    sources: &Sources<'_>,
    arguments: &[OsString],
    warm: Option<(&Path, &Warm)>,
    wanted: &dyn Fn() -> bool,
) -> std::io::Result<Compiled> {
    // A class path is longer than command lines may be.
    let list = sources.out.with_extension("args");
    let files = sources.files.iter().map(|f| f.as_os_str());
    let all = arguments.iter().map(OsString::as_os_str).chain(files);
    let quoted = all.map(|a| {
        let text = a
            .to_string_lossy()
            .replace('\\', "\\\\")
            .replace('"', "\\\"");
        format!("\"{text}\"\n")
    });
    std::fs::write(&list, quoted.collect::<String>())?;
    let mut problems = Vec::new();
    let mut last = String::new();
    let mut hear = |line: &str| {
        problems.extend(problem(line));
        name_symbol(&mut problems, line);
        if !line.is_empty() {
            line.clone_into(&mut last);
        }
    };
    let mut done =
        warm.and_then(|(jar, warm)| warm.compile(sources.jdk, jar, &list, wanted, &mut hear));
    if done.is_none() && wanted() {
        done = cold(sources, &list, wanted, &mut hear)?;
    }
    Ok(match done {
        Some(true) => Compiled::Done,
        Some(false) if !problems.is_empty() => Compiled::Refused(problems),
        None if !wanted() => Compiled::Failed("it was given up".to_owned()),
        _ => Compiled::Failed(last),
    })
}

/// The same by a compiler of its own. Nothing if it came to no end.
fn cold(
    sources: &Sources<'_>,
    list: &Path,
    wanted: &dyn Fn() -> bool,
    hear: &mut dyn FnMut(&str),
) -> std::io::Result<Option<bool>> {
    let mut command = Command::new(tool_of(sources.jdk, "javac"));
    command.arg(format!("@{}", list.display()));
    // Its messages are read; in the plain locale `C` it finds no file whose path is not ASCII.
    command
        .env("LC_ALL", "C.UTF-8")
        .env_remove("JAVA_TOOL_OPTIONS");
    command.args(["-J-Duser.language=en"]);
    if sources.files.len() <= FEW {
        command.args(QUICK);
    }
    let bounds = Bounds {
        wanted,
        timeout: Some(LONGEST),
        tick: &mut || {},
    };
    Ok(match run(command, bounds, hear)? {
        Ended::Exit(status) => Some(status.success()),
        Ended::Cancelled | Ended::TimedOut => None,
    })
}

/// `src/A.java:3: error: ';' expected`
fn problem(line: &str) -> Option<Problem> {
    let (place, message) = line.split_once(": error: ")?;
    let (file, number) = place.rsplit_once(':')?;
    Some(Problem {
        file: file.into(),
        line: number.parse().ok()?,
        message: brief(message),
    })
}

/// What a build tool passes on of its compiler: as that says it, or as Maven does,
/// `[ERROR] /src/A.java:[3,5] ';' expected`.
pub fn passed_on(line: &str) -> Option<Problem> {
    let line = line.trim_start();
    let Some(rest) = line.strip_prefix("[ERROR] ") else {
        return problem(line.strip_prefix("[javac] ").unwrap_or(line))
            .filter(|p| p.file.extension().is_some_and(|x| x == "java"));
    };
    let (file, rest) = rest.split_once(".java:[")?;
    let (place, message) = rest.split_once("] ")?;
    Some(Problem {
        file: format!("{file}.java").into(),
        line: place.split(',').next()?.parse().ok()?,
        message: brief(message),
    })
}

/// Adds to the last problem, `cannot find symbol`, which one: a compiler says so a line or two below.
pub fn name_symbol(problems: &mut [Problem], line: &str) {
    let line = line.trim_start();
    let line = line.strip_prefix("[ERROR]").unwrap_or(line).trim_start();
    if let (Some(symbol), Some(last)) = (line.strip_prefix("symbol:"), problems.last_mut())
        && last.message == NO_SYMBOL
    {
        let words: Vec<&str> = symbol.split_whitespace().collect();
        last.message = format!("{NO_SYMBOL}: {}", words.join(" "));
    }
}

const NO_SYMBOL: &str = "cannot find symbol";

/// A processor of annotations that fails says where in itself, call by call.
fn brief(message: &str) -> String {
    const LONG: usize = 200;
    match message.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

/// What the head of a class file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClassFile {
    major: u16,
    is_preview: bool,
    has_parameters: bool,
}

impl ClassFile {
    fn of(bytes: &[u8]) -> Option<ClassFile> {
        let number = |at: usize| Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
        if bytes.get(..4)? != [0xca, 0xfe, 0xba, 0xbe] {
            return None;
        }
        let name = b"MethodParameters";
        Some(ClassFile {
            major: number(6)?,
            is_preview: number(4)? == 0xffff,
            has_parameters: bytes.windows(name.len()).any(|w| w == name),
        })
    }

    /// What the compiler is told to make such a class again, by a build that asked for this release.
    fn options(self, release: Option<u16>) -> Vec<OsString> {
        let mut out: Vec<OsString> = Vec::new();
        // Older ones are refused by today's compilers.
        if let Some(version) = self.major.checked_sub(44).filter(|v| *v >= 8) {
            let text = version.to_string();
            match release == Some(version) {
                // What a newer JDK has more is not there then: a call of an older name means what it means to the build.
                true => out.extend(["--release", &text].map(OsString::from)),
                false => out.extend(["-source", &text, "-target", &text].map(OsString::from)),
            }
        }
        if self.is_preview {
            out.push("--enable-preview".into());
        }
        if self.has_parameters {
            out.push("-parameters".into());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_asked_for_where_the_build_made_such_a_class() {
        let options = |major: u16, release: Option<u16>| {
            let class = ClassFile {
                major,
                is_preview: false,
                has_parameters: true,
            };
            let all = class.options(release).into_iter();
            let all = all.map(|o| o.to_string_lossy().into_owned());
            all.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(options(52, None), "-source 8 -target 8 -parameters");
        assert_eq!(options(52, Some(8)), "--release 8 -parameters");
        assert_eq!(options(52, Some(11)), "-source 8 -target 8 -parameters");
        assert_eq!(options(50, Some(6)), "-parameters");
    }

    /// `ByteBuffer.flip` gives another type since 9, which is in the class that is made.
    #[test]
    fn of_a_release_only_what_it_has_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("A.java");
        let calls = "class A { void a(java.nio.ByteBuffer b) { b.flip(); } }";
        let newer = "class A { Object a() { return java.util.List.of(); } }";
        let like = folder.path().join("like");
        let of_8 = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
        std::fs::write(&like, of_8).expect("it is written");
        let out = folder.path().join("out");
        let compiled = |text: &str, release| {
            std::fs::write(&file, text).expect("it is written");
            let sources = Sources {
                files: std::slice::from_ref(&file),
                class_path: &[],
                out: &out,
                like: Some(&like),
                release,
                warm: None,
                jdk: None,
            };
            compile(&sources, &|| true)
        };
        if !knows_release(None) || compiled(newer, None).is_err() {
            return;
        }
        let gives = |release| {
            assert!(matches!(compiled(calls, release), Ok(Compiled::Done)));
            let class = std::fs::read(out.join("A.class")).expect("a class");
            String::from_utf8_lossy(&class).contains("()Ljava/nio/Buffer;")
        };
        assert!(!gives(None) && gives(Some(8)));
        let refused = compiled(newer, Some(8));
        assert!(matches!(refused, Ok(Compiled::Refused(_))), "{refused:?}");
    }

    #[test]
    fn what_the_compiler_says_is_read() {
        let found = problem("/a b/src/A.java:31: error: unreachable statement");
        let found = found.map(|p| (p.file, p.line, p.message));
        let expected = (
            "/a b/src/A.java".into(),
            31,
            "unreachable statement".to_owned(),
        );
        assert_eq!(found, Some(expected));
        let told = |line: &str| {
            passed_on(line).map(|p| format!("{}:{} {}", p.file.display(), p.line, p.message))
        };
        let said = "/a b/src/A.java:31 cannot find symbol";
        for line in [
            "[ERROR] /a b/src/A.java:[31,5] cannot find symbol",
            "    [javac] /a b/src/A.java:31: error: cannot find symbol",
            "/a b/src/A.java:31: error: cannot find symbol",
        ] {
            assert_eq!(told(line).as_deref(), Some(said));
        }
        for line in [
            "[ERROR]   symbol:   method nothing()",
            "[ERROR] COMPILATION ERROR : ",
            "[ERROR] Tests run: 3, Failures: 1",
            "main.c:3: error: ';' expected",
            "error: no",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
        // Which symbol it is that cannot be found stands below.
        let said = [
            "[ERROR] /src/A.java:[3,5] cannot find symbol",
            "[ERROR]   symbol:   class   Nothing",
            "[ERROR] /src/A.java:[4,5] ';' expected",
            "  symbol: class Other",
        ];
        let mut problems: Vec<Problem> = Vec::new();
        for line in said {
            problems.extend(passed_on(line));
            name_symbol(&mut problems, line);
        }
        let messages: Vec<&str> = problems.iter().map(|p| &*p.message).collect();
        assert_eq!(
            messages,
            ["cannot find symbol: class Nothing", "';' expected"]
        );
        assert_eq!(problem("1 error"), None);
        assert_eq!(problem("warning: [options] bootstrap class path"), None);
    }
}
