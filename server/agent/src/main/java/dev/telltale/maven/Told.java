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
 * An extension of Maven, for {@code -Dmaven.ext.class.path}: leaves files of tests out of what is compiled, without
 * touching a build file. The file that {@code telltale.leftOut} names has their paths, one a line. The compiler then names
 * all problems at once. Of the same jar as the agent, and never loaded by it.
 */
@Named("telltale-left-out")
@Singleton
public class LeftOut extends AbstractMavenLifecycleParticipant {
    @Override
    public void afterProjectsRead(MavenSession session) throws MavenExecutionException {
        String list = session.getUserProperties().getProperty("telltale.leftOut");
        if (list == null) {
            return;
        }
        List<Path> files = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(Paths.get(list), StandardCharsets.UTF_8)) {
                files.add(Paths.get(line));
            }
        } catch (IOException unreadable) {
            throw new MavenExecutionException("Telltale's list cannot be read: " + list, unreadable);
        }
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
