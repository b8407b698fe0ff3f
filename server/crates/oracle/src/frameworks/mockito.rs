//! Mockito, with PowerMock and what Spring and Quarkus make of it.

use super::{Framework, NONE, Observed};

pub(super) const ROW: Framework = Framework {
    name: "Mockito",
    packages: &["org.mockito."],
    asserts: &[("verify", Observed::Nothing)],
    verifies: &[
        "verify",
        "verifyNoInteractions",
        "verifyNoMoreInteractions",
        "verifyZeroInteractions",
    ],
    verifies_on: &["Mockito", "BDDMockito", "PowerMock"],
    mocked: &[
        "Mock",
        "MockBean",
        "MockitoBean",
        "InjectMock",
        "InjectSpy",
        "Spy",
        "SpyBean",
        "MockitoSpyBean",
        "Captor",
    ],
    mocks: &["mock", "spy", "mockStatic", "mockConstruction", "forClass"],
    bare: &["Mock", "MockBean", "MockitoBean", "InjectMock"],
    makes_bare: &["mock"],
    returns: &["thenReturn", "willReturn"],
    answers: &["doReturn", "thenAnswer", "willAnswer", "doAnswer"],
    throwing: &["thenThrow", "willThrow", "doThrow"],
    letting: &[
        "doNothing",
        "willDoNothing",
        "doCallRealMethod",
        "thenCallRealMethod",
        "willCallRealMethod",
    ],
    tells: &[
        "when",
        "given",
        "lenient",
        "doReturn",
        "doThrow",
        "doNothing",
        "doAnswer",
    ],
    asks: &["verify", "should"],
    asks_next: &["verifyStatic"],
    matches: &["any", "eq"],
    reflects: &["eflection", "refEq"],
    ..NONE
};
