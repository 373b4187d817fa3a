package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.rules.Repository.TextFile;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What our POMs bring to a project that uses the modules. */
class PublishedPomTest {
    private static final String DESCRIPTOR = "/src/main/java/module-info.java";
    private static final Pattern NEEDS_ANNOTATIONS =
            Pattern.compile("requires\\s+(?:static\\s+transitive|transitive\\s+static)\\s+org\\.jspecify\\s*;");
    private static final Pattern PLAIN_ANNOTATIONS =
            Pattern.compile("<artifactId>jspecify</artifactId>\\s*</dependency>");

    private static final Pattern BRINGS_ANNOTATIONS =
            Pattern.compile("<artifactId>jspecify</artifactId>(?:(?!</dependency>)[\\s\\S])*<scope>compile</scope>");

    private static final List<TextFile> FILES = Repository.textFiles();

    @Test
    void module_requiresTheAnnotationsOfItsUsers_bringsThemInItsPom() {
        List<String> modules = FILES.stream()
                .filter(file -> file.path().startsWith("arena-") && file.path().endsWith(DESCRIPTOR))
                .filter(file -> NEEDS_ANNOTATIONS.matcher(file.text()).find())
                .map(file -> file.path().replace(DESCRIPTOR, "/pom.xml"))
                .toList();
        assertThat(modules).contains("arena-kernels/pom.xml");
        assertThat(FILES.stream()
                        .filter(file -> modules.contains(file.path()))
                        .filter(file -> !BRINGS_ANNOTATIONS.matcher(file.text()).find())
                        .map(file -> file.path() + ": expected jspecify with the scope compile, since the module"
                                + " requires it of its users"))
                .isEmpty();
    }

    /** Else the bill of materials calls them required: the parent's dependencyManagement cannot say it. */
    @Test
    void annotationsForTheCompilerAlone_areOptional() {
        assertThat(FILES.stream()
                        .filter(file -> file.path().matches("arena-[a-z]+/pom\\.xml"))
                        .filter(file -> PLAIN_ANNOTATIONS.matcher(file.text()).find())
                        .map(file -> file.path() + ": expected jspecify with <optional>true</optional>"))
                .isEmpty();
    }
}
