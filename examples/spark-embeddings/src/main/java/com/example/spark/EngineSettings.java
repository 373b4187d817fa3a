package com.example.spark;

import com.example.embeddings.Precision;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceSelector;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;

/**
 * What an executor opens: the properties {@code spark.devicearena.*} of a job, and the GPU that Spark gave it.
 *
 * @param model the folder of the model, equal on all machines
 * @param options of the arena
 * @param precision of the matrices
 */
record EngineSettings(Path model, ArenaOptions options, Precision precision) {
    static final String MODEL = "spark.devicearena.model";
    static final String PROVIDER = "spark.devicearena.provider";
    static final String PRECISION = "spark.devicearena.precision";

    /**
     * Reads the settings.
     *
     * @param properties of the job
     * @param resources what Spark gave the executor: the first address of {@code gpu}, if there is one, is the index
     *     of a device of the provider, {@code wgpu} when none is named
     * @throws IllegalArgumentException if one is missing or wrong
     */
    static EngineSettings of(Map<String, String> properties, Map<String, ResourceInformation> resources) {
        String model = properties.get(MODEL);
        if (model == null) {
            throw new IllegalArgumentException(MODEL + ": expected the folder of all-MiniLM-L6-v2, got nothing");
        }
        ResourceInformation gpu = resources.get("gpu");
        boolean hasGpu = gpu != null && gpu.addresses().length > 0;
        String provider = properties.getOrDefault(PROVIDER, hasGpu ? "wgpu" : "");
        ArenaOptions options = ArenaOptions.defaults();
        if (!provider.isEmpty()) {
            options = options.withProvider(provider);
        }
        if (hasGpu && provider.equals("wgpu")) {
            options = options.withDevice(new DeviceSelector.ByIndex(index(gpu.addresses()[0])));
        }
        return new EngineSettings(Path.of(model), options, precision(properties.getOrDefault(PRECISION, "F32")));
    }

    private static int index(String address) {
        try {
            return Integer.parseInt(address);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "address of a gpu: expected the index of a device, got '" + address + "'; let the discovery script"
                            + " write indices",
                    e);
        }
    }

    private static Precision precision(String name) {
        List<String> names = Arrays.stream(Precision.values()).map(Enum::name).toList();
        if (!names.contains(name)) {
            throw new IllegalArgumentException(PRECISION + ": expected one of " + names + ", got '" + name + "'");
        }
        return Precision.valueOf(name);
    }
}
