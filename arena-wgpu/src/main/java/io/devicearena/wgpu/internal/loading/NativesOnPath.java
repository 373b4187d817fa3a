package io.devicearena.wgpu.internal.loading;

import io.devicearena.wgpu.natives.NativesBundle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The natives jars on the class path and the module path, and why others could not be used. Threads: immutable. */
record NativesOnPath(List<NativesBundle> found, List<UnusableLibraryException> broken) {
    static NativesOnPath ofProcess() {
        List<NativesBundle> found = new ArrayList<>();
        List<UnusableLibraryException> broken = new ArrayList<>();
        Iterator<NativesBundle> jars = ServiceLoader.load(NativesBundle.class, NativesBundle.class.getClassLoader())
                .iterator();
        String lastFailure = "";
        while (true) {
            try {
                if (!jars.hasNext()) {
                    break;
                }
                found.add(jars.next());
                lastFailure = "";
            } catch (ServiceConfigurationError | LinkageError e) {
                // the service loader skips a provider that it cannot create, but may also fail the same way for ever
                String failure = ErrorText.of(e);
                if (failure.equals(lastFailure)) {
                    break;
                }
                broken.add(new UnusableLibraryException(failure));
                lastFailure = failure;
            }
        }
        return new NativesOnPath(List.copyOf(found), List.copyOf(broken));
    }

    List<NativesBundle> foundFor(Platform platform) {
        return found.stream()
                .filter(jar -> jar.platform().equals(platform.toString()))
                .toList();
    }

    /** The platforms of all jars, for messages. */
    String platforms() {
        return found.isEmpty()
                ? "none"
                : found.stream()
                        .map(NativesBundle::platform)
                        .sorted()
                        .distinct()
                        .collect(Collectors.joining(", "));
    }
}
