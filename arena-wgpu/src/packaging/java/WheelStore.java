import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The wheels on this machine: a folder that outlives a clean build; several builds may use it at once. */
final class WheelStore {
    private final Path folder;
    private final boolean offline;

    /** Why nothing could be fetched: asked once, not for every platform. */
    private MissingNativesException gaveUp;

    WheelStore(Path folder, boolean offline) {
        this.folder = folder;
        this.offline = offline;
    }

    /** Returns the wheel, fetched if it is not there. A wheel with other bytes than the table says fails the build. */
    Path get(Wheel wheel) throws IOException, InterruptedException, MissingNativesException {
        Path kept = folder.resolve(wheel.file());
        if (Files.isRegularFile(kept) && Digests.sha256(kept).equals(wheel.sha256())) {
            return kept;
        }
        if (gaveUp != null) {
            throw gaveUp;
        }
        try {
            fetch(wheel, kept);
            return kept;
        } catch (MissingNativesException e) {
            gaveUp = e;
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
