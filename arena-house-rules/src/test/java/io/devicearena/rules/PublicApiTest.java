package io.devicearena.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
        "arena-cpu, io.devicearena.cpu",
        "arena-wgpu, io.devicearena.wgpu",
        "arena-conformance, io.devicearena.conformance"
    })
    void publicApi_ofEachModule_isTheListedOne(String artifact, String module) throws IOException {
        Path file = Repository.ROOT.resolve("docs/api/" + artifact + ".txt");
        String now = listing(artifact, requireNonNull(OurClasses.modules().get(module), module));
        if (UPDATE) {
            Files.writeString(file, now);
        }
        assertThat(Files.exists(file) ? Files.readString(file) : "")
                .as("docs/api/%s.txt: expected the public API of this build, got another one; update it by %s", artifact, COMMAND)
                .isEqualTo(now);
    }

    private static String listing(String artifact, ModuleDescriptor module) {
        return "# The public API of %s, written by a test: see CONTRIBUTING.md.\n".formatted(artifact)
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
        assertThat(PublicApi.of(Base.class))
                .isEqualTo(
                        """
                        public abstract static sealed class PublicApiTest.Base<T extends Comparable<T>> implements Supplier<T> permits PublicApiTest.Child
                            protected final @Nullable String name
                            public static final int LIMIT
                            protected Base(String) throws IOException
                            @Deprecated public void old(List<? extends T>, byte[])
                            protected abstract <X extends Number & Runnable> X member(X)
                            public final T get()
                        """);
        assertThat(PublicApi.of(Child.class))
                .isEqualTo("public static final class PublicApiTest.Child extends PublicApiTest.Base<String>\n");
        assertThat(PublicApi.of(Pair.class))
                .isEqualTo(
                        """
                        public record PublicApiTest.Pair(int left, @Nullable String right)
                            public Pair(int)
                        """);
        assertThat(PublicApi.of(Kind.class))
                .isEqualTo(
                        """
                        public enum PublicApiTest.Kind implements Runnable
                            FIRST
                            SECOND
                            public void run()
                        """);
        assertThat(PublicApi.of(Shape.class))
                .isEqualTo(
                        """
                        public interface PublicApiTest.Shape extends Runnable
                            public default int sides()
                            public int[] area()
                            public static PublicApiTest.Shape none()
                        """);
    }

    @Test
    void listing_ofHiddenParent_hasItsMethods() {
        assertThat(PublicApi.of(Visible.class))
                .isEqualTo(
                        """
                        public static final class PublicApiTest.Visible extends PublicApiTest.Hidden
                            public int inherited()
                        """);
        assertThat(PublicApi.reaches(Hidden.class)).isFalse();
    }

    // samples for the listing

    public abstract static sealed class Base<T extends Comparable<T>> implements Supplier<T> {
        public static final int LIMIT = 1;
        protected final @Nullable String name;
        final int hidden = 0;

        protected Base(String name) throws IOException {
            this.name = name;
        }

        @Deprecated
        public void old(List<? extends T> values, byte[] bytes) {}

        protected abstract <X extends Number & Runnable> X member(X value);

        @Override
        public final T get() {
            throw new IllegalStateException();
        }

        void hidden() {}
    }

    public static final class Child extends Base<String> {
        private Child() throws IOException {
            super("");
        }

        @Override
        protected <X extends Number & Runnable> X member(X value) {
            return value;
        }
    }

    public record Pair(int left, @Nullable String right) {
        public Pair(int left) {
            this(left, null);
        }
    }

    public enum Kind implements Runnable {
        FIRST,
        SECOND;

        @Override
        public void run() {}
    }

    public interface Shape extends Runnable {
        int[] area();

        default int sides() {
            return 0;
        }

        static Shape none() {
            throw new IllegalStateException();
        }
    }

    static class Hidden {
        public int inherited() {
            return 0;
        }
    }

    public static final class Visible extends Hidden {
        Visible() {}
    }
}
