; Marks of generated tests, under the generator's name:
;   @generated.evosuite @generated.randoop @generated.diffblue @generated.utbot @generated.other

; EvoSuite: class Stack_ESTest extends Stack_ESTest_scaffolding, @EvoRunnerParameters.
((class_declaration name: (identifier) @n) @generated.evosuite
  (#match? @n "_ESTest(_scaffolding)?$"))
((class_declaration superclass: (superclass (_) @n)) @generated.evosuite
  (#match? @n "_ESTest_scaffolding$"))
((class_declaration (modifiers (annotation name: (_) @n))) @generated.evosuite
  (#match? @n "(^|[.])EvoRunnerParameters$"))

; Randoop: class RegressionTest0, class ErrorTest12.
((class_declaration name: (identifier) @n) @generated.randoop
  (#match? @n "^(RegressionTest|ErrorTest)[0-9]+$"))

; Diffblue Cover.
((class_declaration name: (identifier) @n) @generated.diffblue
  (#match? @n "DiffblueTest$"))
((method_declaration (modifiers [(annotation name: (_) @n) (marker_annotation name: (_) @n)])) @generated.diffblue
  (#match? @n "(^|[.])(MethodsUnderTest|ManagedByDiffblue|ContributionFromDiffblue)$"))
((class_declaration (modifiers [(annotation name: (_) @n) (marker_annotation name: (_) @n)])) @generated.diffblue
  (#match? @n "(^|[.])(ManagedByDiffblue|ContributionFromDiffblue)$"))

; UTBot: its comments around regions of tests, its Javadoc tags, its display names.
((line_comment) @generated.utbot
  (#match? @generated.utbot "(?i)\\butbot|^///region (Test suites for executable|SYMBOLIC EXECUTION|FUZZER)"))
((block_comment) @generated.utbot
  (#match? @generated.utbot "(?i)\\butbot"))
((method_declaration (modifiers (annotation name: (_) @n arguments: (_) @value))) @generated.utbot
  (#match? @n "(^|[.])DisplayName$")
  (#match? @value "(?i)\\butbot"))

; @Generated of javax.annotation, javax.annotation.processing and jakarta.annotation.
((class_declaration (modifiers [(annotation name: (_) @n) (marker_annotation name: (_) @n)])) @generated.other
  (#match? @n "(^|[.])Generated$"))
((method_declaration (modifiers [(annotation name: (_) @n) (marker_annotation name: (_) @n)])) @generated.other
  (#match? @n "(^|[.])Generated$"))
