package io.devicearena.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Java of the module java.base alone: without a flight recorder, MBeans and java.logging. */
@Tag("slow")
class SmallJavaTest {
    /** The jars and folders of this test, on the module path or not. */
    private static String path() {
        return Stream.of("surefire.test.class.path", "jdk.module.path", "java.class.path")
                .map(name -> System.getProperty(name, ""))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void arenasAreCheckedAndListed_andTheMBeanIsRefused() throws IOException, InterruptedException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.base",
                        "-cp",
                        path(),
                        SmallJava.class.getName())
                .redirectErrorStream(true)
                .start();
        String out = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).as(out).isZero();
        assertThat(out.lines())
                .containsExactly(
                        "read 16",
                        "small 800",
                        "MBean: expected the module java.management, which is not there; start Java with --add-modules"
                                + " java.management");
    }
}
