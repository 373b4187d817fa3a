package io.devicearena.cli;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceSelector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose the provider and the device. */
final class ProviderOptions {
    @Option(
            names = "--provider",
            paramLabel = "NAME",
            description = "The provider, for example cpu; default: the property devicearena.provider, the variable"
                    + " DEVICEARENA_PROVIDER, else the best available.")
    @Nullable String provider;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "The device, by index or part of its name; default: the provider's best.")
    @Nullable String device;

    Optional<String> provider() {
        return Optional.ofNullable(provider);
    }

    ArenaOptions arenaOptions() {
        ArenaOptions options = ArenaOptions.defaults().withLabel("arena command");
        if (provider != null) {
            options = options.withProvider(provider);
        }
        if (device != null) {
            options = options.withDevice(selector(device));
        }
        return options;
    }

    private static DeviceSelector selector(String text) {
        return text.matches("\\d{1,9}")
                ? new DeviceSelector.ByIndex(Integer.parseInt(text))
                : new DeviceSelector.ByName(text);
    }
}
