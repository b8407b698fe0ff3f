//! What the agent of one JVM wrote, read back. The layout is said in `docs/evidence.md`.
//!
//! A JVM may be killed while it writes: a block that is cut, or whose checksum is wrong, ends the segment, and everything
//! before it counts.

mod bytes;

use crate::value::{JavaString, Order, Value};
use bytes::Reader;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::fmt;

/// What a segment begins with.
pub const MAGIC: &[u8] = b"TTSEG1\n";

/// The flags of a class.
mod class {
    pub(super) const RECORD: u64 = 2;
}

/// A test as its framework tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The class, as a binary name.
    pub class: SmolStr,
    /// The method; empty for a class or container.
    pub method: SmolStr,
    /// Its parameters as the framework tells them, where it does.
    pub parameters: SmolStr,
    /// The framework's own name of it.
    pub unique: SmolStr,
    /// What it is called.
    pub display: SmolStr,
    /// Which run of it: `[1]`; empty where there is one.
    pub invocation: SmolStr,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// An assumption did not hold.
    Aborted,
    /// It did not run.
    Skipped,
    /// The JVM ended first.
    Unknown,
}

/// Why a JVM ended while a test ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The test ran longer than tests may. More: the file beside the segment that says what each thread did.
    Slow,
    /// Somebody called `System.exit`. More: who.
    Exit,
    /// Memory ran out.
    Memory,
    /// A query was not answered, which is not the test's fault. More: its slot.
    Query,
}

/// When in a call a sample was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// At its start.
    Entry,
    /// When it returned.
    Return,
    /// When an exception left it.
    Throw,
}

/// One thing that a segment tells. Tests, methods, classes and profiles go by their number in the segment.
#[derive(Clone, Debug)]
pub enum Event {
    /// The JVM itself.
    Jvm {
        /// `17.0.12`
        version: SmolStr,
        /// What it could load, as the platform separates it.
        class_path: String,
        /// Where it ran.
        directory: String,
        /// The folder of the JDK.
        java: String,
        /// The words behind the program, if the system tells them.
        arguments: Vec<String>,
        /// Name and text.
        properties: Vec<(String, String)>,
    },
    /// A test that later events name.
    Test(u64, Test),
    /// A test began.
    Started {
        /// Which.
        test: u64,
        /// The thread that runs it; tests of one thread follow each other.
        thread: u64,
    },
    /// A test brought its JVM to an end, or would have run for ever.
    Fate {
        /// Which.
        test: u64,
        /// Why.
        fate: Fate,
        /// More of it: see [`Fate`].
        about: String,
    },
    /// A test ended.
    Ended {
        /// Which.
        test: u64,
        /// How.
        status: Status,
        /// How long it took.
        nanos: u64,
        /// What it failed with: class and message.
        failure: Option<(SmolStr, String)>,
    },
    /// What a slot of woven source saw in a test.
    Slot {
        /// Its number.
        slot: u64,
        /// The test; 0 outside of any.
        test: u64,
        /// How often.
        count: u64,
        /// Different values, in the order of their first appearance.
        values: Vec<Value>,
        /// The position of the last one that was seen.
        last: Option<usize>,
        /// There were more than were kept.
        cut: bool,
    },
    /// A query took longer than queries may.
    Slow {
        /// Its number.
        slot: u64,
        /// The test.
        test: u64,
    },
    /// A method that samples name.
    Method {
        /// Its number.
        id: u64,
        /// The class, as a binary name.
        class: SmolStr,
        /// Its name: `<init>` for a constructor.
        name: SmolStr,
        /// Its descriptor.
        descriptor: SmolStr,
        /// Its access flags.
        access: u64,
        /// Its parameters' names, where the class file has them.
        parameters: Vec<SmolStr>,
        /// Where it starts.
        line: u64,
    },
    /// What a call was given, or gave.
    Sample {
        /// The method.
        method: u64,
        /// The test; 0 outside of any.
        test: u64,
        /// Pairs the start of a call with its end.
        nonce: u64,
        /// When.
        moment: Moment,
        /// At an entry the line of the test that made the call, at a return that of the `return`.
        line: Option<u32>,
        /// What the test had run by then; see [`Event::Profile`].
        profile: u64,
        /// The receiver, the parameters, and at the end what was returned or thrown.
        values: Vec<Value>,
    },
    /// Which lines the probes of a class stand for, in order: line and method.
    Probes(SmolStr, Vec<(u32, u64)>),
    /// Which probes of a class a test passed.
    Coverage {
        /// The test.
        test: u64,
        /// The class.
        class: SmolStr,
        /// A bit a probe, the lowest first.
        bits: Vec<u8>,
    },
    /// What a test had run at some moment: class and probes.
    Profile(u64, Vec<(SmolStr, Vec<u8>)>),
    /// Something was not recorded.
    Lost {
        /// Why.
        reason: String,
        /// How often.
        count: u64,
    },
}

/// How a segment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As it was written.
    Whole,
    /// So many bytes at its end are of a block that was not finished.
    Torn(usize),
}

/// A segment that no agent of this version wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Where in the file.
    pub at: usize,
    /// What stands there.
    pub what: &'static str,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.what)
    }
}

impl std::error::Error for Malformed {}

/// Reads a segment, one event after another.
///
/// # Errors
/// If it is no segment, or a block with a right checksum makes no sense.
pub fn read(bytes: &[u8], see: &mut dyn FnMut(Event)) -> Result<End, Malformed> {
    let mut stream = Stream::default();
    let rest = stream.blocks(bytes, see)?;
    Ok(stream.ended(rest))
}

/// A segment that is read as it is written: what is not a whole block yet waits for the rest, and nothing else does.
#[derive(Default)]
pub struct Stream {
    words: Words,
    /// Read, and not yet a whole block.
    waiting: Vec<u8>,
    /// How many bytes of the file are done.
    done: usize,
    /// A block with a wrong checksum came: nothing behind it is read.
    is_torn: bool,
}

impl Stream {
    /// Takes more of the file, and tells what is whole.
    ///
    /// # Errors
    /// As [`read`].
    pub fn push(&mut self, bytes: &[u8], see: &mut dyn FnMut(Event)) -> Result<(), Malformed> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend_from_slice(bytes);
        let rest = self.blocks(&waiting, see)?;
        waiting.drain(..waiting.len() - rest);
        self.waiting = waiting;
        Ok(())
    }

    /// How it ended, if nothing more comes.
    pub fn end(&self) -> End {
        self.ended(self.waiting.len())
    }

    /// How many bytes wait for the rest of their block.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn ended(&self, rest: usize) -> End {
        match rest {
            0 if self.done > 0 => End::Whole,
            _ => End::Torn(rest),
        }
    }

    /// Tells the whole blocks that these bytes begin with; how many bytes are left.
    fn blocks(&mut self, bytes: &[u8], see: &mut dyn FnMut(Event)) -> Result<usize, Malformed> {
        let mut rest = bytes;
        if self.done == 0 {
            match bytes.strip_prefix(MAGIC) {
                Some(behind) => rest = behind,
                None if MAGIC.starts_with(bytes) => return Ok(bytes.len()),
                None => {
                    return Err(Malformed {
                        at: 0,
                        what: "not a segment of this version",
                    });
                }
            }
            self.done = MAGIC.len();
        }
        while !self.is_torn {
            let Some((head, body)) = rest.split_at_checked(8) else {
                break;
            };
            let number = |at: usize| {
                u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]])
            };
            let Some((payload, next)) = body.split_at_checked(number(0) as usize) else {
                break;
            };
            if bytes::crc32(payload) != number(4) {
                self.is_torn = true;
                break;
            }
            let mut reader = Reader::new(payload, self.done + head.len());
            while !reader.is_done() {
                record(&mut reader, &mut self.words, see)?;
            }
            self.done += head.len() + payload.len();
            rest = next;
        }
        Ok(rest.len())
    }
}

/// What a segment defines before it uses it.
#[derive(Default)]
struct Words {
    classes: FxHashMap<u64, (SmolStr, u64)>,
    names: FxHashMap<u64, SmolStr>,
}

impl Words {
    fn class(&self, reader: &mut Reader<'_>) -> Result<SmolStr, Malformed> {
        Ok(self.class_and_flags(reader)?.0)
    }

    fn class_and_flags(&self, reader: &mut Reader<'_>) -> Result<(SmolStr, u64), Malformed> {
        let id = reader.varint()?;
        let found = self.classes.get(&id).cloned();
        found.ok_or_else(|| reader.malformed("a class that was not defined"))
    }

    fn name(&self, reader: &mut Reader<'_>) -> Result<SmolStr, Malformed> {
        let id = reader.varint()?;
        let found = self.names.get(&id).cloned();
        found.ok_or_else(|| reader.malformed("a name that was not defined"))
    }
}

fn record(
    reader: &mut Reader<'_>,
    words: &mut Words,
    see: &mut dyn FnMut(Event),
) -> Result<(), Malformed> {
    match reader.byte()? {
        0x01 => {
            let (id, flags) = (reader.varint()?, reader.varint()?);
            let name = written(&reader.word()?);
            words.classes.insert(id, (name, flags));
        }
        0x02 => {
            let id = reader.varint()?;
            let name = reader.word()?;
            words.names.insert(id, name);
        }
        0x03 => {
            let id = reader.varint()?;
            let class = words.class(reader)?;
            let (name, descriptor) = (reader.word()?, reader.word()?);
            let access = reader.varint()?;
            let count = reader.count()?;
            let parameters = (0..count)
                .map(|_| reader.word())
                .collect::<Result<_, _>>()?;
            let line = reader.varint()?;
            see(Event::Method {
                id,
                class,
                name,
                descriptor,
                access,
                parameters,
                line,
            });
        }
        0x04 => {
            let id = reader.varint()?;
            let test = Test {
                class: reader.word()?,
                method: reader.word()?,
                parameters: reader.word()?,
                unique: reader.word()?,
                display: reader.word()?,
                invocation: reader.word()?,
            };
            see(Event::Test(id, test));
        }
        0x10 => {
            let (test, thread) = (reader.varint()?, reader.varint()?);
            reader.svarint()?;
            see(Event::Started { test, thread });
        }
        0x11 => {
            let test = reader.varint()?;
            let status = match reader.byte()? {
                0 => Status::Passed,
                1 => Status::Failed,
                2 => Status::Aborted,
                3 => Status::Skipped,
                4 => Status::Unknown,
                _ => return Err(reader.malformed("no way in which a test ends")),
            };
            let nanos = reader.varint()?;
            let failure = match status {
                Status::Failed => Some((words.class(reader)?, reader.text()?)),
                _ => None,
            };
            see(Event::Ended {
                test,
                status,
                nanos,
                failure,
            });
        }
        0x12 => slot(reader, words, see)?,
        0x13 => {
            let (slot, test) = (reader.varint()?, reader.varint()?);
            see(Event::Slow { slot, test });
        }
        0x14 => sample(reader, words, see)?,
        0x15 => {
            let class = words.class(reader)?;
            let count = reader.count()?;
            let probe = |_| Ok((reader.varint()? as u32, reader.varint()?));
            let probes = (0..count).map(probe).collect::<Result<_, _>>()?;
            see(Event::Probes(class, probes));
        }
        0x16 => {
            let test = reader.varint()?;
            let class = words.class(reader)?;
            let bits = reader.bits()?;
            see(Event::Coverage { test, class, bits });
        }
        0x17 => {
            let id = reader.varint()?;
            let count = reader.count()?;
            let mut classes = Vec::with_capacity(count);
            for _ in 0..count {
                classes.push((words.class(reader)?, reader.bits()?));
            }
            see(Event::Profile(id, classes));
        }
        0x18 => {
            let test = reader.varint()?;
            let fate = match reader.byte()? {
                1 => Fate::Slow,
                2 => Fate::Exit,
                3 => Fate::Memory,
                4 => Fate::Query,
                _ => return Err(reader.malformed("no reason for which a JVM ends")),
            };
            let about = reader.text()?;
            see(Event::Fate { test, fate, about });
        }
        0x1e => {
            let reason = reader.text()?;
            let count = reader.varint()?;
            see(Event::Lost { reason, count });
        }
        0x1f => {
            let (version, class_path, directory) = (reader.word()?, reader.text()?, reader.text()?);
            reader.text()?;
            let java = reader.text()?;
            let arguments = texts(reader)?;
            let properties = texts(reader)?;
            let pairs = properties.as_chunks::<2>().0.iter();
            see(Event::Jvm {
                version,
                class_path,
                directory,
                java,
                arguments,
                properties: pairs
                    .map(|[name, text]| (name.clone(), text.clone()))
                    .collect(),
            });
        }
        _ => return Err(reader.malformed("a record of no known kind")),
    }
    Ok(())
}

/// A count and so many texts.
fn texts(reader: &mut Reader<'_>) -> Result<Vec<String>, Malformed> {
    let count = reader.varint()?;
    (0..count).map(|_| reader.text()).collect()
}

/// The name of a class as people write it: `[J` is `long[]`.
fn written(name: &str) -> SmolStr {
    let element = name.trim_start_matches('[');
    let depth = name.len() - element.len();
    if depth == 0 {
        return SmolStr::new(name);
    }
    let element = match element {
        "Z" => "boolean",
        "B" => "byte",
        "S" => "short",
        "C" => "char",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        class => class
            .strip_prefix('L')
            .and_then(|c| c.strip_suffix(';'))
            .unwrap_or(class),
    };
    SmolStr::new(format!("{element}{}", "[]".repeat(depth)))
}

fn slot(
    reader: &mut Reader<'_>,
    words: &Words,
    see: &mut dyn FnMut(Event),
) -> Result<(), Malformed> {
    const LAST: u8 = 2;
    const CUT: u8 = 4;
    let (slot, test, count) = (reader.varint()?, reader.varint()?, reader.varint()?);
    let n = reader.count()?;
    let (mut values, mut last, mut cut) = (Vec::with_capacity(n), None, false);
    for at in 0..n {
        let flags = reader.byte()?;
        if flags & LAST != 0 {
            last = Some(at);
        }
        cut |= flags & CUT != 0;
        values.push(value(reader, words, 0)?);
    }
    see(Event::Slot {
        slot,
        test,
        count,
        values,
        last,
        cut,
    });
    Ok(())
}

fn sample(
    reader: &mut Reader<'_>,
    words: &Words,
    see: &mut dyn FnMut(Event),
) -> Result<(), Malformed> {
    let (method, test) = (reader.varint()?, reader.varint()?);
    reader.varint()?; // thread
    reader.varint()?; // position among all events of the JVM
    let nonce = reader.varint()?;
    let moment = match reader.byte()? {
        0 => Moment::Entry,
        1 => Moment::Return,
        2 => Moment::Throw,
        _ => return Err(reader.malformed("no moment of a call")),
    };
    let line = u32::try_from(reader.svarint()?).ok();
    let profile = reader.varint()?;
    let n = reader.count()?;
    let values = (0..n)
        .map(|_| value(reader, words, 0))
        .collect::<Result<_, _>>()?;
    see(Event::Sample {
        method,
        test,
        nonce,
        moment,
        line,
        profile,
        values,
    });
    Ok(())
}

/// Deeper than any agent writes.
const DEEPEST: u32 = 64;

/// Reads one value, without the words that it uses: for values that stand on their own, see [`write`](crate::Facts).
fn value(reader: &mut Reader<'_>, words: &Words, depth: u32) -> Result<Value, Malformed> {
    if depth > DEEPEST {
        return Err(reader.malformed("a value deeper than values go"));
    }
    let inner = |reader: &mut Reader<'_>| value(reader, words, depth + 1).map(Box::new);
    Ok(match reader.byte()? {
        0 => Value::Null,
        1 => Value::Bool(false),
        2 => Value::Bool(true),
        3 => Value::Byte(reader.svarint()? as i8),
        4 => Value::Short(reader.svarint()? as i16),
        5 => Value::Char(reader.svarint()? as u16),
        6 => Value::Int(reader.svarint()? as i32),
        7 => Value::Long(reader.svarint()?),
        8 => Value::Float(one_nan_single(u32::from_be_bytes(reader.array()?))),
        9 => Value::Double(one_nan(u64::from_be_bytes(reader.array()?))),
        10 => Value::Text(string(reader)?),
        11 => Value::Enum {
            class: words.class(reader)?,
            name: reader.word()?,
        },
        12 => {
            let (class, flags) = words.class_and_flags(reader)?;
            let identity = reader.varint()?;
            let n = reader.count()?;
            let mut fields = Vec::with_capacity(n);
            for _ in 0..n {
                let name = words.name(reader)?;
                words.class(reader)?;
                fields.push((name, value(reader, words, depth + 1)?));
            }
            Value::Object {
                class,
                is_record: flags & class::RECORD != 0,
                identity,
                fields,
            }
        }
        13 => Value::Opaque {
            class: words.class(reader)?,
            identity: reader.varint()?,
        },
        14 => Value::Again(reader.varint()?),
        15 => {
            let class = words.class(reader)?;
            reader.varint()?;
            let length = reader.varint()?;
            let elements = values(reader, words, depth)?;
            Value::Array {
                class,
                length,
                elements,
            }
        }
        16 => {
            let class = words.class(reader)?;
            reader.varint()?;
            let kind = match reader.byte()? {
                0 => Order::List,
                1 => Order::Set,
                2 => Order::SortedSet,
                3 => Order::Queue,
                _ => Order::Other,
            };
            let size = reader.varint()?;
            let elements = values(reader, words, depth)?;
            Value::Collection {
                class,
                kind,
                size,
                elements,
            }
        }
        17 => {
            let class = words.class(reader)?;
            reader.varint()?;
            let size = reader.varint()?;
            let n = reader.count()?;
            let mut entries = Vec::with_capacity(n);
            for _ in 0..n {
                let key = value(reader, words, depth + 1)?;
                entries.push((key, value(reader, words, depth + 1)?));
            }
            Value::Map {
                class,
                size,
                entries,
            }
        }
        18 => Value::Boxed(inner(reader)?),
        19 => Value::Printed {
            class: words.class(reader)?,
            text: printed(reader)?,
        },
        20 => Value::Optional {
            class: words.class(reader)?,
            value: match reader.byte()? {
                0 => None,
                _ => Some(inner(reader)?),
            },
        },
        21 => {
            let class = words.class(reader)?;
            reader.varint()?;
            let message = match reader.byte()? {
                0 => None,
                _ => Some(printed(reader)?),
            };
            Value::Throwable { class, message }
        }
        22 => Value::Threw(inner(reader)?),
        23 => Value::Holder {
            class: words.class(reader)?,
            value: inner(reader)?,
        },
        24 => Value::Chars {
            class: words.class(reader)?,
            text: string(reader)?,
        },
        0x1f => Value::Absent,
        _ => return Err(reader.malformed("a value of no known kind")),
    })
}

/// Java knows one NaN, whatever its bits.
fn one_nan(bits: u64) -> u64 {
    match f64::from_bits(bits).is_nan() {
        true => f64::NAN.to_bits(),
        false => bits,
    }
}

fn one_nan_single(bits: u32) -> u32 {
    match f32::from_bits(bits).is_nan() {
        true => f32::NAN.to_bits(),
        false => bits,
    }
}

fn values(reader: &mut Reader<'_>, words: &Words, depth: u32) -> Result<Vec<Value>, Malformed> {
    let n = reader.count()?;
    (0..n).map(|_| value(reader, words, depth + 1)).collect()
}

fn string(reader: &mut Reader<'_>) -> Result<JavaString, Malformed> {
    let length = reader.varint()?;
    let units = reader.units()?;
    Ok(JavaString { units, length })
}

fn printed(reader: &mut Reader<'_>) -> Result<JavaString, Malformed> {
    let units = reader.units()?;
    Ok(JavaString {
        length: units.len() as u64,
        units,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
