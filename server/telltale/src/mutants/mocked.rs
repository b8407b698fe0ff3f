//! The call that a mutant leaves out and that only a mock of the test takes: no value tells, a `verify` would.

use ide::Analysis;
use mutants::{Mutant, Operator};
use oracle::frameworks::any;
use program::{FieldId, MethodId, Program};

/// How many classes above a test's are looked at for its fields.
const DEEP: usize = 20;

/// What would tell a call that was left out, and the first of these tests that has a mock of what it is called on.
pub(super) fn mocked(
    analysis: &Analysis,
    mutant: &Mutant,
    tests: &[MethodId],
) -> Option<(String, MethodId)> {
    if mutant.operator != Operator::VoidMethodCalls {
        return None;
    }
    let program = analysis.program();
    let (owner, name) = mutant.what.rsplit_once('.')?;
    let owner = owner.replace('/', ".");
    tests.iter().find_map(|test| {
        let own = program.method_owner(*test);
        let classes = std::iter::successors(Some(own), |class| program.superclass(*class));
        let mut fields = classes.take(DEEP).flat_map(|c| program.fields_of_type(c));
        let mock = fields.find(|f| is_mock_of(program, **f, &owner))?;
        let mock = &program.field_decl(*mock)?.name;
        Some((oracle::mocks::asked(mock, name, true).into(), *test))
    })
}

/// True for a field that an annotation makes a mock, of the type or of one below it.
fn is_mock_of(program: &Program, field: FieldId, owner: &str) -> bool {
    let decl = program.field_decl(field);
    let is_mock = decl.is_some_and(|d| d.annotations.iter().any(|a| any(a, |row| row.bare)));
    let class = program.erased_class(program.field_type(field));
    is_mock
        && class.is_some_and(|class| {
            let names = program.supertype_names(class);
            program.type_name(class) == owner || names.iter().any(|n| n == owner)
        })
}
