import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Checks a folder of artifacts before they are uploaded: all that a public repository asks for is there, checksums are
 * right, and a second build has the same bytes. Writes the missing SHA-256 checksums.
 *
 * <p>Arguments: the folder, that of the second build, the version, the published modules separated by commas, and
 * {@code signed} if signatures are expected.
 */
final class CheckRelease {
    private static final String GROUP = "io/devicearena";
    private static final String PARENT = "device-arena-parent";

    /** What Maven Central asks of each POM; the parent may say it. */
    private static final List<String> METADATA = List.of("name", "description", "url", "licenses", "developers", "scm");

    private static final Map<String, String> CHECKSUMS =
            new TreeMap<>(Map.of(".md5", "MD5", ".sha1", "SHA-1", ".sha256", "SHA-256"));

    private static final Pattern REQUIRED_ANNOTATIONS =
            Pattern.compile("\"name\" : \"jspecify\"[^{}]*\"scope\" : \"required\"");

    private final Path folder;
    private final Path second;
    private final String version;
    private final boolean signed;
    private final List<String> faults = new ArrayList<>();

    /** The digests of the libraries in the natives jars. */
    private final List<String> natives = new ArrayList<>();

    private CheckRelease(Path folder, Path second, String version, boolean signed) {
        this.folder = folder;
        this.second = second;
        this.version = version;
        this.signed = signed;
    }

    public static void main(String... arguments) throws Exception {
        CheckRelease check = new CheckRelease(
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                arguments[2],
                arguments.length > 4 && arguments[4].equals("signed"));
        check.run(List.of(arguments[3].split(",")));
        check.faults.forEach(fault -> System.err.println("release: " + fault));
        System.exit(check.faults.isEmpty() ? 0 : 1);
    }

    private void run(List<String> modules) throws Exception {
        Element parent = pom(PARENT);
        module(PARENT, parent, parent);
        for (String module : modules) {
            module(module, pom(module), parent);
        }
        List<String> listed = files(folder);
        compareWithSecond(listed);
        for (String file : listed) {
            if (!file.endsWith(".asc")) { // public repositories ask for no checksums of signatures, and Maven makes none
                checksums(folder.resolve(file));
            }
        }
    }

    private Path artifact(String module, String ending) {
        return folder.resolve(GROUP).resolve(module).resolve(version).resolve(module + "-" + version + ending);
    }

    private Element pom(String module) throws IOException, ParserConfigurationException, SAXException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder()
                .parse(artifact(module, ".pom").toFile())
                .getDocumentElement();
    }

    private void module(String module, Element pom, Element parent) throws IOException, NoSuchAlgorithmException {
        for (String name : METADATA) {
            boolean own = name.equals("name") || name.equals("description");
            if (child(pom, name) == null && (own || child(parent, name) == null)) {
                faults.add(module + ": expected <" + name + "> in the POM or its parent, found none");
            }
        }
        for (String ending : endings(module, pom)) {
            if (!Files.isRegularFile(artifact(module, ending))) {
                faults.add(module + ": expected " + artifact(module, ending).getFileName() + ", found none");
            }
        }
        bill(module, pom);
    }

    private List<String> endings(String module, Element pom) throws IOException, NoSuchAlgorithmException {
        List<String> endings = new ArrayList<>(List.of(".pom", "-cyclonedx.json"));
        Node packaging = child(pom, "packaging");
        if (packaging == null || packaging.getTextContent().equals("jar")) {
            endings.addAll(List.of(".jar", "-sources.jar", "-javadoc.jar"));
        }
        if (module.equals("arena-wgpu")) {
            for (String system : List.of("linux", "macos", "windows")) {
                for (String processor : List.of("x86_64", "aarch64")) {
                    String platform = system + "-" + processor;
                    endings.add("-natives-" + platform + ".jar");
                    natives(artifact(module, "-natives-" + platform + ".jar"), platform);
                }
            }
        }
        if (signed) {
            endings.addAll(endings.stream().map(ending -> ending + ".asc").toList());
        }
        return endings;
    }

    private void natives(Path jar, String platform) throws IOException, NoSuchAlgorithmException {
        if (!Files.exists(jar)) {
            return; // reported with the other files
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> libraries = zip.stream()
                    .filter(entry -> entry.getName().startsWith("META-INF/natives/" + platform + "/")
                            && entry.getName().matches(".*\\.(?:so|dylib|dll)"))
                    .toList();
            if (libraries.isEmpty()) {
                faults.add(jar.getFileName() + ": expected a library of " + platform + ", found none");
            }
            for (ZipEntry library : libraries) {
                try (InputStream in = zip.getInputStream(library)) {
                    natives.add(digest("SHA-256", in.readAllBytes()));
                }
            }
        }
    }

    /** The bill of materials names the artifact and each of the dependencies that its users get. */
    private void bill(String module, Element pom) throws IOException {
        Path file = artifact(module, "-cyclonedx.json");
        if (!Files.exists(file)) {
            return; // reported with the other files
        }
        String bill = Files.readString(file);
        List<String> named = new ArrayList<>(List.of("\"CycloneDX\"", "pkg:maven/io.devicearena/" + module + "@" + version));
        Node dependencies = child(pom, "dependencies");
        for (Node node = dependencies == null ? null : dependencies.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element dependency && isForUsers(dependency)) {
                named.add("/" + text(dependency, "artifactId") + "@");
            }
        }
        if (module.equals("arena-wgpu")) {
            named.add("\"wgpu-native\"");
            named.addAll(natives);
        }
        // a bill that calls annotations required makes scanners ask every user for them
        if (!named.contains("/jspecify@") && REQUIRED_ANNOTATIONS.matcher(bill).find()) {
            faults.add(file.getFileName() + ": expected jspecify with the scope optional, got required");
        }
        for (String name : named) {
            if (!bill.contains(name)) {
                faults.add(file.getFileName() + ": expected it to name " + name + ", found no such text");
            }
        }
    }

    /** Test dependencies do not reach users; annotations have the scope of the parent unless the POM says another. */
    private static boolean isForUsers(Element dependency) {
        String scope = text(dependency, "scope");
        return !scope.equals("test") && !(scope.isEmpty() && text(dependency, "artifactId").equals("jspecify"));
    }

    private void compareWithSecond(List<String> listed) throws IOException {
        List<String> unsigned = listed.stream().filter(file -> !file.endsWith(".asc")).toList();
        List<String> others = files(second);
        for (String file : others) {
            if (!unsigned.contains(file)) {
                faults.add(file + ": only the second build has it");
            }
        }
        for (String file : unsigned) {
            if (!others.contains(file)) {
                faults.add(file + ": only the first build has it");
            } else if (Files.mismatch(folder.resolve(file), second.resolve(file)) >= 0) {
                faults.add(file + ": expected the same bytes from two builds, got other ones");
            }
        }
        if (unsigned.isEmpty()) {
            faults.add(folder + ": expected artifacts, found none");
        }
    }

    /** Compares the checksums beside a file with its bytes; writes the SHA-256. */
    private void checksums(Path file) throws IOException, NoSuchAlgorithmException {
        byte[] bytes = Files.readAllBytes(file);
        for (Map.Entry<String, String> kind : CHECKSUMS.entrySet()) {
            String sum = digest(kind.getValue(), bytes);
            Path beside = file.resolveSibling(file.getFileName() + kind.getKey());
            if (kind.getKey().equals(".sha256")) {
                Files.writeString(beside, sum);
            } else if (!Files.exists(beside) || !Files.readString(beside, StandardCharsets.US_ASCII).strip().equals(sum)) {
                faults.add(beside.getFileName() + ": expected " + sum + ", found none or another");
            }
        }
    }

    private static String digest(String kind, byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance(kind).digest(bytes));
    }

    /** The artifacts of a folder without their checksums, by their paths from it. */
    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> CHECKSUMS.keySet().stream().noneMatch(file::endsWith))
                    .sorted()
                    .toList();
        }
    }

    private static Node child(Element parent, String name) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element && node.getNodeName().equals(name)) {
                return node;
            }
        }
        return null;
    }

    private static String text(Element parent, String name) {
        Node child = child(parent, name);
        return child == null ? "" : child.getTextContent().strip();
    }
}
