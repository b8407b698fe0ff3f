//! What is kept of a judgement.

use crate::{Baseline, Ended, Judged, Listed, Mutant, Operator, Pair};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::io::{Read, Write};

/// The first bytes of the file, with the version of what follows: a deflated [`Matrix`] in postcard's form.
const FORMAT: &[u8] = b"TTMUT3\n";

/// More than this many bytes are not unpacked.
const MOST: u64 = 1 << 31;

/// What a matrix is of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// A hash of the class files that were mutated, and of those of the tests.
    pub code: u64,
    /// A hash of what was woven into both.
    pub woven: u64,
    /// The operators.
    pub operators: Vec<Operator>,
    /// What drew the sample.
    pub seed: u64,
    /// How many mutants there are.
    pub all: u32,
    /// How many were left out since their method grew too large.
    pub lost: u32,
    /// Those that only what initialises classes reaches.
    pub only_early: Vec<u32>,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// Its class, binary.
    pub class: SmolStr,
    /// Its method.
    pub method: SmolStr,
    /// Its parameter types, as the framework tells them.
    pub types: SmolStr,
    /// False if it did not always pass without mutants; it is then left out.
    pub is_stable: bool,
    /// Slots with values that are the same in each plain run.
    pub slots: Vec<u32>,
    /// How many differ from run to run.
    pub unstable: u32,
}

/// A value that was asked for. Numbers hang on the lists of the day; what this says of it does not, so that a matrix can be
/// asked when lists are others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Measured {
    /// In which test, by its whole name; none of the code under test.
    pub test: Option<SmolStr>,
    /// An expression at the test's end, or the name of a variable.
    pub words: SmolStr,
    /// Which definition of the variable, from 0; none of an expression.
    pub nth: Option<u32>,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// No test reaches it, or only tests that are not stable.
    NotRun,
    /// Tests ran it, and none failed.
    Survived,
    /// A test failed.
    Killed,
    /// A test took too long.
    TimedOut,
    /// A test took all memory.
    Memory,
    /// The JVM ended.
    Ended,
}

impl Fate {
    /// Of what tests made of a mutant; none if no test ran it.
    pub fn of(judged: Option<&Judged>) -> Fate {
        match judged {
            None => Fate::NotRun,
            Some(own) if own.pairs.iter().any(|p| p.killed) => Fate::Killed,
            Some(own) => match own.ended {
                Ended::Slow(_) => Fate::TimedOut,
                Ended::Memory(_) => Fate::Memory,
                Ended::Cut => Fate::Ended,
                Ended::Whole | Ended::Dirty => Fate::Survived,
            },
        }
    }

    /// Whether the suite notices it.
    pub fn is_noticed(self) -> bool {
        !matches!(self, Fate::NotRun | Fate::Survived)
    }
}

/// Mutants, tests, and what came of each pair that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matrix {
    /// What it is of.
    pub header: Header,
    /// The mutants of the sample, by number.
    pub mutants: Vec<(u32, Mutant)>,
    /// What became of each of them, in the same order.
    pub fates: Vec<Fate>,
    /// The tests.
    pub tests: Vec<Test>,
    /// What was asked for, under which slot; nothing where no values were.
    pub slots: Vec<(u32, Measured)>,
    /// By mutant in the same order, its tests in the order in which they ran.
    pub pairs: Vec<Vec<Cell>>,
}

/// A test that ran a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The test's place among [`Matrix::tests`].
    pub test: u32,
    /// It failed.
    pub killed: bool,
    /// If it passed, the slots that tell, in order.
    pub told: Vec<u32>,
}

impl From<&Pair> for Cell {
    fn from(pair: &Pair) -> Cell {
        Cell {
            test: pair.test,
            killed: pair.killed,
            told: pair.told.clone(),
        }
    }
}

impl Matrix {
    /// What became of `chosen` mutants, by number, which `seed` drew; `judged` is in the order of their numbers, and those
    /// that are not in it were not run. `code` is a hash of what ran.
    pub fn of(
        listed: &Listed,
        baseline: &Baseline,
        chosen: &[u32],
        judged: &[Judged],
        seed: u64,
        code: u64,
    ) -> Matrix {
        let mut matrix = Matrix {
            header: Header {
                code,
                woven: 0,
                operators: Operator::ALL
                    .map(|row| row.0)
                    .into_iter()
                    .filter(|o| {
                        *o != Operator::Body || listed.mutants.iter().any(|m| m.operator == *o)
                    })
                    .collect(),
                seed,
                all: u32::try_from(listed.mutants.len()).unwrap_or(u32::MAX),
                lost: listed.lost.iter().map(|l| l.1).sum(),
                only_early: baseline.only_early.iter().copied().collect(),
            },
            ..Matrix::default()
        };
        for test in &baseline.tests {
            matrix.tests.push(Test {
                class: test.class.clone(),
                method: test.method.clone(),
                types: test.types.clone(),
                is_stable: test.is_stable,
                slots: test.told.keys().copied().collect(),
                unstable: u32::try_from(test.unstable).unwrap_or(u32::MAX),
            });
        }
        for &number in chosen {
            let Some(mutant) = listed.mutants.get((number as usize).wrapping_sub(1)) else {
                continue;
            };
            let own = judged.binary_search_by_key(&number, |j| j.mutant);
            matrix.add(number, mutant.clone(), own.ok().map(|at| &judged[at]));
        }
        matrix
    }

    /// Adds what became of a mutant; none if no test ran it.
    pub fn add(&mut self, number: u32, mutant: Mutant, judged: Option<&Judged>) {
        let pairs: &[Pair] = judged.map_or(&[], |j| &j.pairs);
        self.mutants.push((number, mutant));
        self.fates.push(Fate::of(judged));
        self.pairs.push(pairs.iter().map(Cell::from).collect());
    }

    /// As it is kept.
    ///
    /// # Errors
    /// If it cannot be written in this form, which no matrix is known to cause.
    pub fn pack(&self) -> std::io::Result<Vec<u8>> {
        let bytes = postcard::to_stdvec(self).map_err(std::io::Error::other)?;
        let mut into = DeflateEncoder::new(FORMAT.to_vec(), Compression::default());
        into.write_all(&bytes)?;
        into.finish()
    }

    /// What [`Matrix::pack`] gave; none for other bytes, and where what they name is not there.
    pub fn unpack(bytes: &[u8]) -> Option<Matrix> {
        let own = bytes.strip_prefix(FORMAT)?;
        let mut out = Vec::new();
        let mut from = DeflateDecoder::new(own).take(MOST);
        from.read_to_end(&mut out).ok()?;
        let matrix: Matrix = postcard::from_bytes(&out).ok()?;
        let same = matrix.mutants.len() == matrix.fates.len()
            && matrix.mutants.len() == matrix.pairs.len();
        let tests = matrix.tests.len();
        let mut cells = matrix.pairs.iter().flatten();
        (same && cells.all(|c| (c.test as usize) < tests)).then_some(matrix)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn mutant(line: u32) -> Mutant {
        Mutant {
            class: "a/A".into(),
            method: "m".into(),
            descriptor: "()V".into(),
            line,
            operator: Operator::Math,
            ordinal: 0,
            looks_equivalent: false,
            what: "iadd".into(),
        }
    }

    pub(crate) fn matrix(rows: &[&[(u32, bool, &[u32])]], tests: u32) -> Matrix {
        let mut out = Matrix::default();
        for _ in 0..tests {
            out.tests.push(Test {
                class: "a.T".into(),
                method: "m".into(),
                types: "".into(),
                is_stable: true,
                slots: vec![1, 2],
                unstable: 0,
            });
        }
        for (number, row) in (1u32..).zip(rows) {
            let pairs = row.iter().map(|(test, killed, told)| Pair {
                test: *test,
                killed: *killed,
                micros: 1,
                told: told.to_vec(),
            });
            let judged = Judged {
                mutant: number,
                pairs: pairs.collect(),
                ended: Ended::Whole,
                unstable: Vec::new(),
            };
            out.add(number, mutant(number), Some(&judged));
        }
        out
    }

    #[test]
    fn what_is_kept_is_what_is_read() {
        let mut own = matrix(
            &[&[(0, true, &[]), (1, false, &[1, 2])], &[(1, false, &[])]],
            2,
        );
        own.slots.push((
            1,
            Measured {
                test: Some("a.T#m()".into()),
                words: "list.size()".into(),
                nth: None,
            },
        ));
        assert_eq!(own.fates, [Fate::Killed, Fate::Survived]);
        let bytes = own.pack().unwrap();
        assert_eq!(Matrix::unpack(&bytes).as_ref(), Some(&own));
        for cut in 0..bytes.len() {
            assert_eq!(Matrix::unpack(&bytes[..cut]), None, "{cut}");
        }
        // A test that is not there.
        let other = matrix(&[&[(7, true, &[])]], 2).pack().unwrap();
        assert_eq!(Matrix::unpack(&other), None);
    }

    #[test]
    fn a_kill_counts_before_what_ended_the_jvm() {
        let mut own = Matrix::default();
        let judged = |killed, ended| Judged {
            mutant: 1,
            pairs: vec![Pair {
                test: 0,
                killed,
                micros: 0,
                told: Vec::new(),
            }],
            ended,
            unstable: Vec::new(),
        };
        own.add(1, mutant(1), Some(&judged(true, Ended::Slow(3))));
        own.add(2, mutant(2), Some(&judged(false, Ended::Slow(3))));
        own.add(3, mutant(3), Some(&judged(false, Ended::Cut)));
        own.add(4, mutant(4), None);
        let fates = [Fate::Killed, Fate::TimedOut, Fate::Ended, Fate::NotRun];
        assert_eq!(own.fates, fates);
        let noticed = own.fates.iter().filter(|f| f.is_noticed());
        assert_eq!(noticed.count(), 3);
    }
}
