//! The selection where few may be chosen: by what each adds (§1.6), and by what else makes it worth a place.
//!
//! With what it adds as its worth this is [`super::select`], told by a test. Only rows of those who may be chosen are needed, so the
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
}

/// How much a candidate is worth, by its position among the options and what it adds; at least 0. It must not fall where that
/// grows.
pub type Order<'a> = &'a dyn Fn(usize, f64) -> f64;

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

/// Chooses `most` of `options`, after `preselected` rows are observed. What is worth most comes first, by each of the `orders`
/// in turn; ties by position in `options`. What does not `count`, by its position and what it adds, is among them, so that it
/// takes no place of what does, nor a turn. Nothing is chosen without an order.
pub fn choose(
    options: &[Choosable],
    preselected: &[Row],
    weights: &[f64],
    rule: Fp,
    most: usize,
    counts: &dyn Fn(usize, f64) -> bool,
    orders: &[Order<'_>],
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
    // Gains never grow, so an old one is a bound: the best is found without renewing all.
    let mut gains: Vec<f64> = options.iter().map(|o| total(o, &rest)).collect();
    let worths = |order: &Order<'_>| {
        gains
            .iter()
            .enumerate()
            .map(|(i, g)| order(i, *g))
            .collect()
    };
    let mut worths: Vec<Vec<f64>> = orders.iter().map(worths).collect();
    let mut fresh = vec![true; options.len()];
    let mut chosen = vec![false; options.len()];
    let mut out = Vec::new();
    let mut telling = 0;
    while telling < most && out.len() - telling < most.max(SHORT) * NOTHING {
        let Some(worth) = worths.get(telling % orders.len().max(1)) else {
            break;
        };
        let mut best: Option<usize> = None;
        for (i, own) in worth.iter().enumerate() {
            if !chosen[i] && best.is_none_or(|b| *own > worth[b]) {
                best = Some(i);
            }
        }
        let Some(i) = best else { break };
        if !fresh[i] {
            gains[i] = total(&options[i], &rest);
            for (order, worth) in orders.iter().zip(&mut worths) {
                worth[i] = order(i, gains[i]);
            }
            fresh[i] = true;
            continue;
        }
        chosen[i] = true;
        let gain = gains[i];
        let choice = Choice {
            candidate: i,
            foc: foc[i],
            gain: if gain < 1e-12 { 0.0 } else { gain },
        };
        telling += usize::from(counts(i, gain));
        out.push(choice);
        rest.observe(options[i].row.iter().copied(), rule);
        fresh.fill(false);
    }
    out
}
