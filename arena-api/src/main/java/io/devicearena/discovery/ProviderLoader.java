package io.devicearena.discovery;

import io.devicearena.spi.DeviceArenaProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds providers through ServiceLoader. One that cannot be loaded is listed as missing; the others keep working.
 *
 * <p>The providers of a class loader are found once. Nothing here keeps a loader alive that the application drops: each
 * candidate belongs to the provider's class, and what is known of a loader refers to it weakly. Threads: safe for any
 * thread.
 */
final class ProviderLoader {
    /** A broken services file can make the loader fail again and again; loading stops after this many in a row. */
    private static final int MAX_CONSECUTIVE_FAILURES = 100;

    private static final String REMEDY =
            "check the provider's jar, its versions and its META-INF/services file, or remove it from the path";

    private static final String UNKNOWN = "(unknown)";

    /** The candidate of a provider's class; the class keeps it alive. */
    private static final ClassValue<AtomicReference<@Nullable Candidate>> OF_CLASS = new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable Candidate> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    /** What was found by each loader. */
    private static final Map<ClassLoader, List<Supplier<@Nullable Candidate>>> OF_LOADER = new WeakHashMap<>();

    private ProviderLoader() {}

    /** Refers to a candidate that its class keeps alive, or keeps one that has no class of its own. */
    private static Supplier<@Nullable Candidate> reference(Candidate candidate) {
        return candidate.provider() == null ? () -> candidate : new WeakReference<>(candidate)::get;
    }

    /**
     * The candidates of the SPI's own loader, then those that the thread's context loader adds.
     *
     * @param own the loader of the SPI
     * @param context the loader of the thread, or null if it has none
     */
    static List<Candidate> visible(ClassLoader own, @Nullable ClassLoader context) {
        Map<String, Candidate> byClass = new LinkedHashMap<>();
        add(ofLoader(own), byClass);
        if (context != null && !context.equals(own) && sees(context)) {
            add(ofLoader(context), byClass);
        }
        return withoutDuplicates(byClass.values());
    }

    /** One class counts once, whichever loaders see it; of two copies of a class that of the SPI's loader is used. */
    private static void add(List<Candidate> candidates, Map<String, Candidate> byClass) {
        for (Candidate candidate : candidates) {
            String key = candidate.implementation().equals(UNKNOWN)
                    ? candidate.probe().toString()
                    : candidate.implementation();
            byClass.putIfAbsent(key, candidate);
        }
    }

    /** Whether providers of the loader can be ours: another application has a copy of the SPI of its own. */
    private static boolean sees(ClassLoader loader) {
        try {
            return Class.forName(DeviceArenaProvider.class.getName(), false, loader) == DeviceArenaProvider.class;
        } catch (ClassNotFoundException | LinkageError e) {
            return false; // then none of its classes implements the SPI
        }
    }

    private static List<Candidate> ofLoader(ClassLoader loader) {
        List<Supplier<@Nullable Candidate>> known;
        synchronized (OF_LOADER) {
            known = OF_LOADER.get(loader);
        }
        if (known == null) { // not under the lock: the constructors of providers are foreign code
            List<Candidate> loaded = load(loader);
            synchronized (OF_LOADER) {
                OF_LOADER.put(
                        loader, loaded.stream().map(ProviderLoader::reference).toList());
            }
            return loaded;
        }
        return known.stream().map(Supplier::get).filter(Objects::nonNull).toList();
    }

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
            } catch (ServiceConfigurationError | LinkageError | VirtualMachineError e) {
                failures++;
                // from JDK 27 on the loader wraps a LinkageError
                Error fault = e instanceof ServiceConfigurationError && e.getCause() instanceof LinkageError cause
                        ? cause
                        : e;
                String implementation = fault instanceof LinkageError ? unlinked(loader, fault, found) : UNKNOWN;
                found.add(Candidate.unusable(
                        implementation.equals(UNKNOWN) ? "(unnamed)" : implementation,
                        implementation,
                        "it could not be loaded: " + Candidate.text(fault),
                        REMEDY));
            }
        }
        return found;
    }

    /** The registered class that fails so: the error may name only a class that it needs. */
    private static String unlinked(ClassLoader loader, Error fault, List<Candidate> found) {
        List<String> known = found.stream().map(Candidate::implementation).toList();
        return loader.resources("META-INF/services/" + DeviceArenaProvider.class.getName())
                .flatMap(ProviderLoader::lines)
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(name -> !name.isEmpty() && !known.contains(name) && fails(name, loader, fault))
                .findFirst()
                .orElse(UNKNOWN);
    }

    private static Stream<String> lines(URL services) {
        try (InputStream in = services.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
        } catch (IOException e) {
            return Stream.empty(); // ServiceLoader reports it
        }
    }

    private static boolean fails(String name, ClassLoader loader, Error fault) {
        try {
            Class.forName(name, false, loader);
            return false;
        } catch (ClassNotFoundException e) {
            return false; // another fault, which ServiceLoader reports with the name
        } catch (LinkageError e) {
            return e.toString().equals(fault.toString());
        }
    }

    private static Candidate instantiate(ServiceLoader.Provider<DeviceArenaProvider> provider) {
        try {
            DeviceArenaProvider made = provider.get();
            return Objects.requireNonNull(
                    OF_CLASS.get(made.getClass()).updateAndGet(known -> known == null ? Candidate.of(made) : known));
        } catch (Throwable e) { // the loader wraps what a constructor throws, except an Error
            String implementation = provider.type().getName();
            Throwable why = e instanceof ServiceConfigurationError && e.getCause() != null ? e.getCause() : e;
            return Candidate.unusable(
                    implementation,
                    implementation,
                    implementation + " could not be instantiated: " + Candidate.text(why),
                    REMEDY);
        }
    }

    /** Refuses both of two providers with one name: which of them comes first is chance. */
    static List<Candidate> withoutDuplicates(Collection<Candidate> candidates) {
        Map<String, List<String>> classesByName = candidates.stream()
                .filter(candidate -> candidate.provider() != null)
                .collect(Collectors.groupingBy(
                        Candidate::name, Collectors.mapping(Candidate::implementation, Collectors.toList())));
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
