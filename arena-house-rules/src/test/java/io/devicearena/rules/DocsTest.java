package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.rules.Repository.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages show the tree as it is: the tables of packages, and links to files. */
class DocsTest {
    /** A row of the table of packages; its module stands in the first row of each alone. */
    private static final Pattern ROW = Pattern.compile("\\| (?:`(arena-[a-z-]+)` )?\\| (`[^|]+`) \\|.*");

    private static final Pattern MAIN_SOURCE =
            Pattern.compile("(arena-[a-z-]+)/src/main/java/io/devicearena((?:/[a-z]+)*)/[A-Z]\\w*\\.java");

    /** A link to a file, a folder or a heading of this tree; those with a colon lead elsewhere. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]*)(?:#([^)\\s]*))?\\)");

    private static final Pattern FENCE = Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

    /** A row of the table of stability; its artifact stands in the first row of each alone. */
    private static final Pattern STABILITY = Pattern.compile(
            "\\| (?:`(arena-[a-z]+)` )?\\| `(io\\.devicearena[a-z.]*)` \\| (?:stable|preview|internal) \\|");

    private static final Pattern MODULE = Pattern.compile("(arena-[a-z]+)/src/main/java/module-info\\.java");
    private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+)");

    /** Packages without main sources of ours: two are generated, one has tests alone. */
    private static final List<String> OTHERS =
            List.of("arena-house-rules rules", "arena-onnx onnx.internal.proto", "arena-wgpu wgpu.ffi");

    @Test
    void packages_eachWithSources_isOneRowOfItsModule() throws IOException {
        TreeSet<String> packages = new TreeSet<>(OTHERS);
        for (TextFile file : Repository.textFiles()) {
            Matcher source = MAIN_SOURCE.matcher(file.path());
            if (source.matches()) {
                String name = source.group(2).replace('/', '.');
                packages.add(source.group(1) + " " + (name.isEmpty() ? "." : name.substring(1)));
            }
        }
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(packages);
    }

    /** The rows as module and package. A name that begins with a dot takes the place of the last part before it. */
    private static List<String> rows() throws IOException {
        List<String> rows = new ArrayList<>();
        String module = "";
        for (Matcher row : Files.readString(Repository.ROOT.resolve("docs/architecture.md"))
                .lines()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .toList()) {
            module = row.group(1) == null ? module : row.group(1);
            String last = "";
            for (String name : row.group(2).replace("`", "").split(", ", -1)) {
                last = name.length() > 1 && name.startsWith(".") ? last.replaceFirst("\\.?\\w*$", "") + name : name;
                rows.add(module + " " + last);
            }
        }
        return rows;
    }

    @Test
    void stability_ofEachExportedPackage_isOneRowOfItsArtifact() throws IOException {
        List<String> exported = new ArrayList<>();
        for (TextFile file : Repository.textFiles()) {
            Matcher module = MODULE.matcher(file.path());
            if (module.matches()) {
                EXPORT.matcher(file.text())
                        .results()
                        .forEach(found -> exported.add(module.group(1) + " " + found.group(1)));
            }
        }
        List<String> rows = new ArrayList<>();
        String artifact = "";
        for (Matcher row : Files.readString(Repository.ROOT.resolve("VERSIONING.md"))
                .lines()
                .map(STABILITY::matcher)
                .filter(Matcher::matches)
                .toList()) {
            artifact = row.group(1) == null ? artifact : row.group(1);
            rows.add(artifact + " " + row.group(2));
        }
        assertThat(rows).containsExactlyInAnyOrderElementsOf(exported);
    }

    @Test
    void links_ofEveryPage_leadToFilesAndHeadings() throws IOException {
        List<String> broken = new ArrayList<>();
        for (TextFile page : Repository.textFiles()) {
            if (page.path().endsWith(".md")) {
                Path from = Repository.ROOT.resolve(page.path());
                for (Matcher link = LINK.matcher(withoutListings(page.text())); link.find(); ) {
                    Path target = link.group(1).isEmpty() ? from : from.resolveSibling(link.group(1));
                    if (!Files.exists(target)
                            || (link.group(2) != null && !headings(target).contains(link.group(2)))) {
                        broken.add(page.path() + ": " + link.group());
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static String withoutListings(String page) {
        return FENCE.matcher(page).replaceAll("");
    }

    /** The headings of a page, as links name them: lower case, hyphens between words, else letters and digits alone. */
    private static List<String> headings(Path page) throws IOException {
        return HEADING.matcher(withoutListings(Files.readString(page)))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
