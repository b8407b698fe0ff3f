package dev.telltale.agent;

import java.util.Arrays;

/** From ints that are not 0 to objects, without boxes. Not for several threads. */
final class IntMap<V> {
    private int[] keys = new int[16];
    private Object[] values = new Object[16];
    private int size;

    @SuppressWarnings("unchecked")
    V get(int key) {
        return (V) values[place(key)];
    }

    void put(int key, V value) {
        int at = place(key);
        if (keys[at] == 0) {
            if (++size * 2 > keys.length) {
                grow();
                at = place(key);
            }
            keys[at] = key;
        }
        values[at] = value;
    }

    int size() {
        return size;
    }

    /** All keys, ascending, so that what is written does not depend on places in the table. */
    int[] keys() {
        int[] all = new int[size];
        int count = 0;
        for (int key : keys) {
            if (key != 0) {
                all[count++] = key;
            }
        }
        Arrays.sort(all);
        return all;
    }

    void clear() {
        if (size == 0) {
            return;
        }
        size = 0;
        if (keys.length > 64) {
            keys = new int[16];
            values = new Object[16];
        } else {
            Arrays.fill(keys, 0);
            Arrays.fill(values, null);
        }
    }

    private int place(int key) {
        int at = key * 0x9E3779B9 >>> 7 & keys.length - 1;
        while (keys[at] != 0 && keys[at] != key) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }

    private void grow() {
        int[] oldKeys = keys;
        Object[] oldValues = values;
        keys = new int[oldKeys.length * 2];
        values = new Object[oldKeys.length * 2];
        for (int old = 0; old < oldKeys.length; old++) {
            if (oldKeys[old] != 0) {
                int at = place(oldKeys[old]);
                keys[at] = oldKeys[old];
                values[at] = oldValues[old];
            }
        }
    }
}
