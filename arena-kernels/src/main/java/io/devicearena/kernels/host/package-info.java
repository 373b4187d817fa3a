/**
 * Steps on the host: {@link io.devicearena.kernels.host.ArenaHostValues} gives them the values of an arena, {@link
 * io.devicearena.kernels.host.ThreadTeam} the threads.
 */
package io.devicearena.kernels.host;
