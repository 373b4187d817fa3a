/**
 * Arenas in the memory of OpenCL devices.
 *
 * <p>An engine that finds the provider {@code opencl} uses nothing of this package. As the author of a backend, read
 * {@link com.example.opencl.OpenClProvider} first.
 */
package com.example.opencl;
