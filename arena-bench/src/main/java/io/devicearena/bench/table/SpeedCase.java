package io.devicearena.bench.table;

/** The cases, with the names that the table prints. */
enum SpeedCase {
    WRITE_WITH_SHADOW("write with shadow"),
    WRITE_WITH_SHADOW_FLUSHED("write with shadow, flushed"),
    WRITE_ARRAY_WITH_SHADOW_FLUSHED("write array with shadow, flushed"),
    WRITE_FLUSHED("write, flushed"),
    WRITE_HOST_MEMORY_WITH_SHADOW_FLUSHED("host memory with shadow, flushed"),
    WRITE_HOST_MEMORY_FLUSHED("host memory, flushed"),
    WRITE_WITH_SHADOW_THEN_READ("write with shadow, then read"),
    WRITE_THEN_READ("write, then read"),
    READ("read"),
    READ_ARRAY("read into array"),
    READ_DEFERRED("read, begun and awaited"),
    MAPPED_VIEW("mapped view"),
    WRITE_WORDS("write 64 bytes, aligned"),
    WRITE_BETWEEN_WORDS("write 64 bytes, at odd offsets"),
    OUTPUTS_SCATTERED("16 outputs, scattered"),
    OUTPUTS_NEIGHBOURS("16 outputs, neighbours"),
    OUTPUTS_ONE_BY_ONE("16 outputs, one by one"),
    WRITE_F16("write as f16, flushed"),
    READ_F16("read f16"),
    WRITE_BF16("write as bf16, flushed"),
    READ_BF16("read bf16"),
    HOST_COPY("copy in host memory");

    private final String label;

    SpeedCase(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
