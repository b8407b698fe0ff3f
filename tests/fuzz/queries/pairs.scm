(_ (_) @test (_) @test (_) @test) @assertion
(_ _ @test _ @test)
