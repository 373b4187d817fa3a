package io.devicearena.conformance.runner;

import io.devicearena.conformance.Subject;

/** Keeps results as they come. */
@FunctionalInterface
interface ResultSink {
    void add(Subject subject, ClauseResult result);
}
