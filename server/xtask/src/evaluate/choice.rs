//! `cargo xtask evaluate choice`: would a developer have chosen what is offered?
//!
//! In every test with two or more assertions on values, one assertion is hidden at a time (with the locals that it alone
//! uses), the readable list is asked for as of its place, and the place of what the developer read there is looked up.
//! Beside it stand baselines that know no program analysis, and the paper's ranking to the letter. What the suite's
//! habits know of the hidden assertion is taken off before the question is put.

mod baselines;
mod cases;
mod misses;
mod table;

use calls::Workspace;
use observe::Settings;
use recommend::{Learned, Observation, Switches, offer_hiding};
use std::time::Instant;

use rayon::prelude::*;

use super::{Subject, Where};
use crate::Result;
use baselines::Rivals;
use cases::{Case, Kind};
use table::{PLACES, Score, Tally};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Where,
    /// Also with each switch turned the other way, one at a time
    #[arg(long)]
    switches: bool,
    /// At most this many cases a subject, evenly spread; 0 for all
    #[arg(long, default_value_t = 2000)]
    sample: usize,
    /// Print every case: where, what was read, at which place it stands, what stands above it
    #[arg(long)]
    cases: bool,
    /// Turn this switch the other way throughout (may be repeated)
    #[arg(long)]
    flip: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) {
        return crate::bench::again_in_release();
    }
    let mut switches = Switches::default();
    for name in &arguments.flip {
        let Some(row) = Switches::ALL.iter().find(|row| row.0 == name) else {
            return Err(format!("no switch {name}"));
        };
        row.2(&mut switches, !row.1);
    }
    let mut tally = Tally::default();
    for (name, folder) in &arguments.place.folders()? {
        let start = Instant::now();
        let subject = Subject::load(folder)?;
        let cases = subject.cases(arguments.sample);
        subject.evaluate(name, &cases, &switches, arguments, &mut tally);
        eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f64());
    }
    tally.print();
    Ok(())
}

impl Subject {
    /// All cases, or `most` of them evenly spread.
    fn cases(&self, most: usize) -> Vec<Case> {
        let all = cases::of(&self.workspace);
        if most == 0 || all.len() <= most {
            return all;
        }
        let step = all.len() as f64 / most as f64;
        let picked = (0..most).map(|i| (i as f64 * step) as usize);
        let mut all: Vec<Option<Case>> = all.into_iter().map(Some).collect();
        picked.filter_map(|i| all[i].take()).collect()
    }

    fn ask(&self, case: &Case, switches: &Switches, learned: Learned) -> Answer {
        let settings = Settings::default();
        let start = Instant::now();
        let hidden = offer_hiding(
            &self.workspace,
            &self.known,
            case.test,
            &settings,
            switches,
            case.call,
            learned,
        );
        Answer {
            seconds: start.elapsed().as_secs_f64(),
            readable: hidden.readable,
            points: hidden.points,
        }
    }

    fn evaluate(
        &self,
        name: &str,
        cases: &[Case],
        switches: &Switches,
        arguments: &Arguments,
        tally: &mut Tally,
    ) {
        let rivals = Rivals::new(&self.workspace, cases);
        let outcomes: Vec<Outcome> = cases
            .par_iter()
            .map(|case| {
                let answer = self.ask(case, switches, Learned::Suite);
                let strict = self.ask(case, switches, Learned::OtherFiles);
                Outcome {
                    place: place(case, &answer.readable),
                    strict: place(case, &strict.readable),
                    answerable: answer.points.iter().any(|(o, _)| case.is(&o.expression)),
                    random: baselines::random(case, &answer),
                    lasts: place_of(case, &baselines::last_variables(&self.workspace, case)),
                    returned: place_of(case, &baselines::returned(&self.workspace, case)),
                    paper: rivals.paper(&self.workspace, case),
                    miss: misses::why(&self.workspace, case, &answer),
                    answer,
                }
            })
            .collect();
        if arguments.cases {
            for (case, outcome) in cases.iter().zip(&outcomes) {
                print_case(&self.workspace, case, outcome);
            }
        }
        tally.subject(name, cases, &outcomes);
        if arguments.switches {
            for (switch, default, set) in Switches::ALL {
                let mut other = *switches;
                set(&mut other, !default);
                let score: Score = cases
                    .par_iter()
                    .map(|case| {
                        let answer = self.ask(case, &other, Learned::Suite);
                        Score::of(place(case, &answer.readable))
                    })
                    .reduce(Score::default, Score::plus);
                tally.switch(switch, *default, score);
            }
        }
    }
}

/// What was offered.
struct Answer {
    seconds: f64,
    readable: Vec<Observation>,
    /// What could have been, and whether an assertion checks it already.
    points: Vec<(Observation, bool)>,
}

/// What came of one case. Places count from 0.
struct Outcome {
    answer: Answer,
    answerable: bool,
    place: Option<usize>,
    strict: Option<usize>,
    lasts: Option<usize>,
    returned: Option<usize>,
    /// The chance to be among the first k, for each of [`PLACES`].
    random: [f64; PLACES.len()],
    paper: Option<usize>,
    miss: Option<misses::Why>,
}

fn place(case: &Case, list: &[Observation]) -> Option<usize> {
    list.iter().position(|o| case.is(&o.expression))
}

fn place_of(case: &Case, list: &[String]) -> Option<usize> {
    list.iter().position(|text| case.is(text))
}

fn print_case(workspace: &Workspace, case: &Case, outcome: &Outcome) {
    let program = workspace.program();
    let shown =
        |place: Option<usize>| place.map_or_else(|| "-".to_owned(), |p| (p + 1).to_string());
    let place = shown(outcome.place);
    let (lasts, returned) = (shown(outcome.lasts), shown(outcome.returned));
    let why = outcome.miss.map_or("", misses::Why::text);
    let above: Vec<&str> = outcome
        .answer
        .readable
        .iter()
        .take(5)
        .map(|o| o.expression.as_str())
        .collect();
    println!(
        "case\t{}\t{}\t{}\t{place}\t{lasts}\t{returned}\t{why}\t{}",
        program.method_name(case.test),
        case.line,
        case.texts().join(" | "),
        above.join(" | "),
    );
}

/// Tests' code is shared by the parts of this command.
fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

impl Kind {
    /// True if a list of values without new input can contain it.
    fn is_observation(self) -> bool {
        self == Kind::Value
    }
}
