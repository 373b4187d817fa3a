package io.devicearena;

import java.util.Objects;

/**
 * A fence or a queue of a device, for an engine that calls the device's own interface too. This library does nothing
 * with it: the backend's documentation says what it is and how long it lives.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param type the type that the device's interface has for it, for example {@code cl_command_queue}
 * @param handle its value: an address or a number
 */
public record DeviceToken(String type, long handle) {
    /** Makes a token. */
    public DeviceToken {
        Objects.requireNonNull(type, "type");
    }
}
