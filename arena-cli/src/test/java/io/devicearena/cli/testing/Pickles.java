package io.devicearena.cli.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads a pickle of dictionaries, lists, texts and integers, of protocol 2. */
public final class Pickles {
    private Pickles() {}

    /** The leaves of a pickle: the keys and positions that lead to each, with dots, and its text. */
    public static Map<String, String> leaves(Path file) throws IOException {
        Map<String, String> leaves = new TreeMap<>();
        collect("", read(file), leaves);
        return leaves;
    }

    private static void collect(String path, Object value, Map<String, String> leaves) {
        switch (value) {
            case Map<?, ?> items -> items.forEach((key, item) -> collect(path + "." + key, item, leaves));
            case List<?> items -> {
                for (int i = 0; i < items.size(); i++) {
                    collect(path + "." + i, items.get(i), leaves);
                }
            }
            default -> leaves.put(path, value.toString());
        }
    }

    @SuppressWarnings("unchecked")
    private static Object read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getShort() != 0x280) {
            throw new IOException("expected protocol 2");
        }
        Deque<Object> stack = new ArrayDeque<>();
        while (true) {
            int opcode = bytes.get() & 0xFF;
            switch (opcode) {
                case '}' -> stack.push(new LinkedHashMap<Object, Object>());
                case ']' -> stack.push(new ArrayList<>());
                case 0x8A -> {
                    if (bytes.get() != Long.BYTES) {
                        throw new IOException("expected 8 bytes");
                    }
                    stack.push(bytes.getLong());
                }
                case 'X' -> {
                    byte[] text = new byte[bytes.getInt()];
                    bytes.get(text);
                    stack.push(new String(text, StandardCharsets.UTF_8));
                }
                case 's' -> {
                    Object value = stack.pop();
                    Object key = stack.pop();
                    ((Map<Object, Object>) stack.element()).put(key, value);
                }
                case 'a' -> {
                    Object value = stack.pop();
                    ((List<Object>) stack.element()).add(value);
                }
                case '.' -> {
                    return stack.pop();
                }
                default -> throw new IOException("expected an opcode of a snapshot, got " + opcode);
            }
        }
    }
}
