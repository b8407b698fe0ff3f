package p;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

interface Shape { double area(); default Shape self() { return this; } }
class Circle implements Shape, Serializable {
    final double r;
    Circle(double r) { this.r = r; }
    public double area() { return r * r; }
    String label() { return "c"; }
}
class Square implements Shape {
    public double area() { return 1; }
    String label() { return "s"; }
    static Square unit() { return new Square(); }
}

interface Fold<A, R> { R fold(A acc, R r); }

class Box<T extends Shape & Comparable<T>> {
    T held;
    double area(T other) { return held.area() + other.area() + held.compareTo(other); }
    <S extends T> S same(S s) { return s; }
}

class Generics {
    static <T> T id(T t) { return t; }
    static <T extends Shape> T biggest(List<T> all) { return all.get(0); }
    static <T> T pick(T a, T b) { return a; }
    static <T extends Shape> T find() { return null; }
    static <T> List<T> list(T... all) { return new ArrayList<>(List.of(all)); }
    static <A, B> B apply(A a, Function<A, B> f) { return f.apply(a); }
    static <R> R get(Supplier<R> s) { return s.get(); }
    static <A, R> R fold(Collection<? extends A> all, R zero, Fold<A, R> f) {
        R out = zero;
        for (A a : all) { out = f.fold(a, out); }
        return out;
    }

    void inference(List<Circle> circles, Map<String, List<Square>> squares) {
        id(new Circle(1)).label();
        biggest(circles).label();
        pick(new Circle(1), new Square()).area();
        find().area();
        Generics.<Circle>find().label();
        Generics.<Square>list().get(0).label();
        list(new Square()).get(0).label();
        apply(new Circle(2), c -> c.label());
        apply(apply(new Circle(2), c -> c.self()), s -> s.area());
        get(() -> new Square()).label();
        get(Square::unit).label();
        get(Square::new).label();
        fold(circles, "", (c, s) -> s + c.label());
        for (Map.Entry<String, List<Square>> e : squares.entrySet()) { e.getValue().get(0).label(); }
        for (var e : squares.entrySet()) { for (var s : e.getValue()) { s.label(); } }
        squares.forEach((k, v) -> v.forEach(s -> s.label()));
        squares.computeIfAbsent("a", k -> new ArrayList<>()).add(new Square());
        squares.values().iterator().next().get(0).label();
        Object o = circles;
        ((Shape & Serializable) o).area();
        ((Circle) o).label();
        var v = circles.get(0);
        v.label();
        var cond = o == null ? new Circle(1) : null;
        cond.label();
        (o == null ? circles : new ArrayList<Circle>()).get(0).label();
        int n = 3;
        Circle sw = switch (n) { case 1 -> new Circle(1); case 2 -> { yield circles.get(0); } default -> null; };
        sw.label();
        (switch (n) { case 1 -> new Circle(1); default -> circles.get(1); }).label();
        Optional<Circle> first = circles.stream().filter(c -> c.area() > 1).findFirst();
        first.map(Circle::label).orElse("");
        first.get().label();
        first.ifPresent(c -> c.label());
        first.map(c -> c.self()).orElseGet(() -> new Square()).area();
    }

    void streams(List<Circle> circles) {
        circles.stream().map(c -> c.label()).map(String::length).forEach(i -> i.intValue());
        circles.stream().map(Circle::self).mapToDouble(Shape::area).sum();
        circles.stream().flatMap(c -> Stream.of(c, c)).anyMatch(c -> c.label().isEmpty());
        circles.sort(Comparator.comparing(c -> c.label()));
        circles.sort(Comparator.comparing(Circle::label).thenComparing(Circle::area));
        circles.sort(Comparator.comparingDouble(c -> c.area()));
        circles.sort((a, b) -> Double.compare(a.area(), b.area()));
        circles.stream().sorted(Comparator.comparing(c -> c.r)).collect(Collectors.toList()).get(0).label();
        Map<String, List<Circle>> by = circles.stream().collect(Collectors.groupingBy(c -> c.label()));
        by.get("a").get(0).label();
        Map<String, Double> to = circles.stream().collect(Collectors.toMap(c -> c.label(), c -> c.area()));
        circles.stream().collect(Collectors.groupingBy(Circle::label)).get("x").get(0).label();
        circles.stream().collect(Collectors.partitioningBy(c -> c.area() > 2)).get(true).get(0).label();
        circles.stream().collect(Collectors.mapping(c -> c.self(), Collectors.toList())).get(0).area();
        circles.stream().reduce((a, b) -> a.area() > b.area() ? a : b).get().label();
        circles.stream().reduce(0.0, (sum, c) -> sum + c.area(), Double::sum);
        IntStream.range(0, 3).mapToObj(i -> circles.get(i)).forEach(c -> c.label());
        Stream.iterate(new Circle(1), c -> new Circle(c.r + 1)).limit(2).forEach(c -> c.label());
        Comparator<Circle> cmp = Comparator.comparing(c -> c.label());
        Comparator<Circle> rev = Comparator.comparing(Circle::label, Comparator.reverseOrder());
        Predicate<Circle> p = c -> c.area() > 1;
        p.and(c -> c.label() != null).negate().test(circles.get(0));
        Function<Circle, Shape> f = Circle::self;
        f.andThen(s -> s.area()).compose((Double d) -> new Circle(d)).apply(2.0);
        BiFunction<Circle, Square, Shape> g = (c, s) -> c.area() > s.area() ? c : s;
        g.apply(circles.get(0), Square.unit()).area();
        Supplier<Supplier<Circle>> nested = () -> () -> new Circle(1);
        nested.get().get().label();
        Map<String, Function<Circle, String>> table = new HashMap<>();
        table.put("l", c -> c.label());
        table.put("m", Circle::label);
        Function<Circle, Function<Circle, Double>> curried = a -> b -> a.area() + b.area();
        curried.apply(circles.get(0)).apply(circles.get(1)).intValue();
    }
}
