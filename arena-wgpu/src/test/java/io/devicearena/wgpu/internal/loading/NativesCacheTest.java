package io.devicearena.wgpu.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class NativesCacheTest {
    private final byte[] library = new byte[1 << 20];

    @TempDir
    Path jarFolder;

    @TempDir
    Path cacheFolder;

    private TestJar jar;
    private NativesCache cache;

    @BeforeEach
    void makeJar() throws IOException {
        new SplittableRandom(1).nextBytes(library);
        jar = TestJar.of(jarFolder, library);
        cache = new NativesCache(cacheFolder);
    }

    private Path unpacked() throws UnusableLibraryException {
        return cache.unpacked(jar, TestJar.LIBRARY);
    }

    private String refused() {
        return String.valueOf(catchThrowableOfType(UnusableLibraryException.class, this::unpacked)
                .getMessage());
    }

    @Test
    void unpacked_library_isTheOnlyFileInItsFolder() throws IOException, UnusableLibraryException {
        Path file = unpacked();
        assertThat(file)
                .isEqualTo(cacheFolder
                        .resolve(Sha256.of(jarFolder.resolve(TestJar.LIBRARY)).hex())
                        .resolve(TestJar.LIBRARY));
        assertThat(file).hasBinaryContent(library);
        try (Stream<Path> all = Files.list(file.getParent())) {
            assertThat(all).containsExactly(file);
        }
    }

    @Test
    void unpacked_rightFileExists_isNotRewritten() throws IOException, UnusableLibraryException {
        FileTime longAgo = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(unpacked(), longAgo);
        assertThat(Files.getLastModifiedTime(unpacked())).isEqualTo(longAgo);
    }

    @Test
    void unpacked_wrongFileExists_isReplaced() throws IOException, UnusableLibraryException {
        Path file = unpacked();
        byte[] wrong = library.clone();
        wrong[library.length - 1] ^= 1;
        Files.write(file, wrong);
        assertThat(unpacked()).hasBinaryContent(library);
        Files.write(file, new byte[0]);
        assertThat(unpacked()).hasBinaryContent(library);
    }

    @Test
    void unpacked_emptyFolderInPlaceOfTheFile_isReplaced() throws IOException, UnusableLibraryException {
        Path file = unpacked();
        Files.delete(file);
        Files.createDirectory(file);
        assertThat(unpacked()).hasBinaryContent(library);
    }

    @Test
    void unpacked_folderWithFilesInPlaceOfTheFile_isNamedAndKept() throws IOException, UnusableLibraryException {
        Path file = unpacked();
        Files.delete(file);
        Path inside = Files.createDirectory(file).resolve("inside");
        Files.writeString(inside, "kept");
        assertThat(refused())
                .isEqualTo("cannot unpack to the cache folder " + file.getParent() + ": " + file
                        + ": is a folder with files, not a file; remove it");
        assertThat(inside).hasContent("kept");
        try (Stream<Path> all = Files.list(Objects.requireNonNull(file.getParent()))) {
            assertThat(all).containsExactly(file);
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "links need a permission")
    void unpacked_linkInPlaceOfTheFile_isReplaced_andItsTargetIsNotWritten()
            throws IOException, UnusableLibraryException {
        Path file = unpacked();
        Files.delete(file);
        Files.createSymbolicLink(file, cacheFolder.resolve("missing"));
        assertThat(unpacked()).hasBinaryContent(library);
        Path other = Files.writeString(cacheFolder.resolve("other"), "of someone else");
        Files.delete(file);
        Files.createSymbolicLink(file, other);
        assertThat(unpacked()).hasBinaryContent(library);
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(other).hasContent("of someone else");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no such permissions")
    void unpacked_fileThatCannotBeRead_isReplaced() throws IOException, UnusableLibraryException {
        Path file = unpacked();
        Files.write(file, new byte[] {1});
        Files.setPosixFilePermissions(file, Set.of());
        assertThat(unpacked()).hasBinaryContent(library);
    }

    @Test
    void unpacked_otherVersion_isNotTouched() throws IOException, UnusableLibraryException {
        Path old = unpacked();
        jar = TestJar.of(jarFolder, new byte[] {1, 2, 3});
        assertThat(unpacked()).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(old).hasBinaryContent(library);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no such permissions")
    void unpacked_folderPermissions_areOwnerOnly() throws IOException, UnusableLibraryException {
        Path home = Objects.requireNonNull(unpacked().getParent());
        assertThat(permissions(home)).isEqualTo("rwx------");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        unpacked();
        assertThat(permissions(home)).isEqualTo("rwx------");
    }

    @Test
    void folderThatCannotBeChanged_isTrustedWhereNoOtherUserCanWrite() {
        String user = System.getProperty("user.name");
        for (String owner : List.of("root", user)) {
            assertThat(NativesCache.isTrusted(owner, PosixFilePermissions.fromString("r-xr-xr-x")))
                    .isTrue();
            assertThat(NativesCache.isTrusted(owner, PosixFilePermissions.fromString("rwxrwxr-x")))
                    .isFalse();
            assertThat(NativesCache.isTrusted(owner, PosixFilePermissions.fromString("rwxr-xrwx")))
                    .isFalse();
        }
        assertThat(NativesCache.isTrusted(user + "2", PosixFilePermissions.fromString("r-xr-xr-x")))
                .isFalse();
    }

    private static String permissions(Path path) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
        return PosixFilePermissions.toString(permissions);
    }

    @Test
    void manyThreadsGetTheSameFile() throws Exception {
        List<Future<Path>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 32; i++) {
                answers.add(threads.submit(this::unpackedAndRight));
            }
        }
        for (Future<Path> answer : answers) {
            assertThat(answer.get()).isEqualTo(answers.getFirst().get());
        }
    }

    private Path unpackedAndRight() throws IOException, UnusableLibraryException {
        Path file = unpacked();
        assertThat(Files.readAllBytes(file)).isEqualTo(library);
        return file;
    }

    @Test
    void aDamagedJarIsRefused() throws IOException {
        Path file = jarFolder.resolve(TestJar.LIBRARY);
        String expected = Sha256.of(file).hex();
        Files.write(file, new byte[] {1});
        assertThat(refused())
                .isEqualTo("the library in the jar: expected SHA-256 " + expected + ", got "
                        + "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a; the jar is damaged");
        assertThat(cacheFolder.resolve(expected).resolve(TestJar.LIBRARY)).doesNotExist();
    }

    @Test
    void unpacked_invalidDigest_isRefused() throws IOException {
        Files.writeString(jarFolder.resolve(TestJar.LIBRARY + ".sha256"), "../../elsewhere\n");
        assertThat(refused())
                .isEqualTo(TestJar.LIBRARY
                        + ".sha256 in the jar: expected 64 lower-case hex digits, got '../../elsewhere'");
    }

    @Test
    void aJarWithoutADigestIsRefused() throws IOException {
        Files.delete(jarFolder.resolve(TestJar.LIBRARY + ".sha256"));
        assertThat(refused()).isEqualTo("the jar has no " + TestJar.LIBRARY + ".sha256 beside its library");
    }

    @Test
    void aJarBuiltWithoutItsLibrarySaysWhy() throws IOException {
        Files.delete(jarFolder.resolve(TestJar.LIBRARY));
        assertThat(refused()).isEqualTo("the jar has no " + TestJar.LIBRARY);
        Files.writeString(jarFolder.resolve("missing.txt"), "no pip was found\n");
        assertThat(refused()).isEqualTo("the jar was built without its library: no pip was found");
    }

    @Test
    void unpacked_folderCannotBeCreated_remedyMovesIt() throws IOException {
        Path file = Files.writeString(cacheFolder.resolve("file"), "");
        cache = new NativesCache(file);
        String digest = Sha256.of(jarFolder.resolve(TestJar.LIBRARY)).hex();
        UnusableLibraryException thrown = catchThrowableOfType(UnusableLibraryException.class, this::unpacked);
        assertThat(thrown).hasMessageStartingWith("cannot unpack to the cache folder " + file.resolve(digest) + ": ");
        assertThat(thrown.remedy)
                .contains(
                        "set -Ddevicearena.wgpu.cache=FOLDER (or DEVICEARENA_WGPU_CACHE) to a folder that you may write"
                                + " to, on a file system that is not mounted noexec");
    }
}
