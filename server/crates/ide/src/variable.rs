//! A variable as something of the program: two of one name are two.

use calls::Workspace;
use chains::Candidate;
use flow::{DefId, ExprId, LocalId, Target};
use program::{BodyId, FieldId, NameTarget, Program};

/// See the module's description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// Of the body that declares it.
    Local(BodyId, LocalId),
    /// Of the workspace.
    Field(FieldId),
}

impl Variable {
    /// What a candidate of a body defines; an element stands for its array.
    pub(crate) fn of(body: BodyId, candidate: &Candidate) -> Option<Variable> {
        let local = || candidate.local.map(|l| Variable::Local(body, l));
        candidate.field.map(Variable::Field).or_else(local)
    }

    /// What a name that is no local of the body means.
    pub(crate) fn named(workspace: &Workspace, body: BodyId, name: ExprId) -> Option<Variable> {
        let names = &workspace.resolved(body)?.names;
        let at = names.binary_search_by_key(&name, |n| n.0).ok()?;
        match names[at].1 {
            NameTarget::Field(field) => Some(Variable::Field(field)),
            NameTarget::Captured { body, local } => Some(Variable::Local(body, local)),
            _ => None,
        }
    }

    /// What a definition of a body defines.
    pub(crate) fn defined(workspace: &Workspace, body: BodyId, def: DefId) -> Option<Variable> {
        let decl = workspace.program().body(body)?;
        if let Target::Local(local) = decl.body.defs[def.ix()].target {
            return Some(Variable::Local(body, local));
        }
        let mut candidates = workspace.chains(body)?.candidates.iter();
        let own = candidates.find(|c| c.def == Some(def))?;
        own.field.map(Variable::Field)
    }

    /// True if that is its name.
    pub(crate) fn is_called(self, program: &Program, name: &str) -> bool {
        match self {
            Variable::Local(body, local) => program
                .body(body)
                .is_some_and(|d| d.body.locals[local.ix()].name == name),
            Variable::Field(field) => program.field_decl(field).is_some_and(|f| f.name == name),
        }
    }
}
