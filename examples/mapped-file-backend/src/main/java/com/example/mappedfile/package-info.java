/**
 * Arenas over memory-mapped files.
 *
 * <p>An engine that finds the provider {@code mapped-file} uses nothing of this package. One that wants its bytes to
 * survive the process starts at {@link com.example.mappedfile.MappedFiles}. As the author of a backend, read
 * {@link com.example.mappedfile.MappedFileProvider} first.
 */
package com.example.mappedfile;
