//! `cargo xtask evaluate left-out`: how often a hand-written test breaks what others teach, by sort of constraint and number of
//! witnesses. The estimates in `suspects` for classes with few tests stand on this table.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ide::suspects::{classes, left_out};
use suspects::{Options, Sort, Tally};

use crate::Result;
use crate::bench::load::recorded;

/// The columns: up to how many witnesses.
const COLUMNS: [usize; 6] = [2, 4, 8, 16, 32, usize::MAX];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A project with generated tests that was recorded (may be repeated)
    #[arg(long, value_name = "DIR", required = true)]
    recorded: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut all: BTreeMap<Sort, [Tally; COLUMNS.len()]> = BTreeMap::new();
    for folder in &arguments.recorded {
        let (analysis, _) = recorded(folder)?;
        for class in classes(&analysis).keys() {
            let tallies = left_out(&analysis, *class, &Options::default());
            let asked: f64 = tallies.values().map(|t| t.asked).sum();
            println!(
                "{}: {asked:.0} observations",
                analysis.program().type_name(*class)
            );
            for ((sort, witnesses), tally) in tallies {
                let column = COLUMNS.iter().position(|most| witnesses <= *most);
                let of = &mut all.entry(sort).or_default()[column.unwrap_or_default()];
                of.asked += tally.asked;
                of.broken += tally.broken;
            }
        }
    }
    let heads = COLUMNS.map(|most| match most {
        usize::MAX => "more".to_owned(),
        most => format!("to {most}"),
    });
    println!("\n| sort | {} |", heads.join(" | "));
    println!("| --- |{}", " --: |".repeat(COLUMNS.len()));
    for (sort, tallies) in &all {
        let cell = |t: &Tally| match t.asked >= 0.05 {
            true => format!("{:.1} % of {:.0}", 100.0 * t.broken / t.asked, t.asked),
            false => "–".to_owned(),
        };
        let cells: Vec<String> = tallies.iter().map(cell).collect();
        let name = format!("{} ({:?})", sort.family.row().name, sort.of);
        println!("| {} | {} |", name.to_lowercase(), cells.join(" | "));
    }
    Ok(())
}
