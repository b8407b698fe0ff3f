(block [(_) @test (_)? @test]+)
