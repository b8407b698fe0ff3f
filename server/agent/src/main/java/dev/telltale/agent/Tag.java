package dev.telltale.agent;

/** The first byte of each value. */
final class Tag {
    private Tag() {}

    static final int NULL = 0;
    static final int FALSE = 1;
    static final int TRUE = 2;
    static final int BYTE = 3;
    static final int SHORT = 4;
    static final int CHAR = 5;
    static final int INT = 6;
    static final int LONG = 7;
    static final int FLOAT = 8;
    static final int DOUBLE = 9;
    static final int STRING = 10;
    static final int ENUM = 11;
    static final int OBJECT = 12;
    static final int OPAQUE = 13;
    static final int AGAIN = 14;
    static final int ARRAY = 15;
    static final int COLLECTION = 16;
    static final int MAP = 17;
    static final int BOXED = 18;
    static final int TEXT = 19;
    static final int OPTIONAL = 20;
    static final int THROWABLE = 21;
    static final int THROWN = 22;
    static final int ATOMIC = 23;
    static final int CHARS = 24;
    static final int ABSENT = 0x1F;
}
