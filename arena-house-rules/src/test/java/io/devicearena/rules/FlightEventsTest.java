package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every event of the flight recorder has a name of ours, a setting and a row in the documentation. */
class FlightEventsTest {
    private static final Pattern SETTING = Pattern.compile("<event name=\"(io\\.devicearena\\.\\w+)\">");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(io\\.devicearena\\.[A-Z]\\w+)` \\|");

    private static final List<String> EVENTS = OurClasses.ALL.stream()
            .filter(type -> type.isAssignableTo("jdk.jfr.Event"))
            .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
            .map(FlightEventsTest::nameOf)
            .sorted()
            .toList();

    private static String nameOf(JavaClass event) {
        return event.getAnnotationOfType("jdk.jfr.Name")
                .get("value")
                .map(String::valueOf)
                .orElse("");
    }

    private static List<String> found(String file, Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(Repository.ROOT.resolve(Path.of(file))))
                .results()
                .map((MatchResult match) -> match.group(1))
                .sorted()
                .toList();
    }

    @Test
    void events_theirNames_beginWithTheProject() {
        assertThat(EVENTS).isNotEmpty().allMatch(name -> name.matches("io\\.devicearena\\.[A-Z]\\w+"));
    }

    @Test
    void events_areAllInTheSettingsOfTheJar() throws IOException {
        assertThat(found("arena-diagnostics/src/main/resources/device-arena.jfc", SETTING))
                .isEqualTo(EVENTS);
    }

    @Test
    void events_areAllDocumented() throws IOException {
        assertThat(found("docs/observability.md", ROW)).isEqualTo(EVENTS);
    }
}
