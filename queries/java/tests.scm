; Tests and what runs around them. The declaration is captured under its kind, its name under @name:
;   @test @test.parameterized @test.repeated @test.factory @test.template @test.candidate
;   @setup @teardown @class.test @class.nested @class
; A declaration that several patterns capture gets the first kind of this list:
;   setup, teardown, test.parameterized, test.repeated, test.factory, test.template, test, test.candidate.
; @class is every type: one that directly holds a test is a test class.

; JUnit 4, JUnit 5, TestNG, JUnit Pioneer: by annotation, with or without arguments, simple or qualified.
(method_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])(Test|CartesianTest|RetryingTest|Theory)$")) @test

(method_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])ParameterizedTest$")) @test.parameterized

(method_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])RepeatedTest$")) @test.repeated

(method_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])TestFactory$")) @test.factory

(method_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])TestTemplate$")) @test.template

(method_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])(Before|BeforeEach|BeforeClass|BeforeAll|BeforeMethod|BeforeTest|BeforeSuite|BeforeGroups)$")) @setup

(method_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])(After|AfterEach|AfterClass|AfterAll|AfterMethod|AfterTest|AfterSuite|AfterGroups)$")) @teardown

; TestNG: @Test on the class makes its public methods tests.
(class_declaration
  (modifiers (_ name: (_) @a))
  body: (class_body
    (method_declaration (modifiers "public") @m type: (void_type) name: (identifier) @name) @test)
  (#not-match? @m "(^|[^a-z])static([^a-z]|$)")
  (#match? @a "(^|[.])Test$"))

; JUnit 3: public void testX() in a class that extends some …TestCase. Of other superclasses only the hierarchy knows
; whether they are test cases: those methods are candidates.
(class_declaration
  superclass: (superclass (_) @super)
  body: (class_body
    (method_declaration
      (modifiers "public")
      type: (void_type)
      name: (identifier) @name
      parameters: (formal_parameters "(" . ")")) @test)
  (#match? @super "TestCase(<|$)")
  (#match? @name "^test"))

(class_declaration
  superclass: (superclass)
  body: (class_body
    (method_declaration
      (modifiers "public")
      type: (void_type)
      name: (identifier) @name
      parameters: (formal_parameters "(" . ")")) @test.candidate)
  (#match? @name "^test"))

(class_declaration
  superclass: (superclass)
  body: (class_body
    (method_declaration
      type: (void_type)
      name: (identifier) @name
      parameters: (formal_parameters "(" . ")")) @setup)
  (#eq? @name "setUp"))

(class_declaration
  superclass: (superclass)
  body: (class_body
    (method_declaration
      type: (void_type)
      name: (identifier) @name
      parameters: (formal_parameters "(" . ")")) @teardown)
  (#eq? @name "tearDown"))

; Classes.
(class_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])Nested$")) @class.nested

(class_declaration
  (modifiers (_ name: (_) @a))
  name: (identifier) @name
  (#match? @a "(^|[.])(Test|RunWith|ExtendWith|TestInstance)$")) @class.test

(class_declaration
  name: (identifier) @name
  superclass: (superclass (_) @super)
  (#match? @super "TestCase(<|$)")) @class.test

(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
