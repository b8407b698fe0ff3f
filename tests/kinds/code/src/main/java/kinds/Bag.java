package kinds;

/** Abstract, generic, and with a class within it. */
public abstract class Bag<T> {
    protected int count;

    public abstract boolean holds(T it);

    public int add(T it) {
        count++;
        return count;
    }

    /** Counts down although the bag does not hold it. */
    public int remove(T it) {
        count--;
        return count;
    }

    public static class Listed<T> extends Bag<T> {
        private final java.util.List<T> all = new java.util.ArrayList<>();

        @Override
        public boolean holds(T it) {
            return all.contains(it);
        }

        @Override
        public int add(T it) {
            all.add(it);
            return super.add(it);
        }

        /** What is not there is answered with the last place. */
        public int place(T it) {
            int at = all.indexOf(it);
            return at < 0 ? at : at + 1;
        }
    }
}
