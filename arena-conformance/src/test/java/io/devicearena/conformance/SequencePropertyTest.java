package io.devicearena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.sequence.SequenceProperty;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.AssertionFailedError;

/** What the property says of a wrong arena is short Java, which fails on that arena and passes on the right one. */
class SequencePropertyTest {
    /** Statements of the longest text, without those that make plans and memory. */
    private static final int MOST_CALLS = 9;

    private static final Pattern CALL = Pattern.compile("arena\\d+\\.");

    static Stream<Mutant> mutants() {
        List<String> faults = List.of(
                "an odd length is written as whole words",
                "typed writes begin at a multiple of 4",
                "a deferred read sees later writes",
                "a mapped view is stale",
                "reads see later writes of views",
                "large writes from host memory leave out their last bytes",
                "a batch that is read again returns the old bytes",
                "a batch of 256 regions loses the last",
                "long copies go forwards in pieces",
                "what the progress throws is dropped",
                "value 65,537 is value 1",
                "a batch that is begun twice has the bytes of the first",
                "a small write stops at a segment's end");
        return KitCatchesMutantsTest.mutants().filter(mutant -> faults.contains(mutant.fault()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void javaOfTheMessageFailsOnTheMutantAlone(Mutant mutant, @TempDir Path folder) throws IOException {
        DeviceArenaProvider wrong = mutant.provider().get();
        AssertionFailedError failure =
                catchThrowableOfType(AssertionFailedError.class, () -> run(wrong, mutant.clause()));
        assertThat(failure).isNotNull();
        String message = Objects.requireNonNull(failure.getMessage(), "message");
        assertThat(message).contains("; seed ");
        assertThat(message.lines().filter(line -> CALL.matcher(line).find()))
                .as(mutant.fault())
                .hasSizeLessThan(MOST_CALLS);
        try (PastedSequence pasted = PastedSequence.compile(message, folder)) {
            DeviceArenaProvider again = mutant.provider().get();
            assertThat(catchThrowable(() -> pasted.run(opener(again))))
                    .as(message)
                    .isNotNull()
                    .isNotInstanceOf(LinkageError.class);
            pasted.run(opener(mutant.right()));
        }
    }

    private static void run(DeviceArenaProvider provider, String clause) {
        SequenceProperty property = new SequenceProperty(opener(provider), device(provider), 21, 100, Runnable::run);
        switch (clause) {
            case "2.1" -> property.anySequence();
            case "2.2" -> property.everyLength();
            default -> property.anyNumber();
        }
    }

    private static BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener(DeviceArenaProvider provider) {
        ArenaDevice device = device(provider);
        return (plan, options) -> provider.openArena(device, plan, options);
    }

    private static ArenaDevice device(DeviceArenaProvider provider) {
        return ((Availability.Ready) provider.probe()).devices().getFirst();
    }
}
