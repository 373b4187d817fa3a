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
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // the loader wraps what a constructor throws, except an Error; the others live on
            String implementation = provider.type().getName();
            Throwable why = e instanceof ServiceConfigurationError && e.getCause() != null ? e.getCause() : e;
            return Candidate.broken(implementation, implementation, "it could not be made: " + why, REMEDY);
        }
    }

    /** Two providers of one name: neither is used, since whichever came first would be chance. */
    static List<Candidate> withoutDoubles(List<Candidate> candidates) {
        Map<String, List<String>> classesByName = new HashMap<>();
        for (Candidate candidate : candidates) {
            if (candidate.provider() != null) {
                classesByName
                        .computeIfAbsent(candidate.name(), name -> new ArrayList<>())
                        .add(candidate.implementation());
            }
        }
        return candidates.stream()
                .map(candidate -> {
                    List<String> classes = classesByName.getOrDefault(candidate.name(), List.of());
                    return candidate.provider() == null || classes.size() == 1
                            ? candidate
                            : Candidate.broken(
                                    candidate.name(),
                                    candidate.implementation(),
                                    "several providers have its name: " + String.join(" and ", classes),
                                    "keep one of them on the path");
                })
                .toList();
    }
}
