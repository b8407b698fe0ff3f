//! The ranking, computed once more from the printed graph by the formulas of `docs/method.md` §1.5-1.6, without their
//! shortcuts: sums over all paths, and a selection that looks at every candidate each time.

use crate::support::{demo, subject, telltale};
use serde_json::Value;
use std::path::Path;

/// What the formulas say of a graph.
struct Formulas {
    /// By candidate: FOC(i, j) for every j; dense, the scopes are small.
    foc: Vec<Vec<f64>>,
    /// FOC(i).
    total: Vec<f64>,
    /// How far each candidate is observed.
    fp: Vec<f64>,
    selected: Vec<bool>,
}

impl Formulas {
    /// §1.5. With λ = 0 only direct edges count, and none is cut.
    fn new(graph: &Value, lambda: f64) -> Formulas {
        let n = graph["nodes"].as_array().expect("nodes").len();
        let mut uses: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
        for e in graph["edges"].as_array().expect("edges") {
            let end = |key: &str| e[key].as_u64().expect("an id") as usize;
            if lambda == 0.0 || e["cut"] == false {
                let p = e["probability"].as_f64().expect("a number");
                uses[end("from")].push((end("to"), p));
            }
        }
        let foc: Vec<Vec<f64>> = (0..n).map(|i| row(i, &uses, lambda)).collect();
        Formulas {
            total: foc.iter().map(|row| row.iter().sum()).collect(),
            foc,
            fp: vec![0.0; n],
            selected: vec![false; n],
        }
    }

    /// §1.6, after `k` was selected.
    fn select(&mut self, k: usize, constant: Option<f64>) {
        self.selected[k] = true;
        for i in 0..self.fp.len() {
            let shown = self.foc[k][i];
            if shown <= 0.0 {
                continue;
            }
            self.fp[i] = constant.unwrap_or((self.fp[i] + shown).min(1.0));
            for s in (0..self.fp.len()).filter(|s| !self.selected[*s]) {
                let part = self.foc[s][i];
                self.total[s] -= part * self.fp[i];
                self.foc[s][i] = part * (1.0 - self.fp[i]);
            }
        }
    }
}

/// FOC(i, j) for every j: each path counts the product of its probabilities, times λ for each inner vertex.
fn row(i: usize, uses: &[Vec<(usize, f64)>], lambda: f64) -> Vec<f64> {
    // Vertices in an order in which each stands before those that it uses.
    let mut order = Vec::new();
    let mut seen = vec![false; uses.len()];
    let mut work = vec![(i, false)];
    while let Some((v, done)) = work.pop() {
        if done {
            order.push(v);
        } else if !std::mem::replace(&mut seen[v], true) {
            work.push((v, true));
            if lambda > 0.0 || v == i {
                work.extend(uses[v].iter().map(|u| (u.0, false)));
            }
        }
    }
    let mut sums = vec![0.0; uses.len()];
    for &v in order.iter().rev() {
        let here = if v == i { 1.0 } else { sums[v] * lambda };
        for &(to, p) in &uses[v] {
            sums[to] += here * p;
        }
    }
    sums[i] = 1.0;
    sums.iter().map(|sum| sum.min(1.0)).collect()
}

#[track_caller]
fn check(folder: &Path, scope: &[&str], lambda: f64, fp: Option<f64>) {
    let graph = [&["graph", "--format", "json"], scope].concat();
    let mut formulas = Formulas::new(&telltale(folder, &graph).json(), lambda);
    let (l, f) = (lambda.to_string(), fp.map_or("d".into(), |c| c.to_string()));
    let settings = [
        "observe", "--format", "json", "--top", "60", "--lambda", &l, "--fp", &f,
    ];
    let observe = [&settings, scope].concat();
    let answer = telltale(folder, &observe).json();
    assert_eq!(answer["parameters"]["epsilon"], 0.0, "nothing was left out");
    let what = format!("{scope:?} λ {lambda} fp {f}");
    let before = formulas.total.clone();
    let ranking = answer["ranking"].as_array().expect("a ranking");
    assert_eq!(ranking.len(), before.len().min(60), "{what}");
    for place in ranking {
        let k = place["candidate"]["id"].as_u64().expect("an id") as usize;
        let is = |key: &str| place[key].as_f64().expect("a number");
        assert!((is("foc") - before[k]).abs() < 1e-9, "{what}: {place}");
        assert!(
            (is("gain") - formulas.total[k]).abs() < 1e-9,
            "{what}: {} by the formulas, {place}",
            formulas.total[k]
        );
        for (s, &total) in formulas.total.iter().enumerate() {
            assert!(
                formulas.selected[s] || total <= is("gain") + 1e-9,
                "{what}: {s} has {total}, before {place}"
            );
        }
        formulas.select(k, fp);
    }
}

#[test]
fn the_demo_is_ranked_by_the_formulas() {
    let scopes: [&[&str]; 4] = [
        &[],
        &["--class", "OrderBook"],
        &["--class", "Tree"],
        &["src/test/java"],
    ];
    for scope in scopes {
        for lambda in [0.0, 0.5, 1.0] {
            check(&demo(), scope, lambda, None);
        }
        check(&demo(), scope, 0.0, Some(1.0));
        check(&demo(), scope, 1.0, Some(0.5));
    }
    // Of tests: the same with everything in the running.
    for test in ["ParserTest", "InventoryTest"] {
        let all = telltale(
            &demo(),
            &[
                "observe", "--test", test, "--offer", "all", "--format", "json",
            ],
        );
        let graph = telltale(&demo(), &["graph", "--test", test, "--format", "json"]).json();
        let first = &all.json()["ranking"][0];
        let formulas = Formulas::new(&graph, 0.0);
        let most = formulas.total.iter().copied().fold(0.0, f64::max);
        assert!((first["gain"].as_f64().expect("a number") - most).abs() < 1e-9);
    }
}

#[test]
fn a_real_project_is_ranked_by_the_formulas() {
    let Some(folder) = subject("commons-csv") else {
        return;
    };
    for lambda in [0.0, 1.0] {
        check(&folder, &[], lambda, None);
    }
}
