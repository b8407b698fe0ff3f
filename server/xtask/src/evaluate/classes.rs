//! Class files for the comparison with javac: those of a JDK's image and of the jars of a class path.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex};

use cafebabe::attributes::AttributeData;
use program::{ClassRecord, ClassSource, MemberRecord};
use ristretto_jimage::Image;
use zip::ZipArchive;

#[derive(Clone, Copy, Debug)]
enum Place {
    Image,
    Jar(usize, usize),
}

#[derive(Debug)]
pub(crate) struct Classes {
    image: Image,
    image_names: HashMap<String, String>,
    jars: Vec<Mutex<ZipArchive<File>>>,
    names: HashMap<String, Place>,
    packages: HashSet<String>,
    known: Mutex<HashMap<String, Option<Arc<ClassRecord>>>>,
}

impl Classes {
    pub(crate) fn new(home: &Path, classpath: &str) -> Classes {
        let image = Image::from_file(&home.join("lib/modules")).expect("image");
        let mut image_names = HashMap::new();
        let mut names = HashMap::new();
        let mut packages = HashSet::new();
        let mut enter = |name: &str, place: Place| {
            let name = name.replace('/', ".");
            packages.insert(name.rsplit_once('.').map_or("", |p| p.0).to_owned());
            names.entry(name).or_insert(place);
        };
        for resource in image.iter() {
            let Ok(resource) = resource else { continue };
            let full = resource.full_name();
            if let Some(path) = full.strip_suffix(".class")
                && let Some((_, name)) = path[1..].split_once('/')
            {
                image_names.insert(name.replace('/', "."), full.clone());
                enter(name, Place::Image);
            }
        }
        let mut jars = Vec::new();
        for jar in classpath.trim().split(':').filter(|j| !j.is_empty()) {
            let Ok(file) = File::open(jar) else { continue };
            let Ok(mut zip) = ZipArchive::new(file) else {
                continue;
            };
            for at in 0..zip.len() {
                let Ok(entry) = zip.by_index_raw(at) else {
                    continue;
                };
                if let Ok(name) = entry.name()
                    && let Some(name) = name.strip_suffix(".class")
                    && !name.starts_with("META-INF")
                {
                    enter(name, Place::Jar(jars.len(), at));
                }
            }
            jars.push(Mutex::new(zip));
        }
        Classes {
            image,
            image_names,
            jars,
            names,
            packages,
            known: Mutex::default(),
        }
    }

    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        match *self.names.get(name)? {
            Place::Image => {
                let full = self.image_names.get(name)?;
                Some(self.image.get_resource(full).ok()?.data().to_vec())
            }
            Place::Jar(jar, at) => {
                let mut zip = self.jars[jar].lock().ok()?;
                let mut out = Vec::new();
                zip.by_index(at).ok()?.read_to_end(&mut out).ok()?;
                Some(out)
            }
        }
    }
}

fn dotted(name: &str) -> Box<str> {
    name.replace('/', ".").into()
}

fn read(bytes: &[u8]) -> Option<ClassRecord> {
    let mut options = cafebabe::ParseOptions::default();
    options.parse_bytecode(false);
    let class = cafebabe::parse_class_with_options(bytes, &options).ok()?;
    let signature = |attributes: &[cafebabe::attributes::AttributeInfo<'_>]| {
        attributes.iter().find_map(|a| match &a.data {
            AttributeData::Signature(s) => Some(Box::from(&**s)),
            _ => None,
        })
    };
    let mut out = ClassRecord {
        name: dotted(&class.this_class),
        access: class.access_flags.bits(),
        signature: signature(&class.attributes),
        superclass: class.super_class.as_ref().map(|s| dotted(s)),
        interfaces: class.interfaces.iter().map(|s| dotted(s)).collect(),
        ..ClassRecord::default()
    };
    for attribute in &class.attributes {
        match &attribute.data {
            AttributeData::Record(_) => out.is_record = true,
            AttributeData::PermittedSubclasses(all) => {
                out.permits = all.iter().map(|s| dotted(s)).collect();
            }
            AttributeData::InnerClasses(rows) => {
                let mut members = Vec::new();
                for row in rows {
                    if dotted(&row.inner_class_info) == out.name {
                        out.access = row.access_flags.bits();
                    }
                    if row
                        .outer_class_info
                        .as_ref()
                        .is_some_and(|o| dotted(o) == out.name)
                        && row.inner_name.is_some()
                    {
                        members.push(dotted(&row.inner_class_info));
                    }
                }
                out.members = members.into();
            }
            _ => {}
        }
    }
    out.fields = class
        .fields
        .iter()
        .filter(|f| f.access_flags.bits() & 0x1000 == 0)
        .map(|f| MemberRecord {
            name: Box::from(&*f.name),
            access: f.access_flags.bits(),
            descriptor: f.descriptor.to_string().into(),
            signature: signature(&f.attributes),
            is_deprecated: false,
        })
        .collect();
    out.methods = class
        .methods
        .iter()
        .filter(|m| m.access_flags.bits() & 0x1040 == 0 && m.name != "<clinit>")
        .map(|m| MemberRecord {
            name: Box::from(&*m.name),
            access: m.access_flags.bits(),
            descriptor: m.descriptor.to_string().into(),
            signature: signature(&m.attributes),
            is_deprecated: false,
        })
        .collect();
    Some(out)
}

impl ClassSource for Classes {
    fn class(&self, binary_name: &str) -> Option<Arc<ClassRecord>> {
        if let Some(known) = self.known.lock().ok()?.get(binary_name) {
            return known.clone();
        }
        let found = self.bytes(binary_name).and_then(|b| read(&b)).map(Arc::new);
        self.known
            .lock()
            .ok()?
            .insert(binary_name.to_owned(), found.clone());
        found
    }
    fn has_class(&self, binary_name: &str) -> bool {
        self.names.contains_key(binary_name)
    }
    fn has_package(&self, package: &str) -> bool {
        self.packages.contains(package)
    }
    fn classes_of(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
    fn packages_of_module(&self, module: &str) -> Vec<String> {
        if module != "java.base" {
            return Vec::new();
        }
        [
            "java.lang",
            "java.util",
            "java.io",
            "java.util.function",
            "java.util.stream",
            "java.nio",
            "java.nio.file",
        ]
        .map(str::to_owned)
        .to_vec()
    }
}
