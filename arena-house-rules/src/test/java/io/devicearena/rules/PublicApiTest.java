package io.devicearena.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The public API is listed in docs/api, so that a review sees a change of it as a diff. */
class PublicApiTest {
    private static final boolean UPDATE = Boolean.getBoolean("devicearena.updateApi");

    private static final String COMMAND = "mvn -pl arena-house-rules -am test -Dtest=PublicApiTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Ddevicearena.updateApi=true";

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "arena-api, io.devicearena",
        "arena-planner, io.devicearena.plan",
        "arena-weights, io.devicearena.weights",
        "arena-onnx, io.devicearena.onnx",
        "arena-cpu, io.devicearena.cpu",
        "arena-cuda, io.devicearena.cuda",
        "arena-diagnostics, io.devicearena.diagnostics",
        "arena-wgpu, io.devicearena.wgpu",
        "arena-kernels, io.devicearena.kernels",
        "arena-conformance, io.devicearena.conformance"
    })
    void publicApi_ofEachModule_isTheListedOne(String artifact, String module) throws IOException {
        Path file = Repository.ROOT.resolve("docs/api/" + artifact + ".txt");
        String now = listing(artifact, requireNonNull(OurClasses.modules().get(module), module));
        if (UPDATE) {
            Files.writeString(file, now);
        }
        assertThat(Files.exists(file) ? Files.readString(file) : "")
                .as(
                        "docs/api/%s.txt: expected the public API of this build, got another one; update it by %s",
                        artifact, COMMAND)
                .isEqualTo(now);
    }

    private static String listing(String artifact, ModuleDescriptor module) {
        return "# The public API of " + artifact + ", written by a test: see CONTRIBUTING.md.\n"
                + module.exports().stream()
                        .map(ModuleDescriptor.Exports::source)
                        .sorted()
                        .map(PublicApiTest::ofPackage)
                        .collect(Collectors.joining());
    }

    private static String ofPackage(String name) {
        return "\npackage " + name + "\n\n"
                + OurClasses.ALL.stream()
                        .filter(type -> type.getPackageName().equals(name))
                        .filter(type -> !type.isAnonymousClass() && !type.isLocalClass())
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .sorted(Comparator.comparing(JavaClass::getName))
                        .<Class<?>>map(JavaClass::reflect)
                        .filter(PublicApi::reaches)
                        .map(PublicApi::of)
                        .collect(Collectors.joining("\n"));
    }

    @Test
    void listing_ofEachKindOfType_hasWhatUsersReach() {
        assertThat(PublicApi.of(ApiSamples.Base.class)).isEqualTo("""
                        public abstract static sealed class ApiSamples.Base<T extends Comparable<T>> implements Supplier<T> permits ApiSamples.Child
                            public static final int LIMIT
                            protected final @Nullable String name
                            protected Base(String) throws IOException
                            public final T get()
                            protected abstract <X extends Number & Runnable> X member(X)
                            @Deprecated public void old(List<? extends T>, byte[])
                        """);
        assertThat(PublicApi.of(ApiSamples.Child.class))
                .isEqualTo("public static final class ApiSamples.Child extends ApiSamples.Base<String>\n");
        assertThat(PublicApi.of(ApiSamples.Pair.class)).isEqualTo("""
                        public record ApiSamples.Pair(int left, @Nullable String right)
                            public Pair(int)
                        """);
        assertThat(PublicApi.of(ApiSamples.Kind.class)).isEqualTo("""
                        public enum ApiSamples.Kind implements Runnable
                            FIRST
                            SECOND
                            public void run()
                        """);
        assertThat(PublicApi.of(ApiSamples.Shape.class)).isEqualTo("""
                        public interface ApiSamples.Shape extends Runnable
                            public int[] area()
                            public static ApiSamples.Shape none()
                            public default int sides()
                        """);
    }

    @Test
    void listing_ofHiddenParent_hasItsMethods() {
        assertThat(PublicApi.of(ApiSamples.Visible.class)).isEqualTo("""
                        public static final class ApiSamples.Visible extends ApiSamples.Hidden
                            public int inherited()
                        """);
        assertThat(PublicApi.reaches(ApiSamples.Hidden.class)).isFalse();
    }
}
