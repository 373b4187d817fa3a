package io.devicearena.discovery;

import io.devicearena.spi.DeviceArenaProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Finds providers through ServiceLoader; one that cannot be loaded is listed and takes no other down. */
final class ProviderLoader {
    /** A broken provider file can make the loader fail again and again: past this many failures in a row we stop. */
    private static final int MOST_FAILURES_IN_A_ROW = 100;

    private static final String REMEDY =
            "check the provider's jar, its versions and its META-INF/services file, or take it off the path";

    private ProviderLoader() {}

    static List<Candidate> load(ClassLoader loader) {
        List<Candidate> found = new ArrayList<>();
        Iterator<ServiceLoader.Provider<DeviceArenaProvider>> providers =
                ServiceLoader.load(DeviceArenaProvider.class, loader).stream().iterator();
        int failures = 0;
        while (failures < MOST_FAILURES_IN_A_ROW) {
            try {
                if (!providers.hasNext()) {
                    break;
                }
                found.add(instantiate(providers.next()));
                failures = 0;
            } catch (ServiceConfigurationError | LinkageError e) {
                failures++;
                found.add(Candidate.broken("(unnamed)", "(unknown)", "it could not be loaded: " + e, REMEDY));
            }
        }
        return withoutDoubles(found);
    }

    private static Candidate instantiate(ServiceLoader.Provider<DeviceArenaProvider> provider) {
        try {
            return Candidate.of(provider.get());
        } catch (ServiceConfigurationError | LinkageError e) {
            String implementation = provider.type().getName();
            Throwable why = e.getCause() == null ? e : e.getCause();
            return Candidate.broken(implementation, implementation, "it could not be made: " + why, REMEDY);
        }
    }

    /** Two providers of one name: neither is used, since whichever came first would be chance. */
    static List<Candidate> withoutDoubles(List<Candidate> candidates) {
        Map<String, Candidate> byName = new HashMap<>();
        Map<String, String> doubles = new HashMap<>();
        for (Candidate candidate : candidates) {
            Candidate first = byName.putIfAbsent(candidate.name(), candidate);
            if (first != null && first.provider() != null && candidate.provider() != null) {
                doubles.merge(
                        candidate.name(),
                        first.implementation() + " and " + candidate.implementation(),
                        (known, more) -> known + " and " + candidate.implementation());
            }
        }
        return candidates.stream()
                .map(candidate -> {
                    String classes = doubles.get(candidate.name());
                    return classes == null || candidate.provider() == null
                            ? candidate
                            : Candidate.broken(
                                    candidate.name(),
                                    candidate.implementation(),
                                    "several providers have its name: " + classes,
                                    "keep one of them on the path");
                })
                .toList();
    }
}
