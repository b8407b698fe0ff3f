//! The node kinds and fields of tree-sitter-java as closed enums, so that `match` is exhaustive and fast.
//! The tables are checked against the grammar by a test: a new grammar version that renames a kind fails there.

use std::sync::LazyLock;

macro_rules! kinds {
    (named { $($n:ident $ns:literal,)* } tokens { $($t:ident $ts:literal,)* }) => {
        /// The kind of a node: named nodes first, then the tokens that carry meaning.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Kind {
            $($n,)* $($t,)*
            /// Text that the grammar could not read.
            Error,
            /// A token without meaning of its own (punctuation), or a kind this table does not name.
            Other,
        }
        const NAMED: &[(Kind, &str)] = &[$((Kind::$n, $ns),)*];
        const TOKENS: &[(Kind, &str)] = &[$((Kind::$t, $ts),)*];
    };
}

kinds! {
    named {
        AnnotatedType "annotated_type",
        Annotation "annotation",
        AnnotationArgumentList "annotation_argument_list",
        AnnotationTypeBody "annotation_type_body",
        AnnotationTypeDeclaration "annotation_type_declaration",
        AnnotationTypeElementDeclaration "annotation_type_element_declaration",
        ArgumentList "argument_list",
        ArrayAccess "array_access",
        ArrayCreationExpression "array_creation_expression",
        ArrayInitializer "array_initializer",
        ArrayType "array_type",
        AssertStatement "assert_statement",
        AssignmentExpression "assignment_expression",
        Asterisk "asterisk",
        BinaryExpression "binary_expression",
        BinaryIntegerLiteral "binary_integer_literal",
        Block "block",
        BooleanType "boolean_type",
        BreakStatement "break_statement",
        CastExpression "cast_expression",
        CatchClause "catch_clause",
        CatchFormalParameter "catch_formal_parameter",
        CatchType "catch_type",
        CharacterLiteral "character_literal",
        ClassBody "class_body",
        ClassDeclaration "class_declaration",
        ClassLiteral "class_literal",
        CompactConstructorDeclaration "compact_constructor_declaration",
        ConstantDeclaration "constant_declaration",
        ConstructorBody "constructor_body",
        ConstructorDeclaration "constructor_declaration",
        ContinueStatement "continue_statement",
        DecimalFloatingPointLiteral "decimal_floating_point_literal",
        DecimalIntegerLiteral "decimal_integer_literal",
        Dimensions "dimensions",
        DimensionsExpr "dimensions_expr",
        DoStatement "do_statement",
        ElementValueArrayInitializer "element_value_array_initializer",
        ElementValuePair "element_value_pair",
        EnhancedForStatement "enhanced_for_statement",
        EnumBody "enum_body",
        EnumBodyDeclarations "enum_body_declarations",
        EnumConstant "enum_constant",
        EnumDeclaration "enum_declaration",
        EscapeSequence "escape_sequence",
        ExplicitConstructorInvocation "explicit_constructor_invocation",
        ExportsModuleDirective "exports_module_directive",
        ExpressionStatement "expression_statement",
        ExtendsInterfaces "extends_interfaces",
        False "false",
        FieldAccess "field_access",
        FieldDeclaration "field_declaration",
        FinallyClause "finally_clause",
        FloatingPointType "floating_point_type",
        ForStatement "for_statement",
        FormalParameter "formal_parameter",
        FormalParameters "formal_parameters",
        GenericType "generic_type",
        Guard "guard",
        HexFloatingPointLiteral "hex_floating_point_literal",
        HexIntegerLiteral "hex_integer_literal",
        Identifier "identifier",
        IfStatement "if_statement",
        ImportDeclaration "import_declaration",
        InferredParameters "inferred_parameters",
        InstanceofExpression "instanceof_expression",
        IntegralType "integral_type",
        InterfaceBody "interface_body",
        InterfaceDeclaration "interface_declaration",
        LabeledStatement "labeled_statement",
        LambdaExpression "lambda_expression",
        LocalVariableDeclaration "local_variable_declaration",
        MarkerAnnotation "marker_annotation",
        MethodDeclaration "method_declaration",
        MethodInvocation "method_invocation",
        MethodReference "method_reference",
        Modifiers "modifiers",
        ModuleBody "module_body",
        ModuleDeclaration "module_declaration",
        MultilineStringFragment "multiline_string_fragment",
        NullLiteral "null_literal",
        ObjectCreationExpression "object_creation_expression",
        OctalIntegerLiteral "octal_integer_literal",
        OpensModuleDirective "opens_module_directive",
        PackageDeclaration "package_declaration",
        ParenthesizedExpression "parenthesized_expression",
        Pattern "pattern",
        Permits "permits",
        Program "program",
        ProvidesModuleDirective "provides_module_directive",
        ReceiverParameter "receiver_parameter",
        RecordDeclaration "record_declaration",
        RecordPattern "record_pattern",
        RecordPatternBody "record_pattern_body",
        RecordPatternComponent "record_pattern_component",
        RequiresModifier "requires_modifier",
        RequiresModuleDirective "requires_module_directive",
        Resource "resource",
        ResourceSpecification "resource_specification",
        ReturnStatement "return_statement",
        ScopedIdentifier "scoped_identifier",
        ScopedTypeIdentifier "scoped_type_identifier",
        SpreadParameter "spread_parameter",
        StaticInitializer "static_initializer",
        StringFragment "string_fragment",
        StringInterpolation "string_interpolation",
        StringLiteral "string_literal",
        Super "super",
        SuperInterfaces "super_interfaces",
        Superclass "superclass",
        SwitchBlock "switch_block",
        SwitchBlockStatementGroup "switch_block_statement_group",
        SwitchExpression "switch_expression",
        SwitchLabel "switch_label",
        SwitchRule "switch_rule",
        SynchronizedStatement "synchronized_statement",
        TemplateExpression "template_expression",
        TernaryExpression "ternary_expression",
        This "this",
        ThrowStatement "throw_statement",
        Throws "throws",
        True "true",
        TryStatement "try_statement",
        TryWithResourcesStatement "try_with_resources_statement",
        TypeArguments "type_arguments",
        TypeBound "type_bound",
        TypeIdentifier "type_identifier",
        TypeList "type_list",
        TypeParameter "type_parameter",
        TypeParameters "type_parameters",
        TypePattern "type_pattern",
        UnaryExpression "unary_expression",
        UnderscorePattern "underscore_pattern",
        UpdateExpression "update_expression",
        UsesModuleDirective "uses_module_directive",
        VariableDeclarator "variable_declarator",
        VoidType "void_type",
        WhileStatement "while_statement",
        Wildcard "wildcard",
        YieldStatement "yield_statement",
    }
    tokens {
        Bang "!",
        NotEq "!=",
        Percent "%",
        PercentEq "%=",
        Amp "&",
        AmpAmp "&&",
        AmpEq "&=",
        Star "*",
        StarEq "*=",
        Plus "+",
        PlusPlus "++",
        PlusEq "+=",
        Minus "-",
        MinusMinus "--",
        MinusEq "-=",
        Arrow "->",
        Ellipsis "...",
        Slash "/",
        SlashEq "/=",
        Colon ":",
        ColonColon "::",
        Lt "<",
        Shl "<<",
        ShlEq "<<=",
        LtEq "<=",
        Eq "=",
        EqEq "==",
        Gt ">",
        GtEq ">=",
        Shr ">>",
        ShrEq ">>=",
        UShr ">>>",
        UShrEq ">>>=",
        Question "?",
        Caret "^",
        CaretEq "^=",
        KwAbstract "abstract",
        KwByte "byte",
        KwChar "char",
        KwDefault "default",
        KwDouble "double",
        KwExtends "extends",
        KwFinal "final",
        KwFloat "float",
        KwInt "int",
        KwLong "long",
        KwNative "native",
        KwNew "new",
        KwNonSealed "non-sealed",
        KwPrivate "private",
        KwProtected "protected",
        KwPublic "public",
        KwSealed "sealed",
        KwShort "short",
        KwStatic "static",
        KwStrictfp "strictfp",
        KwSynchronized "synchronized",
        KwTransient "transient",
        KwVolatile "volatile",
        KwWhen "when",
        Pipe "|",
        PipeEq "|=",
        PipePipe "||",
        Tilde "~",
    }
}

/// The kind id of tree-sitter's ERROR.
const ERROR: u16 = u16::MAX;

/// From here on kinds are tokens.
const FIRST_TOKEN: Kind = TOKENS[0].0;

/// Kind ids of the grammar to [`Kind`]; [`ERROR`] is handled by [`Kind::of`].
static TABLE: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let language = crate::language();
    let mut table = vec![Kind::Other; language.node_kind_count()];
    for id in 0..language.node_kind_count() as u16 {
        let Some(name) = language.node_kind_for_id(id) else {
            continue;
        };
        let rows = if language.node_kind_is_named(id) {
            NAMED
        } else {
            TOKENS
        };
        if let Some((kind, _)) = rows.iter().find(|(_, n)| *n == name) {
            table[usize::from(id)] = *kind;
        }
    }
    table
});

impl Kind {
    /// True for literals, `null` among them. A text block is a string.
    pub fn is_literal(self) -> bool {
        matches!(
            self,
            Kind::DecimalIntegerLiteral
                | Kind::HexIntegerLiteral
                | Kind::OctalIntegerLiteral
                | Kind::BinaryIntegerLiteral
                | Kind::DecimalFloatingPointLiteral
                | Kind::HexFloatingPointLiteral
                | Kind::CharacterLiteral
                | Kind::StringLiteral
                | Kind::True
                | Kind::False
                | Kind::NullLiteral
        )
    }
    /// True for nodes that stand for a type.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            Kind::VoidType
                | Kind::BooleanType
                | Kind::IntegralType
                | Kind::FloatingPointType
                | Kind::TypeIdentifier
                | Kind::ScopedTypeIdentifier
                | Kind::GenericType
                | Kind::ArrayType
                | Kind::AnnotatedType
                | Kind::Wildcard
                | Kind::CatchType
        )
    }

    /// The kind of a tree-sitter node.
    pub fn of(node: &tree_sitter::Node<'_>) -> Kind {
        match node.kind_id() {
            ERROR => Kind::Error,
            id => TABLE.get(usize::from(id)).copied().unwrap_or(Kind::Other),
        }
    }
    /// True for tokens: nothing stands below them.
    pub(crate) fn is_leaf(self) -> bool {
        use Kind::*;
        self as u8 >= FIRST_TOKEN as u8 && self != Error
            || matches!(
                self,
                Identifier
                    | TypeIdentifier
                    | This
                    | Super
                    | True
                    | False
                    | NullLiteral
                    | VoidType
                    | BooleanType
                    | DecimalIntegerLiteral
                    | HexIntegerLiteral
                    | OctalIntegerLiteral
                    | BinaryIntegerLiteral
                    | DecimalFloatingPointLiteral
                    | HexFloatingPointLiteral
                    | StringFragment
                    | EscapeSequence
            )
    }
}

macro_rules! fields {
    ($($f:ident $fs:literal,)*) => {
        /// The role of a node in its parent, as the grammar names it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Field { $($f,)* None }
        const FIELDS: &[(Field, &str)] = &[$((Field::$f, $fs),)*];
    };
}

fields! {
    Alternative "alternative",
    Arguments "arguments",
    Array "array",
    Body "body",
    Condition "condition",
    Consequence "consequence",
    Constructor "constructor",
    Declarator "declarator",
    Dimensions "dimensions",
    Element "element",
    Field "field",
    Index "index",
    Init "init",
    Interfaces "interfaces",
    Key "key",
    Left "left",
    Modifiers "modifiers",
    Module "module",
    Modules "modules",
    Name "name",
    Object "object",
    Operand "operand",
    Operator "operator",
    Package "package",
    Parameters "parameters",
    Pattern "pattern",
    Permits "permits",
    Provided "provided",
    Provider "provider",
    Resources "resources",
    Right "right",
    Scope "scope",
    Superclass "superclass",
    TemplateArgument "template_argument",
    TemplateProcessor "template_processor",
    Type "type",
    TypeArguments "type_arguments",
    TypeParameters "type_parameters",
    Update "update",
    Value "value",
}

static FIELD_TABLE: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let language = crate::language();
    let mut table = vec![Field::None; language.field_count() + 1];
    for id in 1..=language.field_count() as u16 {
        let Some(name) = language.field_name_for_id(id) else {
            continue;
        };
        if let Some((field, _)) = FIELDS.iter().find(|(_, n)| *n == name) {
            table[usize::from(id)] = *field;
        }
    }
    table
});

impl Field {
    /// The field under which a cursor stands.
    pub fn of(id: Option<std::num::NonZeroU16>) -> Field {
        id.and_then(|id| FIELD_TABLE.get(usize::from(id.get())).copied())
            .unwrap_or(Field::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_the_grammar() {
        for (kind, name) in NAMED {
            assert!(
                TABLE.contains(kind),
                "{name} is not a named node of the grammar"
            );
        }
        for (kind, name) in TOKENS {
            assert!(TABLE.contains(kind), "{name} is not a token of the grammar");
        }
        for (field, name) in FIELDS {
            assert!(
                FIELD_TABLE.contains(field),
                "{name} is not a field of the grammar"
            );
        }
    }
}
