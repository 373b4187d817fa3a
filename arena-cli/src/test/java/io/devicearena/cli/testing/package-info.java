/** What the tests of all packages share: the command run in this process, programs in their own process, a compiler. */
@NullMarked
package io.devicearena.cli.testing;

import org.jspecify.annotations.NullMarked;
