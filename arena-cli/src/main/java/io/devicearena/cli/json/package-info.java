/** Documents in JSON that the commands print and write: {@link io.devicearena.cli.json.JsonFields}. */
@NullMarked
package io.devicearena.cli.json;

import org.jspecify.annotations.NullMarked;
