//! What became of the mutants of a subject, by operator.

use mutants::{Fate, Matrix, Operator};
use std::collections::BTreeMap;

use super::outcome::Outcome;

pub(super) fn print(name: &str, matrix: &Matrix, outcome: &Outcome) {
    let stable = outcome
        .baseline
        .tests
        .iter()
        .filter(|t| t.is_stable)
        .count();
    println!(
        "\n{name}: {} mutants, {} drawn with seed {} ({} are needed for ± 2 %), {} more in methods that grew too large, {} only where classes are initialised; {} tests, {stable} of them stable and not too slow.\n",
        matrix.header.all,
        matrix.mutants.len(),
        matrix.header.seed,
        mutants::needed(matrix.header.all as usize),
        matrix.header.lost,
        matrix.header.only_early.len(),
        matrix.tests.len(),
    );
    println!(
        "| operator | mutants | killed | too slow | memory or JVM ended | survived | not run | look equivalent |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: |");
    let mut rows: BTreeMap<Option<Operator>, [usize; 7]> = BTreeMap::new();
    for ((_, mutant), fate) in matrix.mutants.iter().zip(&matrix.fates) {
        let column = match fate {
            Fate::Killed => 1,
            Fate::TimedOut => 2,
            Fate::Memory | Fate::Ended => 3,
            Fate::Survived => 4,
            Fate::NotRun => 5,
        };
        for key in [Some(mutant.operator), None] {
            let row = rows.entry(key).or_default();
            row[0] += 1;
            row[column] += 1;
            row[6] += usize::from(mutant.looks_equivalent);
        }
    }
    let line = |key: &str, row: &[usize; 7]| {
        let cells: Vec<String> = row.iter().map(usize::to_string).collect();
        println!("| {key} | {} |", cells.join(" | "));
    };
    for (key, row) in &rows {
        if let Some(operator) = key {
            line(operator.name(), row);
        }
    }
    if let Some(row) = rows.get(&None) {
        line("all", row);
    }
    for ((number, mutant), fate) in matrix.mutants.iter().zip(&matrix.fates) {
        if matches!(fate, Fate::Memory | Fate::Ended) {
            let (class, method, line) = (&mutant.class, &mutant.method, mutant.line);
            let operator = mutant.operator.name();
            println!("\n{fate:?}: {number} {class}#{method}:{line} {operator}");
        }
    }
    let pairs: usize = outcome.judged.iter().map(|j| j.pairs.len()).sum();
    let [plain, judged] = outcome.seconds;
    println!(
        "\n{pairs} runs of a test with a mutant in {judged:.0} s, {:.0} a second; the plain runs took {plain:.0} s.",
        pairs as f64 / judged.max(0.001)
    );
}
