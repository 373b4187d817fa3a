package io.devicearena.conformance.runner;

import io.devicearena.conformance.Subject;

/** Receives results. */
@FunctionalInterface
interface ResultSink {
    void add(Subject subject, ClauseResult result);
}
