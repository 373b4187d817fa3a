package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.FamilyPlans.HIDDEN;
import static io.devicearena.conformance.oracle.FamilyPlans.OUTPUT;
import static io.devicearena.conformance.oracle.FamilyPlans.WEIGHT;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.CheckedRun;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.FamilyPlans;
import io.devicearena.conformance.oracle.Probes;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.oracle.ValuePlan;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 7: several graphs on the memory of one arena, and arenas that use the weights of another one.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ViewConformance extends ConformanceTopic {

    /** One id can be another value in another graph; catches lengths and types that are kept per arena. */
    @Test
    default void required_7_1_valuesTypesAndLengthsAreTheViewsOwn() {
        try (DeviceArena arena = open(FamilyPlans.ARENA);
                DeviceArena first = arena.view(FamilyPlans.FIRST);
                DeviceArena second = arena.view(FamilyPlans.SECOND)) {
            Check.same("plan of the first view", FamilyPlans.FIRST, first.plan());
            Check.same("plan of the second view", FamilyPlans.SECOND, second.plan());
            Check.same("plan of the arena", FamilyPlans.ARENA, arena.plan());
            Check.same("device of a view", arena.device(), first.device());
            Check.same("segments of a view", arena.segments(), first.segments());
            Check.same("hasBuffer in the arena", false, arena.hasBuffer(OUTPUT));
            Check.same("hasBuffer in another graph", false, first.hasBuffer(HIDDEN));
            Check.same("hasBuffer in the graph", true, second.hasBuffer(HIDDEN));
            first.setActualLength(OUTPUT, 8); // clauses 2.1 and 2.3 set more, and read by them
            Check.same("length in the second graph after that", 10L, second.lengthBytes(OUTPUT));
            try (DeviceArena again = arena.view(FamilyPlans.FIRST)) {
                Check.same("length in another view of the plan", 32L, again.lengthBytes(OUTPUT));
            }
            Executable other = () -> second.writeInputF32(OUTPUT, DType.F32, new float[1]);
            Check.assertInvalid("the type of the other graph", other, OUTPUT, "f16");
            Check.assertInvalid("a value of the other graph", () -> first.readOutputF32(HIDDEN, DType.F32, 1), HIDDEN);
        }
    }

    /** The caller of view cannot pass options; catches one that ends at the first view. */
    @Test
    default void required_7_2_optionsOfTheArenaHoldForItsViews() {
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        NodeId half = ValuePlan.of(DType.F16);
        ArenaOptions defaults = ArenaOptions.defaults();
        try (DeviceArena holder = openExample()) {
            onViews(ValuePlan.plan(), defaults, view -> {
                Check.assertInvalid("another type in a view", () -> Batches.write(view, half, DType.I64, eight));
                Check.same("checks of a view without", Optional.empty(), view.unwrap(ExecutionChecks.class));
                Check.same("weights of a view without", Optional.empty(), weights(view));
            });
            onViews(
                    ValuePlan.plan(),
                    defaults.withReinterpretation()
                            .withWeights(holder)
                            .withF16Shadow(F16ShadowMode.OFF)
                            .withLabel("label of the arena"),
                    view -> {
                        Batches.write(view, half, DType.I64, eight);
                        Optional<MemoryPlan> plan = weights(view).map(DeviceArena::plan);
                        Check.same("plan of the weights of a view", Optional.of(holder.plan()), plan);
                        Check.same("shadow of a view without", Optional.empty(), view.unwrap(F16Shadow.class));
                    });
            onViews(CheckedRun.plan(), defaults.withChecks(), view -> {
                boolean checks = view.unwrap(ExecutionChecks.class).isPresent();
                Check.same("checks of a view", true, checks);
            });
        }
    }

    private void onViews(MemoryPlan plan, ArenaOptions options, Consumer<DeviceArena> check) {
        try (DeviceArena arena = open(plan, options);
                DeviceArena view = arena.view(plan);
                DeviceArena second = view.view(plan);
                DeviceArena third = second.view(plan)) {
            List.of(view, second, third).forEach(one -> {
                check.accept(one);
                boolean isLabelled = arena.toString().contains("label of");
                Check.same("label of a view", isLabelled, one.toString().contains("label of"));
            });
        }
    }

    /** A graph that is planned later needs the room; catches one that reaches into the scratch. */
    @Test
    default void required_7_3_largerPlansAreRefused() {
        ArenaOptions options = ArenaOptions.defaults().withScratchBytes(32);
        try (Refusals refusals = new Refusals(open(ExamplePlan.node1(64), options));
                DeviceArena small = refusals.arena.view(ExamplePlan.node1(5))) {
            for (long size :
                    Stream.concat(Stream.of(65L, 96L, 97L), Check.HUGE.stream()).toList()) {
                MemoryPlan large = ExamplePlan.bytes(size);
                refusals.invalid("a view of " + size + " bytes", () -> refusals.arena.view(large), 64, size);
                refusals.invalid("a view of a view, of " + size + " bytes", () -> small.view(large), 64, size);
            }
            small.view(ExamplePlan.node1(64)).close(); // the memory is the arena's
        }
    }

    /** The arena whose weights one uses, as kernels find it. */
    private static Optional<DeviceArena> weights(DeviceArena user) {
        return user.unwrap(OpenArena.class).orElseThrow().weightsInFront().map(OpenArena::arena);
    }

    private static void weightsAre(String what, float[] expected, DeviceArena user) {
        Check.same(what, expected, weights(user).orElseThrow().readOutputF32(WEIGHT, DType.F32, 16));
    }

    /** Catches weights that are copied into each arena, and options that are not read. */
    @Test
    default void required_7_4_arenasUseTheWeightsOfAnother() {
        float[] weights = TestData.exact(DType.F32, 16);
        try (DeviceArena holder = open(FamilyPlans.ARENA);
                DeviceArena first =
                        open(ExamplePlan.plan(), ArenaOptions.defaults().withWeights(holder));
                DeviceArena second =
                        open(ExamplePlan.node1(8), ArenaOptions.defaults().withWeights(holder));
                DeviceArena view = first.view(ExamplePlan.node1(8))) {
            Check.same("weights of an arena that was opened without", Optional.empty(), weights(holder));
            holder.writeInputF32(WEIGHT, DType.F32, weights);
            for (DeviceArena user : List.of(first, second, view)) {
                Optional<MemoryPlan> plan = weights(user).map(DeviceArena::plan);
                Check.same("plan of the weights", Optional.of(FamilyPlans.ARENA), plan);
                weightsAre("weights", weights, user);
            }
            Check.same("size of an arena with weights", 8L, second.sizeBytes());
            first.fillBytes(0, 77, (byte) 0x55);
            weightsAre("weights after a write to the arena", weights, first);
            weights[3] = -1;
            weights(first).orElseThrow().writeInputF32(WEIGHT, DType.F32, weights);
            weightsAre("weights that one user wrote, in another", weights, second);
            Check.same("weights, in their arena", weights, holder.readOutputF32(WEIGHT, DType.F32, 16));
        }
    }

    /** Hot reload closes the old weights while executables still use them. */
    @Test
    default void required_7_5_weightsLiveUntilTheirLastUserIsClosed() {
        float[] weights = TestData.exact(DType.F32, 16);
        DeviceArena holder = open(FamilyPlans.ARENA);
        holder.writeInputF32(WEIGHT, DType.F32, weights);
        ArenaOptions options = ArenaOptions.defaults().withWeights(holder);
        List<DeviceArena> held = new ArrayList<>();
        try (DeviceArena first = open(ExamplePlan.node1(8), options);
                DeviceArena second = open(ExamplePlan.node1(8), options)) {
            holder.close();
            try (DeviceArena view = first.view(ExamplePlan.node1(8))) {
                for (DeviceArena user : List.of(first, second, view)) {
                    try (DeviceArena another = open(FamilyPlans.ARENA)) {
                        another.fillBytes(0, another.sizeBytes(), (byte) 0xFF);
                    }
                    weightsAre("weights after their arena was closed", weights, user);
                    held.add(weights(user).orElseThrow());
                    user.close();
                    Check.assertClosed("weights of a closed arena", () -> weights(user));
                }
            }
        }
        held.forEach(one -> Check.same("isOpen of weights whose users are closed", false, one.isOpen()));
    }

    /** Catches a kernel that would bind the memory of another device; nothing stays open. */
    @Test
    default void required_7_6_closedAndForeignWeightsAreRefused() {
        DeviceArena closed = openExample();
        closed.close();
        ArenaDevice own = device();
        ArenaDevice others = Probes.like(own, own.provider(), own.index() + 1);
        DeviceArena foreign = (DeviceArena) Proxy.newProxyInstance(
                DeviceArena.class.getClassLoader(),
                new Class<?>[] {DeviceArena.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "device" -> others;
                    case "view" -> proxy;
                    default -> null;
                });
        ArenaOptions options = ArenaOptions.defaults();
        for (int round = 0; round < 3; round++) {
            Check.assertClosed(
                    "weights that are closed",
                    () -> open(ExamplePlan.plan(), options.withWeights(closed)).close());
            Check.assertInvalid(
                    "weights of another device",
                    () -> open(ExamplePlan.plan(), options.withWeights(foreign)).close(),
                    others.index(),
                    own.index());
        }
        openExample().close();
    }
}
