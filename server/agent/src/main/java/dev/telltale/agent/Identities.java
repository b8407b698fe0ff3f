package dev.telltale.agent;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Small numbers for the objects of one test, from 1, in order of first appearance. Objects are held weakly: a test that
 * waits until something is collected waits no longer than without us. A number is never given twice.
 */
final class Identities {
    private Entry[] table = new Entry[64];
    private int size;
    private int last;
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    synchronized int number(Object object) {
        forget();
        int hash = System.identityHashCode(object);
        for (Entry entry = table[hash & table.length - 1]; entry != null; entry = entry.next) {
            if (entry.get() == object) {
                return entry.number;
            }
        }
        if (++size > table.length) {
            grow();
        }
        Entry entry = new Entry(object, collected, hash, ++last);
        int at = hash & table.length - 1;
        entry.next = table[at];
        table[at] = entry;
        return entry.number;
    }

    private void forget() {
        for (Object gone = collected.poll(); gone != null; gone = collected.poll()) {
            Entry entry = (Entry) gone;
            int at = entry.hash & table.length - 1;
            Entry before = null;
            for (Entry it = table[at]; it != null; before = it, it = it.next) {
                if (it == entry) {
                    if (before == null) {
                        table[at] = it.next;
                    } else {
                        before.next = it.next;
                    }
                    size--;
                    break;
                }
            }
        }
    }

    private void grow() {
        Entry[] old = table;
        table = new Entry[old.length * 2];
        for (Entry chain : old) {
            while (chain != null) {
                Entry next = chain.next;
                int at = chain.hash & table.length - 1;
                chain.next = table[at];
                table[at] = chain;
                chain = next;
            }
        }
    }

    private static final class Entry extends WeakReference<Object> {
        final int hash;
        final int number;
        Entry next;

        Entry(Object object, ReferenceQueue<Object> queue, int hash, int number) {
            super(object, queue);
            this.hash = hash;
            this.number = number;
        }
    }
}
