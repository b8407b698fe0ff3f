package telltale.labels;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs generated tests whose assertions tell whether they hold. Written by Telltale's
 * {@code cargo xtask evaluate suspects}.
 *
 * <p>Arguments: the file to write, and the names of test classes. Lines of {@code + ID} for an assertion that held,
 * {@code - ID reason} for one that did not, {@code ! class#test reason} for a test that ended by itself with an
 * exception, {@code = tests} at the end of each class. Each line is written at once: a test may end the virtual machine.
 */
public final class Labels {
    private static final BitSet HELD = new BitSet();
    private static final BitSet BROKE = new BitSet();
    private static BufferedWriter out;

    private Labels() {
    }

    public static void held(int id) {
        synchronized (Labels.class) {
            if (!HELD.get(id)) {
                HELD.set(id);
                say("+ " + id);
            }
        }
    }

    public static void broke(int id, Throwable why) {
        if (why instanceof ThreadDeath || why instanceof InterruptedException) {
            // The test is out of time: that is no word about the assertion.
            return;
        }
        synchronized (Labels.class) {
            if (!BROKE.get(id)) {
                BROKE.set(id);
                say("- " + id + " " + reason(why));
            }
        }
    }

    private static String reason(Throwable why) {
        String text;
        try {
            text = String.valueOf(why);
        } catch (Throwable silent) {
            text = why.getClass().getName();
        }
        text = text.replaceAll("\\s+", " ");
        return text.length() > 200 ? text.substring(0, 200) : text;
    }

    private static synchronized void say(String line) {
        try {
            out.write(line);
            out.newLine();
            out.flush();
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] args) throws Exception {
        out = Files.newBufferedWriter(Path.of(args[0]), StandardCharsets.UTF_8);
        // Tests print, and close what they print to.
        System.setOut(new PrintStream(java.io.OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(java.io.OutputStream.nullOutputStream()));
        for (int i = 1; i < args.length; i++) {
            JUnitCore core = new JUnitCore();
            core.addListener(new RunListener() {
                @Override
                public void testFailure(Failure failure) {
                    Description test = failure.getDescription();
                    say("! " + test.getClassName() + "#" + test.getMethodName() + " "
                            + reason(failure.getException()));
                }
            });
            Result result = core.run(Class.forName(args[i]));
            say("= " + result.getRunCount());
        }
        // A test may leave a thread behind.
        Runtime.getRuntime().halt(0);
    }
}
