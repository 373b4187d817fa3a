package io.devicearena.conformance;

import io.devicearena.conformance.junit.Subject;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.platform.commons.support.ReflectionSupport;

/** Runs a test class once for each device of its providers. */
final class EachDevice implements ClassTemplateInvocationContextProvider {
    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return ConformanceRun.class.isAssignableFrom(context.getRequiredTestClass());
    }

    @Override
    public Stream<? extends ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(
            ExtensionContext context) {
        ConformanceRun run = (ConformanceRun) ReflectionSupport.newInstance(context.getRequiredTestClass());
        Set<String> required = Requirement.of(context);
        List<Subject> subjects = run.providers().stream()
                .flatMap(one -> Subject.of(one).stream())
                .toList();
        run.check(subjects, required);
        RunningClause.reportEarlier(context);
        return subjects.stream().map(subject -> new OneDevice(subject, required.contains(subject.providerName())));
    }

    /** One run of the tests: their subject, and its name in reports. */
    private record OneDevice(Subject subject, boolean required) implements ClassTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return subject.toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            TestInstancePostProcessor setSubject =
                    (instance, context) -> ((ConformanceRun) instance).test(subject, required);
            return List.of(setSubject, new ClauseWatch(subject));
        }
    }
}
