package io.devicearena.conformance.topics;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.DeviceSelector;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.Probes;
import io.devicearena.conformance.oracle.TestData;
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
import org.junit.jupiter.api.function.Executable;

/**
 * Group 15: the provider, and the devices it lists. The clauses on discovery are tested in the library's own build.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ProviderConformance extends ConformanceTopic {
    /** Users type the name; catches a kit and a provider of different versions before stranger errors appear. */
    @Test
    default void required_15_1_nameAndVersionAreFixed() {
        DeviceArenaProvider provider = subject().provider();
        String name = provider.name();
        Check.isTrue(
                "name: expected one without blanks and capital letters, got '" + name + "'",
                name != null
                        && !name.isEmpty()
                        && name.chars().noneMatch(Character::isWhitespace)
                        && name.equals(name.toLowerCase(Locale.ROOT)));
        Check.same("name, second call", name, provider.name());
        Check.same("name of another instance", name, Probes.another(provider).name());
        Check.same("spiVersion", SpiVersion.CURRENT, provider.spiVersion());
    }

    /** A list of backends must never fail, in any thread; catches a flag that is lost, and devices that come and go. */
    @Test
    default void required_15_2_probeAlwaysAnswers() {
        DeviceArenaProvider provider = subject().provider();
        List<ArenaDevice> devices = Probes.devices(provider);
        Executable probe = () -> {
            for (int i = 0; i < 10; i++) {
                Probes.check(provider.probe());
            }
        };
        Race.together(probe);
        Race.together(probe, probe);
        Race.together(() -> {
            Thread.currentThread().interrupt();
            DeviceArenaProvider another = Probes.another(provider); // probed for the first time
            for (DeviceArenaProvider one : List.of(another, provider)) {
                Probes.check(one.probe());
                Check.isTrue(
                        "interrupt flag after a probe: expected it to stay set, got it cleared",
                        Thread.currentThread().isInterrupted());
                Check.same("devices of a probe on an interrupted thread", devices, Probes.devices(one));
            }
        });
        Check.same("devices of another probe", devices, Probes.devices(provider));
    }

    /** Users choose a device by what the list shows; catches names that break the list, and a wrong priority. */
    @Test
    default void required_15_3_devicesDescribeThemselves() {
        ArenaDevice device = device();
        Check.same("provider of the device", subject().providerName(), device.provider());
        List<ArenaDevice> all = Probes.devices(subject().provider());
        Check.same("device at its place of the list", device, all.get(device.index()));
        Probes.isLine("a name of the device", device.name());
        Probes.isLine("a name of the device", device.description());
        Probes.names(device.limits()).forEach(name -> Probes.isLine("a name of the device", name));
        Check.isTrue("pick by index", new DeviceSelector.ByIndex(device.index()).matches(device));
        String part = device.name().strip().toUpperCase(Locale.ROOT);
        Check.isTrue("pick by '" + part + "'", new DeviceSelector.ByName(part).matches(device));
        int host = DeviceKind.HOST.priority();
        int least = DeviceKind.EMULATED_GPU.priority();
        int most = DeviceKind.INTEGRATED_GPU.priority();
        String what = "priority of a device of kind " + device.kind();
        switch (device.kind()) { // a host is between emulated and real GPUs
            case DISCRETE_GPU, INTEGRATED_GPU, ACCELERATOR ->
                Check.within(what, host + 1L, Integer.MAX_VALUE, device.priority());
            case EMULATED_GPU -> Check.within(what, Integer.MIN_VALUE, host - 1L, device.priority());
            case HOST -> Check.within(what, least + 1L, most - 1L, device.priority());
        }
    }

    /** Catches listed devices that do not work, and an index that opens another device. */
    @Test
    default void required_15_4_everyListedDeviceOpens() {
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
    default void required_15_5_deviceOfAnotherProviderIsRefused() {
        DeviceArenaProvider provider = subject().provider();
        ArenaDevice own = device();
        ArenaDevice others = Probes.like(own, own.provider() + "-of-another", own.index());
        MemoryPlan plan = ExamplePlan.plan();
        ArenaOptions options = ArenaOptions.defaults();
        Check.assertInvalid(
                "open on a device of provider '" + others.provider() + "'",
                () -> provider.openArena(others, plan, options).close());
        Class<NullPointerException> none = NullPointerException.class;
        Check.assertRefused(none, "open on null", () -> provider.openArena(null, plan, options));
        Check.assertRefused(none, "open of a null plan", () -> provider.openArena(own, null, options));
        Check.assertRefused(none, "open with null options", () -> provider.openArena(own, plan, null));
    }

    /** A program asks any arena for what one kind of device has; catches a wrong capability, in both directions. */
    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    default void required_15_6_capabilitiesAreTrueAndFixed() {
        Set<Capability> declared = device().capabilities();
        DeviceArena arena = openExample();
        try (arena) {
            Check.same("capabilities of an open arena", declared, arena.device().capabilities());
            Map<Capability, Class<?>> types =
                    Map.of(Capability.HOST_MEMORY, MemorySegment.class, Capability.F16_SHADOW, F16Shadow.class);
            types.forEach((capability, type) -> {
                boolean answers = arena.unwrap(type).isPresent();
                Check.same("whether unwrap answers the type of " + capability, declared.contains(capability), answers);
                Check.same("a second unwrap of " + type, arena.unwrap(type), arena.unwrap(type));
            });
            for (Class<?> type : List.of(Subject.class, Runnable.class, Thread.class)) {
                Check.same("unwrap of " + type, Optional.empty(), arena.unwrap(type));
            }
            Check.assertRefused(NullPointerException.class, "unwrap of null", () -> arena.unwrap(null));
            Check.holds("arena after that", arena, 0, ExamplePlan.filled());
        }
        Check.assertClosed("unwrap of a closed arena", () -> arena.unwrap(Subject.class));
    }
}
