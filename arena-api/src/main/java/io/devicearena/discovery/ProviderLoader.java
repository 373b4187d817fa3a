package io.devicearena.discovery;

import io.devicearena.spi.DeviceArenaProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Finds providers through ServiceLoader. One that cannot be loaded is listed as missing; the others keep working. */
final class ProviderLoader {
    /** A broken services file can make the loader fail again and again; loading stops after this many in a row. */
    private static final int MAX_CONSECUTIVE_FAILURES = 100;

    private static final String REMEDY =
            "check the provider's jar, its versions and its META-INF/services file, or remove it from the path";

    private ProviderLoader() {}

    static List<Candidate> load(ClassLoader loader) {
        List<Candidate> found = new ArrayList<>();
        Iterator<ServiceLoader.Provider<DeviceArenaProvider>> providers =
                ServiceLoader.load(DeviceArenaProvider.class, loader).stream().iterator();
        int failures = 0;
        while (failures < MAX_CONSECUTIVE_FAILURES) {
            try {
                if (!providers.hasNext()) {
                    break;
                }
                found.add(instantiate(providers.next()));
                failures = 0;
            } catch (ServiceConfigurationError | LinkageError e) {
                failures++;
                found.add(Candidate.unusable("(unnamed)", "(unknown)", "it could not be loaded: " + e, REMEDY));
            }
        }
        return withoutDuplicates(found);
    }

    private static Candidate instantiate(ServiceLoader.Provider<DeviceArenaProvider> provider) {
        try {
            return Candidate.of(provider.get());
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // the loader wraps what a constructor throws, except an Error
            String implementation = provider.type().getName();
            Throwable why = e instanceof ServiceConfigurationError && e.getCause() != null ? e.getCause() : e;
            return Candidate.unusable(implementation, implementation, "it could not be instantiated: " + why, REMEDY);
        }
    }

    /** Refuses both of two providers with one name: which of them comes first is chance. */
    static List<Candidate> withoutDuplicates(List<Candidate> candidates) {
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
                            : Candidate.unusable(
                                    candidate.name(),
                                    candidate.implementation(),
                                    "several providers have this name: " + String.join(" and ", classes),
                                    "keep one of them on the path");
                })
                .toList();
    }
}
