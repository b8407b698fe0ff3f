package p;

public class Base {
    int field = 1;
    protected static int shared = 2;
    private int hidden = 3;
    public String name = "base";

    void packaged() { }
    protected void open() { packaged(); secret(); }
    private void secret() { }
    static void helper() { }
    public Base copy() { return this; }
    protected static class Nest { public static int deep = 1; public int at() { return deep; } public Nest() { } }
    interface Kind { int K = 5; int kind(); private int one() { return 1; } default int two() { return one() + kind() + K; } static int three() { return 3; } }
    public Runnable early = () -> this.open();
    { open(); new Thread(this::packaged); register(this); }
    static void register(Base b) { b.secret(); b.hidden++; }
}
