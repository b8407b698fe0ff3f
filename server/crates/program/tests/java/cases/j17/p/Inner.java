package p;

import java.util.Iterator;

class Inner<T> {
    T value;
    int size;
    static int made;

    Inner(T value) { this.value = value; made++; }

    class Node {
        T item = value;
        Node next;
        Node(T item) { this.item = item; }
        Node() { this(value); size++; }
        Inner<T> outer() { return Inner.this; }
        class Deep { int depth() { return size + next.hashCode() + Inner.this.size; } }
    }

    static class Plain extends Inner<String> {
        Plain() { super("x"); }
        Plain(Inner<String> other) { super(other.value); }
        int all() { Node n = new Node(value); return n.item.length() + n.outer().value.length(); }
    }

    Node node() { return new Node(); }

    Iterator<T> iterator() {
        return new Iterator<T>() {
            int at;
            Node current = node();
            public boolean hasNext() { return at < size && current != null; }
            public T next() { at++; T out = current.item; current = current.next; return out; }
        };
    }
}

class Sub extends Inner<Integer> {
    class More extends Node {
        More(int i) { super(i); }
        int twice() { return item.intValue() + size; }
    }
    Sub(int i) { super(i); }

    static class Escapes extends Inner<Integer>.Node {
        Escapes(Inner<Integer> in) { in.super(4); }
    }
}

class UsesInner {
    int use(Inner<String> in, Sub sub) {
        Inner<String>.Node node = in.new Node("a");
        Inner<String>.Node.Deep deep = node.new Deep();
        Sub.More more = sub.new More(3);
        return deep.depth() + more.twice() + sub.new More(2).twice() + in.node().outer().size + Inner.made
            + new Inner<String>("s") { int extra() { return size; } }.extra();
    }

    int locals(int k) {
        int base = k * 2;
        class Counter {
            int n = base;
            int up() { return n += k; }
            Counter self() { return this; }
        }
        class Twice extends Counter {
            @Override int up() { return super.up() + super.self().up(); }
        }
        Runnable r = () -> {
            class InLambda { int v() { return base + k; } }
            new InLambda().v();
        };
        r.run();
        Counter c = new Twice();
        if (k > 0) {
            class Same { int one() { return 1; } }
            return new Same().one();
        } else {
            class Same { int two() { return 2; } }
            return new Same().two() + c.up() + c.self().n;
        }
    }
}
