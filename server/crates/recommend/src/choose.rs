//! Which of the readable values come first: what each adds (`docs/method.md` §1.6), times how likely a developer asks it.
//!
//! With all factors at 1 this is the selection of [`observe::select`], told by a test; only rows of those who may be
//! chosen are needed, so the cost is that of their rows.

use observe::{Fp, Row};

/// One that may be chosen.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Its vertex.
    pub(super) vertex: u32,
    /// What it observes that is worth something: (vertex, worth · FOC).
    pub(super) row: Vec<(u32, f64)>,
    /// How likely a developer asks it, relative to others; at least 0.
    pub(super) factor: f64,
}

/// A choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    /// Position among the candidates.
    pub(super) candidate: usize,
    /// Σ of the row before anything was chosen.
    pub(super) foc: f64,
    /// The same at the moment of choice.
    pub(super) gain: f64,
}

/// How much of `j` is not observed yet.
struct Rest {
    fp: Vec<f64>,
    rest: Vec<f64>,
}

impl Rest {
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

/// How many times as many as are asked for are chosen at most, with those that add nothing.
const NOTHING: usize = 4;

/// How much of each vertex is not observed yet after `preselected` rows are.
pub(super) fn rest(preselected: &[Row], vertices: usize, rule: Fp) -> Vec<f64> {
    let mut rest = Rest {
        fp: vec![0.0; vertices],
        rest: vec![1.0; vertices],
    };
    for row in preselected {
        rest.observe(row.entries.iter().copied(), rule);
    }
    rest.rest
}

/// Chooses `most` of `options`, after `preselected` rows are observed. Larger `worth(gain) · factor` first; ties by
/// position in `options`. What adds less than `least` is among them and not counted, so that it takes no place of what adds
/// more. `worth` must not fall.
pub(super) fn choose(
    options: &[Candidate],
    preselected: &[Row],
    weights: &[f64],
    rule: Fp,
    most: usize,
    least: f64,
    worth: &dyn Fn(f64) -> f64,
) -> Vec<Choice> {
    let mut rest = Rest {
        fp: vec![0.0; weights.len()],
        rest: vec![1.0; weights.len()],
    };
    let total = |o: &Candidate, rest: &Rest| -> f64 {
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
    while telling < most && out.len() < most * NOTHING {
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
