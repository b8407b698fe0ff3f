//! A jar: the directory of its classes, kept compact, and the contents read when asked for.
//!
//! No file stays open: a class path may be longer than the list of open files may be. A jar that was replaced is told
//! by its size and time, and never read with the directory of the one before.

use std::io::{self, Read};
use std::path::Path;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};

use super::files::Stamp;
use crate::regular;

/// Entries above this many bytes are not read: no class file is larger, and a small archive may hold a huge entry.
const LARGEST: u64 = 64 << 20;

/// The classes of a jar.
pub(crate) struct Jar {
    stamp: Stamp,
    /// The names of all classes, one behind the other.
    names: String,
    /// Sorted by name.
    entries: Vec<Entry>,
    /// The name of the module, as its manifest says it (`Automatic-Module-Name`).
    pub(crate) automatic_name: Option<String>,
    /// It offers annotation processors to compilers.
    pub(crate) has_processor: bool,
    /// The descriptors of modules: a jar's own under no name, those of `ct.sym` by name, sorted.
    descriptors: Vec<(String, At)>,
}

#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    length: u16,
    /// Where the package ends; equal to 0 for the unnamed package.
    package: u16,
    at: At,
}

#[derive(Clone, Copy)]
struct At {
    wayfinder: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
}

/// A class in the directory: its dotted name, the release that it is for (0: all), and its place.
struct Found {
    name: String,
    version: u16,
    at: At,
}

/// What a look into a jar may give.
pub(crate) enum Content {
    Bytes(Vec<u8>),
    /// It is no longer the file whose directory was read.
    Replaced,
}

impl Jar {
    /// Reads the directory of the jar at `path`. Of a multi-release jar each class is the newest one for `release`.
    pub(crate) fn open(path: &Path, release: u16) -> io::Result<Jar> {
        let (stamp, archive, mut buffer) = archive(path)?;
        let mut found: Vec<Found> = Vec::new();
        let mut manifest = None;
        let mut has_processor = false;
        let mut descriptors: Vec<(u16, At)> = Vec::new();
        let mut entries = archive.entries(&mut buffer);
        while let Some(entry) = entries.next_entry().map_err(io::Error::other)? {
            let path = entry.file_path();
            let Ok(path) = std::str::from_utf8(path.as_ref()) else {
                continue;
            };
            let (name, version) = match path.strip_prefix("META-INF/versions/") {
                Some(rest) => match rest.split_once('/') {
                    Some((version, name)) => match version.parse::<u16>() {
                        Ok(version @ 1..) => (name, version),
                        _ => continue,
                    },
                    None => continue,
                },
                None => (path, 0),
            };
            let at = At {
                wayfinder: entry.wayfinder(),
                method: entry.compression_method(),
            };
            let Some(name) = name.strip_suffix(".class") else {
                if path.eq_ignore_ascii_case("META-INF/MANIFEST.MF") {
                    manifest = Some(at);
                }
                has_processor |= path == "META-INF/services/javax.annotation.processing.Processor";
                continue;
            };
            if version > release {
                continue;
            }
            if name == "module-info" {
                descriptors.push((version, at));
            } else if !name.starts_with("META-INF/") {
                let name = name.replace('/', ".");
                found.push(Found { name, version, at });
            }
        }
        let manifest = manifest
            .and_then(|at| content(&archive, at).ok())
            .map(|bytes| Manifest::parse(&String::from_utf8_lossy(&bytes)))
            .unwrap_or_default();
        if !manifest.multi_release {
            found.retain(|found| found.version == 0);
            descriptors.retain(|(version, _)| *version == 0);
        }
        let descriptor = descriptors.into_iter().max_by_key(|(version, _)| *version);
        let descriptors = descriptor.map(|(_, at)| (String::new(), at));
        Ok(Jar {
            automatic_name: manifest.automatic_name,
            has_processor,
            descriptors: descriptors.into_iter().collect(),
            ..Jar::new(stamp, found)
        })
    }

    /// Reads the directory of a JDK's `ct.sym`: class files without code for each release that `--release` takes, in
    /// folders named by the releases that they are for (`89A/java.base/java/lang/Object.sig`: 8, 9 and 10). Gives
    /// the newest release at or below `release` that is there, too.
    pub(crate) fn open_symbols(path: &Path, release: u16) -> io::Result<(Jar, u16)> {
        let (stamp, archive, mut buffer) = archive(path)?;
        // Release, module and name of the class.
        let mut all: Vec<(String, String, At)> = Vec::new();
        let mut entries = archive.entries(&mut buffer);
        while let Some(entry) = entries.next_entry().map_err(io::Error::other)? {
            let path = entry.file_path();
            let Ok(path) = std::str::from_utf8(path.as_ref()) else {
                continue;
            };
            let (Some((releases, rest)), true) = (
                path.split_once('/'),
                path.ends_with(".sig") || path.ends_with(".class"),
            ) else {
                continue;
            };
            let (releases, rest) = match path.strip_prefix("META-INF/sym/") {
                // JDK 8 has one release, its own.
                Some(rest) => ("8", rest.split_once('/').map_or(rest, |(_, rest)| rest)),
                None => (releases, rest),
            };
            if !releases
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            {
                continue;
            }
            let at = At {
                wayfinder: entry.wayfinder(),
                method: entry.compression_method(),
            };
            all.push((releases.to_owned(), rest.to_owned(), at));
        }
        let digit =
            |release: u16| char::from_digit(u32::from(release), 36).map(|c| c.to_ascii_uppercase());
        let is_object = |path: &str| {
            path.trim_end_matches(".sig")
                .trim_end_matches(".class")
                .ends_with("java/lang/Object")
        };
        let has = |release: &u16| {
            let Some(digit) = digit(*release) else {
                return false;
            };
            let mut objects = all.iter().filter(|(_, path, _)| is_object(path));
            objects.any(|(releases, _, _)| releases.contains(digit))
        };
        let taken = (1..=release.min(35))
            .rev()
            .find(has)
            .or_else(|| (1..36).find(has));
        let (Some(taken), Some(digit)) = (taken, taken.and_then(digit)) else {
            return Err(broken("no release of Java in it"));
        };
        let (mut found, mut descriptors) = (Vec::new(), Vec::new());
        for (_, path, at) in all
            .iter()
            .filter(|(releases, _, _)| releases.contains(digit))
        {
            let name = path.trim_end_matches(".sig").trim_end_matches(".class");
            // Names of modules with a dot in them; packages are folders a segment.
            let (module, name) = match name.split_once('/') {
                Some((module, name)) if module.contains('.') => (module, name),
                _ => ("", name),
            };
            if name == "module-info" {
                descriptors.push((module.to_owned(), *at));
            } else {
                let name = name.replace('/', ".");
                found.push(Found {
                    name,
                    version: 0,
                    at: *at,
                });
            }
        }
        descriptors.sort_by(|a, b| a.0.cmp(&b.0));
        let jar = Jar {
            descriptors,
            ..Jar::new(stamp, found)
        };
        Ok((jar, taken))
    }

    fn new(stamp: Stamp, mut found: Vec<Found>) -> Jar {
        // Of one name the newest comes first; of two entries of one name and release the one listed first is taken.
        found.sort_by(|a, b| a.name.cmp(&b.name).then(b.version.cmp(&a.version)));
        found.dedup_by(|later, first| later.name == first.name);
        let mut names = String::new();
        let mut entries = Vec::with_capacity(found.len());
        for Found { name, at, .. } in found {
            let (Ok(start), Ok(length)) = (u32::try_from(names.len()), u16::try_from(name.len()))
            else {
                continue;
            };
            names.push_str(&name);
            entries.push(Entry {
                start,
                length,
                package: u16::try_from(name.rfind('.').unwrap_or(0)).unwrap_or(0),
                at,
            });
        }
        names.shrink_to_fit();
        Jar {
            stamp,
            names,
            entries,
            automatic_name: None,
            has_processor: false,
            descriptors: Vec::new(),
        }
    }

    fn name(&self, entry: &Entry) -> &str {
        let start = entry.start as usize;
        &self.names[start..start + usize::from(entry.length)]
    }

    /// The packages that hold classes, each once or more, in order of the names.
    pub(crate) fn packages(&self) -> impl Iterator<Item = &str> {
        self.entries
            .iter()
            .map(|entry| &self.name(entry)[..usize::from(entry.package)])
    }

    /// The names of the classes of a package behind its name (`Map$Entry`).
    pub(crate) fn classes<'j>(&'j self, package: &'j str) -> impl Iterator<Item = &'j str> {
        let first = self
            .entries
            .partition_point(|entry| self.name(entry) < package);
        self.entries[first..]
            .iter()
            .map(|entry| (self.name(entry), usize::from(entry.package)))
            .take_while(move |(name, _)| name.starts_with(package))
            .filter(move |(name, end)| &name[..*end] == package)
            .map(|(name, end)| name[end..].trim_start_matches('.'))
    }

    /// True if it has a class of that dotted name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<At> {
        self.entries
            .binary_search_by(|entry| self.name(entry).cmp(name))
            .ok()
            .map(|index| self.entries[index].at)
    }

    /// The class file of that dotted name; `path` is where the jar lies.
    pub(crate) fn class(&self, path: &Path, name: &str) -> Option<io::Result<Content>> {
        self.find(name).map(|at| self.read(path, at))
    }

    /// The descriptor of its module (`module` is empty), or of one of the modules of `ct.sym`.
    pub(crate) fn descriptor(&self, path: &Path, module: &str) -> Option<io::Result<Content>> {
        let (_, at) = self.descriptors.iter().find(|(name, _)| name == module)?;
        Some(self.read(path, *at))
    }

    fn read(&self, path: &Path, at: At) -> io::Result<Content> {
        match archive(path) {
            Ok((stamp, archive, _)) if stamp == self.stamp => {
                content(&archive, at).map(Content::Bytes)
            }
            Ok(_) => Ok(Content::Replaced),
            Err(e) if self.is_current(path) => Err(e),
            Err(_) => Ok(Content::Replaced),
        }
    }

    /// Whether the file at `path` still is what was read.
    pub(crate) fn is_current(&self, path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|metadata| Stamp::of(&metadata) == self.stamp)
    }
}

type Opened = (Stamp, ZipArchive<rawzip::FileReader>, Vec<u8>);

fn archive(path: &Path) -> io::Result<Opened> {
    let (file, metadata) = regular::open(path)?;
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(io::Error::other)?;
    Ok((Stamp::of(&metadata), archive, buffer))
}

/// What an entry holds, checked against its sum.
fn content(archive: &ZipArchive<rawzip::FileReader>, at: At) -> io::Result<Vec<u8>> {
    let size = at.wayfinder.uncompressed_size_hint();
    if size > LARGEST {
        return Err(broken("an entry is too large"));
    }
    let entry = archive.get_entry(at.wayfinder).map_err(io::Error::other)?;
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    match at.method {
        CompressionMethod::STORE => {
            let reader = entry.verifying_reader(entry.reader());
            reader.take(LARGEST).read_to_end(&mut bytes)?;
        }
        CompressionMethod::DEFLATE => {
            let reader = entry.verifying_reader(DeflateDecoder::new(entry.reader()));
            reader.take(LARGEST).read_to_end(&mut bytes)?;
        }
        other => {
            return Err(broken(&format!(
                "an entry is compressed in a way that is not known ({other})"
            )));
        }
    }
    Ok(bytes)
}

/// The main section of a manifest, as far as it matters here.
#[derive(Default)]
struct Manifest {
    multi_release: bool,
    automatic_name: Option<String>,
}

impl Manifest {
    fn parse(text: &str) -> Manifest {
        let mut manifest = Manifest::default();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if line.is_empty() {
                break;
            }
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let mut value = value.trim_start().to_owned();
            while let Some(more) = lines.peek().and_then(|line| line.strip_prefix(' ')) {
                value.push_str(more);
                lines.next();
            }
            match key.to_ascii_lowercase().as_str() {
                "multi-release" => {
                    manifest.multi_release = value.trim().eq_ignore_ascii_case("true")
                }
                "automatic-module-name" => manifest.automatic_name = Some(value.trim().to_owned()),
                _ => {}
            }
        }
        manifest
    }
}

fn broken(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
