package io.devicearena.cli.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a program of a user against this build. */
public final class Compiler {
    private Compiler() {}

    /**
     * Compiles files with every warning on.
     *
     * @return the messages of the compiler; empty if there are none
     */
    public static String compile(Path target, Path... sources) throws IOException {
        StringWriter said = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of("-Xlint:all", "-cp", ChildProcess.runtimePath(), "-d", target.toString()),
                            null,
                            files.getJavaFileObjects(sources))
                    .call();
            return compiled ? said.toString() : "failed: " + said;
        }
    }
}
