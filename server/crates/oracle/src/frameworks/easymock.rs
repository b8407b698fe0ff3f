//! EasyMock.

use super::{Framework, NONE};

pub(super) const ROW: Framework = Framework {
    name: "EasyMock",
    packages: &["org.easymock."],
    verifies: &["verify", "verifyAll"],
    verifies_on: &["EasyMock"],
    mocks: &[
        "createMock",
        "createNiceMock",
        "createStrictMock",
        "niceMock",
        "strictMock",
        "partialMockBuilder",
    ],
    makes_bare: &[
        "createMock",
        "createNiceMock",
        "createStrictMock",
        "niceMock",
        "strictMock",
    ],
    returns: &["andReturn", "andStubReturn"],
    answers: &["andAnswer", "andStubAnswer"],
    throwing: &["andThrow", "andStubThrow"],
    tells: &["expect"],
    captures: &[
        "capture",
        "captureLong",
        "captureInt",
        "captureBoolean",
        "captureDouble",
    ],
    kept: &["getValue"],
    ..NONE
};
