package io.devicearena.conformance;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import io.devicearena.conformance.junit.Subject;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.opentest4j.AssertionFailedError;

/**
 * Every clause, run against every provider that {@link ServiceLoader} finds on the class path or module path. An empty
 * class is enough:
 *
 * {@snippet :
 * class AllProvidersTest extends DiscoveredProvidersConformance {}
 * }
 *
 * <p>It fails when no provider is found, when none of them is available, and when one that {@code DEVICEARENA_REQUIRE}
 * names is not found.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public abstract class DiscoveredProvidersConformance extends ConformanceRun {
    /** Called by JUnit. */
    protected DiscoveredProvidersConformance() {}

    /**
     * Finds the providers. A test of some of them overrides it and filters the result.
     *
     * @return every provider on the path, in the order in which they are found
     * @throws java.util.ServiceConfigurationError if one cannot be loaded
     */
    @Override
    protected List<DeviceArenaProvider> providers() {
        return ServiceLoader.load(DeviceArenaProvider.class, DeviceArenaProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    @Override
    final void check(List<Subject> subjects, Set<String> required) {
        Set<String> absent = new TreeSet<>(required);
        absent.removeAll(subjects.stream().map(Subject::providerName).collect(toCollection(TreeSet::new)));
        if (!absent.isEmpty()) {
            throw new AssertionFailedError(Requirement.VARIABLE + " names providers that were not found: "
                    + String.join(", ", absent) + "; add them to the class path or module path");
        }
        if (subjects.isEmpty()) {
            throw new AssertionFailedError("no provider was found; add one to the class path or module path");
        }
        if (subjects.stream().allMatch(subject -> subject.device().isEmpty())) {
            throw new AssertionFailedError("no provider is available: "
                    + subjects.stream()
                            .map(subject -> "'" + subject.providerName() + "' (" + subject.absence() + ")")
                            .collect(joining(", ")));
        }
    }
}
