package io.devicearena.onnx.internal.tensors;

import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.reader.TensorSizes;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files beside a model that hold data of its tensors. A model reaches into its own folder only, also through
 * symbolic links: that folder is the one of its path, or the one of the file that the path leads to. A file with
 * several hard links is refused, as the Python library onnx does.
 */
final class ExternalFiles {
    private final MappedFile model;
    private final Map<Path, MappedFile> opened = new LinkedHashMap<>();

    ExternalFiles(MappedFile model) {
        this.model = model;
    }

    Collection<MappedFile> opened() {
        return Collections.unmodifiableCollection(opened.values());
    }

    /**
     * Opens a file, or returns it if it is open.
     *
     * @throws IllegalArgumentException if there is no such file of the model
     */
    MappedFile open(String location) {
        Path path = path(location);
        MappedFile known = opened.get(path);
        if (known == null) {
            check(path);
            known = MappedFile.open(path);
            opened.put(path, known);
        }
        return known;
    }

    private Path path(String location) {
        try {
            Path path = Path.of(location);
            boolean climbs = false;
            for (Path name : path) {
                climbs |= name.toString().equals("..");
            }
            if (!location.isEmpty() && !path.isAbsolute() && !climbs) {
                return model.path().resolveSibling(path);
            }
        } catch (InvalidPathException e) {
            // refused below, as every location that names no file of the folder
        }
        throw new IllegalArgumentException("expected external data in a file of the model's folder, got the location '"
                + TensorSizes.escaped(location) + "'");
    }

    private void check(Path path) {
        try {
            Path real = path.toRealPath();
            if (!real.startsWith(folder(model.path()).toRealPath())
                    && !real.startsWith(folder(model.path().toRealPath()))) {
                throw new IllegalArgumentException(
                        "expected external data in the model's folder, got " + path + ", which leads to " + real);
            }
            if (!Files.isRegularFile(real)) { // a pipe would be waited for
                throw new IllegalArgumentException(
                        "expected external data in a file, got " + path + ", which is no file");
            }
            int links = links(real);
            if (links > 1) {
                throw new IllegalArgumentException("expected external data in a file of one name, got " + path + " of "
                        + links + ", which may be outside of the model's folder; replace it by a copy");
            }
        } catch (FileSystemLoopException e) {
            throw new IllegalArgumentException("expected external data, got a loop of symbolic links: " + path, e);
        } catch (IOException e) {
            String reason = e instanceof NoSuchFileException ? "no such file" : e.getMessage();
            throw new IllegalArgumentException(
                    "expected external data in " + path + ", which cannot be opened: " + reason, e);
        }
    }

    /** Where a hard link leads cannot be seen, only how many there are. */
    private static int links(Path file) throws IOException {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? (Integer) Files.getAttribute(file, "unix:nlink")
                : 1;
    }

    private static Path folder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file.toAbsolutePath() : folder;
    }
}
