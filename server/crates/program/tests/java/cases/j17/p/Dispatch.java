package p;

interface Walker { default String walk() { return "walk"; } String run(); }
interface Fast extends Walker { @Override default String walk() { return "fast"; } }
abstract class Animal implements Walker {
    abstract String sound();
    public String run() { return sound() + walk(); }
    protected Animal make() { return this; }
}
class Dog extends Animal {
    String sound() { return "wau"; }
    @Override protected Dog make() { return new Dog(); }
}
class Puppy extends Dog implements Fast {
    @Override String sound() { return super.sound() + Fast.super.walk(); }
    private void run(int i) { }
}
class Cat extends Animal {
    String sound() { return "miau"; }
    public String walk() { return super.walk(); }
    static Cat of() { return new Cat() { @Override String sound() { return super.sound(); } }; }
}
interface Source<T> { T next(T last); default T twice(T t) { return next(next(t)); } }
class Numbers implements Source<Integer> { public Integer next(Integer last) { return last + 1; } }
class Raw implements Source { public Object next(Object last) { return last; } }
abstract class Both<T extends Number> implements Source<T> { public abstract T next(T last); public T twice(T t) { return t; } }
class Ints extends Both<Integer> { public Integer next(Integer i) { return i; } public Integer twice(Integer i) { return super.twice(i); } }

class UsesDispatch {
    String use(Animal a, Walker w, Source<String> s, Numbers n, Dog d) {
        return a.sound() + w.run() + w.walk() + s.next("") + s.twice("") + n.twice(1) + d.make().make() + a.make().sound()
            + new Ints().twice(2) + Cat.of().sound() + new Raw().next(null);
    }
}

abstract class Order<T> { <E extends T> E max(E a, E b) { return a; } <E extends T> E first(E... all) { return all[0]; } }
class Natural extends Order<Comparable<?>> {
    @Override <E extends Comparable<?>> E max(E a, E b) { return b; }
    @Override <E extends Comparable<?>> E first(E... all) { return all[1]; }
}
interface Getter<K, V> { V fetch(K k); Object store(K k, V v); }
interface Keeper<K, V> extends java.util.Map<K, V> { }
interface Putter<K, V> { Object put(K k, V v); int size(); }
interface Both2<K, V> extends Keeper<K, V>, Putter<K, V> { }
class UsesMerged {
    void use(Both2<String, Natural> both, java.util.function.Supplier<?> any) {
        both.put("a", null).max("b", "c");
        both.size();
        take(any, "x");
    }
    static void take(Object o, String s) { }
    static void take(java.util.function.Supplier<Object> o, String s) { }
}
