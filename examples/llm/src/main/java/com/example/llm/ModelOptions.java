package com.example.llm;

import com.example.llm.model.Background;
import com.example.llm.model.Engine;
import com.example.llm.model.Sampling;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.weights.WeightFile;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Which model runs where: the options that all commands have. */
final class ModelOptions {
    private static final int HOST_PREFILL_ROWS = 256;

    /** With fewer rows of a prompt the kernels do not fill a large device. */
    private static final int GPU_PREFILL_ROWS = 1024;

    @Option(names = "--model", paramLabel = "FILE", required = true, description = "A GGUF file of gemma3 or llama.")
    private Path model;

    @Option(names = "--provider", description = "cpu, wgpu or cuda; without it a GPU, else cpu.")
    private String provider;

    @Option(names = "--context", description = "The longest sequence of tokens (${DEFAULT-VALUE}).", defaultValue = "2048")
    private int context;

    Path model() {
        return model;
    }

    int context() {
        return context;
    }

    /** Looks for the device while the caller reads the model: drivers take a while to start. */
    Background<ArenaDevice> device() {
        ArenaOptions arena = arena();
        return Background.start("llm-device", () -> DeviceArenas.choose(arena));
    }

    /** Options for a provider that has kernels, or for the best one. */
    private ArenaOptions arena() {
        if (provider == null) {
            return ArenaOptions.defaults();
        }
        if (!List.of("cpu", "wgpu", "cuda").contains(provider)) {
            throw new ModelException("--provider: expected cpu, wgpu or cuda, got '" + provider + "'");
        }
        return ArenaOptions.defaults().withProvider(provider);
    }

    /** Waits for the device only where no provider is named: graphs are made while its driver starts. */
    Engine engine(WeightFile file, Background<ArenaDevice> device, Sampling sampling) {
        String kind = provider == null ? device.get().provider() : provider;
        int rows = kind.equals("cpu") ? HOST_PREFILL_ROWS : GPU_PREFILL_ROWS;
        return new Engine(file, arena(), context, Math.min(rows, context), sampling);
    }
}
