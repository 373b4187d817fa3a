import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The build step that adds the native library to the bill of materials of this module. Maven does not know the library:
 * it is in the natives jars, not in a dependency.
 *
 * <p>Arguments: the folder of wheels.tsv and NOTICE, and the bill in the JSON of CycloneDX, which is replaced.
 */
final class NativesBill {
    /** The notice of the jars names the version. */
    private static final Pattern VERSION = Pattern.compile("wgpu-native (\\d+(?:\\.\\d+)*)");

    private static final Pattern COMPONENTS = Pattern.compile("(?m)^  \"components\" : \\[ *\\R");
    private static final Pattern DEPENDENCIES = Pattern.compile("(?m)^  \"dependencies\" : \\[ *\\R");
    private static final Pattern OF_THE_MODULE =
            Pattern.compile("\"ref\" : \"pkg:maven/io\\.devicearena/arena-wgpu@[^\"]*\",\\s*\"dependsOn\" : \\[ *\\R");

    private NativesBill() {}

    public static void main(String... arguments) throws IOException {
        Path sources = Path.of(arguments[0]);
        Path file = Path.of(arguments[1]);
        if (!Files.exists(file)) {
            throw new IOException(
                    file
                            + ": expected a bill of materials, found none; makeBom of the profile release makes it, unless Maven is offline");
        }
        String name = "pkg:github/gfx-rs/wgpu-native@v" + version(sources.resolve("NOTICE"));
        String bill = Files.readString(file);
        bill = behind(bill, COMPONENTS, component(name, sources) + ",\n", file);
        bill = behind(bill, DEPENDENCIES, """
                    {
                      "ref" : "%s",
                      "dependsOn" : [ ]
                    },
                """.formatted(name), file);
        Files.writeString(file, behind(bill, OF_THE_MODULE, "        \"" + name + "\",\n", file));
    }

    private static String version(Path notice) throws IOException {
        Matcher found = VERSION.matcher(Files.readString(notice));
        if (!found.find()) {
            throw new IOException(notice + ": expected the version of wgpu-native, found none");
        }
        return found.group(1);
    }

    private static String component(String name, Path sources) throws IOException {
        String files = Wheel.read(sources.resolve("wheels.tsv")).stream()
                .map(wheel -> file(name, wheel))
                .collect(Collectors.joining(",\n"));
        return """
                    {
                      "type" : "library",
                      "bom-ref" : "%1$s",
                      "name" : "wgpu-native",
                      "version" : "%2$s",
                      "description" : "The native library; the natives jar of each platform has it, as the Python wheel wgpu does",
                      "scope" : "required",
                      "licenses" : [
                        {
                          "expression" : "MIT OR Apache-2.0"
                        }
                      ],
                      "purl" : "%1$s",
                      "components" : [
                %3$s
                      ]
                    }""".formatted(name, name.substring(name.lastIndexOf("@v") + 2), files);
    }

    private static String file(String name, Wheel wheel) {
        return """
                        {
                          "type" : "file",
                          "bom-ref" : "%s#%s",
                          "name" : "META-INF/natives/%s/%s",
                          "hashes" : [
                            {
                              "alg" : "SHA-256",
                              "content" : "%s"
                            }
                          ]
                        }""".formatted(name, wheel.platform(), wheel.platform(), wheel.libraryName(), wheel.librarySha256());
    }

    /** Inserts lines behind the one place that a pattern finds. */
    private static String behind(String bill, Pattern place, String lines, Path file) throws IOException {
        Matcher found = place.matcher(bill);
        if (!found.find()) {
            throw new IOException(file + ": expected a list behind '" + place + "', found none");
        }
        return bill.substring(0, found.end()) + lines + bill.substring(found.end());
    }
}
