//! Which candidates many values go through: the centralities by which Dodona ranks (Loyola, Staats, Ko and Rothermel, ISSTA 2014),
//! over the substitution graph, against its edges: what a candidate stands in for flows to it.

use crate::Psg;

/// The damping that is usual (Brin and Page 1998).
const DAMPING: f64 = 0.85;
/// After so many turns what still moves is less than 0.01 of a rank.
const TURNS: usize = 30;
/// From how many vertices at most shortest ways are counted. Of larger graphs it is an estimate from this many of them
/// (Brandes and Pich 2007), spread evenly.
const PIVOTS: usize = 2_000;

/// By vertex: the share of a walk along values that comes by there. They add up to 1. (petgraph's own visits all pairs of vertices
/// in each turn, which takes minutes for the graph of one test.)
///
/// Costs 30 times the edges.
pub fn page_rank(psg: &Psg) -> Vec<f64> {
    let count = psg.vertex_count() as usize;
    let mut leaving = vec![0u32; count];
    for edge in psg.edges() {
        leaving[edge.to as usize] += 1;
    }
    let each = 1.0 / count.max(1) as f64;
    let mut ranks = vec![each; count];
    for _ in 0..TURNS {
        let ends = (0..count).filter(|v| leaving[*v] == 0);
        let lost: f64 = ends.map(|v| ranks[v]).sum();
        let mut next = vec![(1.0 - DAMPING + DAMPING * lost) * each; count];
        for edge in psg.edges() {
            let from = edge.to as usize;
            next[edge.from as usize] += DAMPING * ranks[from] / f64::from(leaving[from]);
        }
        ranks = next;
    }
    ranks
}

/// By vertex: how many of the shortest ways between two others lead through it, several of one length in shares
/// (Brandes 2001).
///
/// Costs the edges times the vertices, or times 2,000 of them. `poll` is called once for each.
pub fn betweenness(psg: &Psg, poll: &dyn Fn()) -> Vec<f64> {
    let count = psg.vertex_count() as usize;
    let pivots = count.min(PIVOTS);
    let mut out = vec![0.0; count];
    let mut ways = vec![0.0; count];
    let mut far = vec![u32::MAX; count];
    let mut credit = vec![0.0; count];
    let mut order: Vec<u32> = Vec::new();
    for pivot in 0..pivots {
        poll();
        let source = (pivot * count / pivots) as u32;
        order.clear();
        order.push(source);
        (ways[source as usize], far[source as usize]) = (1.0, 0);
        let mut at = 0;
        while let Some(&v) = order.get(at) {
            at += 1;
            for edge in psg.incoming(v) {
                let (v, w) = (v as usize, edge.from as usize);
                if far[w] == u32::MAX {
                    far[w] = far[v] + 1;
                    order.push(edge.from);
                }
                if far[w] == far[v] + 1 {
                    ways[w] += ways[v];
                }
            }
        }
        for &w in order.iter().rev() {
            for edge in psg.outgoing(w) {
                let (v, w) = (edge.to as usize, w as usize);
                if far[v] != u32::MAX && far[w] == far[v] + 1 {
                    credit[v] += ways[v] / ways[w] * (1.0 + credit[w]);
                }
            }
            if w != source {
                out[w as usize] += credit[w as usize];
            }
        }
        for &v in &order {
            let v = v as usize;
            (ways[v], far[v], credit[v]) = (0.0, u32::MAX, 0.0);
        }
    }
    let scale = count as f64 / pivots.max(1) as f64;
    out.iter_mut().for_each(|of| *of *= scale);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::psg::tests::graphs;
    use proptest::prelude::*;

    fn psg(vertices: usize, edges: &[(u32, u32)]) -> Psg {
        let vertex = crate::Vertex {
            unit: calls::UnitId(0),
            postorder: 0,
        };
        let vertices = vec![vertex; vertices];
        let edges = edges.iter().map(|&(from, to)| crate::Edge {
            from,
            to,
            kind: crate::EdgeKind::Local,
            probability: 1.0,
            copy: false,
        });
        Psg::new(&vertices, edges)
    }

    /// All shortest ways between all pairs, one by one.
    fn by_hand(psg: &Psg) -> Vec<f64> {
        let count = psg.vertex_count();
        let mut out = vec![0.0; count as usize];
        for source in 0..count {
            let mut all: Vec<Vec<u32>> = vec![vec![source]];
            let mut seen: Vec<u32> = vec![source];
            while !all.is_empty() {
                let mut next: Vec<Vec<u32>> = Vec::new();
                for way in &all {
                    let last = way.last().copied().unwrap_or_default();
                    // Two edges of one pair are two ways.
                    for edge in psg.incoming(last).filter(|e| !seen.contains(&e.from)) {
                        next.push(way.iter().copied().chain([edge.from]).collect());
                    }
                }
                let mut ends: Vec<u32> = next.iter().filter_map(|w| w.last().copied()).collect();
                ends.sort_unstable();
                ends.dedup();
                for &end in &ends {
                    let own: Vec<&Vec<u32>> =
                        next.iter().filter(|w| w.last() == Some(&end)).collect();
                    for way in &own {
                        for &v in &way[1..way.len() - 1] {
                            out[v as usize] += 1.0 / own.len() as f64;
                        }
                    }
                }
                seen.extend(&ends);
                all = next;
            }
        }
        out
    }

    #[test]
    fn what_values_flow_to_ranks_first() {
        // 1, 2 and 3 flow to 0, and 0 flows to 4.
        let psg = psg(5, &[(0, 1), (0, 2), (0, 3), (4, 0)]);
        let ranks = page_rank(&psg);
        assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{ranks:?}");
        assert!(ranks[4] > ranks[0] && ranks[0] > ranks[1], "{ranks:?}");
        assert_eq!(ranks[1], ranks[2]);
        assert_eq!(betweenness(&psg, &|| ()), [3.0, 0.0, 0.0, 0.0, 0.0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn between_is_between_by_hand((vertices, edges) in graphs(9, false)) {
            let psg = Psg::new(&vertices, edges);
            let (fast, slow) = (betweenness(&psg, &|| ()), by_hand(&psg));
            for (a, b) in fast.iter().zip(&slow) {
                prop_assert!((a - b).abs() < 1e-9, "{:?} {:?}", fast, slow);
            }
        }
    }
}
