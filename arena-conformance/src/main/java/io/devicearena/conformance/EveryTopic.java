package io.devicearena.conformance;

/** All topics, in the order of the specification. */
interface EveryTopic
        extends GeometryConformance,
                TypedWriteConformance,
                TypedReadConformance,
                CastConformance,
                RawRangeConformance,
                BatchAndDeferredReadConformance,
                OrderingConformance,
                LifetimeConformance,
                ThreadConformance,
                LimitConformance,
                ErrorConformance,
                ProviderConformance,
                HostMemoryConformance,
                ShadowConformance,
                SegmentConformance,
                ValueConformance,
                WriteBatchConformance,
                ViewConformance,
                WeightConformance {}
