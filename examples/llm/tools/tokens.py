#!/usr/bin/env python3
"""Writes 2,000 texts and the tokens that llama.cpp makes of them, a JSON line for each: {"utf8": "hex", "tokens": [...]}.

  python3 tools/tokens.py MODEL.gguf LIBRARIES OUT.jsonl
  LLM_MODEL=MODEL.gguf LLM_TOKENS=OUT.jsonl mvn test -Dtest=RealVocabularyTest

LIBRARIES is a folder with libllama*.so, libggml*.so and libggml-cpu-x64.so of llama.cpp v0.5.0, whose struct of model
parameters has 80 bytes. Texts are words of 20 scripts, emoji, controls, spaces, markup, tokens of the vocabulary's own
syntax, and bytes that are no UTF-8, from a fixed seed.
"""
import ctypes
import glob
import json
import os
import random
import sys

SCRIPTS = {  # the letters of each script, as ranges of code points
    "latin": [(0x41, 0x5A), (0x61, 0x7A), (0x61, 0x7A), (0xC0, 0xFF)], "greek": [(0x391, 0x3A1), (0x3B1, 0x3C9)],
    "cyrillic": [(0x410, 0x44F)], "armenian": [(0x531, 0x556), (0x561, 0x586)], "hebrew": [(0x5D0, 0x5EA)],
    "arabic": [(0x621, 0x64A)], "devanagari": [(0x905, 0x939), (0x93E, 0x94D)], "bengali": [(0x985, 0x9B9)],
    "tamil": [(0xB85, 0xBB9), (0xBBE, 0xBCD)], "telugu": [(0xC05, 0xC39)], "thai": [(0xE01, 0xE3A), (0xE40, 0xE4E)],
    "lao": [(0xE81, 0xEC4)], "tibetan": [(0xF40, 0xF6C)], "myanmar": [(0x1000, 0x103F)], "georgian": [(0x10D0, 0x10F0)],
    "hangul": [(0xAC00, 0xD7A3)], "ethiopic": [(0x1200, 0x1357)], "khmer": [(0x1780, 0x17D3)],
    "kana": [(0x3041, 0x3096), (0x30A1, 0x30FA)], "han": [(0x4E00, 0x6000)],
}
WORDS = ("the of and to in is that for it was on are as with his they at be this from have or by one had not but what all "
         "der die und ist von les des est que dans una por para com não как что это и не на 的 一 是 了 我 これ です ます "
         "한국 사람 في من على ה של את है में के ที่ และ").split()
OTHERS = ["\n", "\n\n", "\n\n\n\n\n", "\t", "  ", "     ", "\r\n", "\x00", "\x07", "\x1b[0m", "\u00a0", "\u200b", "\u200d", "\ufeff",
          "\u202e", "<td>", "</table>", "<bos>", "<eos>", "<unk>", "<0x41>", "<unused7>", "[multimodal]", "<start_of_turn>", "\u2581",
          "\u2581\u2581", "😀", "👩‍👩‍👧‍👦", "🇩🇪", "✈️", "é", "ﬁ", "①", "𝔘", "𐍈", "123", "3.14159", "0x7f", "{}", "if (a) {", "--", "!!!", "…"]
BROKEN = [b"\xff", b"\xc3", b"\xe4\xb8", b"\xf0\x9f\x98", b"\x80", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf8\x88", b"\xe4ab", b"\xf0a"]


def word(rng, script):
    ranges = SCRIPTS[script]
    return "".join(chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(1, 9)))


def texts(count):
    rng = random.Random(26)
    names = list(SCRIPTS)
    for i in range(count):
        parts = []
        for _ in range(rng.randint(1, 24)):
            kind = rng.random()
            if kind < 0.45:
                part = word(rng, names[i % len(names)])
            elif kind < 0.75:
                part = rng.choice(WORDS)
            else:
                part = rng.choice(OTHERS)
            parts.append(part.encode() + rng.choice([b" ", b" ", b"", b"  "]))
            if i % 5 == 4 and rng.random() < 0.2:
                parts.append(rng.choice(BROKEN))
        yield b"".join(parts)


class Parameters(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint8 * 80)]


def tokenizer(model, folder):
    """Returns a function from bytes to tokens."""
    find = lambda pattern: sorted(glob.glob(os.path.join(folder, pattern)))
    for pattern in "libggml-base*.so*", "libggml.*so*":
        for path in find(pattern):
            ggml = ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
    llama = ctypes.CDLL(find("libllama*.so*")[0], ctypes.RTLD_GLOBAL)
    ggml.ggml_backend_load.argtypes = [ctypes.c_char_p]
    ggml.ggml_backend_load.restype = ctypes.c_void_p
    ggml.ggml_backend_load(os.path.join(folder, "libggml-cpu-x64.so").encode())
    llama.llama_model_default_params.restype = Parameters
    llama.llama_model_load_from_file.argtypes = [ctypes.c_char_p, Parameters]
    llama.llama_model_load_from_file.restype = ctypes.c_void_p
    llama.llama_model_get_vocab.argtypes = [ctypes.c_void_p]
    llama.llama_model_get_vocab.restype = ctypes.c_void_p
    llama.llama_tokenize.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_int32),
                                     ctypes.c_int32, ctypes.c_bool, ctypes.c_bool]
    loaded = llama.llama_model_load_from_file(model.encode(), llama.llama_model_default_params())
    if not loaded:
        sys.exit("llama.cpp cannot load " + model)
    vocabulary = llama.llama_model_get_vocab(loaded)
    room = (ctypes.c_int32 * 100000)()

    def tokens(utf8):
        count = llama.llama_tokenize(vocabulary, utf8, len(utf8), room, len(room), True, False)
        return list(room[:count])
    return tokens


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tokens = tokenizer(sys.argv[1], sys.argv[2])
    with open(sys.argv[3], "w", encoding="ascii") as out:
        for text in texts(2000):
            out.write(json.dumps({"utf8": text.hex(), "tokens": tokens(text)}) + "\n")


if __name__ == "__main__":
    main()
