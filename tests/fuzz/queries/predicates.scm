((_) @test (#match? @test "[a-z]{2,9}$") (#any-of? @test "a" "b") (.not-eq? @test "c"))
((_) @test @assertion (#eq? @test @assertion))
