package io.devicearena.conformance.topics;

/**
 * All topics, in the order of the specification.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface EveryTopic
        extends GeometryConformance,
                SequenceConformance,
                ValueConformance,
                RawRangeConformance,
                BatchConformance,
                TransferConformance,
                ViewConformance,
                LifetimeConformance,
                ThreadConformance,
                HostMemoryConformance,
                SegmentConformance,
                ShadowConformance,
                CheckingConformance,
                ErrorConformance,
                ProviderConformance {}
