package dev.telltale.agent;

import java.util.Arrays;

/**
 * Slots that one thread meets again and again while one test runs: a value that is known there, or of which nothing would
 * be kept, then costs a few comparisons, without a lock and without asking whose it is. Once there were {@link #ENOUGH},
 * nobody looks any more: there are tests that meet one place a thousand million times.
 *
 * <p>Whatever changes whose a value is empties the table: a test that starts or ends, a query that is asked. What
 * another thread does in that very moment may count for the test before.
 */
final class Hot {
    private Hot() {}

    /** How often a slot is met before it stands here. */
    static final int OFTEN = 32;

    /** Beyond so many values of a slot in a test none is looked at. */
    static final int ENOUGH = 1 << 16;

    /** Which slots had enough. Of one size, so that the compiler sees in the loop itself where a slot's mark lies. */
    private static final boolean[] DONE = new boolean[1 << 18];

    /** By their numbers. Not volatile: a thread that sees an older table finds others' slots there, or its own. */
    private static Slot[] slots = new Slot[0];
    /** Which numbers stand there. */
    private static int[] numbers = new int[64];
    private static int count;
    /** How many threads answer a query: what that calls is no value of the test. */
    private static int asking;

    /** False once the slot had enough. */
    static boolean looks(int number) {
        return number >= DONE.length || !DONE[number];
    }

    /** Counts the value where that is all there is to do with it; false if it must be told. */
    static boolean counts(int number, int tag, long bits) {
        Slot slot = slot(number);
        if (slot == null || !slot.again(tag, bits)) {
            return false;
        }
        counted(number, slot);
        return true;
    }

    /** The same of an object. */
    static boolean counts(int number, Object value) {
        Slot slot = slot(number);
        if (slot == null || !slot.again(value)) {
            return false;
        }
        counted(number, slot);
        return true;
    }

    private static void counted(int number, Slot slot) {
        if (slot.count >= ENOUGH && number < DONE.length) {
            end(number, slot);
        }
    }

    private static synchronized void end(int number, Slot slot) {
        // Otherwise another test runs by now.
        if (slots[number] == slot) {
            slot.ends();
            DONE[number] = true;
        }
    }

    private static Slot slot(int number) {
        Slot[] all = slots;
        return number < all.length ? all[number] : null;
    }

    /** That the current thread met the slot, under whose monitor it is; {@code run} is the test that it took it from. */
    static void met(int number, Slot slot, TestRun run) {
        Thread thread = Thread.currentThread();
        if (slot.owner == thread) {
            if (slot.count >= OFTEN && slot(number) != slot) {
                add(number, slot, run);
            }
        } else if (slot.owner == null && slot.count <= 1) {
            slot.owner = thread;
        } else {
            slot.owner = null;
        }
    }

    private static synchronized void add(int number, Slot slot, TestRun run) {
        if (asking > 0 || !Tests.isSole(run)) {
            return;
        }
        Slot[] all = slots;
        if (number >= all.length) {
            all = Arrays.copyOf(all, Math.max(number + 1, all.length * 2));
            slots = all;
        }
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, count * 2);
        }
        numbers[count++] = number;
        all[number] = slot;
    }

    /** Another test runs, or none, or several. */
    static synchronized void clear() {
        while (count > 0) {
            int number = numbers[--count];
            slots[number] = null;
            if (number < DONE.length) {
                DONE[number] = false;
            }
        }
    }

    static synchronized void asks() {
        asking++;
        clear();
    }

    static synchronized void asksNoMore() {
        asking--;
    }
}
