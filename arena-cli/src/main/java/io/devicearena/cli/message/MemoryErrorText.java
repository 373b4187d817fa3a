package io.devicearena.cli.message;

/**
 * Says which memory is short. A larger heap helps only where the heap is full; elsewhere it takes what is missing.
 *
 * <p><b>Source:</b> the messages of HotSpot and of the JDK's libraries, versions 22 to 25.
 */
final class MemoryErrorText {
    private MemoryErrorText() {}

    static String of(OutOfMemoryError error, long heapBytes) {
        String why = error.getMessage() == null ? "" : error.getMessage();
        if (why.startsWith("Java heap space") || why.startsWith("GC overhead limit exceeded")) {
            return "memory: expected the work to fit a heap of " + HumanReadable.bytes(heapBytes)
                    + ", got more; allow more, for example with JAVA_TOOL_OPTIONS=-Xmx8g, or plan a smaller input";
        }
        if (why.isEmpty() || why.startsWith("Requested array size") || why.startsWith("Required ")) {
            return "memory: expected arrays of less than 2 GiB, got a longer one; plan a smaller input";
        }
        if (why.contains("native thread")) {
            return "threads: expected the system to start one more, got '" + why + "'; allow more processes (ulimit -u,"
                    + " or the pids limit of the container) or more memory, or use a smaller heap, for example with"
                    + " JAVA_TOOL_OPTIONS=-Xmx512m";
        }
        if (why.startsWith("Metaspace") || why.startsWith("Compressed class space")) {
            return "memory of classes: expected the classes to fit, got '" + why + "'; allow more with "
                    + (why.startsWith("M") ? "-XX:MaxMetaspaceSize" : "-XX:CompressedClassSpaceSize")
                    + " in JAVA_TOOL_OPTIONS";
        }
        if (why.contains("irect")) {
            return "direct memory: expected the buffers to fit, got '" + why
                    + "'; allow more with -XX:MaxDirectMemorySize in JAVA_TOOL_OPTIONS";
        }
        return "memory: expected more memory of the system outside the heap, got '" + why
                + "'; end other programs, allow"
                + " this one more (ulimit -v, or the limit of the container), or use a smaller heap, for example with"
                + " JAVA_TOOL_OPTIONS=-Xmx512m";
    }
}
