package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.DeviceSelector;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Group 12: the provider, and the devices it lists. The clauses on discovery are tested in the library's own build.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ProviderConformance extends ConformanceTopic {
    /** Users type the name in properties and on command lines. */
    @Test
    default void required_12_1_nameIsShortLowerCaseAndFixed() {
        DeviceArenaProvider provider = subject().provider();
        String name = provider.name();
        Check.isTrue(
                "name: expected one without blanks and capital letters, got '" + name + "'",
                name != null
                        && !name.isEmpty()
                        && name.chars().noneMatch(Character::isWhitespace)
                        && name.equals(name.toLowerCase(Locale.ROOT)));
        Check.same("name, second call", name, provider.name());
        Check.same("name of another instance", name, Instances.another(provider).name());
    }

    /** Catches a kit and a provider of different versions before stranger errors appear. */
    @Test
    default void required_12_2_spiVersionIsTheCurrentOne() {
        Check.same("spiVersion", SpiVersion.CURRENT, subject().provider().spiVersion());
    }

    /** A list of backends must never fail. */
    @Test
    default void required_12_3_probeAlwaysAnswers() {
        DeviceArenaProvider provider = subject().provider();
        for (int i = 0; i < 10; i++) {
            Probes.check(provider.probe());
        }
        Race.rounds(
                10,
                round -> {},
                round -> {},
                List.of(round -> Probes.check(provider.probe()), round -> Probes.check(provider.probe())));
    }

    /** Users choose a device by what the list shows. */
    @Test
    default void required_12_4_devicesDescribeThemselves() {
        ArenaDevice device = device();
        Check.same("provider of the device", subject().providerName(), device.provider());
        List<ArenaDevice> all = Probes.devices(subject().provider());
        Check.same("device at its place of the list", device, all.get(device.index()));
        Check.isTrue("name of the device: expected a text", !device.name().isBlank());
        Check.isTrue(
                "description of the device: expected a text",
                !device.description().isBlank());
        Check.isTrue("pick by index", new DeviceSelector.ByIndex(device.index()).matches(device));
        String part = device.name().strip().toUpperCase(Locale.ROOT);
        Check.isTrue("pick by '" + part + "'", new DeviceSelector.ByName(part).matches(device));
    }

    /** Catches listed devices that do not work, and an index that opens another device. */
    @Test
    default void required_12_5_everyListedDeviceOpens() {
        DeviceArenaProvider provider = subject().provider();
        ArenaDevice tested = device();
        MemoryPlan plan = ExamplePlan.plan();
        List<DeviceArena> arenas = new ArrayList<>();
        try {
            List<ArenaDevice> devices = Probes.devices(provider);
            for (ArenaDevice device : devices) {
                DeviceArena arena = provider.openArena(device, plan, ArenaOptions.defaults());
                arenas.add(arena);
                Check.same("device of an arena", device, arena.device());
                Check.same("plan of an arena", plan, arena.plan());
                arena.writeBytes(0, MemorySegment.ofArray(TestData.filled(77, 1 + device.index())));
            }
            for (int i = 0; i < arenas.size(); i++) {
                Check.holds("arena on device " + i, arenas.get(i), 0, TestData.filled(77, 1 + i));
            }
            Check.isTrue("the device under test: expected it among the listed ones", devices.contains(tested));
        } finally {
            arenas.forEach(DeviceArena::close);
        }
    }

    /** An index into one list means nothing to another. */
    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    default void required_12_6_deviceOfAnotherProviderIsRefused() {
        DeviceArenaProvider provider = subject().provider();
        ArenaDevice own = device();
        ArenaDevice others = new ArenaDevice(
                own.provider() + "-of-another",
                own.index(),
                own.name(),
                own.description(),
                own.kind(),
                own.priority(),
                own.limits(),
                own.capabilities());
        MemoryPlan plan = ExamplePlan.plan();
        ArenaOptions options = ArenaOptions.defaults();
        Check.assertInvalid(
                "open on a device of provider '" + others.provider() + "'",
                () -> provider.openArena(others, plan, options).close());
        Check.assertRefused(
                NullPointerException.class,
                "open on null",
                () -> provider.openArena(null, plan, options).close());
        Check.assertRefused(
                NullPointerException.class,
                "open of a null plan",
                () -> provider.openArena(own, null, options).close());
        Check.assertRefused(
                NullPointerException.class,
                "open with null options",
                () -> provider.openArena(own, plan, null).close());
    }

    /** Catches a wrong capability, in both directions. Methods of a provider's own arena type are its own to test. */
    @Test
    default void required_12_7_capabilitiesAreTrueAndFixed() {
        Set<Capability> declared = device().capabilities();
        try (DeviceArena arena = openExample()) {
            Check.same("capabilities of an open arena", declared, arena.device().capabilities());
            Map<Capability, Class<?>> types =
                    Map.of(Capability.HOST_MEMORY, MemorySegment.class, Capability.F16_SHADOW, F16Shadow.class);
            types.forEach((capability, type) -> Check.same(
                    "whether unwrap answers the type of " + capability,
                    declared.contains(capability),
                    arena.unwrap(type).isPresent()));
            arena.setActualLength(NODE_1, 4);
            Check.same("capabilities some calls later", declared, arena.device().capabilities());
        }
    }

    /** A program asks any arena for what one kind of device has; catches an error where there is nothing. */
    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    default void required_12_19_unwrapIsEmptyForUnknownTypes() {
        DeviceArena arena = openExample();
        for (Class<?> type : List.of(Subject.class, Runnable.class, Thread.class)) {
            Check.same("unwrap of " + type, Optional.empty(), arena.unwrap(type));
        }
        for (Class<?> type : List.of(MemorySegment.class, F16Shadow.class)) {
            Check.same("a second unwrap of " + type, arena.unwrap(type), arena.unwrap(type));
        }
        Check.assertRefused(NullPointerException.class, "unwrap of null", () -> arena.unwrap(null));
        Check.holds("arena after that", arena, 0, ExamplePlan.filled());
        arena.close();
        Check.assertClosed("unwrap of a closed arena", () -> arena.unwrap(Subject.class));
    }

    /** A real GPU before the host's memory, and that before a GPU emulated in software, in every backend. */
    @Test
    default void required_12_8_priorityFollowsTheKind() {
        ArenaDevice device = device();
        int priority = device.priority();
        int host = DeviceKind.HOST.priority();
        boolean right = switch (device.kind()) {
            case DISCRETE_GPU, INTEGRATED_GPU, ACCELERATOR -> priority > host;
            case EMULATED_GPU -> priority < host;
            case HOST ->
                priority > DeviceKind.EMULATED_GPU.priority() && priority < DeviceKind.INTEGRATED_GPU.priority();
        };
        Check.isTrue(
                "priority of a device of kind " + device.kind() + ": expected "
                        + switch (device.kind()) {
                            case DISCRETE_GPU, INTEGRATED_GPU, ACCELERATOR -> "more than " + host;
                            case EMULATED_GPU -> "less than " + host;
                            case HOST -> "between those of an emulated and an integrated GPU";
                        }
                        + ", got " + priority,
                right);
    }
}
