package io.devicearena.spi;

import io.devicearena.ArenaDevice;
import java.util.List;
import java.util.Objects;

/**
 * Whether a provider can open arenas here and now.
 *
 * <p><b>Threads:</b> immutable.
 */
public sealed interface Availability {
    /**
     * The provider can open arenas.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param devices its devices, at least one, in the order of their indices from 0
     */
    record Ready(List<ArenaDevice> devices) implements Availability {
        /**
         * Makes the answer; the list is copied.
         *
         * @throws IllegalArgumentException if there is no device, or an index is not the position in the list
         */
        public Ready {
            devices = List.copyOf(devices);
            if (devices.isEmpty()) {
                throw new IllegalArgumentException(
                        "devices: expected at least one, got none; a provider without a device is missing");
            }
            for (int i = 0; i < devices.size(); i++) {
                if (devices.get(i).index() != i) {
                    throw new IllegalArgumentException("device '"
                            + devices.get(i).name() + "': expected index " + i + ", its position in the list, got "
                            + devices.get(i).index());
                }
            }
        }
    }

    /**
     * The provider cannot open arenas.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param reason why, in one line
     * @param remedy what would change that, in one line
     */
    record Missing(String reason, String remedy) implements Availability {
        /** Makes the answer. */
        public Missing {
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(remedy, "remedy");
        }
    }
}
