package p;

public class Statics {
    public static final int LIMIT = 4;
    public static int max(int a, int b) { return a; }
    public static int max(long a, long b) { return 1; }
    public static int count() { return Holder.count; }
    public static class Holder { public static int count = 1; }
}
