package io.devicearena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DeviceArena;
import io.devicearena.conformance.calls.ArenaCall;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The clauses about all calls make every call that an arena has. */
class EveryCallTest {
    /** These work on a closed arena. */
    private static final Set<String> ALWAYS_ALLOWED = Set.of("close", "isOpen");

    @Test
    void everyMethodIsCalled() {
        Set<String> called = ArenaCall.ALL.stream()
                .map(call -> call.name().replaceFirst(" .*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> declared = Arrays.stream(DeviceArena.class.getMethods())
                .map(Method::getName)
                .filter(name -> !ALWAYS_ALLOWED.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(called).isEqualTo(declared);
    }
}
