//! The classes of a JDK and a class path, one behind the other: the [`ClassSource`] of a workspace.
//!
//! The JDK comes first, as for `javac`, then the entries in order; the first that has a class gives it. The JDK's
//! image is open from the start. The directories of the entries are read, all at once and in parallel, when the first
//! name is asked for that is no package of the JDK; of a class only its record is kept, once it was asked for.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dashmap::DashMap;
use program::{ClassRecord, ClassSource};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::awaited::Awaited;
use super::classfile::{self, ModuleRecord};
use super::files::Stamp;
use super::folder::Folder;
use super::image::Image;
use super::jar::{Content, Jar};

/// Where the classes of the platform are.
pub(crate) enum Platform {
    /// `lib/modules` of JDK 9 and later.
    Image(Image),
    /// `rt.jar` and its companions of JDK 8.
    Jars(Vec<PathBuf>),
    /// `ct.sym`: what the compiler knows of the platform, without code.
    Symbols(Jar),
}

/// The classes of a JDK and a class path.
pub struct ClassPath {
    platform: Option<(PathBuf, Stamp, Platform)>,
    /// Jars and folders, in order.
    entries: Vec<PathBuf>,
    /// What would belong to the class path if it were there.
    awaited: Vec<Awaited>,
    /// The release of Java for which multi-release jars are read.
    release: u16,
    opened: OnceLock<Opened>,
    modules: OnceLock<FxHashMap<String, Origin>>,
    records: DashMap<Box<str>, Option<Arc<ClassRecord>>, FxBuildHasher>,
    problems: Mutex<BTreeSet<Problem>>,
    replaced: AtomicBool,
}

/// A file of the class path that cannot be read, or not whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The jar, folder or image.
    pub path: PathBuf,
    /// The class in it, if only that is affected.
    pub class: Option<String>,
    /// A sentence without a full stop.
    pub message: String,
}

/// The directories of all entries.
struct Opened {
    /// One an entry; those that cannot be read have none.
    containers: Vec<Container>,
    /// The entries that have classes of a package, in order.
    by_package: FxHashMap<Box<str>, Vec<u32>>,
}

enum Container {
    Jar(Jar),
    Folder(Folder),
    /// Not there when it was looked for.
    Absent,
    /// There, and not readable.
    Broken(Option<Stamp>),
}

/// Who has a module.
#[derive(Clone, Copy)]
enum Origin {
    Platform,
    Entry(usize),
}

impl ClassPath {
    pub(crate) fn new(
        platform: Option<(PathBuf, Platform)>,
        entries: Vec<PathBuf>,
        awaited: Vec<Awaited>,
        release: u16,
    ) -> ClassPath {
        let platform = platform.and_then(|(path, platform)| {
            let stamp = Stamp::of(&std::fs::metadata(&path).ok()?);
            Some((path, stamp, platform))
        });
        let mut all = Vec::new();
        if let Some((_, _, Platform::Jars(jars))) = &platform {
            all.extend(jars.iter().cloned());
        }
        all.extend(entries);
        ClassPath {
            platform,
            entries: all,
            awaited,
            release,
            opened: OnceLock::new(),
            modules: OnceLock::new(),
            records: DashMap::with_hasher(FxBuildHasher),
            problems: Mutex::default(),
            replaced: AtomicBool::new(false),
        }
    }

    /// True if a file that answers rest on is no longer what it was, or one that was missing has come: then a new
    /// class path should be found. Costs one look at each file's size and time, where a class was asked for already.
    pub fn is_stale(&self) -> bool {
        if self.replaced.load(Ordering::Relaxed) || self.awaited.iter().any(Awaited::has_come) {
            return true;
        }
        if let Some((path, stamp, _)) = &self.platform
            && !is_current(path, Some(*stamp))
        {
            return true;
        }
        let Some(opened) = self.opened.get() else {
            return false;
        };
        self.entries
            .iter()
            .zip(&opened.containers)
            .any(|(path, container)| match container {
                Container::Jar(jar) => !jar.is_current(path),
                Container::Folder(folder) => !folder.is_current(path),
                Container::Absent => path.exists(),
                Container::Broken(stamp) => !is_current(path, *stamp),
            })
    }

    /// What could not be read so far, sorted.
    pub fn problems(&self) -> Vec<Problem> {
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.iter().cloned().collect()
    }

    /// Reads the directories of all entries now, so that [`ClassPath::problems`] knows those that cannot be.
    pub fn open_all(&self) {
        self.opened();
    }

    /// The jars that offer annotation processors to compilers, in order.
    pub fn processors(&self) -> Vec<&Path> {
        let containers = self.entries.iter().zip(&self.opened().containers);
        let offers =
            |container: &Container| matches!(container, Container::Jar(j) if j.has_processor);
        containers
            .filter(|(_, container)| offers(container))
            .map(|(path, _)| path.as_path())
            .collect()
    }

    /// How many class records are held.
    pub fn classes_read(&self) -> usize {
        self.records.len()
    }

    fn problem(&self, path: &Path, class: Option<&str>, message: String) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.insert(Problem {
            path: path.to_path_buf(),
            class: class.map(str::to_owned),
            message,
        });
    }

    fn opened(&self) -> &Opened {
        self.opened.get_or_init(|| {
            let containers = self.open_containers();
            let mut by_package: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
            for (index, container) in containers.iter().enumerate() {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                let mut last = None;
                let mut add = |package: &str| {
                    let known = by_package.get_mut(package);
                    let users = match known {
                        Some(users) => users,
                        None => by_package.entry(package.into()).or_default(),
                    };
                    if users.last() != Some(&index) {
                        users.push(index);
                    }
                };
                let packages: &mut dyn Iterator<Item = &str> = match container {
                    Container::Jar(jar) => &mut jar.packages(),
                    Container::Folder(folder) => &mut folder.names().map(package_of),
                    _ => continue,
                };
                for package in packages {
                    if last != Some(package) {
                        add(package);
                        last = Some(package);
                    }
                }
            }
            Opened {
                containers,
                by_package,
            }
        })
    }

    /// On threads of its own: rayon's might wait here for each other, since the work that they would steal while
    /// they wait may ask for a class, too.
    fn open_containers(&self) -> Vec<Container> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = self.entries.len().div_ceil(threads).max(16);
        std::thread::scope(|scope| {
            let shares: Vec<_> = self
                .entries
                .chunks(share)
                .map(|entries| {
                    let open = move || entries.iter().map(|path| self.open(path)).collect();
                    (entries.len(), scope.spawn(open))
                })
                .collect();
            let open = |(count, share): (usize, std::thread::ScopedJoinHandle<'_, Vec<_>>)| {
                let failed = |_| (0..count).map(|_| Container::Broken(None)).collect();
                share.join().unwrap_or_else(failed)
            };
            shares.into_iter().flat_map(open).collect()
        })
    }

    fn open(&self, path: &Path) -> Container {
        let metadata = match std::fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(e) => {
                if e.kind() != io::ErrorKind::NotFound {
                    self.problem(path, None, e.to_string());
                }
                return Container::Absent;
            }
        };
        let opened = if metadata.is_dir() {
            Folder::open(path).map(Container::Folder)
        } else {
            Jar::open(path, self.release).map(Container::Jar)
        };
        opened.unwrap_or_else(|e| {
            self.problem(path, None, format!("cannot be read: {e}"));
            Container::Broken(Some(Stamp::of(&metadata)))
        })
    }

    /// Who has a class: the platform, or an entry.
    fn find(&self, name: &str) -> Option<Origin> {
        let (package, simple) = split(name);
        match &self.platform {
            Some((_, _, Platform::Image(image))) => {
                if image.has(package, simple) {
                    return Some(Origin::Platform);
                }
                // Nobody else may add to these. A package that the JDK keeps to itself may be a jar's, too.
                if package.starts_with("java.") && image.package(package).is_some() {
                    return None;
                }
            }
            Some((_, _, Platform::Symbols(jar))) if jar.has(name) => return Some(Origin::Platform),
            _ => {}
        }
        let opened = self.opened();
        let users = opened.by_package.get(package)?;
        let mut users = users.iter().map(|&index| index as usize);
        users
            .find(|&index| opened.containers[index].has(name))
            .map(Origin::Entry)
    }

    fn bytes(&self, name: &str, origin: Origin) -> Option<Vec<u8>> {
        let (path, content) = match origin {
            Origin::Platform => {
                let (path, stamp, platform) = self.platform.as_ref()?;
                let (package, simple) = split(name);
                let content = match platform {
                    Platform::Image(image) => image.class(package, simple)?.map(Content::Bytes),
                    Platform::Symbols(jar) => jar.class(path, name)?,
                    Platform::Jars(_) => return None,
                };
                let content = match content {
                    Err(_) if !is_current(path, Some(*stamp)) => Ok(Content::Replaced),
                    content => content,
                };
                (path, content)
            }
            Origin::Entry(index) => {
                let path = self.entries.get(index)?;
                let content = match &self.opened().containers[index] {
                    Container::Jar(jar) => jar.class(path, name)?,
                    Container::Folder(folder) => folder
                        .class(path, name)?
                        .map(|bytes| bytes.map_or(Content::Replaced, Content::Bytes)),
                    _ => return None,
                };
                (path, content)
            }
        };
        self.take(path, Some(name), content)
    }

    /// The bytes, or a note of why there are none.
    fn take(
        &self,
        path: &Path,
        class: Option<&str>,
        content: io::Result<Content>,
    ) -> Option<Vec<u8>> {
        match content {
            Ok(Content::Bytes(bytes)) => Some(bytes),
            Ok(Content::Replaced) => {
                self.replaced.store(true, Ordering::Relaxed);
                None
            }
            Err(e) => {
                self.problem(path, class, format!("cannot be read: {e}"));
                None
            }
        }
    }

    fn read(&self, name: &str, origin: Origin) -> Option<Arc<ClassRecord>> {
        let bytes = self.bytes(name, origin)?;
        let path = match origin {
            Origin::Platform => self.platform.as_ref().map(|(path, _, _)| path),
            Origin::Entry(index) => self.entries.get(index),
        }?;
        match classfile::read(&bytes) {
            Ok(record) if *record.name == *name => Some(Arc::new(record)),
            Ok(record) => {
                let message = format!("holds {} in the place of {name}", record.name);
                self.problem(path, Some(name), message);
                None
            }
            Err(e) => {
                self.problem(path, Some(name), e.to_string());
                None
            }
        }
    }

    fn modules(&self) -> &FxHashMap<String, Origin> {
        self.modules.get_or_init(|| {
            let mut modules = FxHashMap::default();
            for index in (0..self.entries.len()).rev() {
                if let Some(module) = self.module_of(index) {
                    modules.insert(module.name, Origin::Entry(index));
                }
            }
            if let Some((_, _, Platform::Image(image))) = &self.platform {
                for name in image.modules() {
                    modules.insert(name.to_string(), Origin::Platform);
                }
            }
            modules
        })
    }

    /// The module that an entry is, by its descriptor, its manifest, or its file's name.
    fn module_of(&self, index: usize) -> Option<ModuleRecord> {
        let path = self.entries.get(index)?;
        let Container::Jar(jar) = &self.opened().containers[index] else {
            return None;
        };
        if let Some(content) = jar.descriptor(path, "") {
            let bytes = self.take(path, Some("module-info"), content)?;
            return self.descriptor(path, &bytes);
        }
        let name = match &jar.automatic_name {
            Some(name) => name.clone(),
            None => automatic_name(path.file_name()?.to_str()?),
        };
        let mut exports: Vec<String> = jar.packages().map(str::to_owned).collect();
        exports.sort();
        exports.dedup();
        Some(ModuleRecord {
            name,
            exports,
            passes_on: Vec::new(),
        })
    }

    fn descriptor(&self, path: &Path, bytes: &[u8]) -> Option<ModuleRecord> {
        classfile::read_module(bytes)
            .map_err(|e| self.problem(path, Some("module-info"), e.to_string()))
            .ok()
    }

    fn module(&self, name: &str) -> Option<ModuleRecord> {
        if let Some((path, _, platform)) = &self.platform {
            let content = match platform {
                Platform::Image(image) => image.descriptor(name).map(|c| c.map(Content::Bytes)),
                Platform::Symbols(jar) => jar.descriptor(path, name),
                Platform::Jars(_) => None,
            };
            if let Some(content) = content {
                let bytes = self.take(path, Some("module-info"), content)?;
                return self.descriptor(path, &bytes);
            }
        }
        match self.modules().get(name)? {
            Origin::Platform => None,
            Origin::Entry(index) => self.module_of(*index),
        }
    }
}

impl ClassSource for ClassPath {
    fn class(&self, binary_name: &str) -> Option<Arc<ClassRecord>> {
        if let Some(known) = self.records.get(binary_name) {
            return known.clone();
        }
        let origin = self.find(binary_name)?;
        // Read outside of the map's lock; of two threads that read the same class one record stays.
        let record = self.read(binary_name, origin);
        let entry = self.records.entry(binary_name.into()).or_insert(record);
        entry.clone()
    }

    fn has_class(&self, binary_name: &str) -> bool {
        self.find(binary_name).is_some()
    }

    fn has_package(&self, package: &str) -> bool {
        let on_platform = match &self.platform {
            Some((_, _, Platform::Image(image))) => image.package(package).is_some(),
            Some((_, _, Platform::Symbols(jar))) => jar.classes(package).next().is_some(),
            _ => false,
        };
        on_platform || self.opened().by_package.contains_key(package)
    }

    fn classes_of(&self, package: &str) -> Vec<String> {
        let mut names: Vec<&str> = Vec::new();
        match &self.platform {
            Some((_, _, Platform::Image(image))) => {
                if let Some(package) = image.package(package) {
                    names.extend(image.classes(package));
                }
            }
            Some((_, _, Platform::Symbols(jar))) => names.extend(jar.classes(package)),
            _ => {}
        }
        if names.is_empty() {
            let opened = self.opened();
            for &index in opened.by_package.get(package).into_iter().flatten() {
                match &opened.containers[index as usize] {
                    Container::Jar(jar) => names.extend(jar.classes(package)),
                    Container::Folder(folder) => names.extend(
                        folder
                            .names()
                            .filter(|name| package_of(name) == package)
                            .map(|name| split(name).1),
                    ),
                    _ => {}
                }
            }
        }
        names.retain(|name| is_top_level(name));
        names.sort_unstable();
        names.dedup();
        names.into_iter().map(str::to_owned).collect()
    }

    fn packages_of_module(&self, module: &str) -> Vec<String> {
        let mut packages = BTreeSet::new();
        let mut seen = BTreeSet::from([module.to_owned()]);
        let mut open = vec![module.to_owned()];
        while let Some(name) = open.pop() {
            let Some(record) = self.module(&name) else {
                continue;
            };
            packages.extend(record.exports);
            for next in record.passes_on {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        packages.into_iter().collect()
    }
}

impl Container {
    fn has(&self, name: &str) -> bool {
        match self {
            Container::Jar(jar) => jar.has(name),
            Container::Folder(folder) => folder.has(name),
            Container::Absent | Container::Broken(_) => false,
        }
    }
}

impl fmt::Debug for ClassPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClassPath")
            .field("platform", &self.platform.as_ref().map(|(path, _, _)| path))
            .field("entries", &self.entries.len())
            .field("release", &self.release)
            .finish_non_exhaustive()
    }
}

fn is_current(path: &Path, stamp: Option<Stamp>) -> bool {
    let now = std::fs::metadata(path).ok();
    now.map(|metadata| Stamp::of(&metadata)) == stamp
}

/// Package and rest of a binary name.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

fn package_of(name: &str) -> &str {
    split(name).0
}

/// Member, local and anonymous classes have a `$` behind the first character; so may odd top-level names, which no
/// `import p.*` is known to need.
fn is_top_level(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some() && !chars.as_str().contains('$') && !name.contains('-')
}

/// The module's name that a jar's file name implies (`java.lang.module.ModuleFinder`): `foo-bar-1.2.jar` is
/// `foo.bar`.
fn automatic_name(file: &str) -> String {
    let stem = file.strip_suffix(".jar").unwrap_or(file);
    let is_version = |rest: &str| {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        digits > 0 && matches!(rest.as_bytes().get(digits), None | Some(b'.'))
    };
    let cut = stem
        .match_indices('-')
        .find(|(at, _)| is_version(&stem[at + 1..]))
        .map_or(stem.len(), |(at, _)| at);
    let words = stem[..cut].split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modules_from_files() {
        for (file, name) in [
            ("guava-33.4.8-jre.jar", "guava"),
            ("commons-lang3-3.18.0.jar", "commons.lang3"),
            ("foo_bar.jar", "foo.bar"),
            ("a-1x-2.jar", "a.1x"),
            ("ä-1.jar", ""),
        ] {
            assert_eq!(automatic_name(file), name);
        }
    }
}
