package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.FamilyPlans.WEIGHT;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.spi.OpenArena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Group 19, second part: arenas that use the weights of another one.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface WeightConformance extends ConformanceTopic {
    /** The arena whose weights one uses, as kernels find it. */
    private static Optional<DeviceArena> weights(DeviceArena user) {
        return user.unwrap(OpenArena.class).orElseThrow().weightsInFront().map(OpenArena::arena);
    }

    private static float[] read(DeviceArena user) {
        return weights(user).orElseThrow().readOutputF32(WEIGHT, DType.F32, 16);
    }

    /** Catches weights that are copied into each arena, and options that are not read. */
    @Test
    default void required_19_12_arenasUseTheWeightsOfAnother() {
        float[] weights = TestData.exact(DType.F32, 16);
        try (DeviceArena holder = open(FamilyPlans.arena());
                DeviceArena first =
                        open(ExamplePlan.plan(), ArenaOptions.defaults().withWeights(holder));
                DeviceArena second =
                        open(ExamplePlan.node1(8), ArenaOptions.defaults().withWeights(holder));
                DeviceArena view = first.view(ExamplePlan.node1(8))) {
            Check.same("weights of an arena that was opened without", Optional.empty(), weights(holder));
            holder.writeInputF32(WEIGHT, DType.F32, weights);
            for (DeviceArena user : List.of(first, second, view)) {
                Check.isTrue(
                        "weights: expected those of the options, got none",
                        weights(user).isPresent());
                Check.same(
                        "plan of the weights",
                        FamilyPlans.arena(),
                        weights(user).orElseThrow().plan());
                Check.same("weights", weights, read(user));
            }
            Check.same("size of an arena with weights", 8L, second.sizeBytes());
            first.writeBytes(0, MemorySegment.ofArray(TestData.filled(ExamplePlan.BYTES, 0x55)));
            Check.same("weights after a write to the arena", weights, read(first));
            weights[3] = -1;
            weights(first).orElseThrow().writeInputF32(WEIGHT, DType.F32, weights);
            Check.same("weights that one user wrote, in another", weights, read(second));
            Check.same(
                    "weights that one user wrote, in their arena",
                    weights,
                    holder.readOutputF32(WEIGHT, DType.F32, 16));
        }
    }

    /** Hot reload closes the old weights while executables still use them. */
    @Test
    default void required_19_13_weightsLiveUntilTheirLastUserIsClosed() {
        float[] weights = TestData.exact(DType.F32, 16);
        DeviceArena holder = open(FamilyPlans.arena());
        holder.writeInputF32(WEIGHT, DType.F32, weights);
        ArenaOptions options = ArenaOptions.defaults().withWeights(holder);
        DeviceArena first = open(ExamplePlan.node1(8), options);
        DeviceArena second = open(ExamplePlan.node1(8), options);
        DeviceArena view = first.view(ExamplePlan.node1(8));
        List<DeviceArena> held = new ArrayList<>();
        holder.close();
        for (DeviceArena user : List.of(first, second, view)) {
            try (DeviceArena another = open(FamilyPlans.arena())) {
                another.writeBytes(0, MemorySegment.ofArray(TestData.filled(FamilyPlans.BYTES, 0xFF)));
            }
            Check.same("weights after their arena was closed", weights, read(user));
            held.add(weights(user).orElseThrow());
            user.close();
            Check.assertClosed("weights of a closed arena", () -> weights(user));
        }
        held.forEach(one -> Check.same("isOpen of weights whose users are closed", false, one.isOpen()));
    }

    /** Catches a kernel that would bind the memory of another device; nothing stays open. */
    @Test
    default void required_19_14_closedAndForeignWeightsAreRefused() {
        DeviceArena closed = openExample();
        closed.close();
        ArenaDevice own = device();
        ArenaDevice others = new ArenaDevice(
                own.provider(),
                own.index() + 1,
                own.name(),
                own.description(),
                own.kind(),
                own.priority(),
                own.limits(),
                own.capabilities());
        DeviceArena foreign = (DeviceArena) Proxy.newProxyInstance(
                DeviceArena.class.getClassLoader(), new Class<?>[] {DeviceArena.class}, (proxy, method, args) -> {
                    if (method.getName().equals("device")) {
                        return others;
                    }
                    return method.getName().equals("view") ? proxy : null;
                });
        for (int round = 0; round < 3; round++) {
            Check.assertClosed(
                    "weights that are closed",
                    () -> open(ExamplePlan.plan(), ArenaOptions.defaults().withWeights(closed))
                            .close());
            Check.assertInvalid(
                    "weights of another device",
                    () -> open(ExamplePlan.plan(), ArenaOptions.defaults().withWeights(foreign))
                            .close(),
                    others.index(),
                    own.index());
        }
        try (DeviceArena arena = openExample()) {
            arena.writeInputF32(NODE_1, DType.F32, new float[] {1});
            Check.same("arena after that", new float[] {1}, arena.readOutputF32(NODE_1, DType.F32, 1));
        }
    }
}
