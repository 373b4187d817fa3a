/**
 * The devices of this process: which ones the library finds ({@link
 * io.devicearena.wgpu.internal.device.InstalledDevices}), and which ones are open ({@link
 * io.devicearena.wgpu.internal.device.SharedDevices}).
 */
@NullMarked
package io.devicearena.wgpu.internal.device;

import org.jspecify.annotations.NullMarked;
