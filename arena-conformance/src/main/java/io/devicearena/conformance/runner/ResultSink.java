package io.devicearena.conformance.runner;

import io.devicearena.conformance.junit.Subject;

/** Receives results. */
@FunctionalInterface
interface ResultSink {
    void add(Subject subject, ClauseResult result);
}
