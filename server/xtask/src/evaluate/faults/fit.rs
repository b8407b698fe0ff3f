//! The model of the readable list, fitted to mutants: how probable is it that a value tells a mutant that its test misses?
//!
//! Logistic regression over the features of `recommend`, each value of a test an example: of so many mutants that the test runs
//! and misses an assertion on it would notice so many. Each project is left out in turn, and the order that the others teach
//! is asked of it; what is written is fitted to all.

use mutants::question::{Missed, first, random};
use recommend::{FEATURES, Features};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::asked::All;
use super::plot::Bin;
use crate::Result;
use crate::evaluate::build::failed;

/// A test with a hundred misses says no more than one with so many: they hang together.
const MOST: f64 = 5.0;
/// No project weighs more than so many tests: a large one would be the only one that counts.
const TESTS: f64 = 300.0;
/// What keeps coefficients of seldom features small: as much as so many examples.
const RIDGE: f64 = 5.0;
/// Turns of Newton's method; it converges in fewer.
const TURNS: usize = 30;

/// The tests of a project.
pub(super) struct Project {
    name: String,
    tests: Vec<Test>,
}

struct Test {
    missed: Vec<Missed>,
    values: Vec<(u32, Features)>,
}

impl Project {
    pub(super) fn of(name: &str, all: &All<'_>) -> Project {
        let tests = all.tests.iter().map(|test| Test {
            missed: test.noticed(true),
            values: test
                .lists
                .features
                .iter()
                .filter(|(slot, _)| !test.lists.not_assertable.contains(slot))
                .copied()
                .collect(),
        });
        Project {
            name: name.to_owned(),
            tests: tests.filter(|t| !t.values.is_empty()).collect(),
        }
    }
}

/// One value.
struct Example<'a> {
    features: &'a Features,
    /// The share of the misses that it tells.
    told: f64,
    weight: f64,
}

fn examples<'a>(projects: impl Iterator<Item = &'a Project>) -> Vec<Example<'a>> {
    let mut out = Vec::new();
    for project in projects {
        let each = (TESTS / project.tests.len().max(1) as f64).min(1.0);
        for test in &project.tests {
            let of = test.missed.len() as f64;
            for (slot, features) in &test.values {
                let told = test.missed.iter().filter(|m| m.told.contains(slot)).count();
                out.push(Example {
                    features,
                    told: told as f64 / of.max(1.0),
                    weight: of.min(MOST) * each,
                });
            }
        }
    }
    out
}

fn dot(coefficients: &[f64], features: &Features) -> f64 {
    coefficients.iter().zip(features).map(|(c, f)| c * f).sum()
}

fn probability(coefficients: &[f64], features: &Features) -> f64 {
    1.0 / (1.0 + (-dot(coefficients, features)).exp())
}

/// The most likely coefficients, without the features that are left out: Newton's method.
fn fitted(examples: &[Example<'_>], without: &[usize]) -> Vec<f64> {
    let n = FEATURES.len();
    let mut coefficients = vec![0.0; n];
    for _ in 0..TURNS {
        let mut slope = vec![0.0; n];
        let mut bend = vec![vec![0.0; n]; n];
        for example in examples {
            let p = probability(&coefficients, example.features);
            let (error, spread) = (
                example.weight * (example.told - p),
                example.weight * p * (1.0 - p),
            );
            for i in 0..n {
                let x = example.features[i];
                if x == 0.0 {
                    continue;
                }
                slope[i] += error * x;
                for (j, y) in example.features.iter().enumerate() {
                    bend[i][j] += spread * x * y;
                }
            }
        }
        for i in 0..n {
            slope[i] -= RIDGE * coefficients[i];
            bend[i][i] += RIDGE;
            if without.contains(&i) {
                slope[i] = 0.0;
                bend[i].fill(0.0);
                bend.iter_mut().for_each(|row| row[i] = 0.0);
                bend[i][i] = 1.0;
            }
        }
        let step = solved(bend, slope);
        let length = step.iter().map(|s| s.abs()).fold(0.0, f64::max);
        coefficients
            .iter_mut()
            .zip(&step)
            .for_each(|(c, s)| *c += s);
        if length < 1e-8 {
            break;
        }
    }
    coefficients
}

/// Gauss's elimination; the matrix is symmetric and positive.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        let (above, below) = matrix.split_at_mut(i + 1);
        let row = &above[i];
        for (k, other) in below.iter_mut().enumerate() {
            let factor = other[i] / row[i];
            for j in i..n {
                other[j] -= factor * row[j];
            }
            right[i + 1 + k] -= factor * right[i];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            right[i] -= matrix[i][j] * right[j];
        }
        right[i] /= matrix[i][i];
    }
    right
}

/// What the first, the first three and the first ten notice of a project's misses, in the order of a model.
fn asked(project: &Project, score: &dyn Fn(&Features) -> f64) -> [f64; 3] {
    let mut told = [0.0; 3];
    let mut of = 0.0;
    for test in &project.tests {
        let mut order: Vec<(f64, u32)> = test.values.iter().map(|(s, f)| (score(f), *s)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let list: Vec<Option<u32>> = order.into_iter().map(|(_, slot)| Some(slot)).collect();
        of += test.missed.len() as f64;
        for (n, k) in [1, 3, 10].into_iter().enumerate() {
            told[n] += first(&test.missed, &list, k).told as f64;
        }
    }
    told.map(|t| 100.0 * t / f64::max(of, 1.0))
}

fn drawn(project: &Project) -> [f64; 3] {
    let mut told = [0.0; 3];
    let mut of = 0.0;
    for test in &project.tests {
        let list: Vec<Option<u32>> = test.values.iter().map(|(s, _)| Some(*s)).collect();
        of += test.missed.len() as f64;
        for (n, k) in [1, 3, 10].into_iter().enumerate() {
            told[n] += random(&test.missed, &list, k);
        }
    }
    told.map(|t| 100.0 * t / f64::max(of, 1.0))
}

/// Fits, says how the model does on projects that it was not fitted to, and writes the coefficients. Its calibration.
pub(super) fn fit(projects: &[Project], without: &[String], file: &Path) -> Result<Vec<Bin>> {
    let mut left_out = Vec::new();
    for name in without {
        let at = FEATURES.iter().position(|(own, _)| own == name);
        left_out.push(at.ok_or_else(|| format!("there is no feature {name}"))?);
    }
    let cell = |of: [f64; 3]| format!("{:.1}, {:.1}, {:.1} %", of[0], of[1], of[2]);
    println!(
        "\nEach project ordered by a model that was fitted to the others: what the first, the first three and the first ten values notice, of those that an assertion is written for.\n"
    );
    println!("| project | tests | model of the others | random order |");
    println!("| --- | --: | --: | --: |");
    let mut bins = [Bin::default(); 10];
    let mut held: Vec<Vec<f64>> = Vec::new();
    for (at, project) in projects.iter().enumerate() {
        let others = projects.iter().enumerate().filter(|(n, _)| *n != at);
        let model = fitted(&examples(others.map(|(_, p)| p)), &left_out);
        for example in examples(std::iter::once(project)) {
            let p = probability(&model, example.features);
            let bin = &mut bins[((p * 20.0) as usize).min(9)];
            bin.weight += example.weight;
            bin.predicted += example.weight * p;
            bin.told += example.weight * example.told;
        }
        println!(
            "| {} | {} | {} | {} |",
            project.name,
            project.tests.len(),
            cell(asked(project, &|f| dot(&model, f))),
            cell(drawn(project))
        );
        held.push(model);
    }
    println!("\nCalibration, on projects that were left out:\n");
    println!("| predicted | examples, weighted | predicted in the mean | told |");
    println!("| --- | --: | --: | --: |");
    for (at, bin) in bins.iter_mut().enumerate() {
        bin.predicted /= f64::max(bin.weight, 1e-9);
        bin.told /= f64::max(bin.weight, 1e-9);
        let to = if at == 9 { 100 } else { 5 * at + 5 };
        println!(
            "| {}-{to} % | {:.0} | {:.1} % | {:.1} % |",
            5 * at,
            bin.weight,
            100.0 * bin.predicted,
            100.0 * bin.told
        );
    }
    let all = examples(projects.iter());
    let model = fitted(&all, &left_out);
    let mean = |of: &dyn Fn(usize, &Project) -> [f64; 3]| {
        let all = projects.iter().enumerate().map(|(at, p)| of(at, p));
        let sum = all.fold([0.0; 3], |s: [f64; 3], o| {
            [s[0] + o[0], s[1] + o[1], s[2] + o[2]]
        });
        sum.map(|s| s / projects.len().max(1) as f64)
    };
    let whole = mean(&|at, p| asked(p, &|f| dot(&held[at], f)));
    println!(
        "\nWhat each feature is worth: the mean over the projects, each left out, is {}; without the feature it changes by\n",
        cell(whole)
    );
    println!("| feature | | coefficient | first | first three | first ten |");
    println!("| --- | --- | --: | --: | --: | --: |");
    for (feature, (name, what)) in FEATURES.iter().enumerate() {
        if left_out.contains(&feature) {
            continue;
        }
        let without = mean(&|at, project| {
            let others = projects.iter().enumerate().filter(|(n, _)| *n != at);
            let fewer: Vec<usize> = left_out.iter().copied().chain([feature]).collect();
            let model = fitted(&examples(others.map(|(_, p)| p)), &fewer);
            asked(project, &|f| dot(&model, f))
        });
        println!(
            "| `{name}` |{what} | {:.3} | {:+.2} | {:+.2} | {:+.2} |",
            model[feature],
            without[0] - whole[0],
            without[1] - whole[1],
            without[2] - whole[2]
        );
    }
    let mut text = String::from(
        "//! Written by `cargo xtask evaluate faults --fit`: the coefficients of [`super::model`], in the order of the features.\n\nuse super::features::FEATURES;\n\n/// Name and coefficient.\npub(crate) const COEFFICIENTS: [(&str, f64); FEATURES.len()] = [\n",
    );
    for ((name, _), coefficient) in FEATURES.iter().zip(&model) {
        let _ = writeln!(text, "    (\"{name}\", {coefficient:.4}),");
    }
    text.push_str("];\n");
    fs::write(file, text).map_err(|e| failed("write", file, &e))?;
    Ok(bins.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_found_again() {
        let n = FEATURES.len();
        let mut rows: Vec<Features> = Vec::new();
        let mut state = 7u64;
        for _ in 0..4000 {
            let mut row = [0.0; FEATURES.len()];
            row[0] = 1.0;
            for value in row.iter_mut().take(4).skip(1) {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                *value = ((state >> 40) % 100) as f64 / 50.0 - 1.0;
            }
            rows.push(row);
        }
        let truth: Vec<f64> = [-1.0, 2.0, 0.0, -3.0]
            .into_iter()
            .chain(vec![0.0; n - 4])
            .collect();
        let examples: Vec<Example<'_>> = rows
            .iter()
            .map(|features| Example {
                features,
                told: probability(&truth, features),
                // So many that the ridge has no part.
                weight: 500.0,
            })
            .collect();
        let found = fitted(&examples, &[]);
        for (found, truth) in found.iter().zip(&truth) {
            assert!((found - truth).abs() < 0.02, "{found} {truth}");
        }
        // What is left out has no part.
        assert_eq!(fitted(&examples, &[1])[1], 0.0);
    }
}
