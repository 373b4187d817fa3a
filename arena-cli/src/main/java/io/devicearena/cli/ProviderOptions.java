package io.devicearena.cli;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceSelector;
import io.devicearena.discovery.DeviceArenas;
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

    /**
     * The device that the options choose; empty without options.
     *
     * @throws io.devicearena.discovery.ProviderUnavailableException if there is no such device
     */
    Optional<ArenaDevice> chosen() {
        return provider == null && device == null ? Optional.empty() : Optional.of(DeviceArenas.choose(arenaOptions()));
    }

    /** The selector of the option {@code --device}. */
    Optional<DeviceSelector> selector() {
        return Optional.ofNullable(device).map(ProviderOptions::selector);
    }

    private static DeviceSelector selector(String text) {
        return text.matches("\\d{1,9}")
                ? new DeviceSelector.ByIndex(Integer.parseInt(text))
                : new DeviceSelector.ByName(text);
    }
}
