//! Class files and jars made by hand, so that tests choose every byte.

use std::io::Write as _;

/// A class to be written.
pub(crate) struct Class<'a> {
    /// With `/`.
    pub name: &'a str,
    pub major: u16,
    pub access: u16,
    pub superclass: &'a str,
    /// Access, name, descriptor, signature (empty for none).
    pub methods: &'a [(u16, &'a str, &'a str, &'a str)],
    /// Rows of `InnerClasses`: inner, outer, simple name, access.
    pub inner: &'a [(&'a str, &'a str, &'a str, u16)],
    /// An attribute that nobody knows.
    pub odd: bool,
}

impl Class<'_> {
    pub(crate) fn named(name: &str) -> Class<'_> {
        Class {
            name,
            major: 52,
            access: 0x0021,
            superclass: "java/lang/Object",
            methods: &[(0x0001, "<init>", "()V", "")],
            inner: &[],
            odd: false,
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut pool = Pool::default();
        let mut body = Vec::new();
        put(&mut body, self.access);
        let this = pool.class(self.name);
        put(&mut body, this);
        let superclass = pool.class(self.superclass);
        put(&mut body, superclass);
        // Neither interfaces nor fields.
        put(&mut body, 0);
        put(&mut body, 0);
        put(&mut body, self.methods.len() as u16);
        for (access, name, descriptor, signature) in self.methods {
            put(&mut body, *access);
            put(&mut body, pool.utf8(name));
            put(&mut body, pool.utf8(descriptor));
            put(&mut body, u16::from(!signature.is_empty()));
            if !signature.is_empty() {
                put(&mut body, pool.utf8("Signature"));
                body.extend(2_u32.to_be_bytes());
                put(&mut body, pool.utf8(signature));
            }
        }
        put(&mut body, 1 + u16::from(self.odd));
        put(&mut body, pool.utf8("InnerClasses"));
        body.extend((2 + 8 * self.inner.len() as u32).to_be_bytes());
        put(&mut body, self.inner.len() as u16);
        for (inner, outer, name, access) in self.inner {
            let row = [
                pool.class(inner),
                pool.class(outer),
                pool.utf8(name),
                *access,
            ];
            row.into_iter().for_each(|word| put(&mut body, word));
        }
        if self.odd {
            put(&mut body, pool.utf8("NobodyKnowsThis"));
            body.extend(3_u32.to_be_bytes());
            body.extend([1, 2, 3]);
        }
        let mut out = 0xCAFE_BABE_u32.to_be_bytes().to_vec();
        put(&mut out, 0);
        put(&mut out, self.major);
        put(&mut out, pool.count + 1);
        out.extend(pool.bytes);
        out.extend(body);
        out
    }
}

#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    count: u16,
}

impl Pool {
    /// Characters above U+FFFF are not written as the format wants them; no test needs that.
    fn utf8(&mut self, text: &str) -> u16 {
        self.bytes.push(1);
        put(&mut self.bytes, text.len() as u16);
        self.bytes.extend(text.as_bytes());
        self.count += 1;
        self.count
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.bytes.push(7);
        put(&mut self.bytes, name);
        self.count += 1;
        self.count
    }
}

fn put(out: &mut Vec<u8>, word: u16) {
    out.extend(word.to_be_bytes());
}

/// An archive of these entries, deflated.
pub(crate) fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut out);
    for (name, bytes) in entries {
        let (mut entry, config) = archive
            .new_file(name)
            .compression_method(rawzip::CompressionMethod::DEFLATE)
            .start()
            .unwrap();
        let encoder =
            flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(bytes).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    out
}

/// A jar with one plain class for each name (with `/`).
pub(crate) fn jar(names: &[&str]) -> Vec<u8> {
    let classes: Vec<(String, Vec<u8>)> = names
        .iter()
        .map(|name| (format!("{name}.class"), Class::named(name).bytes()))
        .collect();
    let entries: Vec<(&str, &[u8])> = classes
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    archive(&entries)
}
