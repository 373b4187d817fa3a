package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Providers of which some cannot be loaded, in directories with services files. */
class ProviderLoaderTest {
    private static final String REMEDY =
            "check the provider's jar, its versions and its META-INF/services file, or remove it from the path";
    private static final String NOT_LOADED =
            "it could not be loaded: java.util.ServiceConfigurationError: io.devicearena.spi.DeviceArenaProvider: ";

    @TempDir
    private Path root;

    /** A provider that loads. */
    public static class Sound implements DeviceArenaProvider {
        /** Does nothing. */
        public Sound() {}

        @Override
        public int spiVersion() {
            return SpiVersion.CURRENT;
        }

        @Override
        public String name() {
            return "sound";
        }

        @Override
        public Availability probe() {
            return new Availability.Missing("it is a fake", "none");
        }

        @Override
        public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            throw new UnsupportedOperationException("a fake");
        }
    }

    /** A provider whose constructor throws an exception. */
    public static final class Throwing extends Sound {
        /** Throws. */
        public Throwing() {
            throw new IllegalStateException("constructed");
        }
    }

    /** A provider whose constructor throws an error. */
    public static final class Failing extends Sound {
        /** Throws. */
        public Failing() {
            throw new AssertionError("constructed");
        }
    }

    /** Loads what lies in its directories itself, not by its parent: outside the module of these tests. */
    private static final class OwnFirst extends URLClassLoader {
        OwnFirst(List<URL> directories) {
            super(directories.toArray(URL[]::new), DeviceArenaProvider.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (findResource(name.replace('.', '/') + ".class") == null) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    private Path directory(String name, String services) throws IOException {
        Path file = root.resolve(name).resolve("META-INF/services/io.devicearena.spi.DeviceArenaProvider");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, services);
        for (Class<?> type : List.of(Sound.class, Throwing.class, Failing.class)) {
            try (InputStream bytes =
                    type.getResourceAsStream("ProviderLoaderTest$" + type.getSimpleName() + ".class")) {
                Path copy = root.resolve(name).resolve(type.getName().replace('.', '/') + ".class");
                Files.createDirectories(Objects.requireNonNull(copy.getParent()));
                Files.write(copy, Objects.requireNonNull(bytes).readAllBytes());
            }
        }
        return root.resolve(name);
    }

    private static List<Candidate> load(Path... directories) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (Path directory : directories) {
            urls.add(directory.toUri().toURL());
        }
        try (OwnFirst loader = new OwnFirst(urls)) {
            return ProviderLoader.load(loader).stream()
                    .filter(candidate -> !candidate.name().equals("cpu"))
                    .toList();
        }
    }

    private static void assertBroken(Candidate candidate, String name, String reason) {
        assertThat(candidate.name()).isEqualTo(name);
        assertThat(candidate.probe()).isEqualTo(new Availability.Missing(reason, REMEDY));
    }

    @Test
    void throwingConstructor_othersKeepWorking() throws IOException {
        String failing = Failing.class.getName();
        String throwing = Throwing.class.getName();
        List<Candidate> found =
                load(directory("a", throwing + "\n" + failing + "\n" + Sound.class.getName() + " # sound\n"));
        assertThat(found).hasSize(3);
        assertBroken(
                found.get(0),
                throwing,
                throwing + " could not be instantiated: java.lang.IllegalStateException: constructed");
        assertBroken(
                found.get(1), failing, failing + " could not be instantiated: java.lang.AssertionError: constructed");
        assertThat(found.get(2).name()).isEqualTo("sound");
        assertThat(found.get(2).provider()).isNotNull();
    }

    @Test
    void missingClass_othersKeepWorking() throws IOException {
        List<Candidate> found = load(directory("a", "org.example.Absent\n" + Sound.class.getName()));
        assertThat(found).hasSize(2);
        assertThat(found.getFirst().name()).isEqualTo("(unnamed)");
        assertThat(found.getFirst().probe().toString())
                .contains(NOT_LOADED + "Provider org.example.Absent not found", REMEDY); // JDK 27 adds the cause
        assertThat(found.getLast().name()).isEqualTo("sound");
    }

    @Test
    void corruptClassFile_othersKeepWorking() throws IOException {
        Path directory = directory("a", "Garbage\n" + Sound.class.getName());
        Files.writeString(directory.resolve("Garbage.class"), "no class at all");
        List<Candidate> found = load(directory);
        assertThat(found).hasSize(2);
        assertBroken(
                found.getFirst(),
                "Garbage",
                "it could not be loaded: java.lang.ClassFormatError: Incompatible magic value 1852776547 in class file"
                        + " Garbage");
        assertThat(found.getLast().name()).isEqualTo("sound");
    }

    @Test
    void classThatIsNoProvider_othersKeepWorking() throws IOException {
        List<Candidate> found = load(directory("a", "java.lang.String\n" + Sound.class.getName()));
        assertThat(found).extracting(Candidate::name).endsWith("sound");
    }

    @Test
    void corruptServicesFile_othersKeepWorking() throws IOException {
        Path garbage = directory("a", "?!\n" + Sound.class.getName());
        List<Candidate> found = load(garbage, directory("b", Sound.class.getName()));
        assertThat(found).hasSize(2);
        URL file = garbage.resolve("META-INF/services/io.devicearena.spi.DeviceArenaProvider")
                .toUri()
                .toURL();
        assertBroken(found.getFirst(), "(unnamed)", NOT_LOADED + file + ":1: Illegal provider-class name: ?!");
        assertThat(found.getLast().name()).isEqualTo("sound");
    }

    @Test
    void noServicesFileMeansNoProvider() throws IOException {
        assertThat(load(root)).isEmpty();
    }

    private OwnFirst loader(Path directory) throws IOException {
        return new OwnFirst(List.of(directory.toUri().toURL()));
    }

    private static List<Candidate> visible(ClassLoader context) {
        return ProviderLoader.visible(DeviceArenaProvider.class.getClassLoader(), context).stream()
                .filter(candidate -> !candidate.name().equals("cpu"))
                .toList();
    }

    @Test
    void providersOfTheContextLoader_areFoundToo() throws IOException {
        try (OwnFirst context = loader(directory("a", Sound.class.getName()))) {
            assertThat(visible(context)).extracting(Candidate::name).containsExactly("sound");
        }
        assertThat(visible(DeviceArenaProvider.class.getClassLoader())).isEmpty();
        assertThat(ProviderLoader.visible(DeviceArenaProvider.class.getClassLoader(), null))
                .isEqualTo(ProviderLoader.visible(
                        DeviceArenaProvider.class.getClassLoader(), ClassLoader.getPlatformClassLoader()));
    }

    @Test
    void deviceArenas_useTheContextLoaderOfTheCall() throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (OwnFirst context = loader(directory("a", Sound.class.getName()))) {
            thread.setContextClassLoader(context);
            assertThat(DeviceArenas.providers())
                    .extracting(ProviderReport::name)
                    .contains("sound");
        } finally {
            thread.setContextClassLoader(before);
        }
        assertThat(DeviceArenas.providers()).extracting(ProviderReport::name).doesNotContain("sound");
    }

    @Test
    void classThatTwoLoadersSee_countsOnce_andIsOneCandidate() throws IOException {
        try (OwnFirst parent = loader(directory("a", Sound.class.getName()));
                URLClassLoader child = new URLClassLoader(new URL[0], parent)) {
            assertThat(ProviderLoader.visible(parent, child))
                    .filteredOn(candidate -> candidate.name().equals("sound"))
                    .singleElement()
                    .isSameAs(visible(parent).getFirst());
        }
    }

    @Test
    void ofTwoCopiesOfAClass_thatOfTheFirstLoaderIsUsed() throws IOException {
        try (OwnFirst first = loader(directory("a", Sound.class.getName()));
                OwnFirst second = loader(directory("b", Sound.class.getName()))) {
            assertThat(ProviderLoader.visible(first, second))
                    .filteredOn(candidate -> candidate.name().equals("sound"))
                    .singleElement()
                    .satisfies(candidate -> assertThat(Objects.requireNonNull(candidate.provider())
                                    .getClass()
                                    .getClassLoader())
                            .isSameAs(first));
        }
    }

    @Test
    void loaderWithAnotherCopyOfTheSpi_addsNothing() throws IOException {
        Path copy = directory("a", Sound.class.getName());
        Path spi = copy.resolve(DeviceArenaProvider.class.getName().replace('.', '/') + ".class");
        Files.createDirectories(Objects.requireNonNull(spi.getParent()));
        try (InputStream bytes = DeviceArenaProvider.class.getResourceAsStream("DeviceArenaProvider.class")) {
            Files.write(spi, Objects.requireNonNull(bytes).readAllBytes());
        }
        try (OwnFirst context = loader(copy)) {
            assertThat(visible(context)).isEmpty();
        }
    }

    @Test
    void unresolvableProvider_isNamed() throws IOException {
        Path directory = directory("a", Throwing.class.getName());
        Path base = directory.resolve(Sound.class.getName().replace('.', '/') + ".class");
        Files.writeString(base, "no class at all");
        try (OwnFirst context = loader(directory)) {
            assertThat(visible(context))
                    .singleElement()
                    .satisfies(candidate -> assertBroken(
                            candidate,
                            Throwing.class.getName(),
                            "it could not be loaded: java.lang.ClassFormatError: Incompatible magic value 1852776547 in"
                                    + " class file io/devicearena/discovery/ProviderLoaderTest$Sound"));
        }
    }

    @Test
    void loaderThatIsDropped_isCollected() throws IOException, InterruptedException {
        ReferenceQueue<ClassLoader> dropped = new ReferenceQueue<>();
        Reference<ClassLoader> loader = use(dropped);
        Reference<?> collected = null;
        for (int attempt = 0; attempt < 100 && collected == null; attempt++) {
            System.gc();
            collected = dropped.remove(100);
        }
        assertThat(collected).isSameAs(loader);
    }

    private Reference<ClassLoader> use(ReferenceQueue<ClassLoader> dropped) throws IOException {
        try (OwnFirst context = loader(directory("a", Sound.class.getName()))) {
            assertThat(visible(context)).singleElement().satisfies(Candidate::probe);
            return new WeakReference<>(context, dropped);
        }
    }
}
