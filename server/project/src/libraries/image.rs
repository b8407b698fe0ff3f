//! The JDK's run-time image, `lib/modules` ("jimage" format, JDK 9 and later).
//!
//! A header, a perfect hash table, the attributes of each entry, their strings, then the contents. The tables (2.5 MB
//! for JDK 17) are read once; contents are read by position when they are asked for, so nothing is mapped, and a JDK
//! that is upgraded under a running server gives errors instead of a fault. Written here and not taken from
//! `ristretto_jimage`: see `docs/decisions/reading-the-jdk-image.md`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::ZlibDecoder;
use rustc_hash::FxHashMap;

use super::files::ReadAt;
use crate::regular;

/// Contents above this many bytes are not read: no class file is larger.
const LARGEST: usize = 64 << 20;

/// An image, open for reading.
pub(crate) struct Image {
    file: File,
    endian: Endian,
    /// Number of slots of the hash table.
    slots: usize,
    /// Redirections, offsets of attributes, attributes and strings, as in the file behind the header.
    tables: Vec<u8>,
    attributes_at: usize,
    strings_at: usize,
    contents_at: u64,
    packages: FxHashMap<Box<str>, Package>,
    modules: Vec<Box<str>>,
}

/// A package with classes: its module, and where its entries lie in the hash table.
#[derive(Default)]
pub(crate) struct Package {
    module: usize,
    slots: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Endian {
    Little,
    Big,
}

/// The attributes of an entry: offsets into the strings, or numbers.
#[derive(Default)]
struct Entry {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    offset: u64,
    compressed: u64,
    size: u64,
}

const HEADER: usize = 28;
const MAGIC: u32 = 0xCAFE_DADA;
const SEED: u32 = 0x0100_0193;

impl Image {
    /// Reads the tables of the image at `path`. Costs one read of some 2.5 MB and one pass over 30,000 entries.
    pub(crate) fn open(path: &Path) -> io::Result<Image> {
        let (file, metadata) = regular::open(path)?;
        let length = metadata.len();
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0)
            .map_err(|_| broken("too short for an image"))?;
        let magic = [header[0], header[1], header[2], header[3]];
        let endian = if u32::from_le_bytes(magic) == MAGIC {
            Endian::Little
        } else if u32::from_be_bytes(magic) == MAGIC {
            Endian::Big
        } else {
            return Err(broken("not an image of Java modules"));
        };
        let word = |at: usize| endian.u32(&header, at).unwrap_or(0);
        let version = word(4);
        if version >> 16 != 1 {
            return Err(broken(&format!(
                "an image of version {}, only version 1 is known",
                version >> 16
            )));
        }
        let slots = word(16) as usize;
        let tables = 8 * u64::from(word(16)) + u64::from(word(20)) + u64::from(word(24));
        let contents_at = HEADER as u64 + tables;
        if slots == 0 || contents_at > length {
            return Err(broken("the tables of the image are cut off"));
        }
        let mut buffer = vec![0; usize::try_from(tables).map_err(|_| broken("too large"))?];
        file.read_exact_at(&mut buffer, HEADER as u64)?;
        let attributes_at = 8 * slots;
        let mut image = Image {
            file,
            endian,
            slots,
            tables: buffer,
            attributes_at,
            strings_at: attributes_at + word(20) as usize,
            contents_at,
            packages: FxHashMap::default(),
            modules: Vec::new(),
        };
        image.index();
        if image.packages.is_empty() {
            return Err(broken("no class in the image"));
        }
        Ok(image)
    }

    fn index(&mut self) {
        // Strings are shared, so an offset mostly stands for its text: each is looked at once or a few times.
        let mut by_parent: FxHashMap<(u64, u64), Package> = FxHashMap::default();
        let mut modules: FxHashMap<u64, usize> = FxHashMap::default();
        let mut is_class: FxHashMap<u64, bool> = FxHashMap::default();
        for slot in 0..self.slots {
            let Some(entry) = self.entry(slot) else {
                continue;
            };
            let class = *is_class
                .entry(entry.extension)
                .or_insert_with(|| self.string(entry.extension) == "class");
            if !class || entry.module == 0 {
                continue;
            }
            let module = *modules.entry(entry.module).or_insert_with(|| {
                let name: Box<str> = self.string(entry.module).into();
                let known = self.modules.iter().position(|known| *known == name);
                known.unwrap_or_else(|| {
                    self.modules.push(name);
                    self.modules.len() - 1
                })
            });
            let package = by_parent
                .entry((entry.module, entry.parent))
                .or_insert_with(|| Package {
                    module,
                    slots: Vec::new(),
                });
            package.slots.push(u32::try_from(slot).unwrap_or(u32::MAX));
        }
        let mut found: Vec<(String, Package)> = by_parent
            .into_iter()
            .map(|((_, parent), package)| (self.string(parent).replace('/', "."), package))
            // The descriptors of the modules lie in no package.
            .filter(|(name, _)| !name.is_empty())
            .collect();
        // A package has one module; should an image break that rule, the answer does not depend on hashes.
        found.sort_by(|a, b| {
            (&a.0, &self.modules[a.1.module]).cmp(&(&b.0, &self.modules[b.1.module]))
        });
        for (name, package) in found {
            match self.packages.get_mut(name.as_str()) {
                Some(known) if self.modules[known.module] == self.modules[package.module] => {
                    known.slots.extend(package.slots);
                }
                Some(_) => {}
                None => {
                    self.packages.insert(name.into(), package);
                }
            }
        }
    }

    /// The package of that dotted name, if it has classes.
    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.get(name)
    }

    /// The names of all modules with classes, in no order.
    pub(crate) fn modules(&self) -> &[Box<str>] {
        &self.modules
    }

    /// The names of the classes of a package behind its name (`Map$Entry`), in no order.
    pub(crate) fn classes<'i>(&'i self, package: &'i Package) -> impl Iterator<Item = &'i str> {
        let slots = package.slots.iter();
        slots.filter_map(|&slot| Some(self.string(self.entry(slot as usize)?.base)))
    }

    /// True if the package has a class of that name (`Map$Entry`).
    pub(crate) fn has(&self, package: &str, class: &str) -> bool {
        self.find_class(package, class).is_some()
    }

    /// The class file of a class; `None` if there is none.
    pub(crate) fn class(&self, package: &str, class: &str) -> Option<io::Result<Vec<u8>>> {
        self.find_class(package, class)
            .map(|entry| self.content(&entry))
    }

    /// The descriptor of a module.
    pub(crate) fn descriptor(&self, module: &str) -> Option<io::Result<Vec<u8>>> {
        self.find(module, "", "module-info")
            .map(|entry| self.content(&entry))
    }

    fn find_class(&self, package: &str, class: &str) -> Option<Entry> {
        let found = self.packages.get(package)?;
        let slot = *found.slots.first()?;
        let module = self.string(self.entry(slot as usize)?.module);
        self.find(module, &package.replace('.', "/"), class)
    }

    /// Looks `/module/parent/base.class` up in the hash table.
    fn find(&self, module: &str, parent: &str, base: &str) -> Option<Entry> {
        let slash = if parent.is_empty() { "" } else { "/" };
        let name = format!("/{module}/{parent}{slash}{base}.class");
        let hash = |seed: u32| {
            let step = |hash: u32, byte: u8| hash.wrapping_mul(SEED) ^ u32::from(byte);
            (name.bytes().fold(seed, step) & 0x7fff_ffff) as usize % self.slots
        };
        let first = hash(SEED);
        // 0: no entry; positive: the seed of a second hash; negative: the slot itself.
        let redirect = self.endian.u32(&self.tables, 4 * first)?.cast_signed();
        let slot = match redirect {
            0 => return None,
            1.. => hash(redirect.cast_unsigned()),
            _ => usize::try_from(-1 - i64::from(redirect)).ok()?,
        };
        let entry = self.entry(slot)?;
        let matches = self.string(entry.module) == module
            && self.string(entry.parent) == parent
            && self.string(entry.base) == base
            && self.string(entry.extension) == "class";
        matches.then_some(entry)
    }

    fn entry(&self, slot: usize) -> Option<Entry> {
        if slot >= self.slots {
            return None;
        }
        let offset = self.endian.u32(&self.tables, 4 * (self.slots + slot))?;
        let mut at = self.attributes_at.checked_add(offset as usize)?;
        let mut entry = Entry::default();
        while at < self.strings_at {
            let head = *self.tables.get(at)?;
            let length = usize::from(head & 7) + 1;
            let value = self.tables.get(at + 1..at + 1 + length);
            let field = match head >> 3 {
                0 => break,
                1 => &mut entry.module,
                2 => &mut entry.parent,
                3 => &mut entry.base,
                4 => &mut entry.extension,
                5 => &mut entry.offset,
                6 => &mut entry.compressed,
                7 => &mut entry.size,
                _ => return None,
            };
            // Always big-endian, whatever the image is.
            *field = value?
                .iter()
                .fold(0, |all, &byte| all << 8 | u64::from(byte));
            at += 1 + length;
        }
        Some(entry)
    }

    /// The text at `offset` of the strings; empty where the image is broken.
    fn string(&self, offset: u64) -> &str {
        let start = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.strings_at.checked_add(offset));
        let bytes = start.and_then(|start| self.tables.get(start..));
        let Some(bytes) = bytes else { return "" };
        let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(0);
        std::str::from_utf8(&bytes[..length]).unwrap_or("")
    }

    fn content(&self, entry: &Entry) -> io::Result<Vec<u8>> {
        let stored = if entry.compressed == 0 {
            entry.size
        } else {
            entry.compressed
        };
        let length = usize::try_from(stored)
            .ok()
            .filter(|&length| length <= LARGEST)
            .ok_or_else(|| broken("an entry of the image is too large"))?;
        let at = self
            .contents_at
            .checked_add(entry.offset)
            .ok_or_else(|| broken("an entry lies outside of the image"))?;
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, at)?;
        if entry.compressed == 0 {
            return Ok(bytes);
        }
        self.decompress(bytes)
    }

    /// What `jlink --compress` packed: layers, each with a header that names its decompressor.
    fn decompress(&self, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        const LAYER: usize = 29;
        const LAYER_MAGIC: u32 = 0xCAFE_FAFA;
        // `jlink` has two kinds of layers.
        for _ in 0..4 {
            if self.endian.u32(&bytes, 0) != Some(LAYER_MAGIC) {
                return Ok(bytes);
            }
            let name = self.endian.u32(&bytes, 20).unwrap_or(0);
            let (name, body) = (self.string(u64::from(name)), bytes.get(LAYER..));
            if name != "zip" {
                return Err(broken(&format!(
                    "the image is compressed by \"{name}\", which is not read; jlink --compress=zip-6 is"
                )));
            }
            let mut out = Vec::new();
            ZlibDecoder::new(body.unwrap_or_default())
                .take(LARGEST as u64)
                .read_to_end(&mut out)?;
            bytes = out;
        }
        Err(broken("an entry of the image is compressed too often"))
    }
}

impl Endian {
    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self {
            Endian::Little => u32::from_le_bytes(bytes),
            Endian::Big => u32::from_be_bytes(bytes),
        })
    }
}

fn broken(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    const CLASSES: &[(&str, &str, &str)] = &[
        ("java.base", "java/lang", "Object"),
        ("java.base", "java/lang", "String"),
        ("java.base", "java/util", "Map"),
        ("java.base", "java/util", "Map$Entry"),
        ("java.base", "", "module-info"),
        ("java.sql", "java/sql", "Driver"),
        ("java.sql", "", "module-info"),
    ];

    fn hash(name: &str, seed: u32) -> u32 {
        let step = |hash: u32, byte: u8| hash.wrapping_mul(SEED) ^ u32::from(byte);
        name.bytes().fold(seed, step) & 0x7fff_ffff
    }

    /// An image as `jlink` makes it; each class holds its own name. `compress` packs them as `--compress=zip-6` does.
    fn image(big: bool, compress: bool) -> Vec<u8> {
        let word = |value: u32| {
            if big {
                value.to_be_bytes()
            } else {
                value.to_le_bytes()
            }
        };
        let count = CLASSES.len() as u32;
        let mut strings = b"\0class\0zip\0".to_vec();
        let (mut locations, mut contents) = (vec![0], Vec::new());
        let mut places = Vec::new();
        for (module, parent, base) in CLASSES {
            places.push(locations.len() as u32);
            let mut attribute = |kind: u8, value: u32| {
                locations.push(kind << 3 | 3);
                locations.extend(value.to_be_bytes());
            };
            attribute(1, strings.len() as u32);
            strings.extend(format!("{module}\0").bytes());
            attribute(2, strings.len() as u32);
            strings.extend(format!("{parent}\0").bytes());
            attribute(3, strings.len() as u32);
            strings.extend(format!("{base}\0").bytes());
            attribute(4, 1);
            attribute(5, contents.len() as u32);
            attribute(7, base.len() as u32);
            if compress {
                let mut packed = Vec::new();
                for part in [0xCAFE_FAFA, 0, 0, 0, 0, 7, 0] {
                    packed.extend(word(part));
                }
                packed.push(1);
                let mut encoder =
                    flate2::write::ZlibEncoder::new(packed, flate2::Compression::default());
                encoder.write_all(base.as_bytes()).expect("in memory");
                let packed = encoder.finish().expect("in memory");
                attribute(6, packed.len() as u32);
                contents.extend(packed);
            } else {
                contents.extend(base.bytes());
            }
            locations.push(0);
        }
        let names: Vec<String> = CLASSES
            .iter()
            .map(|(module, parent, base)| match *parent {
                "" => format!("/{module}/{base}.class"),
                parent => format!("/{module}/{parent}/{base}.class"),
            })
            .collect();
        let mut buckets: Vec<Vec<usize>> = vec![Vec::new(); CLASSES.len()];
        for (index, name) in names.iter().enumerate() {
            buckets[(hash(name, SEED) % count) as usize].push(index);
        }
        let mut order: Vec<usize> = (0..buckets.len()).collect();
        order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));
        let mut redirects = vec![0_i32; CLASSES.len()];
        let mut slots: Vec<Option<usize>> = vec![None; CLASSES.len()];
        for bucket in order {
            match buckets[bucket][..] {
                [] => {}
                [one] => {
                    let free = slots.iter().position(Option::is_none).expect("a free slot");
                    slots[free] = Some(one);
                    redirects[bucket] = -1 - free as i32;
                }
                ref many => {
                    let seed = (1..).find(|&seed| {
                        let mut taken = slots.clone();
                        many.iter().all(|&index| {
                            let slot = (hash(&names[index], seed) % count) as usize;
                            taken[slot].replace(index).is_none()
                        })
                    });
                    let seed = seed.expect("a seed");
                    for &index in many {
                        slots[(hash(&names[index], seed) % count) as usize] = Some(index);
                    }
                    redirects[bucket] = seed as i32;
                }
            }
        }
        let mut out = Vec::new();
        let header = [MAGIC, 1 << 16, 0, count, count];
        let sizes = [locations.len() as u32, strings.len() as u32];
        header
            .into_iter()
            .chain(sizes)
            .for_each(|w| out.extend(word(w)));
        redirects
            .iter()
            .for_each(|r| out.extend(word(r.cast_unsigned())));
        for slot in &slots {
            out.extend(word(slot.map_or(0, |index| places[index])));
        }
        out.extend(locations);
        out.extend(strings);
        out.extend(contents);
        out
    }

    fn open(bytes: &[u8]) -> io::Result<Image> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(bytes)?;
        Image::open(file.path())
    }

    #[test]
    fn every_class_is_found_and_nothing_else() {
        for (big, compress) in [(false, false), (true, false), (false, true), (true, true)] {
            let image = open(&image(big, compress)).expect("an image");
            for (module, parent, base) in CLASSES {
                let content = match *parent {
                    "" => image.descriptor(module),
                    parent => image.class(&parent.replace('/', "."), base),
                };
                let content = content.expect("it is there").expect("it is read");
                assert_eq!(content, base.as_bytes());
            }
            for (package, name) in [("java.lang", "Map"), ("java", "lang"), ("", "module-info")] {
                assert!(!image.has(package, name), "{package} {name}");
            }
            let package = image.package("java.util").expect("a package");
            let mut names: Vec<&str> = image.classes(package).collect();
            names.sort_unstable();
            assert_eq!(names, ["Map", "Map$Entry"]);
            assert_eq!(image.modules().len(), 2);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Cut or changed anywhere: an error or another answer, and no panic.
        #[test]
        fn broken_images_do_no_harm(
            big: bool,
            compress: bool,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let mut bytes = image(big, compress);
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            if let Ok(image) = open(&bytes) {
                for (module, parent, base) in CLASSES {
                    let package = parent.replace('/', ".");
                    let _ = (image.class(&package, base), image.descriptor(module));
                    if let Some(package) = image.package(&package) {
                        image.classes(package).for_each(drop);
                    }
                }
            }
        }
    }
}
