import io.devicearena.weights.WeightFile;
import java.nio.file.Path;

/** A program that prints how long it takes to open a file, in a JVM that has opened none before: see docs/models.md. */
final class OpenTime {
    private OpenTime() {}

    public static void main(String[] arguments) {
        long begin = System.nanoTime();
        try (WeightFile file = WeightFile.open(Path.of(arguments[0]))) {
            long microseconds = (System.nanoTime() - begin) / 1_000;
            System.out.println(file + ": opened in " + microseconds + " microseconds");
        }
    }
}
