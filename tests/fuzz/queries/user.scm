((method_declaration name: (identifier) @name (#match? @name "^test.*")) @test (#eq? @name "x"))
