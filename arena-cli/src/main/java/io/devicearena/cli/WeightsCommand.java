package io.devicearena.cli;

import io.devicearena.ArenaDevice;
import io.devicearena.MemoryPlan;
import io.devicearena.cli.input.WeightInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.TextLines;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists the tensors of a file of weights. */
@Command(
        name = "weights",
        description = "Lists the tensors of a safetensors, GGUF or ONNX file with their types, shapes and sizes; with"
                + " --provider or --device also the arena that 'load' opens for them there.")
final class WeightsCommand implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Parameters(
            paramLabel = "FILE",
            description = "A safetensors file, model.safetensors.index.json, an ONNX file, or a GGUF file; of one that"
                    + " is split any part.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Override
    public Integer call() throws IOException {
        Optional<ArenaDevice> device = providers.chosen();
        try (WeightInput weights = WeightInput.open(file)) {
            Optional<MemoryPlan> plan = device.map(there -> LoadCommand.plan(weights, there));
            output.print(
                    json -> {
                        json(weights, json);
                        device.ifPresent(there -> json.put("provider", there.provider())
                                .put("device", there.name())
                                .put("arenaBytes", plan.orElseThrow().arenaSize()));
                    },
                    out -> {
                        text(weights, out);
                        device.ifPresent(there -> row(
                                out,
                                "arena",
                                HumanReadable.count(plan.orElseThrow().arenaSize()),
                                there.provider() + ": " + TerminalText.name(there.name())));
                    });
        }
        return 0;
    }

    private static void json(WeightInput weights, JsonFields json) {
        Collection<Tensor> tensors = weights.source().tensors().values();
        json.put("format", weights.format().label())
                .put("tensors", tensors.stream().map(WeightsCommand::fields).toList())
                .put("totalBytes", bytes(tensors));
    }

    private static JsonFields fields(Tensor tensor) {
        return new JsonFields()
                .put("name", tensor.name())
                .put("type", tensor.type())
                .put("shape", tensor.shape())
                .put("bytes", tensor.bytes())
                .put("offset", tensor.offset())
                .put("file", String.valueOf(tensor.file().getFileName()));
    }

    private static void text(WeightInput weights, TextLines out) {
        Collection<Tensor> tensors = weights.source().tensors().values();
        int widest = tensors.stream()
                .mapToInt(tensor -> shape(tensor.shape()).length())
                .max()
                .orElse(0);
        for (Tensor tensor : tensors) {
            row(
                    out,
                    tensor.type().name(),
                    HumanReadable.count(tensor.bytes()),
                    pad(shape(tensor.shape()), widest) + "  " + TerminalText.name(tensor.name()));
        }
        Map<TensorType, List<Tensor>> byType = tensors.stream()
                .collect(Collectors.groupingBy(
                        Tensor::type, () -> new EnumMap<>(TensorType.class), Collectors.toList()));
        out.println();
        byType.forEach((type, all) ->
                row(out, type.name(), HumanReadable.count(bytes(all)), HumanReadable.count(all.size(), "tensor")));
        row(
                out,
                weights.format().label(),
                HumanReadable.count(bytes(tensors)),
                HumanReadable.count(tensors.size(), "tensor"));
    }

    private static long bytes(Collection<Tensor> tensors) {
        return tensors.stream().mapToLong(Tensor::bytes).sum();
    }

    private static String shape(List<Long> shape) {
        return shape.toString().replace(" ", "");
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static void row(TextLines out, String type, String bytes, String rest) {
        out.println(
                String.format(Locale.ROOT, "%-11s %16s  %s", type, bytes, rest).stripTrailing());
    }
}
