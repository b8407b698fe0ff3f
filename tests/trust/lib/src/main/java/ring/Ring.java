package ring;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;

/** The last values that were added, as many as fit. */
public final class Ring implements Iterable<String> {
    private final String[] values;
    private int first;
    private int size;
    private int dropped;
    private int hash;

    public Ring(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        values = new String[capacity];
    }

    public Ring add(String value) {
        int at = (first + size) % values.length;
        values[at] = Objects.requireNonNull(value);
        if (size < values.length) {
            size = size + 1;
        } else {
            first = (first + 1) % values.length;
            dropped = dropped + 1;
        }
        hash = 0;
        return this;
    }

    public String take() {
        if (size == 0) {
            throw new NoSuchElementException("empty");
        }
        String value = values[first];
        first = (first + 1) % values.length;
        size = size - 1;
        hash = 0;
        return value;
    }

    public String get(int index) {
        return values[(first + index) % values.length];
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** True if so many more would drop none. */
    public boolean hasRoomFor(int more) {
        int left = values.length - size - more;
        return left >= 0;
    }

    public int dropped() {
        return dropped;
    }

    @Override
    public Iterator<String> iterator() {
        return new Iterator<>() {
            private int at;

            @Override
            public boolean hasNext() {
                return at < size;
            }

            @Override
            public String next() {
                String value = get(at);
                at = at + 1;
                return value;
            }
        };
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Ring)) {
            return false;
        }
        Ring ring = (Ring) other;
        if (ring.size != size || ring.dropped != dropped) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (!ring.get(i).equals(get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            int result = dropped;
            for (String value : this) {
                result = 31 * result + value.hashCode();
            }
            hash = result;
        }
        return hash;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (String value : this) {
            if (text.length() > 1) {
                text.append(", ");
            }
            text.append(value);
        }
        return text.append(']').toString();
    }
}
