#!/usr/bin/env python3
"""Writes a GGUF file with the shapes of Llama 2 7B and random weights, in the mixture of types that is called Q4_K_M.

  python3 tools/random-llama.py OUT.gguf [LAYERS]

It needs NumPy, and 4.1 GB of disk with all 32 layers. Weights are normal enough to keep the sizes of activations: a
matrix has numbers around 0 with a standard deviation of 1 / sqrt(columns). The text means nothing; it is for speed, and
for comparing one device with another:

  for provider in cpu cuda wgpu; do
      examples/llm/run --model OUT.gguf --provider $provider --context 512 --tokens 4 --logits $provider.f32 Once upon a time
  done
  examples/llm/bench --model OUT.gguf --provider cuda --context 512 --prompt-tokens 256 --tokens 64

Source: the GGUF specification; the blocks of GGML's ggml-common.h; H. Touvron et al., Llama 2, 2023, table 1.
"""
import struct
import sys

import numpy as np

WIDTH, INNER, HEADS, LAYERS, CONTEXT, VOCABULARY = 4096, 11008, 32, 32, 4096, 32000
ALIGNMENT = 32
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
F32, Q4_K, Q6_K = 0, 12, 14
BLOCK = 256
BYTES = {Q4_K: 144, Q6_K: 210}
POOL = 1 << 26  # random bytes that are made once; each matrix begins somewhere else in them


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key, kind, value):
    head = text(key) + struct.pack("<I", kind)
    if kind == STRING:
        return head + text(value)
    return head + struct.pack({UINT32: "<I", FLOAT32: "<f", BOOL: "<?"}[kind], value)


def array(key, kind, values):
    head = text(key) + struct.pack("<IIQ", ARRAY, kind, len(values))
    if kind == STRING:
        return head + b"".join(text(value) for value in values)
    return head + np.array(values, {INT32: "<i4", FLOAT32: "<f4"}[kind]).tobytes()


def vocabulary():
    """Control tokens, bytes, and words of letters: the longer, the lower their score."""
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    types = [2, 3, 3] + [6] * 256
    letters = "\u2581etaoinshrdlucmfwypvbgkjqxz"
    words = list(letters)
    for word in words:
        if len(tokens) + len(words) >= VOCABULARY:
            break
        words.extend(word + letter for letter in letters[1:])
    tokens += words[: VOCABULARY - len(tokens)]
    types += [1] * (len(tokens) - len(types))
    return tokens, types, [float(-i) for i in range(len(tokens))]


def metadata(layers):
    tokens, types, scores = vocabulary()
    return [
        entry("general.architecture", STRING, "llama"),
        entry("general.alignment", UINT32, ALIGNMENT),
        entry("llama.context_length", UINT32, CONTEXT),
        entry("llama.embedding_length", UINT32, WIDTH),
        entry("llama.block_count", UINT32, layers),
        entry("llama.feed_forward_length", UINT32, INNER),
        entry("llama.attention.head_count", UINT32, HEADS),
        entry("llama.attention.head_count_kv", UINT32, HEADS),
        entry("llama.attention.layer_norm_rms_epsilon", FLOAT32, 1e-5),
        entry("llama.rope.dimension_count", UINT32, WIDTH // HEADS),
        entry("llama.rope.freq_base", FLOAT32, 10000.0),
        entry("tokenizer.ggml.model", STRING, "llama"),
        array("tokenizer.ggml.tokens", STRING, tokens),
        array("tokenizer.ggml.scores", FLOAT32, scores),
        array("tokenizer.ggml.token_type", INT32, types),
        entry("tokenizer.ggml.bos_token_id", UINT32, 1),
        entry("tokenizer.ggml.eos_token_id", UINT32, 2),
        entry("tokenizer.ggml.unknown_token_id", UINT32, 0),
    ]


def has_more_bits(layer, layers):
    """The layers whose values and second matrix have six bits: the first and the last eighth, and every third between."""
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def tensors(layers):
    """Name, type, rows and columns; a vector has one row."""
    yield "token_embd.weight", Q4_K, VOCABULARY, WIDTH
    for layer in range(layers):
        more = Q6_K if has_more_bits(layer, layers) else Q4_K
        name = f"blk.{layer}."
        yield name + "attn_norm.weight", F32, 1, WIDTH
        yield name + "attn_q.weight", Q4_K, WIDTH, WIDTH
        yield name + "attn_k.weight", Q4_K, WIDTH, WIDTH
        yield name + "attn_v.weight", more, WIDTH, WIDTH
        yield name + "attn_output.weight", Q4_K, WIDTH, WIDTH
        yield name + "ffn_norm.weight", F32, 1, WIDTH
        yield name + "ffn_gate.weight", Q4_K, INNER, WIDTH
        yield name + "ffn_up.weight", Q4_K, INNER, WIDTH
        yield name + "ffn_down.weight", more, WIDTH, INNER
    yield "output_norm.weight", F32, 1, WIDTH
    yield "output.weight", Q6_K, VOCABULARY, WIDTH


def size(kind, rows, columns):
    return 4 * rows * columns if kind == F32 else rows * columns // BLOCK * BYTES[kind]


def padding(length):
    return -length % ALIGNMENT


def content(kind, rows, columns, pool, rng):
    if kind == F32:
        return rng.uniform(0.8, 1.2, rows * columns).astype("<f4").tobytes()
    count = rows * columns // BLOCK
    bytes_of_block = BYTES[kind]
    start = int(rng.integers(POOL))
    blocks = np.resize(np.roll(pool, -start), count * bytes_of_block).reshape(count, bytes_of_block)
    deviation = 1 / np.sqrt(columns)
    if kind == Q4_K:
        # all scales and minima are 32: 32 d (q - 7.5), and q of 0 to 15 deviates by 4.61
        scale = np.float16(deviation / (32 * 4.61))
        blocks[:, 0:4] = np.array([scale, np.float16(7.5) * scale], "<f2").view(np.uint8)
        blocks[:, 4:12] = 0xA0
        blocks[:, 12:16] = 0
    else:
        # the scales are 4 to 11, 7.8 in the mean of their squares: q of -32 to 31 deviates by 18.5
        blocks[:, 192:208] = 4 + blocks[:, 192:208] % 8
        blocks[:, 208:210] = np.array([deviation / (7.8 * 18.5)], "<f2").view(np.uint8)
    return blocks.tobytes()


def main(path, layers):
    rng = np.random.default_rng(7)
    pool = rng.integers(0, 256, POOL, np.uint8)
    entries = metadata(layers)
    listed = list(tensors(layers))
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(listed), len(entries)) + b"".join(entries)
    offset = 0
    for name, kind, rows, columns in listed:
        shape = [columns] if kind == F32 else [columns, rows]
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)
        length = size(kind, rows, columns)
        offset += length + padding(length)
    with open(path, "wb") as out:
        out.write(head + bytes(padding(len(head))))
        for name, kind, rows, columns in listed:
            data = content(kind, rows, columns, pool, rng)
            out.write(data + bytes(padding(len(data))))
    print(f"{path}: {layers} layers, {offset} bytes of weights")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else LAYERS)
