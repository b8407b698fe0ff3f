//! What a tool adds to a class hands values on, and is no place that anybody could look at.
#![allow(clippy::unwrap_used)]

use calls::Workspace;
use observe::{Node, Settings, Strategy, rank};
use program::{FileInput, Program, SourceSetId, SourceSetInput};

const CODE: &str = "import lombok.*;
@Data class Point { private int x; private int y; }
@Value @Builder class Fixed { int x; }
class Maker {
    int made;
    Point make(int n) { Point p = new Point(); made = n * 2; p.setX(made); return p; }
    int back(Point p) { int twice = p.getX() * 2; return twice; }
    Fixed fix(int n) { return Fixed.builder().x(n + 1).build(); }
}
";

#[test]
fn what_a_tool_adds_is_gone_through_and_not_named() {
    let file = FileInput {
        path: "Maker.java".into(),
        source_set: SourceSetId(0),
        text: CODE.into(),
    };
    let program = Program::build(vec![SourceSetInput::default()], vec![file]);
    let workspace = Workspace::new(program);
    let units = workspace.units(&|_, _, _| true);
    for strategy in [Strategy::Sods, Strategy::PageRank, Strategy::Betweenness] {
        let settings = Settings {
            top: 100,
            strategy,
            ..Settings::default()
        };
        let ranking = rank(&workspace, &units, &settings);
        let at = |v: u32| match ranking.graph.nodes[v as usize] {
            Node::Real { unit, candidate } => {
                let unit = &units[unit.ix()];
                let candidate = &unit.chains.candidates[candidate as usize];
                let before = &CODE[..(unit.start + candidate.start) as usize];
                let line = before.matches('\n').count() + 1;
                format!("{}@{line}", candidate.variable)
            }
            Node::Point(_) => String::new(),
        };
        let named: Vec<String> = ranking.ranking.iter().map(|r| at(r.vertex)).collect();
        assert!(
            named
                .iter()
                .all(|n| !n.ends_with("@2") && !n.ends_with("@3")),
            "{named:?}"
        );
        // By way of the setter, the field and the getter.
        let twice = ranking.ranking.iter().find(|r| at(r.vertex) == "twice@7");
        let covered = twice.map(|r| r.stands_for.iter().map(|s| at(s.vertex)));
        if strategy == Strategy::Sods {
            let covered: Vec<String> = covered.unwrap().collect();
            assert!(covered.iter().any(|c| c == "x@2"), "{covered:?}");
        }
    }
}
