package dev.telltale.agent;

/** What a framework calls a test. */
final class TestName {
    String className = "";
    String methodName = "";
    /** Parameter types as the framework tells them. */
    String descriptor = "";
    String uniqueId = "";
    String displayName = "";
    /** {@code [2]} for the second invocation of a test that runs several times. */
    String invocation = "";
}
