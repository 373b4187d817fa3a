package io.devicearena.cli;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceSelector;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderUnavailableException;
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
    private @Nullable String provider;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "The device, by index, else by part of its name, such as 4090; default: the provider's best.")
    private @Nullable String device;

    Optional<String> provider() {
        return Optional.ofNullable(provider);
    }

    /** Whether there are options. */
    boolean areGiven() {
        return provider != null || device != null;
    }

    ArenaOptions arenaOptions() {
        ArenaOptions options = ArenaOptions.defaults().withLabel("arena command");
        if (provider != null) {
            options = options.withProvider(provider);
        }
        if (device != null) {
            options = options.withDevice(selector(device, options));
        }
        return options;
    }

    /**
     * The device that the options choose; empty without options.
     *
     * @throws io.devicearena.discovery.ProviderUnavailableException if there is no such device
     */
    Optional<ArenaDevice> chosen() {
        return areGiven() ? Optional.of(DeviceArenas.choose(arenaOptions())) : Optional.empty();
    }

    /** The selector of the option {@code --device}. */
    Optional<DeviceSelector> selector() {
        return arenaOptions().device();
    }

    /** A number that is the index of no device is part of a name: 4090 is a GPU, not the 4091st. */
    private static DeviceSelector selector(String text, ArenaOptions options) {
        DeviceSelector name = new DeviceSelector.ByName(text);
        if (!text.matches("\\d{1,9}")) {
            return name;
        }
        DeviceSelector index = new DeviceSelector.ByIndex(Integer.parseInt(text));
        return !selects(index, options) && selects(name, options) ? name : index;
    }

    private static boolean selects(DeviceSelector selector, ArenaOptions options) {
        try {
            DeviceArenas.choose(options.withDevice(selector));
            return true;
        } catch (ProviderUnavailableException e) {
            return false; // the command asks again, and reports why
        }
    }
}
