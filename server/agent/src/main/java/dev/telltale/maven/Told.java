package dev.telltale.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * An extension of Maven, for {@code -Dmaven.ext.class.path}: what a run is told by lists in files, without touching a build
 * file. {@code telltale.leftOut} names a list of paths, one a line: tests that are not compiled; the compiler then names all
 * problems at once. {@code telltale.instead} names a list of folders of such tests, each with a root of sources that is
 * compiled in its place, behind a tab. {@code telltale.tests} names a list of tests, each as in {@code -Dtest}, which a command
 * line may be too short for, and {@code telltale.integrationTests} as in {@code -Dit.test}. Of the same jar as the agent, and never loaded by it.
 */
@Named("telltale-told")
@Singleton
public class Told extends AbstractMavenLifecycleParticipant {
    @Override
    public void afterProjectsRead(MavenSession session) throws MavenExecutionException {
        byName(session, "telltale.tests", "test");
        byName(session, "telltale.integrationTests", "it.test");
        List<Path> files = new ArrayList<>();
        list(session, "telltale.leftOut").forEach(line -> files.add(Paths.get(line)));
        if (!files.isEmpty()) {
            leaveOut(session, files);
        }
        for (String line : list(session, "telltale.instead")) {
            int tab = line.indexOf('\t');
            compileToo(session, real(Paths.get(line.substring(0, tab))), line.substring(tab + 1));
        }
    }

    private static void byName(MavenSession session, String list, String property) throws MavenExecutionException {
        List<String> tests = list(session, list);
        if (!tests.isEmpty()) {
            session.getUserProperties().setProperty(property, String.join(",", tests));
        }
    }

    private static void compileToo(MavenSession session, Path folder, String root) {
        for (MavenProject project : session.getProjects()) {
            List<String> roots = project.getTestCompileSourceRoots();
            if (roots.stream().anyMatch(own -> folder.startsWith(real(Paths.get(own))))) {
                project.addTestCompileSourceRoot(root);
            }
        }
    }

    /** The lines of the file that a property names. */
    private static List<String> list(MavenSession session, String property) throws MavenExecutionException {
        String list = session.getUserProperties().getProperty(property);
        try {
            return list == null
                    ? new ArrayList<>()
                    : Files.readAllLines(Paths.get(list), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new MavenExecutionException("Telltale's list cannot be read: " + list, unreadable);
        }
    }

    private static void leaveOut(MavenSession session, List<Path> files) {
        for (MavenProject project : session.getProjects()) {
            List<String> patterns = patterns(project, files);
            Plugin compiler = project.getPlugin("org.apache.maven.plugins:maven-compiler-plugin");
            if (compiler == null) {
                continue;
            }
            for (PluginExecution execution : compiler.getExecutions()) {
                if (execution.getGoals().contains("testCompile")) {
                    add(execution, "compilerArgs", "arg", "-Xmaxerrs");
                    add(execution, "compilerArgs", "arg", "100000");
                    patterns.forEach(pattern -> add(execution, "testExcludes", "testExclude", pattern));
                }
            }
        }
    }

    /** What the compiler plugin calls these files: their paths below the folder of sources that they stand in. */
    private static List<String> patterns(MavenProject project, List<Path> files) {
        List<String> patterns = new ArrayList<>();
        for (String each : project.getTestCompileSourceRoots()) {
            Path root = real(Paths.get(each));
            for (Path file : files) {
                Path own = real(file);
                if (own.startsWith(root)) {
                    patterns.add(root.relativize(own).toString().replace('\\', '/'));
                }
            }
        }
        return patterns;
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException missing) {
            return path.toAbsolutePath();
        }
    }

    private static void add(PluginExecution to, String list, String name, String value) {
        Xpp3Dom configuration = (Xpp3Dom) to.getConfiguration();
        if (configuration == null) {
            configuration = new Xpp3Dom("configuration");
            to.setConfiguration(configuration);
        }
        Xpp3Dom all = configuration.getChild(list);
        if (all == null) {
            all = new Xpp3Dom(list);
            configuration.addChild(all);
        }
        Xpp3Dom one = new Xpp3Dom(name);
        one.setValue(value);
        all.addChild(one);
    }
}
