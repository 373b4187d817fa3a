/** For readers of formats of their own: files that are not trusted. */
package io.devicearena.weights.reader;
