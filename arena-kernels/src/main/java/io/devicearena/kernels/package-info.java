/** A step of an engine, and what it runs on: a device or the host. */
package io.devicearena.kernels;
