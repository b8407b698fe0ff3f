(block (_)* (_)+ (_)?) @test
(block ["{" (_)]* . (expression_statement (_)? @assertion.args)) @assertion
((_) @assertion . [(_) "}"]+)
(_ (_) @assertion.name (_)? @assertion.args (_)*) @test
