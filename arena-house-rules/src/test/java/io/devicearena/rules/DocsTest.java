package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.rules.Repository.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages show the tree as it is: the table of packages in docs/architecture.md, and links to files. */
class DocsTest {
    /** A row of the table of packages; its module stands in the first row of each alone. */
    private static final Pattern ROW = Pattern.compile("\\| (?:`(arena-[a-z-]+)` )?\\| (`[^|]+`) \\|.*");

    private static final Pattern MAIN_SOURCE =
            Pattern.compile("(arena-[a-z-]+)/src/main/java/io/devicearena((?:/[a-z]+)*)/[A-Z]\\w*\\.java");

    /** A link to a file or a folder of this tree; those with a colon lead elsewhere. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");

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
    void links_ofEveryPage_leadToFiles() {
        List<String> broken = new ArrayList<>();
        for (TextFile page : Repository.textFiles()) {
            if (page.path().endsWith(".md")) {
                Path from = Repository.ROOT.resolve(page.path());
                LINK.matcher(page.text())
                        .results()
                        .map(link -> link.group(1))
                        .filter(link -> !Files.exists(from.resolveSibling(link)))
                        .forEach(link -> broken.add(page.path() + ": " + link));
            }
        }
        assertThat(broken).isEmpty();
    }
}
