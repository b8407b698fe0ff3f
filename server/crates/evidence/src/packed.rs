//! How what is held or kept for long is written: a word that says what it is, then its fields, deflated.

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};

/// How many bytes something has at most, unpacked: what claims more is not read.
const UNPACKED: u64 = 1 << 28;

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
    let mut own = Vec::new();
    let mut from = DeflateDecoder::new(bytes.strip_prefix(format)?).take(UNPACKED);
    from.read_to_end(&mut own).ok()?;
    postcard::from_bytes(&own).ok()
}
