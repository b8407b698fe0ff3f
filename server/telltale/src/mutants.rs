//! What would no test notice? The mutants of some code, run by the tests that reach them; and for each that survives the
//! value that would have told it.
//!
//! The build runs the tests once, which tells where they run and on what class path, and which of them run the code; that
//! is kept until something changes that it rests on ([`crate::record::ground`]). JVMs of our own then run those with one
//! mutant after the other, until one fails ([`runner::judge`]). Of the mutants that survive, some tests run again, woven with calls that tell values, and what differed is looked up ([`cure`]).
//!
//! The list of mutants, what the tests do without one and what was compiled are kept like what the build told: they rest
//! on the same. No verdict on a mutant is.

mod cure;
mod mocked;
mod unable;
mod written;

use crate::failure::Failure;
use crate::record::{At, Ends, Ground, Lines, Listener, cancelled, ground};
use cure::{Asked, remedies};
use ide::{Analysis, method_words};
use mutants::{Baseline, Fate, Judged, Listed, Matrix, Mutant, Operator};
use program::{FileId, MethodId, Program};
use runner::judge::{Judge, JudgeError, Progress, Tests, Work};
use smol_str::SmolStr;
use std::borrow::Borrow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher as _};
use std::path::PathBuf;
use text::{Encoding, LineIndex};
use unable::Reach;
use verdicts::Changes;
use written::Written;

pub(crate) use cure::{Cure, Remedy, Within, inside_tells};

/// How many JVMs run at once at most: each takes some hundred megabytes.
const JVMS: usize = 4;

/// What is asked.
pub(crate) struct Request<'a> {
    /// What runs the tests, and which.
    pub(crate) record: crate::record::Request<'a>,
    /// The files of the code under test.
    pub(crate) files: Vec<FileId>,
    /// Only mutants of these lines, from 1.
    pub(crate) lines: Option<(u32, u32)>,
    /// Only those of this class, and of those in it, by its binary name.
    pub(crate) class: Option<String>,
    /// One part of so many, from 1.
    pub(crate) shard: Option<(usize, usize)>,
    /// Told of each mutant that survives as soon as its tests have run.
    pub(crate) found: &'a (dyn Fn(Found<'_>) + Sync),
    /// Told what survives once that is known of all, before anybody looks what would have told it.
    pub(crate) known: &'a (dyn Fn(&Survey) + Sync),
}

/// What comes to light while tests run with mutants.
pub(crate) enum Found<'a> {
    /// This one survives. They come in the order in which JVMs end.
    Survives(&'a Survivor),
    /// All that was told is void: tests did not do what they did when that was kept, and run again.
    Void,
}

/// What no test runs of a method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NotRun {
    pub(crate) method: Method,
    /// How many mutants.
    pub(crate) mutants: usize,
    /// On which lines, from 1, ascending.
    pub(crate) lines: Vec<u32>,
}

impl NotRun {
    /// All of a method together, in order.
    pub(crate) fn by_method(all: Vec<NotRun>) -> Vec<NotRun> {
        let mut out: BTreeMap<Method, (usize, BTreeSet<u32>)> = BTreeMap::new();
        for one in all {
            let (mutants, lines) = out.entry(one.method).or_default();
            *mutants += one.mutants;
            lines.extend(one.lines);
        }
        let whole = |(method, (mutants, lines)): (Method, (usize, BTreeSet<u32>))| NotRun {
            method,
            mutants,
            lines: lines.into_iter().collect(),
        };
        out.into_iter().map(whole).collect()
    }
}

/// A method of the code under test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Method {
    /// From the root.
    pub(crate) path: String,
    /// Where it begins, from 1.
    pub(crate) line: u32,
    /// `pkg.Class#method(int)`.
    pub(crate) name: String,
}

impl Method {
    /// `Class.method`
    pub(crate) fn words(&self) -> String {
        method_words(&self.name)
    }
}

/// A mutant that no test notices.
#[derive(Clone, Debug)]
pub(crate) struct Survivor {
    pub(crate) method: Method,
    pub(crate) line: u32,
    pub(crate) operator: Operator,
    /// Which of this operator in the method of the class file.
    pub(crate) ordinal: u32,
    /// What was changed.
    pub(crate) words: String,
    /// How many tests run it.
    pub(crate) tests: usize,
    pub(crate) remedy: Remedy,
}

/// How many mutants came to what.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) mutants: usize,
    pub(crate) killed: usize,
    pub(crate) survived: usize,
    pub(crate) not_run: usize,
    pub(crate) too_slow: usize,
    /// A test took all memory, or its JVM ended.
    pub(crate) ended: usize,
    /// Of those that no test notices: they return a constant that the code returns there, too.
    pub(crate) looks_equivalent: usize,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) tool: String,
    pub(crate) java: String,
    /// How many invocations of tests the build ran.
    pub(crate) tests: usize,
    pub(crate) counts: Counts,
    /// Methods all of which can go.
    pub(crate) pseudo_tested: Vec<Survivor>,
    pub(crate) survivors: Vec<Survivor>,
    /// Those that look equivalent, without a remedy.
    pub(crate) equivalent: Vec<Survivor>,
    /// By method what no test runs.
    pub(crate) not_run: Vec<NotRun>,
    /// Tests that do not pass each time without a mutant, and why.
    pub(crate) unstable: Vec<(String, Option<String>)>,
    /// Tests that end their JVM, a sentence each.
    pub(crate) ends: Vec<String>,
    /// Files and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// What else is worth a line.
    pub(crate) notes: Vec<String>,
    /// A hash of what was dealt out to the parts.
    pub(crate) dealt: u64,
}

/// Runs it.
///
/// # Errors
/// If nothing ran.
pub(crate) fn survey(
    analysis: &Analysis,
    request: &Request<'_>,
    listener: &(dyn Listener + Sync),
) -> Result<Survey, Failure> {
    let program = analysis.program();
    let ground = ground(analysis, &request.record, listener)?;
    let mut out = Survey {
        tool: ground.tool.to_owned(),
        java: ground.run.java.clone(),
        tests: ground.run.tests[0],
        ends: ground.run.ends.iter().map(Ends::line).collect(),
        left_out: ground.run.left_out.clone(),
        ..Survey::default()
    };
    let mut groups: BTreeMap<usize, Vec<FileId>> = BTreeMap::new();
    for &file in &request.files {
        let path = program.path(file).map_or("", |p| p);
        match ground.nearest(&request.record.root.join(path)) {
            Some(group) => groups.entry(group).or_default().push(file),
            None => out.left_out.push((
                path.to_owned(),
                "no test ran in the module of this file".to_owned(),
            )),
        }
    }
    if groups.is_empty() {
        return Err(Failure::Run(
            "no test ran in the module of this code, so nobody can notice anything".to_owned(),
        ));
    }
    let mut kinds = Kinds {
        lost: None,
        dealt: question(program, request),
    };
    for (number, files) in groups {
        let group = Group {
            analysis,
            request,
            listener,
            ground: &ground,
            number,
            files,
        };
        group.survey(&mut out, &mut kinds)?;
    }
    ground.keep();
    if let Some(sum) = &kinds.lost {
        out.notes.push(sum.clone());
    }
    out.dealt = kinds.dealt.finish();
    out.sort();
    Ok(out)
}

/// Begins a hash of what is dealt out to the parts (`--shard`), with the question; the mutants come to it. Of other code,
/// other options or another version the parts of one list are not those of the other.
fn question(program: &Program, request: &Request<'_>) -> DefaultHasher {
    let mut hasher = DefaultHasher::new();
    let tests = request.record.tests.iter();
    let mut tests: Vec<String> = tests.map(|t| program.method_name(*t)).collect();
    tests.sort_unstable();
    let asked = (&request.lines, &request.class, &tests);
    hasher.write(format!("{} {asked:?}", env!("CARGO_PKG_VERSION")).as_bytes());
    hasher
}

impl Survey {
    /// Puts all lists into the order that the contract names.
    pub(crate) fn sort(&mut self) {
        // Lambdas of one line may differ in what they came to alone.
        let key = |s: &Survivor| {
            let method = s.method.clone();
            let place = (method.path, s.line, method.name, s.operator, s.ordinal);
            (place, s.words.clone(), s.tests, s.remedy.clone())
        };
        for all in [
            &mut self.pseudo_tested,
            &mut self.survivors,
            &mut self.equivalent,
        ] {
            all.sort_by_key(key);
        }
        self.not_run.sort();
        self.unstable
            .sort_by_key(|(test, why)| (test.clone(), why.is_none(), why.clone()));
        // Of two modules, or parts, the same test may have failed with another word.
        self.unstable.dedup_by(|a, b| a.0 == b.0);
        self.ends.sort();
        self.ends.dedup();
        self.left_out.sort();
        self.left_out.dedup();
    }
}

/// What is said once of all groups.
struct Kinds {
    lost: Option<String>,
    dealt: DefaultHasher,
}

/// The classes of a file that are in no other, by binary name.
fn tops(program: &Program, file: FileId) -> impl Iterator<Item = String> + '_ {
    let types = program.types_of_file(file).iter();
    let top = types
        .filter(|t| program.enclosing_type(**t).is_none() && program.enclosing_body(**t).is_none());
    top.map(|t| program.type_name(*t).to_string())
}

/// Files whose tests run in one place.
struct Group<'a> {
    analysis: &'a Analysis,
    request: &'a Request<'a>,
    listener: &'a (dyn Listener + Sync),
    ground: &'a Ground,
    number: usize,
    files: Vec<FileId>,
}

/// A file with what is known of it.
struct Source {
    file: FileId,
    path: String,
    changes: Changes,
    /// First and last line of methods with code, and their names.
    methods: Vec<(u32, u32, String)>,
}

impl Source {
    fn new(program: &Program, file: FileId) -> Source {
        let text = program.text(file).map_or("", |t| t);
        let lines = LineIndex::new(text);
        let line = |at: u32| lines.position(at, Encoding::Utf8).line + 1;
        let types = program.types_of_file(file).iter();
        let all = types.flat_map(|t| program.methods_of_type(*t).iter().copied());
        let methods = all.filter_map(|m| {
            let decl = program
                .method_decl(m)
                .filter(|d| d.body.is_some() && !d.implicit)?;
            let (from, to) = (line(decl.name_span.start), line(decl.span.end));
            Some((from, to, program.method_name(m)))
        });
        Source {
            file,
            path: program.path(file).map_or(String::new(), |p| p.to_string()),
            changes: Changes::of(program, file),
            methods: methods.collect(),
        }
    }

    /// The innermost method around a line; the class where there is none.
    fn method(&self, mutant: &Mutant) -> Method {
        let around = self.methods.iter();
        let around = around.filter(|(from, to, _)| (*from..=*to).contains(&mutant.line));
        let own = around.max_by_key(|(from, ..)| *from);
        let (line, name) = match own {
            Some((from, _, name)) => (*from, name.clone()),
            None => {
                let class = mutant.class.replace('/', ".");
                (mutant.line, format!("{class}#{}", mutant.method))
            }
        };
        Method {
            path: self.path.clone(),
            line,
            name,
        }
    }
}

impl Group<'_> {
    fn wanted(&self) -> bool {
        self.listener.wanted()
    }

    fn survey(&self, out: &mut Survey, kinds: &mut Kinds) -> Result<(), Failure> {
        let program = self.analysis.program();
        let sources: Vec<Source> = self
            .files
            .iter()
            .map(|f| Source::new(program, *f))
            .collect();
        let of_class: BTreeMap<String, usize> = sources
            .iter()
            .enumerate()
            .flat_map(|(n, s)| tops(program, s.file).map(move |c| (c.replace('.', "/"), n)))
            .collect();
        let source_of = |class: &str| {
            let top = class.split('$').next().unwrap_or(class);
            of_class.get(class).or_else(|| of_class.get(top)).copied()
        };
        let folder = self
            .ground
            .folder()
            .join(format!("mutants-{}", self.number));
        std::fs::create_dir_all(&folder).map_err(|e| crate::record::unwritten(&e))?;
        let java = self.ground.place(self.number).java();
        let judge = self.judge(&java, &folder, "");
        self.listener.step("Looking for mutants");
        let classes: Vec<String> = of_class.keys().cloned().collect();
        let name = format!("list {} {}", self.number, classes.join(" "));
        let listed = self.ground.made(&name, || {
            let mut listed = self.listed(&judge, &classes)?;
            listed.retain(&|class| source_of(class).is_some());
            Ok(listed)
        })?;
        let lost: u32 = listed.lost.iter().map(|l| l.1).sum();
        if lost > 0 {
            kinds.lost = Some(format!(
                "{lost} more mutants found no room: their methods grew too large"
            ));
        }
        for mutant in &listed.mutants {
            kinds.dealt.write(format!("{mutant:?}").as_bytes());
        }
        let chosen = self.chosen(&listed);
        let named: Vec<(Method, usize)> = listed
            .mutants
            .iter()
            .map(|m| {
                let at = source_of(&m.class).unwrap_or(0);
                (sources[at].method(m), at)
            })
            .collect();
        let survivor = |number: u32, tests: usize| -> Survivor {
            let mutant = &listed.mutants[number as usize - 1];
            let (method, at) = &named[number as usize - 1];
            let is_body = mutant.operator == Operator::Body;
            let class: Vec<&Mutant> = listed
                .mutants
                .iter()
                .filter(|m| source_of(&m.class) == Some(*at))
                .collect();
            Survivor {
                method: method.clone(),
                line: if is_body { method.line } else { mutant.line },
                operator: mutant.operator,
                ordinal: mutant.ordinal,
                words: sources[*at].changes.words(mutant, &class),
                tests,
                remedy: Remedy::None,
            }
        };
        // Whether all of a method can go is not known before all of its mutants are done.
        let found = |judged: &Judged| {
            let mutant = &listed.mutants[judged.mutant as usize - 1];
            let is_said = mutant.operator != Operator::Body && !mutant.looks_equivalent;
            if is_said && Fate::of(Some(judged)) == Fate::Survived {
                let survivor = survivor(judged.mutant, judged.pairs.len());
                (self.request.found)(Found::Survives(&survivor));
            }
        };
        let methods = chosen.iter().map(|n| &*named[*n as usize - 1].0.name);
        let reach = Reach::new(self.analysis, methods.collect());
        let tests = self.classes(&listed, &chosen, &reach);
        let (baseline, judged) = match tests.is_empty() || chosen.is_empty() {
            true => (Baseline::default(), Vec::new()),
            false => self.first(&judge, &listed, (&chosen, &tests, &reach), &found, out)?,
        };
        let matrix = Matrix::of(&listed, &baseline, &chosen, &judged, 0, 0);
        let facts = Facts::new(&listed, &matrix);
        let mut not_run: Vec<NotRun> = Vec::new();
        let mut asked: Vec<Asked> = Vec::new();
        let mut of_asked: Vec<(Survivor, bool)> = Vec::new();
        for ((number, mutant), fate) in matrix.mutants.iter().zip(&matrix.fates) {
            let (method, _) = &named[*number as usize - 1];
            let is_body = mutant.operator == Operator::Body;
            if !is_body {
                out.counts.add(*fate, mutant.looks_equivalent);
            }
            match fate {
                Fate::NotRun if !is_body => not_run.push(NotRun {
                    method: method.clone(),
                    mutants: 1,
                    lines: vec![mutant.line],
                }),
                Fate::Survived => {}
                _ => continue,
            }
            if *fate != Fate::Survived {
                continue;
            }
            let tests = baseline.tests_of(*number);
            let survivor = survivor(*number, tests.len());
            if is_body {
                if facts.is_pseudo_tested(mutant) {
                    asked.push(Asked::new(*number, &baseline, &tests));
                    of_asked.push((survivor, true));
                }
            } else if mutant.looks_equivalent {
                out.equivalent.push(survivor);
            } else {
                asked.push(Asked::new(*number, &baseline, &tests));
                of_asked.push((survivor, false));
            }
        }
        out.not_run.extend(NotRun::by_method(not_run));
        if !asked.is_empty() {
            self.tell(out, &of_asked);
            let remedies = remedies(self, &java, &folder, &listed, &asked, out)?;
            for ((mut survivor, is_pseudo), remedy) in of_asked.into_iter().zip(remedies) {
                survivor.remedy = remedy;
                match is_pseudo {
                    true => out.pseudo_tested.push(survivor),
                    false => out.survivors.push(survivor),
                }
            }
        }
        Ok(())
    }

    /// Tells what survives.
    fn tell(&self, out: &Survey, survivors: &[(Survivor, bool)]) {
        let all = |wanted: bool| {
            let own = survivors.iter().filter(move |(_, is)| *is == wanted);
            own.map(|(survivor, _)| survivor.clone())
        };
        let mut known = Survey {
            pseudo_tested: out.pseudo_tested.iter().cloned().chain(all(true)).collect(),
            survivors: out.survivors.iter().cloned().chain(all(false)).collect(),
            ..Survey::default()
        };
        known.sort();
        (self.request.known)(&known);
    }

    /// The JVMs of this group's tests.
    fn judge<'b>(
        &'b self,
        java: &'b std::path::Path,
        folder: &'b std::path::Path,
        swaps: &'b str,
    ) -> Judge<'b> {
        let place = self.ground.place(self.number);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Judge {
            java,
            jar: &self.ground.jar,
            class_path: &place.class_path,
            directory: &place.directory,
            options: place.options(),
            swaps,
            folder,
            jobs: cores.min(JVMS),
            bodies: true,
        }
    }

    /// The mutants of all class files beside those of some classes.
    fn listed(&self, judge: &Judge<'_>, classes: &[String]) -> Result<Listed, Failure> {
        let class_path = &self.ground.place(self.number).class_path;
        let has =
            |folder: &&PathBuf, class: &String| folder.join(format!("{class}.class")).is_file();
        let folders: Vec<PathBuf> = class_path
            .iter()
            .filter(|folder| folder.is_dir() && classes.iter().any(|c| has(folder, c)))
            .cloned()
            .collect();
        if folders.is_empty() {
            let first = classes
                .first()
                .map_or(String::new(), |c| c.replace('/', "."));
            return Err(Failure::Run(format!(
                "the tests do not load {first} from a folder of class files, so nothing in it can be changed"
            )));
        }
        judge
            .list(&folders, &|| self.wanted())
            .map_err(|e| failure(&e))
    }

    /// The mutants that are asked for.
    fn chosen(&self, listed: &Listed) -> Vec<u32> {
        let request = self.request;
        let written = Written::new(self.analysis.program(), &self.files);
        let mut methods: Vec<(&str, &str, &str)> = Vec::new();
        let mut out = Vec::new();
        for (number, mutant) in (1u32..).zip(&listed.mutants) {
            let own = (&*mutant.class, &*mutant.method, &*mutant.descriptor);
            if methods.last() != Some(&own) {
                methods.push(own);
            }
            let in_shard = request
                .shard
                .is_none_or(|(part, of)| (methods.len() - 1) % of == part - 1);
            let in_lines = request
                .lines
                .is_none_or(|(from, to)| (from..=to).contains(&mutant.line));
            let in_class = request.class.as_ref().is_none_or(|class| {
                let rest = mutant.class.strip_prefix(&*class.replace('.', "/"));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
            });
            if in_shard && in_lines && in_class && written.has(mutant) {
                out.push(number);
            }
        }
        out
    }

    /// The test classes of which a test ran a line of these mutants, or may run one and could not begin.
    fn classes(&self, listed: &Listed, chosen: &[u32], reach: &Reach<'_>) -> Vec<String> {
        if self.ground.run.is_unsure {
            return self
                .ground
                .run
                .classes
                .iter()
                .map(SmolStr::to_string)
                .collect();
        }
        let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for &number in chosen {
            let mutant = &listed.mutants[number as usize - 1];
            let of = lines.entry(mutant.class.replace('/', ".")).or_default();
            of.insert(mutant.line);
        }
        let runs = |ran: &Vec<Lines>| {
            ran.iter().any(|own| {
                let class = own.class.replace('/', ".");
                let mut of = lines.get(&class).into_iter().flatten();
                // Where lines are not known anything may run.
                of.any(|l| *l == 0 || own.lines.binary_search(l).is_ok())
            })
        };
        let all = self.ground.run.ran.iter();
        let all = all.filter(|(_, ran)| runs(ran)).map(|(class, _)| class);
        let unable = self.ground.run.unable.iter();
        let unable = unable.filter(|class| reach.has_class(class));
        let all: BTreeSet<&SmolStr> = all.chain(unable).collect();
        all.into_iter().map(SmolStr::to_string).collect()
    }

    /// Runs all of them until a test fails.
    fn first(
        &self,
        judge: &Judge<'_>,
        listed: &Listed,
        (chosen, classes, reach): (&[u32], &[String], &Reach<'_>),
        found: &(dyn Fn(&Judged) + Sync),
        out: &mut Survey,
    ) -> Result<(Baseline, Vec<Judged>), Failure> {
        let tests = Tests::Of(classes);
        let is_again = Cell::new(false);
        let run = |baseline: &Baseline| {
            if is_again.replace(true) {
                (self.request.found)(Found::Void);
            }
            let work = Work::of(baseline, chosen);
            let what = "Running the tests with a mutant each";
            self.told_of(what, work.len(), found, |told| {
                judge.judge(listed, baseline, &work, true, told)
            })
        };
        let name = format!("of {}", classes.join(" "));
        let (baseline, judged) = self.on_baseline(&name, judge, listed, tests, run)?;
        let reaches = |t: &mutants::Known| {
            let does = chosen.iter().any(|m| t.reached.contains(m));
            does || t.is_unable && reach.has(&t.class, &t.method)
        };
        let unstable = baseline.tests.iter().filter(|t| !t.is_stable && reaches(t));
        out.unstable
            .extend(unstable.map(|t| (format!("{}#{}", t.class, t.method), t.why.clone())));
        out.ends.extend(baseline.barred.sentences());
        Ok((baseline, judged))
    }

    /// Has something judged on what these tests do without a mutant, which an earlier call may have seen. Each JVM runs a
    /// test without a mutant first: where one does not pass there as it did, the kept runs are of another day, and all is
    /// done again. Of tests that were not asked for it is as if they reached nothing.
    fn on_baseline<T: Borrow<Vec<Judged>>>(
        &self,
        name: &str,
        judge: &Judge<'_>,
        listed: &Listed,
        tests: Tests<'_>,
        run: impl Fn(&Baseline) -> Result<T, Failure>,
    ) -> Result<(Baseline, T), Failure> {
        let name = format!("plain {} {name} {}", self.number, listed.plan());
        if let Some(mut baseline) = self.ground.get(&name) {
            self.only_asked(&mut baseline);
            let judged = run(&baseline)?;
            if judged.borrow().iter().all(|j| j.unstable.is_empty()) {
                return Ok((baseline, judged));
            }
        }
        self.listener.step("Running the tests without mutants");
        let plains = judge
            .plain(listed, tests, &|| self.wanted())
            .map_err(|e| failure(&e))?;
        let mut baseline = plains.baseline(listed);
        // What comes now so and now so is looked at by each call.
        if baseline.is_same_each_time {
            self.ground.put(&name, &baseline);
        }
        self.only_asked(&mut baseline);
        let judged = run(&baseline)?;
        Ok((baseline, judged))
    }

    fn only_asked(&self, baseline: &mut Baseline) {
        if self.request.record.is_all {
            return;
        }
        let program = self.analysis.program();
        let asked = verdicts::by_name(program, self.request.record.tests);
        for test in &mut baseline.tests {
            let name = (test.class.to_string(), test.method.to_string());
            if !asked.contains_key(&name) {
                test.reached.clear();
                test.is_unable = false;
            }
        }
    }

    /// Has something run that tells how many mutants are done, and what became of each.
    fn told_of<T>(
        &self,
        what: &str,
        all: usize,
        each: &(dyn Fn(&Judged) + Sync),
        run: impl FnOnce(&Progress<'_>) -> Result<T, JudgeError>,
    ) -> Result<T, Failure> {
        self.listener.step(what);
        let progress = Progress {
            wanted: &|| self.wanted(),
            judged: &|judged, done| {
                each(judged);
                self.listener.tests(&At {
                    what,
                    ended: done,
                    all,
                    running: None,
                    left: None,
                });
            },
        };
        run(&progress).map_err(|e| failure(&e))
    }
}

/// Why nothing was judged, as a user is told.
fn failure(error: &JudgeError) -> Failure {
    match error {
        JudgeError::Cancelled => cancelled(),
        JudgeError::Io(e) if e.kind() == std::io::ErrorKind::NotFound => Failure::usage(
            format!("a JVM cannot be run: {e}"),
            "install a JDK and set JAVA_HOME to it, or put its java on the path",
        ),
        JudgeError::Io(e) => crate::record::unwritten(e),
        other => Failure::Run(other.to_string()),
    }
}

impl Counts {
    fn add(&mut self, fate: Fate, looks_equivalent: bool) {
        self.mutants += 1;
        *match fate {
            Fate::NotRun => &mut self.not_run,
            Fate::Survived if looks_equivalent => &mut self.looks_equivalent,
            Fate::Survived => &mut self.survived,
            Fate::Killed => &mut self.killed,
            Fate::TimedOut => &mut self.too_slow,
            Fate::Memory | Fate::Ended => &mut self.ended,
        } += 1;
    }
}

/// A method of a class file: class, name and descriptor.
type Key<'a> = (&'a str, &'a str, &'a str);

/// What became of each method's mutants.
struct Facts<'a> {
    of: BTreeMap<Key<'a>, Vec<(&'a Mutant, Fate)>>,
}

impl<'a> Facts<'a> {
    fn new(listed: &'a Listed, matrix: &Matrix) -> Facts<'a> {
        let mut of: BTreeMap<_, Vec<(&Mutant, Fate)>> = BTreeMap::new();
        for ((number, _), fate) in matrix.mutants.iter().zip(&matrix.fates) {
            let m = &listed.mutants[*number as usize - 1];
            let key = (&*m.class, &*m.method, &*m.descriptor);
            of.entry(key).or_default().push((m, *fate));
        }
        Facts { of }
    }

    /// All of the method can go, and whatever stands in for what it returns, no test notices it. Not where it has no code,
    /// or returns nothing but the constant that is returned without its body.
    fn is_pseudo_tested(&self, body: &Mutant) -> bool {
        let key = (&*body.class, &*body.method, &*body.descriptor);
        let all = self.of.get(&key).map_or(&[][..], |all| all);
        let others: Vec<_> = all
            .iter()
            .filter(|(m, _)| m.operator != Operator::Body)
            .collect();
        let returns = others.iter().filter(|(m, _)| m.operator.returns());
        let survive = |fate: Fate| matches!(fate, Fate::Survived | Fate::NotRun);
        let is_constant = others.iter().all(|(m, _)| m.operator.returns())
            && others.iter().any(|(m, _)| m.looks_equivalent);
        !others.is_empty() && !is_constant && returns.clone().all(|(_, fate)| survive(*fate))
    }
}

/// A method that a test of a framework is, if its name says which.
fn test_of(
    by_name: &std::collections::HashMap<(String, String), Vec<MethodId>>,
    test: &mutants::Known,
) -> Option<MethodId> {
    let name = (test.class.to_string(), test.method.to_string());
    match by_name.get(&name).map(Vec::as_slice) {
        Some([one]) => Some(*one),
        _ => None,
    }
}
