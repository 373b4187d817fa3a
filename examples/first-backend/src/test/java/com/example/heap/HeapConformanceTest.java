package com.example.heap;

import io.devicearena.conformance.DeviceArenaConformance;
import io.devicearena.spi.DeviceArenaProvider;

class HeapConformanceTest extends DeviceArenaConformance {
    @Override protected DeviceArenaProvider provider() { return new HeapProvider(); }
}
