//! `telltale.observe/1`, `telltale.graph/1`, `telltale.calls/1`.

use super::candidates::CandidateJson;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct ScopeJson {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Parameters {
    pub(crate) lambda: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lambda_readable: Option<f64>,
    pub(crate) fp: serde_json::Value,
    pub(crate) top: usize,
    pub(crate) epsilon: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error_bound: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Counts {
    pub(crate) files: usize,
    pub(crate) files_skipped: usize,
    pub(crate) methods: usize,
    pub(crate) candidates: u32,
    pub(crate) edges: u32,
    pub(crate) calls: u32,
    pub(crate) calls_unresolved: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct StandsForJson {
    pub(crate) id: u32,
    pub(crate) variable: String,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) foc: f64,
    pub(crate) via: Vec<u32>,
}

#[derive(Debug, Serialize)]
pub(crate) struct RankedJson {
    pub(crate) rank: usize,
    pub(crate) gain: f64,
    pub(crate) foc: f64,
    pub(crate) candidate: CandidateJson,
    pub(crate) stands_for: Vec<StandsForJson>,
    /// What it stands in for, in words.
    pub(crate) because: String,
    /// Of a value that a test could read: why it may not be worth a look; a lens names only what none concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) doubt: Option<&'static str>,
    /// Of a value inside, for one test: how that test can check it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) check: Option<&'static str>,
    /// A user said *Not this one* of it: text leaves it out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) dismissed: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct ObserveJson {
    pub(crate) schema: &'static str,
    pub(crate) root: String,
    pub(crate) scope: ScopeJson,
    pub(crate) technique: &'static str,
    pub(crate) strategy: &'static str,
    pub(crate) offer: &'static str,
    pub(crate) parameters: Parameters,
    pub(crate) counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ranking: Option<Vec<RankedJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) readable: Option<Vec<RankedJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inside: Option<Vec<RankedJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read: Option<Vec<CandidateJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) candidates: Option<Vec<CandidateJson>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct EdgeJson {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) kind: &'static str,
    pub(crate) probability: f64,
    pub(crate) cut: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct GraphJson {
    pub(crate) schema: &'static str,
    pub(crate) root: String,
    pub(crate) scope: ScopeJson,
    pub(crate) nodes: Vec<CandidateJson>,
    pub(crate) edges: Vec<EdgeJson>,
}

#[derive(Debug, Serialize)]
pub(crate) struct MethodJson {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) entry: bool,
    pub(crate) test: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct CallsJson {
    pub(crate) schema: &'static str,
    pub(crate) scope: ScopeJson,
    pub(crate) technique: &'static str,
    pub(crate) methods: Vec<MethodJson>,
    pub(crate) calls: Vec<(u32, u32)>,
}

#[derive(Debug, Serialize)]
pub(crate) struct UseJson<'a> {
    pub(crate) path: &'a str,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) kind: &'a str,
    pub(crate) name: &'a str,
    pub(crate) target: Option<&'a str>,
    pub(crate) in_workspace: bool,
}
