package io.devicearena.cli;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.cli.input.DimensionRange;
import io.devicearena.cli.input.FitInput;
import io.devicearena.cli.message.ErrorReporter;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.FitTable;
import io.devicearena.discovery.ArenaFit;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.RoleBytes;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says whether a model fits a device. It loads nothing and allocates no device memory. */
@Command(
        name = "fit",
        description = "Says what memory a model takes, whether each device has as much free, and the largest context or"
                + " batch that fits. It loads nothing. Exit code 1 if the model fits no device.")
final class FitCommand implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Option(
            names = "--dim",
            paramLabel = "NAME=N",
            description = "The size of a free dimension of an ONNX file, for example batch=4, or context=N of a GGUF"
                    + " file. One of them may be a range, for example batch=1..64: the largest size that fits is"
                    + " looked for. Default of a GGUF file: the context that the model was made for.")
    private List<String> dimensions = new ArrayList<>();

    @Option(
            names = "--cache-type",
            paramLabel = "TYPE",
            description = "The type of keys and values in the cache of a language model; default: ${DEFAULT-VALUE}.")
    private DType cacheType = DType.F16;

    @Option(
            names = "--scratch",
            paramLabel = "N",
            converter = OptionConverters.Bytes.class,
            description = "Bytes of scratch beside the plan; default: ${DEFAULT-VALUE}.")
    private long scratch;

    @Parameters(
            paramLabel = "MODEL",
            description = "An ONNX, GGUF or safetensors file, model.safetensors.index.json, or a graph (.graph.json).")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Override
    public Integer call() throws IOException {
        List<ArenaDevice> devices = providers.chosen().map(List::of).orElseGet(FitCommand::all);
        FitInput input = FitInput.read(file, DimensionRange.of(dimensions), cacheType);
        long size = input.size();
        RoleBytes bytes =
                RoleBytes.of(input.graph(size), input.plan(size, PlanOptions.declared(PlanOptions.DEFAULT_ALIGNMENT)));
        List<FitTable.Row> rows = new ArrayList<>();
        for (ArenaDevice device : devices) {
            ArenaFit fit = fit(input, size, device);
            rows.add(new FitTable.Row(fit, largest(input, fit)));
        }
        FitTable table = new FitTable(input, bytes, rows);
        output.print(table::json, table::text);
        if (rows.stream().allMatch(row -> row.fit().spareBytes().orElse(0) < 0)) {
            output.fail(TerminalText.name(file.toString()) + ": expected a device that it fits, got none");
            return ErrorReporter.FAILED;
        }
        return 0;
    }

    private ArenaFit fit(FitInput input, long size, ArenaDevice device) {
        return DeviceArenas.fit(
                input.plan(size, PlanOptions.forDevice(device)).plan(),
                ArenaOptions.defaults().withScratchBytes(scratch),
                device);
    }

    /** The largest size that is known to fit; empty if the device does not say what is free. */
    private OptionalLong largest(FitInput input, ArenaFit asked) {
        return input.range().isEmpty() || asked.freeBytes().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(DimensionRange.largest(
                        input.range().get(),
                        size -> fit(input, size, asked.device()).isKnownToFit()));
    }

    private static List<ArenaDevice> all() {
        return DeviceArenas.providers().stream()
                .map(ProviderReport::availability)
                .flatMap(answer -> answer instanceof Availability.Ready ready ? ready.devices().stream() : Stream.of())
                .toList();
    }
}
