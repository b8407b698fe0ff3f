; Assertions: the whole under @assertion, what names it under @assertion.name, what it is given under @assertion.args.
; A chain (`assertThat(x).isEqualTo(y)`) is captured at its start; the span is widened to the chain.

(assert_statement "assert" @assertion.name . (expression) @assertion.args) @assertion

; JUnit, TestNG, AssertJ, Hamcrest, Truth, and a project's own: every call whose name starts with `assert`.
(method_invocation
  name: (identifier) @assertion.name
  arguments: (argument_list) @assertion.args
  (#match? @assertion.name "^assert($|[A-Z_0-9])")) @assertion

; AssertJ's words for behaviour, of which something is asked. How a mock was used is asked by `then(mock).should()`.
(method_invocation
  object: (method_invocation
    !object
    name: (identifier) @assertion.name
    arguments: (argument_list . (_) .) @assertion.args) @assertion
  name: (identifier) @link
  (#eq? @assertion.name "then")
  (#not-match? @link "^should"))

(method_invocation
  object: (method_invocation
    object: (_) @object
    name: (identifier) @assertion.name
    arguments: (argument_list . (_) .) @assertion.args) @assertion
  name: (identifier) @link
  (#match? @object "(^|[.])(BDDAssertions|BDDSoftAssertions|softly|super|this)$")
  (#eq? @assertion.name "then")
  (#not-match? @link "^should"))

(method_invocation
  !object
  name: (identifier) @assertion.name
  arguments: (argument_list) @assertion.args
  (#match? @assertion.name "^(fail|failBecauseExceptionWasNotThrown|shouldHaveThrown)$")) @assertion

(method_invocation
  object: (_) @object
  name: (identifier) @assertion.name
  arguments: (argument_list) @assertion.args
  (#match? @object "(^|[.])(Assert|Assertions|TestCase|Fail|super|this)$")
  (#match? @assertion.name "^(fail|failBecauseExceptionWasNotThrown|shouldHaveThrown)$")) @assertion

; Mockito and EasyMock. An object of any other name has a method `verify` of its own.
(method_invocation
  !object
  name: (identifier) @assertion.name
  arguments: (argument_list) @assertion.args
  (#match? @assertion.name "^verify(NoInteractions|NoMoreInteractions|ZeroInteractions|All)?$")) @assertion

(method_invocation
  object: (_) @object
  name: (identifier) @assertion.name
  arguments: (argument_list) @assertion.args
  (#match? @object "(^|[.])(Mockito|BDDMockito|EasyMock|PowerMock|[iI]nOrder[0-9]*)$")
  (#match? @assertion.name "^verify(NoInteractions|NoMoreInteractions|ZeroInteractions|All)?$")) @assertion
