//! Numbers and strings of a block.

use super::Malformed;
use smol_str::SmolStr;

/// Reads a block from front to back.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the block begins in its file.
    from: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], from: usize) -> Reader<'a> {
        Reader { bytes, at: 0, from }
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(super) fn malformed(&self, what: &'static str) -> Malformed {
        Malformed {
            at: self.from + self.at,
            what,
        }
    }

    pub(super) fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| self.malformed("cut"))
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let taken = self
            .at
            .checked_add(n)
            .and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| self.malformed("a record that goes beyond its block"))?;
        self.at += n;
        Ok(taken)
    }

    /// An unsigned number, seven bits a byte, the lowest first.
    pub(super) fn varint(&mut self) -> Result<u64, Malformed> {
        let mut out = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            out |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(out);
            }
        }
        Err(self.malformed("a number of more than 64 bits"))
    }

    /// A signed number: 0, -1, 1, -2, …
    pub(super) fn svarint(&mut self) -> Result<i64, Malformed> {
        let n = self.varint()?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// How many things follow, each of a byte at least.
    pub(super) fn count(&mut self) -> Result<usize, Malformed> {
        let n = self.varint()?;
        let left = (self.bytes.len() - self.at) as u64;
        match n <= left {
            true => Ok(n as usize),
            false => Err(self.malformed("more parts than the block has bytes")),
        }
    }

    pub(super) fn bits(&mut self) -> Result<Vec<u8>, Malformed> {
        let n = self.count()?;
        Ok(self.take(n)?.to_vec())
    }

    /// A text that people read; what is no character is replaced.
    pub(super) fn text(&mut self) -> Result<String, Malformed> {
        Ok(String::from_utf16_lossy(&self.units()?))
    }

    pub(super) fn word(&mut self) -> Result<SmolStr, Malformed> {
        let n = self.count()?;
        let bytes = self.take(n)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(SmolStr::new(text)),
            Err(_) => Ok(SmolStr::new(String::from_utf16_lossy(&wide(bytes)))),
        }
    }

    /// A string to the unit: UTF-8, in which a surrogate without its partner stands as three bytes.
    pub(super) fn units(&mut self) -> Result<Vec<u16>, Malformed> {
        let n = self.count()?;
        Ok(wide(self.take(n)?))
    }
}

/// Decodes WTF-8; a byte that begins nothing is U+FFFD.
fn wide(bytes: &[u8]) -> Vec<u16> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        let (length, bits) = match first {
            0..0x80 => (1, u32::from(first)),
            0xc0..0xe0 => (2, u32::from(first & 0x1f)),
            0xe0..0xf0 => (3, u32::from(first & 0x0f)),
            0xf0..0xf8 => (4, u32::from(first & 0x07)),
            _ => (1, 0xfffd),
        };
        let tail = bytes.get(at + 1..at + length);
        let Some(tail) = tail.filter(|t| t.iter().all(|b| b & 0xc0 == 0x80)) else {
            out.push(0xfffd);
            at += 1;
            continue;
        };
        let code = tail
            .iter()
            .fold(bits, |code, b| code << 6 | u32::from(b & 0x3f));
        match char::from_u32(code) {
            Some(c) => out.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            None => out.push(code.min(0xffff) as u16),
        }
        at += length;
    }
    out
}

/// The checksum of zip and PNG.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let table: [u32; 256] = std::array::from_fn(|n| {
        (0..8).fold(n as u32, |c, _| match c & 1 {
            1 => 0xedb8_8320 ^ (c >> 1),
            _ => c >> 1,
        })
    });
    let step = |crc: u32, byte: &u8| table[((crc ^ u32::from(*byte)) & 0xff) as usize] ^ (crc >> 8);
    !bytes.iter().fold(!0, step)
}
