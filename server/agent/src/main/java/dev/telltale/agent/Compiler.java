package dev.telltale.agent;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The JDK's compiler, kept warm: each line that comes in names a file with its arguments. What it says goes out as the
 * compiler's own program would say it, and then a line with {@link #DONE} and its status. It ends with what started it, or
 * when it was not asked for long.
 */
public final class Compiler {
    private Compiler() {}

    private static final String DONE = "telltale-done ";
    /** For how long it waits for a question, in nanoseconds. */
    private static final long PATIENCE = 300_000_000_000L;

    private static volatile long asked = System.nanoTime();
    private static volatile boolean works;

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            return;
        }
        Thread watch = new Thread(Compiler::watch, "telltale-watch");
        watch.setDaemon(true);
        watch.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String list = in.readLine(); list != null; list = in.readLine()) {
            works = true;
            int status = compiler.run(null, out, out, "@" + list);
            asked = System.nanoTime();
            works = false;
            out.println(DONE + status);
        }
    }

    private static void watch() {
        while (works || System.nanoTime() - asked < PATIENCE) {
            try {
                Thread.sleep(1_000);
            } catch (InterruptedException nobodyShould) {
                // Then it looks sooner.
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
