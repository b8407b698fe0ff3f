//! What is written in few bytes: its fields in postcard's form, deflated.

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed};
use std::io::{Read, Write};
use std::marker::PhantomData;

/// How many bytes something in a file has at most, unpacked: what claims more is not read.
const UNPACKED: u64 = 1 << 28;

/// For a file, behind a word that says what it is.
///
/// # Errors
/// If a value cannot be written, which none is known to do.
pub(crate) fn pack(format: &[u8], it: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let bytes = postcard::to_stdvec(it).map_err(std::io::Error::other)?;
    let mut into = DeflateEncoder::new(format.to_vec(), Compression::fast());
    into.write_all(&bytes)?;
    into.finish()
}

/// None if the bytes are not those of [`pack`] with this format.
pub(crate) fn unpack<T: DeserializeOwned>(format: &[u8], bytes: &[u8]) -> Option<T> {
    inflated(bytes.strip_prefix(format)?, UNPACKED)
}

/// The same, read in a way of its own.
pub(crate) fn unpack_by<T>(
    format: &[u8],
    bytes: &[u8],
    by: impl for<'a> DeserializeSeed<'a, Value = T>,
) -> Option<T> {
    let own = inflate(bytes.strip_prefix(format)?, UNPACKED)?;
    by.deserialize(&mut postcard::Deserializer::from_bytes(&own))
        .ok()
}

fn inflated<T: DeserializeOwned>(bytes: &[u8], most: u64) -> Option<T> {
    postcard::from_bytes(&inflate(bytes, most)?).ok()
}

fn inflate(bytes: &[u8], most: u64) -> Option<Vec<u8>> {
    let mut own = Vec::new();
    let mut from = DeflateDecoder::new(bytes).take(most);
    from.read_to_end(&mut own).ok()?;
    Some(own)
}

/// Something of which there is much and that is seldom asked for, held in few bytes. Each answer unpacks all of it.
pub struct Deflated<T> {
    bytes: Box<[u8]>,
    of: PhantomData<fn() -> T>,
}

impl<T> Default for Deflated<T> {
    fn default() -> Deflated<T> {
        Deflated {
            bytes: Box::default(),
            of: PhantomData,
        }
    }
}

impl<T> Clone for Deflated<T> {
    fn clone(&self) -> Deflated<T> {
        Deflated {
            bytes: self.bytes.clone(),
            of: PhantomData,
        }
    }
}

impl<T> std::fmt::Debug for Deflated<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.bytes.len())
    }
}

impl<T: Serialize + DeserializeOwned + Default> Deflated<T> {
    /// Packs it.
    ///
    /// # Errors
    /// If a value cannot be written, which none is known to do.
    pub fn new(it: &T) -> std::io::Result<Deflated<T>> {
        Ok(Deflated {
            bytes: pack(&[], it)?.into(),
            of: PhantomData,
        })
    }

    /// What was packed; of the default nothing.
    pub fn inflate(&self) -> T {
        // It never was in a file, so that its length is no claim of anybody.
        inflated(&self.bytes, u64::MAX).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_nothing_else_is() {
        let own = vec![3u32, 1, 4];
        let bytes = pack(b"own1", &own).expect("packed");
        assert_eq!(unpack(b"own1", &bytes), Some(own.clone()));
        assert_eq!(unpack::<Vec<u32>>(b"own2", &bytes), None);
        for cut in 0..bytes.len() {
            assert_eq!(unpack::<Vec<u32>>(b"own1", &bytes[..cut]), None, "{cut}");
        }
        let held = Deflated::new(&own).expect("packed");
        assert_eq!(held.clone().inflate(), own);
        assert!(Deflated::<Vec<u32>>::default().inflate().is_empty());
    }

    #[test]
    fn what_is_held_may_be_larger_than_a_file_claims_to_be() {
        let all = vec![0u8; 1 << 20];
        let bytes = pack(&[], &all).expect("packed");
        assert_eq!(inflated::<Vec<u8>>(&bytes, 1 << 10), None);
        assert_eq!(inflated::<Vec<u8>>(&bytes, u64::MAX), Some(all));
    }
}
