package dev.telltale.agent;

import java.util.Arrays;

/** Bytes that grow, with the numbers and texts of the format. Not for several threads. */
final class Bytes {
    byte[] array;
    int length;

    Bytes(int capacity) {
        array = new byte[capacity];
    }

    private void room(int more) {
        if (array.length - length < more) {
            array = Arrays.copyOf(array, Math.max(array.length * 2, length + more));
        }
    }

    void u8(int value) {
        room(1);
        array[length++] = (byte) value;
    }

    void u32(int value) {
        room(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            array[length++] = (byte) (value >>> shift);
        }
    }

    void u64(long value) {
        u32((int) (value >>> 32));
        u32((int) value);
    }

    /** LEB128 of the 64 bits as an unsigned number. */
    void varint(long value) {
        room(10);
        while ((value & ~0x7FL) != 0) {
            array[length++] = (byte) (value & 0x7F | 0x80);
            value >>>= 7;
        }
        array[length++] = (byte) value;
    }

    /** Zigzag, so that small negative numbers are short. */
    void svarint(long value) {
        varint(value << 1 ^ value >> 63);
    }

    void bytes(byte[] from, int start, int count) {
        room(count);
        System.arraycopy(from, start, array, length, count);
        length += count;
    }

    void bytes(Bytes from) {
        bytes(from.array, 0, from.length);
    }

    void str(CharSequence text) {
        str(text, Integer.MAX_VALUE);
    }

    /** At most {@code most} UTF-16 units of the text, never half a pair; lone surrogates as their three bytes. */
    void str(CharSequence text, int most) {
        int end = Math.min(text.length(), most);
        if (end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1))
                && Character.isLowSurrogate(text.charAt(end))) {
            end--;
        }
        int count = 0;
        for (int at = 0; at < end; at++) {
            char unit = text.charAt(at);
            if (unit < 0x80) {
                count++;
            } else if (unit < 0x800) {
                count += 2;
            } else if (pair(text, at, end)) {
                count += 4;
                at++;
            } else {
                count += 3;
            }
        }
        varint(count);
        room(count);
        for (int at = 0; at < end; at++) {
            char unit = text.charAt(at);
            if (unit < 0x80) {
                array[length++] = (byte) unit;
            } else if (unit < 0x800) {
                array[length++] = (byte) (0xC0 | unit >> 6);
                array[length++] = (byte) (0x80 | unit & 0x3F);
            } else if (pair(text, at, end)) {
                int point = Character.toCodePoint(unit, text.charAt(++at));
                array[length++] = (byte) (0xF0 | point >> 18);
                array[length++] = (byte) (0x80 | point >> 12 & 0x3F);
                array[length++] = (byte) (0x80 | point >> 6 & 0x3F);
                array[length++] = (byte) (0x80 | point & 0x3F);
            } else {
                array[length++] = (byte) (0xE0 | unit >> 12);
                array[length++] = (byte) (0x80 | unit >> 6 & 0x3F);
                array[length++] = (byte) (0x80 | unit & 0x3F);
            }
        }
    }

    private static boolean pair(CharSequence text, int at, int end) {
        return at + 1 < end && Character.isHighSurrogate(text.charAt(at)) && Character.isLowSurrogate(text.charAt(at + 1));
    }

    byte[] copy() {
        return Arrays.copyOf(array, length);
    }

    /** Empties it, and gives back what a rare giant took. */
    void clear() {
        length = 0;
        if (array.length > 1 << 18) {
            array = new byte[1 << 12];
        }
    }
}
