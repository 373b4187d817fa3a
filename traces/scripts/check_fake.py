# SPDX-License-Identifier: Apache-2.0
"""Check that fake tensors give the same trace as real ones, on small models."""
import contextlib

import train
from record import Recorder

DEEPER = dict(hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, vocab_size=99)
CASES = {
    "gpt2": (train.language("gpt2", n_layer=2, n_embd=48, n_head=3, vocab_size=99), train.adamw, train.tokens(2, 16, 2)),
    "llama": (train.language("llama", **DEEPER), train.adamw, train.tokens(2, 16, 2, True)),
    "llama ckpt": (train.language("llama", True, **DEEPER), train.adamw, train.tokens(2, 16)),
    "resnet18": (train.vision("resnet18"), train.sgd, train.images(2, 64)),
    "unet": (train.unet, train.sgd, train.segmentation(1, 32)),
}

for name, case in CASES.items():
    for core in False, True:
        found = []
        for mode in train.FakeTensorMode, contextlib.nullcontext:
            train.FakeTensorMode, fake = mode, train.FakeTensorMode
            train.save = lambda n, rec, *rest: found.append(sorted(rec.rows()))
            train.run(name, *case, core=core)
            train.FakeTensorMode = fake
        print(name, "core" if core else "", len(found[0]), "same" if found[0] == found[1] else f"differ: {len(found[1])}")
