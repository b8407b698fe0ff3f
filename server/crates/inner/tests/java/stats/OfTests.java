package stats;

/** Compiled into another folder than the code that is guarded. */
public enum OfTests {
    ONLY
}
