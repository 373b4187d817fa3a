package io.devicearena.conformance;

/** All topics, in the order of the specification. */
interface EveryTopic extends GeometryConformance {}
