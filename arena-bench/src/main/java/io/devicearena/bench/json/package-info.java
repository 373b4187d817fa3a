/** Documents that the commands print and read: {@link io.devicearena.bench.json.JsonValues}. */
@NullMarked
package io.devicearena.bench.json;

import org.jspecify.annotations.NullMarked;
