package com.example.llm.model;

import io.devicearena.kernels.KernelStep;

/**
 * A step with a name that says where in the model it is.
 *
 * @param label its name, for errors
 * @param kernel what it does, on the host and on a device
 */
record ModelStep(String label, KernelStep kernel) {}
