package io.devicearena.cli;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.InputException;
import io.devicearena.cli.output.TextLines;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernels.catalog.KernelCatalog;
import io.devicearena.weights.tensor.TensorType;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Lists the steps of arena-kernels, prints their kernels, and compiles them. */
@Command(
        name = "kernels",
        description = {
            "Lists the steps that there are kernels for.",
            "With print STEP: prints the WGSL of an example of the step, with the file that each part is from.",
            "With check: compiles the kernels of all steps on a device, in each format and size."
        })
final class KernelsCommand implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Parameters(arity = "0..2", paramLabel = "print STEP | check", description = "What to do; default: list the steps.")
    private @Nullable List<String> given;

    @Option(
            names = "--format",
            paramLabel = "TYPE",
            description = "The type of the weights of a printed step, such as Q4_K; default: the first that the list"
                    + " of steps has.")
    private @Nullable String format;

    @Override
    public Integer call() throws IOException {
        List<String> words = given == null ? List.of() : given;
        switch (String.join(" ", words)) {
            case "" -> list();
            case "check" -> {
                return check();
            }
            default -> {
                if (words.size() != 2 || !words.getFirst().equals("print")) {
                    throw new ParameterException(
                            output.command(),
                            "kernels: expected nothing, 'print STEP' or 'check', got '" + String.join(" ", words)
                                    + "'");
                }
                print(words.getLast());
            }
        }
        return 0;
    }

    private void list() throws IOException {
        List<String> steps = List.copyOf(KernelCatalog.steps());
        output.print(
                json -> json.put(
                        "steps",
                        steps.stream()
                                .map(step -> new JsonFields()
                                        .put("name", step)
                                        .put("about", KernelCatalog.about(step))
                                        .put("formats", KernelCatalog.formats(step)))
                                .toList()),
                out -> steps.forEach(step -> text(step, out)));
    }

    private static void text(String step, TextLines out) {
        out.printf(Locale.ROOT, "%-22s %s%n", step, KernelCatalog.about(step));
        List<TensorType> formats = KernelCatalog.formats(step);
        if (!formats.isEmpty()) {
            out.printf(
                    Locale.ROOT,
                    "%-22s %s%n",
                    "",
                    String.join(" ", formats.stream().map(TensorType::name).toList()));
        }
    }

    private void print(String step) throws IOException {
        List<String> texts;
        if (providers.areGiven()) {
            try (DeviceArena arena = open()) {
                texts = texts(step, Optional.of(arena));
            }
        } else {
            texts = texts(step, Optional.empty());
        }
        output.print(json -> json.put("kernels", texts), out -> texts.forEach(out::println));
    }

    private List<String> texts(String step, Optional<DeviceArena> arena) {
        try {
            return KernelCatalog.print(step, type(), arena);
        } catch (IllegalArgumentException e) {
            throw new InputException("print", String.valueOf(e.getMessage()));
        }
    }

    private @Nullable TensorType type() {
        if (format == null) {
            return null;
        }
        try {
            return TensorType.valueOf(format.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new InputException("--format", "expected a type of tensors such as Q4_K, got '" + format + "'");
        }
    }

    private int check() throws IOException {
        KernelCatalog.Checked checked;
        String device;
        try (DeviceArena arena = open()) {
            device = arena.device().name();
            checked = KernelCatalog.check(arena);
        } catch (IllegalArgumentException e) {
            throw new InputException("check", String.valueOf(e.getMessage()));
        }
        output.print(
                json -> json.put("device", device)
                        .put("kernels", checked.kernels())
                        .put("faults", checked.faults()),
                out -> {
                    checked.faults().forEach(out::println);
                    out.println(checked.kernels() - checked.faults().size() + " of " + checked.kernels()
                            + " kernels compile on '" + device + "'");
                });
        return checked.faults().isEmpty() ? 0 : 1;
    }

    /** An arena of wgpu, the provider of kernels in WGSL, unless the options choose another. */
    private DeviceArena open() {
        ArenaOptions given = providers.arenaOptions();
        ArenaOptions options = providers.areGiven() ? given : given.withProvider("wgpu");
        NodeId id = NodeId.of(0);
        return DeviceArenas.open(new MemoryPlan(256, Map.of(id, new BufferSlot(0, 256)), List.of(id)), options);
    }
}
