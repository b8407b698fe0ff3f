package q;

import static p.Statics.*;
import static p.Statics.Holder.count;

import p.Base;
import p.Statics;

public class Other extends Base {
    int field = 10;
    public String name = "other";

    void packaged() { }
    @Override protected void open() { super.open(); packaged(); Other.super.open(); }
    @Override public Other copy() { return new Other(); }

    int names(Base b, Other o) {
        int field = 20;
        int n = field + this.field + o.field + shared + Base.shared;
        n += name.length() + super.name.length() + ((Base) this).name.length() + b.name.length() + o.name.length();
        b.copy().copy();
        copy().copy().field++;
        Nest nest = new Nest();
        n += nest.at() + Nest.deep + Other.Nest.deep;
        n += max(1, 2) + count + count() + LIMIT + Statics.LIMIT + q.Other.twice(2) + p.Statics.max(1L, 2);
        return n + new Inside().get();
    }

    static int twice(int n) { return n * 2; }

    class Inside {
        int name = 4;
        int get() { return name + Other.this.name.length() + Other.super.name.length() + field(); }
        int field() { return field + twice(name); }
    }

    static class Third extends Other {
        void packaged() { open(); }
        int field() { return field + name.length() + Third.super.copy().field; }
    }
}
