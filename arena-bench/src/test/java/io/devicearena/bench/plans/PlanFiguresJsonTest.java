package io.devicearena.bench.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFiguresJsonTest {
    @TempDir
    private Path folder;

    @Test
    void figuresReadBackAsWritten() throws IOException {
        List<PlanFigures> figures = List.of(
                new PlanFigures(
                        "large", 2, 3_000_000_000L, List.of(new PlanFigures.Result("fast", 3_100_000_000L, 2.125, 1))),
                new PlanFigures("empty", 0, 0, List.of()));
        Path file = folder.resolve("plans.json");
        try (Writer target = Files.newBufferedWriter(file)) {
            PlanFiguresJson.write(figures, target);
        }

        assertThat(PlanFiguresJson.read(file)).isEqualTo(figures);
    }

    @Test
    void fileThatIsNoBaselineIsRefusedByName() throws IOException {
        Path empty = Files.writeString(folder.resolve("a.json"), "{}");
        Path list = Files.writeString(folder.resolve("b.json"), "[]");
        Path broken = Files.writeString(folder.resolve("c.json"), "{]");

        assertThatThrownBy(() -> PlanFiguresJson.read(empty))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(empty + ": expected a field 'problems' in {}");
        assertThatThrownBy(() -> PlanFiguresJson.read(list))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(list + ": expected an object, got '[]'");
        assertThatThrownBy(() -> PlanFiguresJson.read(broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(broken + ": expected JSON, got Unexpected close marker ']'");
    }
}
