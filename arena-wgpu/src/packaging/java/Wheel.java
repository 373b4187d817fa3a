import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** One line of wheels.tsv: the wheel of a platform, and the library in it. */
record Wheel(String platform, String tag, String file, String sha256, String library, String librarySha256) {
    static List<Wheel> read(Path table) throws IOException {
        return Files.readAllLines(table).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t", -1))
                .map(cells -> new Wheel(cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]))
                .toList();
    }

    /** The requirement for pip, from the name of the file: {@code name==version}. */
    String requirement() {
        String[] parts = file.split("-", 3);
        return parts[0] + "==" + parts[1];
    }

    /** The name that {@link System#mapLibraryName} returns for wgpu_native on the wheel's platform. */
    String libraryName() {
        String name = library.substring(library.lastIndexOf('/') + 1);
        return name.replace("-release", "");
    }

    /** Copies one file of the wheel; a name that starts with an asterisk matches the file with that ending. */
    static void extract(Path wheel, String name, Path to) throws IOException {
        try (ZipFile zip = new ZipFile(wheel.toFile())) {
            ZipEntry entry = zip.stream()
                    .filter(each -> name.startsWith("*")
                            ? each.getName().endsWith(name.substring(1))
                            : each.getName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IOException(wheel + ": expected a file " + name + ", got none"));
            try (InputStream in = zip.getInputStream(entry)) {
                Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
