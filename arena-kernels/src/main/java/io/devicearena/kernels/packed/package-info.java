/**
 * Products of packed rows with floats on the host, in loops that HotSpot turns into vector instructions. Start at
 * {@link io.devicearena.kernels.packed.RowTile}.
 *
 * <p>HotSpot vectorises a loop over consecutive elements of several arrays, and no sum into one variable. So rows lie
 * in planes: {@link io.devicearena.kernels.packed.PlaneLayout} has their order. A loop multiplies all planes and adds
 * them up, element by element, and only its result, a fourth or half as long, is added up one by one.
 *
 * <p>{@link io.devicearena.kernels.packed.DirectRows} is the faster way where the Vector API is there.
 */
@NullMarked
package io.devicearena.kernels.packed;

import org.jspecify.annotations.NullMarked;
