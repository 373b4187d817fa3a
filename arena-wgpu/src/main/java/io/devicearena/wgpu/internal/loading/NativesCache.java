package io.devicearena.wgpu.internal.loading;

import io.devicearena.spi.Settings;
import io.devicearena.wgpu.natives.NativesBundle;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Unpacks libraries into folders that are named by their SHA-256. Versions coexist, and processes need no lock: each
 * one writes a temporary file and moves it over the final name, and all of them write the same bytes.
 */
record NativesCache(Path folder) {
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /**
     * Makes a cache in a temporary folder of this process, for a user without a cache folder. Its name is random and
     * other users have no permission, since they could replace the library.
     */
    static NativesCache temporary(Settings settings) throws UnusableLibraryException {
        String temporary = settings.property("java.io.tmpdir").orElse("");
        try {
            Path parent = Path.of(temporary).toAbsolutePath();
            Path folder = Files.createTempDirectory(parent, "device-arena-", ownerOnly(parent));
            folder.toFile().deleteOnExit();
            return new NativesCache(folder);
        } catch (IOException e) {
            throw UnusableLibraryException.ofCache(
                    "cannot unpack to a temporary folder in " + ErrorText.of(Path.of(temporary), e));
        } catch (InvalidPathException e) {
            throw UnusableLibraryException.ofCache(
                    "the temporary folder: expected a path, got '" + temporary + "': " + e.getReason());
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path parent) {
        return parent.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    /** As {@link #unpacked}; the library and its folder are removed when the process ends. */
    Path unpackedUntilExit(NativesBundle bundle, String libraryName) throws UnusableLibraryException {
        Path library = unpacked(bundle, libraryName);
        Path parent = library.getParent();
        if (parent != null) {
            parent.toFile().deleteOnExit();
        }
        library.toFile().deleteOnExit(); // the last one is removed first
        return library;
    }

    /** Returns the unpacked library. Each call checks its digest: a file that exists already is not trusted. */
    Path unpacked(NativesBundle bundle, String libraryName) throws UnusableLibraryException {
        Optional<URL> library = bundle.resource(libraryName);
        if (library.isEmpty()) {
            throw new UnusableLibraryException(text(bundle, NativesBundle.MISSING)
                    .map(reason -> "the jar was built without its library: " + reason)
                    .orElse("the jar has no " + libraryName));
        }
        Sha256 expected = expected(bundle, libraryName);
        Path home = folder.resolve(expected.hex());
        Path file = home.resolve(libraryName);
        try {
            createPrivate(home);
            if (!holds(file, expected)) {
                unpack(library.get(), expected, home, file);
            }
            return file;
        } catch (IOException e) {
            throw UnusableLibraryException.ofCache("cannot unpack to the cache folder " + ErrorText.of(home, e));
        }
    }

    private static Sha256 expected(NativesBundle bundle, String libraryName) throws UnusableLibraryException {
        String name = libraryName + ".sha256";
        String text = text(bundle, name)
                .orElseThrow(() -> new UnusableLibraryException("the jar has no " + name + " beside its library"));
        if (!Sha256.isValid(text)) {
            throw new UnusableLibraryException(
                    name + " in the jar: expected 64 lower-case hex digits, got '" + text + "'");
        }
        return new Sha256(text);
    }

    private static Optional<String> text(NativesBundle bundle, String name) throws UnusableLibraryException {
        Optional<URL> found = bundle.resource(name);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream in = open(found.get())) {
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new UnusableLibraryException("cannot read " + name + " of the jar: " + ErrorText.of(e));
        }
    }

    private static InputStream open(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        // a cached connection keeps the jar open, and Windows would not let a program replace it
        connection.setUseCaches(false);
        return connection.getInputStream();
    }

    /**
     * Creates the folder, and removes the permissions of other users, who could replace the library. Those of a
     * read-only folder, such as one in an image of a container, stay where only root or this user may write.
     */
    private static void createPrivate(Path home) throws IOException {
        Files.createDirectories(home);
        PosixFileAttributeView view = Files.getFileAttributeView(home, PosixFileAttributeView.class);
        if (view == null || view.readAttributes().permissions().equals(OWNER_ONLY)) {
            return;
        }
        try {
            view.setPermissions(OWNER_ONLY);
        } catch (IOException e) {
            PosixFileAttributes folder = view.readAttributes();
            if (!isTrusted(folder.owner().getName(), folder.permissions())) {
                throw e;
            }
        }
    }

    static boolean isTrusted(String owner, Set<PosixFilePermission> permissions) {
        return (owner.equals("root") || owner.equals(System.getProperty("user.name")))
                && !permissions.contains(PosixFilePermission.GROUP_WRITE)
                && !permissions.contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static boolean holds(Path file, Sha256 expected) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try {
            return Sha256.of(file).equals(expected);
        } catch (IOException e) {
            return false; // it cannot be read, or another process emptied the cache meanwhile: it is replaced
        }
    }

    private static void unpack(URL library, Sha256 expected, Path home, Path file)
            throws IOException, UnusableLibraryException {
        Path unpacking = Files.createTempFile(home, "unpacking", ".tmp");
        try {
            Sha256 got;
            try (InputStream in = open(library);
                    OutputStream out = Files.newOutputStream(unpacking)) {
                got = Sha256.ofCopied(in, out);
            }
            if (!got.equals(expected)) {
                throw new UnusableLibraryException("the library in the jar: expected SHA-256 " + expected + ", got "
                        + got + "; the jar is damaged");
            }
            moveOver(unpacking, file, expected);
        } finally {
            Files.deleteIfExists(unpacking);
        }
    }

    private static void moveOver(Path unpacking, Path file, Sha256 expected) throws IOException {
        try {
            if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(file); // an empty one: a container makes it for a file that it mounts and that is missing
            }
            Files.move(unpacking, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Windows does not replace a library that another process has loaded; the right one may exist by now
            if (!holds(file, expected)) {
                throw e;
            }
        }
    }
}
