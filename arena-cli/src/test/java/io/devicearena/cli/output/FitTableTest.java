package io.devicearena.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.DType;
import io.devicearena.DeviceKind;
import io.devicearena.cli.input.FitInput;
import io.devicearena.discovery.ArenaFit;
import io.devicearena.plan.RoleBytes;
import io.devicearena.spi.ArenaOverhead;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code fit} prints of a device. */
class FitTableTest {
    @TempDir
    Path folder;

    @Test
    void discreteGpuThatDoesNotSayWhatIsFree_isNotKnownToFit() throws IOException {
        Path graph = Files.writeString(folder.resolve("x.graph.json"), """
                {"format": "device-arena-graph/1", "nodes": [
                  {"id": 0, "name": "x", "shape": [4], "dtype": "f32", "role": "input"}]}
                """);
        ArenaLimits limits = new ArenaLimits(1L << 40, "most", 256, 1L << 40);
        ArenaDevice gpu =
                new ArenaDevice("wgpu", 0, "Some GPU", "discrete", DeviceKind.DISCRETE_GPU, 1, limits, Set.of());
        ArenaFit fit = new ArenaFit(gpu, 256, 0, ArenaOverhead.NONE, OptionalLong.empty(), OptionalLong.empty());
        StringWriter text = new StringWriter();

        new FitTable(
                        FitInput.read(graph, List.of(), DType.F16),
                        new RoleBytes(0, 0, 256),
                        List.of(new FitTable.Row(fit, OptionalLong.empty())))
                .text(new TextLines(text));

        assertThat(text.toString())
                .containsPattern("memory +not known, free not known")
                .containsPattern("fits +not known, the device does not say what is free");
    }
}
