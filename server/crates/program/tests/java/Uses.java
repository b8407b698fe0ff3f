import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Kinds;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.code.TypeTag;
import com.sun.tools.javac.code.Types;
import com.sun.tools.javac.api.BasicJavacTask;
import com.sun.tools.javac.tree.JCTree;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.*;
import javax.lang.model.element.ElementKind;
import javax.tools.*;

/**
 * Prints what javac resolves in the Java files under a folder, to compare with {@code Program::uses}: one use a line,
 * {@code path offset kind name target}, where the offset counts UTF-16 units and the target begins with {@code -} outside of
 * these files, {@code !} where javac does not find it either. A library's abstract method may be followed by {@code =}
 * and methods of these files that are as good a target.
 *
 * <p>Kinds: {@code call}, {@code new}, {@code reference}, {@code field}; {@code local} with {@code @} and the offset of
 * the declaration; {@code type} for a type's name where an expression could stand; {@code declared} at a declaration,
 * with the erasure of what it declares; {@code extends} with the erasures of a class's supertypes; {@code dispatch} at a
 * method, with the bodies that class hierarchy analysis (Dean, Grove, Chambers 1995) gives for a virtual call of it.
 *
 * <p>{@code java --add-exports jdk.compiler/com.sun.tools.javac.{api,code,tree,util}=ALL-UNNAMED Uses.java FOLDER [CLASSPATH]}
 */
class Uses {
    static final SortedSet<String> out = new TreeSet<>();
    static final Set<JavaFileObject> compiled = new HashSet<>();
    static Types types;

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        List<Path> sources;
        try (Stream<Path> walk = Files.walk(root)) {
            sources = walk.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java")
                && !p.endsWith("package-info.java")).sorted().toList();
        }
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-encoding", "UTF-8",
            "-XDshould-stop.ifError=FLOW"));
        if (args.length > 1) {
            options.addAll(List.of("-cp", args[1]));
        }
        JavacTask task = (JavacTask) compiler.getTask(null, files, d -> { }, options, null, files.getJavaFileObjectsFromPaths(sources));
        types = Types.instance(((BasicJavacTask) task).getContext());
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        units.forEach(u -> compiled.add(u.getSourceFile()));
        units.forEach(u -> new TreeScanner<Void, Void>() {
            @Override public Void visitClass(ClassTree node, Void p) {
                if (((JCTree.JCClassDecl) node).sym != null) {
                    dispatch(((JCTree.JCClassDecl) node).sym);
                }
                return super.visitClass(node, p);
            }
        }.scan(u, null));
        for (CompilationUnitTree unit : units) {
            String path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
            new Visitor(unit, path, unit.getSourceFile().getCharContent(true).toString(), positions).scan(unit, null);
        }
        out.forEach(System.out::println);
    }

    static final Map<Symbol, SortedSet<String>> bodies = new HashMap<>();

    /** Notes what runs if a method of {@code c} or of its supertypes is called on an instance of {@code c}. */
    static void dispatch(Symbol.ClassSymbol c) {
        for (Type t : types.closure(c.type)) {
            if (!inWorkspace(t.tsym)) {
                continue;
            }
            for (Symbol s : t.tsym.members().getSymbols()) {
                if (isVirtual(s)) {
                    Symbol.MethodSymbol m = (Symbol.MethodSymbol) s;
                    Symbol.MethodSymbol found = m.implementation(c, types, true);
                    if (found == null || found == m) {
                        // As javac does when it looks for what is not implemented: a default method of an interface.
                        Symbol.MethodSymbol other = types.interfaceCandidates(c.type, m).head;
                        found = other != null && other.overrides(m, c, types, true) ? other : found;
                    }
                    // javac marks default methods as abstract too.
                    long none = Flags.NATIVE | Flags.GENERATED_MEMBER | Flags.SYNTHETIC
                        | (found != null && found.isDefault() ? 0 : Flags.ABSTRACT);
                    if (found != null && inWorkspace(found) && (found.flags() & none) == 0) {
                        bodies.computeIfAbsent(s, k -> new TreeSet<>()).add(target(found));
                    }
                }
            }
        }
    }

    static boolean isVirtual(Symbol s) {
        return s instanceof Symbol.MethodSymbol m && !m.isConstructor()
            && (m.flags() & (Flags.STATIC | Flags.PRIVATE | Flags.SYNTHETIC | Flags.GENERATED_MEMBER)) == 0
            && !m.name.contentEquals("<clinit>");
    }

    static boolean inWorkspace(Symbol s) {
        while (s != null && !(s instanceof Symbol.ClassSymbol c && c.owner instanceof Symbol.PackageSymbol)) {
            s = s.owner;
        }
        return s != null && compiled.contains(((Symbol.ClassSymbol) s).sourcefile);
    }

    static String name(Type t) {
        Type e = types.erasure(t);
        if (e.getTag() == TypeTag.ARRAY) {
            return name(((Type.ArrayType) e).elemtype) + "[]";
        }
        return e.isPrimitive() ? e.toString() : e.tsym.flatName().toString();
    }

    /**
     * For an abstract method of a library: {@code =} and the abstract methods of the workspace that {@code site} inherits
     * with the same signature. Which one of them is called is arbitrary (JLS 15.12.2.5).
     */
    static String asGood(Symbol s, Type site) {
        if (!(s instanceof Symbol.MethodSymbol m) || site == null || inWorkspace(s) || (m.flags() & Flags.ABSTRACT) == 0) {
            return "";
        }
        SortedSet<String> out = new TreeSet<>();
        Type bound = types.skipTypeVars(site, false);
        for (Type t : types.closure(bound)) {
            for (Symbol other : t.tsym.members().getSymbolsByName(m.name)) {
                if (inWorkspace(t.tsym) && isVirtual(other) && (other.flags() & Flags.ABSTRACT) != 0
                    && types.overrideEquivalent(types.memberType(bound, other), types.memberType(bound, m))) {
                    out.add(target(other));
                }
            }
        }
        return out.isEmpty() ? "" : "=" + String.join(";", out);
    }

    /** The erasure of a declared type, with {@code -} in front of a library's. */
    static String declared(Type t) {
        Type e = types.erasure(t);
        while (e.getTag() == TypeTag.ARRAY) {
            e = ((Type.ArrayType) e).elemtype;
        }
        if (e.isErroneous()) {
            return "!";
        }
        return (e.isPrimitiveOrVoid() || !inWorkspace(e.tsym) ? "-" : "") + name(t);
    }

    static String target(Symbol s) {
        if (s == null || !s.exists() || s.type == null || s.type.isErroneous()) {
            return "!";
        }
        // Of an inherited member that is imported statically javac makes a copy for the imported class.
        s = s.baseSymbol();
        String owner = s.owner.flatName().toString();
        if (owner.isEmpty() || s.owner.type.isErroneous()) {
            return "!";
        }
        if (!inWorkspace(s)) {
            // What an array has it has of Object.
            owner = "-" + (owner.equals("Array") ? "java.lang.Object" : owner);
        }
        if (s instanceof Symbol.MethodSymbol m) {
            if (owner.matches("-java.lang.invoke.(VarHandle|MethodHandle)") && (m.flags() & Flags.NATIVE) != 0) {
                // javac makes a method of its own for each call of such a one (JLS 15.12.3).
                return owner + "#" + m.name + "(java.lang.Object[])";
            }
            return owner + "#" + m.name + m.params().stream().map(p -> name(p.type)).collect(Collectors.joining(",", "(", ")"));
        }
        return owner + "#" + s.name;
    }

    static class Visitor extends TreeScanner<Void, Void> {
        final CompilationUnitTree unit;
        final String path;
        final String text;
        final SourcePositions positions;

        Visitor(CompilationUnitTree unit, String path, String text, SourcePositions positions) {
            this.unit = unit;
            this.path = path;
            this.text = text;
            this.positions = positions;
        }

        void use(long offset, String kind, String name, Symbol target) {
            use(offset, kind, name, Uses.target(target));
        }

        void use(long offset, String kind, String name, String target) {
            // What the compiler adds is not in the text.
            if (offset >= 0 && text.startsWith(name.equals("<init>") ? "" : name, (int) offset)) {
                out.add("%s %d %s %s %s".formatted(path, offset, kind, name, target));
            }
        }

        /** The name of a variable that this file declares, or of a type. */
        void variableOrType(long offset, String name, Symbol s) {
            if (s instanceof Symbol.VarSymbol v && v.owner.kind != Kinds.Kind.TYP && v.pos >= 0
                && text.startsWith(name, v.pos)) {
                use(offset, "local", name, "@" + v.pos);
            } else if (s instanceof Symbol.ClassSymbol c && !c.type.isErroneous()) {
                use(offset, "type", name, (inWorkspace(c) ? "" : "-") + c.flatName());
            }
        }

        long nameAt(Tree select, CharSequence name) {
            return positions.getEndPosition(unit, select) - name.length();
        }

        /** The target of a call; where javac does not understand an argument, what it names is a guess. */
        static String target(Symbol s, List<? extends ExpressionTree> args) {
            for (ExpressionTree arg : args) {
                Type t = ((JCTree) arg).type;
                if (t == null || t.isErroneous()) {
                    return "!";
                }
            }
            return Uses.target(s);
        }

        @Override public Void visitMethodInvocation(MethodInvocationTree node, Void p) {
            ExpressionTree select = node.getMethodSelect();
            if (select instanceof JCTree.JCIdent i) {
                String same = classes.isEmpty() ? "" : asGood(i.sym, classes.peek().type);
                String target = target(i.sym, node.getArguments()) + same;
                use(positions.getStartPosition(unit, i), "call", i.name.toString(), target);
            } else if (select instanceof JCTree.JCFieldAccess f) {
                String target = target(f.sym, node.getArguments()) + asGood(f.sym, f.selected.type);
                use(nameAt(f, f.name), "call", f.name.toString(), target);
                scan(f.selected, p);
            }
            scan(node.getArguments(), p);
            return null;
        }

        @Override public Void visitNewClass(NewClassTree node, Void p) {
            JCTree.JCNewClass n = (JCTree.JCNewClass) node;
            Symbol target = n.constructor;
            if (n.def != null) {
                target = superConstructor(n.def);
            }
            long at = text.startsWith("new", n.pos) ? n.pos : positions.getStartPosition(unit, n);
            String name = n.clazz.type == null ? "" : n.clazz.type.tsym.name.toString();
            if (text.startsWith("new", (int) at)) {
                out.add("%s %d new %s %s".formatted(path, at, simple(n.clazz), target(target, n.args)));
            }
            scan(node.getEnclosingExpression(), p);
            scan(node.getArguments(), p);
            if (n.def != null) {
                scan(n.def.defs, p);
            }
            return null;
        }

        static String simple(JCTree t) {
            if (t instanceof JCTree.JCTypeApply a) {
                return simple(a.clazz);
            }
            if (t instanceof JCTree.JCAnnotatedType a) {
                return simple(a.underlyingType);
            }
            return t instanceof JCTree.JCFieldAccess f ? f.name.toString() : t.toString();
        }

        static Symbol superConstructor(JCTree.JCClassDecl def) {
            for (JCTree d : def.defs) {
                if (d instanceof JCTree.JCMethodDecl m && m.name.contentEquals("<init>") && !m.body.stats.isEmpty()
                    && m.body.stats.head instanceof JCTree.JCExpressionStatement s
                    && s.expr instanceof JCTree.JCMethodInvocation i) {
                    return com.sun.tools.javac.tree.TreeInfo.symbol(i.meth);
                }
            }
            return null;
        }

        @Override public Void visitVariable(VariableTree node, Void p) {
            JCTree.JCVariableDecl v = (JCTree.JCVariableDecl) node;
            if (v.sym != null && v.sym.getKind() == ElementKind.ENUM_CONSTANT && v.init instanceof JCTree.JCNewClass n) {
                Symbol target = n.def != null ? superConstructor(n.def) : n.constructor;
                // The position of an annotated constant is that of its annotations.
                int at = v.mods.annotations.isEmpty() ? v.pos : (int) positions.getEndPosition(unit, v.mods);
                while (!text.startsWith(v.name.toString(), at)) {
                    at++;
                }
                out.add("%s %d new %s %s".formatted(path, at, v.sym.owner.name, Uses.target(target)));
                scan(n.args, p);
                if (n.def != null) {
                    scan(n.def.defs, p);
                }
                return null;
            }
            if (text.startsWith(v.name.toString(), v.pos)) {
                if (v.sym != null && !v.name.isEmpty()) {
                    use(v.pos, "declared", v.name.toString(), declared(v.sym.type));
                }
                scan(node.getInitializer(), p);
            }
            return null;
        }

        @Override public Void visitMethod(MethodTree node, Void p) {
            JCTree.JCMethodDecl m = (JCTree.JCMethodDecl) node;
            boolean generated = m.sym != null && (m.sym.flags() & (Flags.GENERATEDCONSTR | Flags.GENERATED_MEMBER)) != 0
                && (m.sym.flags() & Flags.COMPACT_RECORD_CONSTRUCTOR) == 0;
            if (!generated) {
                if (m.sym != null && isVirtual(m.sym)) {
                    use(m.pos, "declared", m.name.toString(), declared(m.sym.getReturnType()));
                    use(m.pos, "dispatch", m.name.toString(), String.join(";", bodies.getOrDefault(m.sym, new TreeSet<>())));
                }
                if (m.body != null && (m.sym == null || (m.sym.flags() & Flags.COMPACT_RECORD_CONSTRUCTOR) == 0)) {
                    scan(node.getParameters(), p);
                }
                scan(node.getBody(), p);
            }
            return null;
        }

        /** The classes around the place, innermost first. */
        final Deque<Symbol> classes = new ArrayDeque<>();

        @Override public Void visitClass(ClassTree node, Void p) {
            JCTree.JCClassDecl c = (JCTree.JCClassDecl) node;
            if (c.sym != null && c.type != null && !c.name.isEmpty()) {
                String supers = types.directSupertypes(c.type).stream().map(Uses::declared).collect(Collectors.joining(";"));
                // The declaration's position is that of its keyword.
                var name = Pattern.compile("\\b" + Pattern.quote(c.name.toString()) + "\\b").matcher(text);
                use(name.find(c.pos + "enum".length()) ? name.start() : -1, "extends", c.name.toString(), supers);
            }
            if (c.sym != null) {
                classes.push(c.sym);
            }
            scan(c.defs, p);
            if (c.sym != null) {
                classes.pop();
            }
            return null;
        }

        @Override public Void visitLambdaExpression(LambdaExpressionTree node, Void p) {
            scan(node.getParameters(), p);
            scan(node.getBody(), p);
            return null;
        }

        @Override public Void visitMemberReference(MemberReferenceTree node, Void p) {
            JCTree.JCMemberReference r = (JCTree.JCMemberReference) node;
            String name = r.getMode() == MemberReferenceTree.ReferenceMode.NEW ? "new" : r.name.toString();
            boolean array = r.sym != null && r.sym.owner != null && r.sym.owner.name.contentEquals("Array");
            use(nameAt(r, name), "reference", name, array ? null : r.sym);
            scan(node.getQualifierExpression(), p);
            return null;
        }

        boolean isField(Symbol s) {
            return s != null && (s.getKind() == ElementKind.FIELD || s.getKind() == ElementKind.ENUM_CONSTANT)
                && !List.of("this", "super", "class").contains(s.name.toString())
                && !(s.name.contentEquals("length") && s.owner.name.contentEquals("Array"));
        }

        @Override public Void visitIdentifier(IdentifierTree node, Void p) {
            JCTree.JCIdent i = (JCTree.JCIdent) node;
            if (isField(i.sym)) {
                use(positions.getStartPosition(unit, i), "field", i.name.toString(), i.sym);
            } else {
                variableOrType(positions.getStartPosition(unit, i), i.name.toString(), i.sym);
            }
            return null;
        }

        @Override public Void visitMemberSelect(MemberSelectTree node, Void p) {
            JCTree.JCFieldAccess f = (JCTree.JCFieldAccess) node;
            if (isField(f.sym)) {
                use(nameAt(f, f.name), "field", f.name.toString(), f.sym);
            } else if (f.sym instanceof Symbol.ClassSymbol) {
                variableOrType(nameAt(f, f.name), f.name.toString(), f.sym);
            }
            scan(f.selected, p);
            return null;
        }

        @Override public Void visitAnnotation(AnnotationTree node, Void p) {
            return null;
        }

        @Override public Void visitImport(ImportTree node, Void p) {
            return null;
        }
    }
}
