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
    answers: &["andReturn", "andStubReturn", "andAnswer", "andStubAnswer"],
    throwing: &["andThrow", "andStubThrow"],
    tells: &["expect"],
    ..NONE
};
