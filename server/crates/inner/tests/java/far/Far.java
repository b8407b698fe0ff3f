package far;

/** In another package than the code that is guarded. */
public final class Far {
    /** Everybody may name it. */
    public enum Open { OPEN }

    /** Only this package may. */
    enum Closed { CLOSED }

    private Far() {
    }

    public static Object closed() {
        return Closed.CLOSED;
    }
}
