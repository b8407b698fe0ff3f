//! The selection where few may be chosen: what each adds (§1.6), times how likely a developer asks it.
//!
//! With all factors at 1 this is [`super::select`], told by a test. Only rows of those who may be chosen are needed, so the
//! cost is that of their rows; a table of all candidates would cost that of the graph. What is left of a row is computed
//! anew of the row and of what is not observed yet, where the table lowers each pair: the two round differently, so neither
//! can stand in for the other where a rank hangs on the last digit.

use crate::{Fp, Row};

/// One that may be chosen.
#[derive(Debug)]
pub struct Choosable {
    /// Its vertex.
    pub vertex: u32,
    /// What it observes that is worth something: (vertex, worth · FOC).
    pub row: Vec<(u32, f64)>,
    /// How likely a developer asks it, relative to others; at least 0.
    pub factor: f64,
}

/// A choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Position among the candidates.
    pub candidate: usize,
    /// Σ of the row before anything was chosen.
    pub foc: f64,
    /// The same at the moment of choice.
    pub gain: f64,
}

/// How much of `j` is not observed yet.
struct Rest {
    fp: Vec<f64>,
    rest: Vec<f64>,
}

impl Rest {
    fn of(vertices: usize) -> Rest {
        Rest {
            fp: vec![0.0; vertices],
            rest: vec![1.0; vertices],
        }
    }

    fn observe(&mut self, row: impl Iterator<Item = (u32, f64)>, rule: Fp) {
        for (j, foc) in row {
            let j = j as usize;
            let observed = foc * self.rest[j];
            if observed <= 0.0 {
                continue;
            }
            self.fp[j] = match rule {
                Fp::Differentiated => (self.fp[j] + observed).min(1.0),
                Fp::Constant(c) => c.clamp(0.0, 1.0),
            };
            self.rest[j] *= 1.0 - self.fp[j];
        }
    }
}

/// How many that add nothing are chosen at most for each that is asked for.
const NOTHING: usize = 4;
/// How many are asked for at least, for that: a shorter list is the beginning of one so long.
const SHORT: usize = 10;

/// How much of each vertex is not observed yet after `preselected` rows are.
pub fn rest(preselected: &[Row], vertices: usize, rule: Fp) -> Vec<f64> {
    let mut rest = Rest::of(vertices);
    for row in preselected {
        rest.observe(row.entries.iter().copied(), rule);
    }
    rest.rest
}

/// Chooses `most` of `options`, after `preselected` rows are observed. Larger `worth(gain) · factor` first; ties by
/// position in `options`. What adds less than `least` is among them and not counted, so that it takes no place of what adds
/// more. `worth` must not fall.
pub fn choose(
    options: &[Choosable],
    preselected: &[Row],
    weights: &[f64],
    rule: Fp,
    most: usize,
    least: f64,
    worth: &dyn Fn(f64) -> f64,
) -> Vec<Choice> {
    let mut rest = Rest::of(weights.len());
    let total = |o: &Choosable, rest: &Rest| -> f64 {
        o.row
            .iter()
            .map(|&(j, foc)| weights[j as usize] * foc * rest.rest[j as usize])
            .sum()
    };
    let foc: Vec<f64> = options.iter().map(|o| total(o, &rest)).collect();
    for row in preselected {
        rest.observe(row.entries.iter().copied(), rule);
    }
    // Gains never grow, so an old score is a bound: the best is found without renewing all.
    let mut scores: Vec<(f64, f64)> = options
        .iter()
        .map(|o| {
            let gain = total(o, &rest);
            (worth(gain) * o.factor, gain)
        })
        .collect();
    let mut fresh = vec![true; options.len()];
    let mut chosen = vec![false; options.len()];
    let mut out = Vec::new();
    let mut telling = 0;
    while telling < most && out.len() - telling < most.max(SHORT) * NOTHING {
        let mut best: Option<usize> = None;
        for (i, score) in scores.iter().enumerate() {
            if !chosen[i] && best.is_none_or(|b| score.0 > scores[b].0) {
                best = Some(i);
            }
        }
        let Some(i) = best else { break };
        if !fresh[i] {
            let gain = total(&options[i], &rest);
            scores[i] = (worth(gain) * options[i].factor, gain);
            fresh[i] = true;
            continue;
        }
        chosen[i] = true;
        let gain = scores[i].1;
        let choice = Choice {
            candidate: i,
            foc: foc[i],
            gain: if gain < 1e-12 { 0.0 } else { gain },
        };
        telling += usize::from(gain >= least);
        out.push(choice);
        rest.observe(options[i].row.iter().copied(), rule);
        fresh.fill(false);
    }
    out
}
