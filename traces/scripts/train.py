# SPDX-License-Identifier: Apache-2.0
"""Write the memory trace of one training step: python train.py NAME... (or 'list').  Needs torch 2.1.2, torchvision, transformers.

A step is: forward, loss, backward, clip (transformers only), optimiser update.  Gradients are freed after their update.
Suffixes in the names: b = batch, s = sequence, mb = micro-batches whose gradients add up, core = operators decomposed into
PyTorch's core set, ckpt = each layer recomputed in the backward pass, bf16 = autocast, params = parameters and optimiser state
included as live throughout, 1f1b / gpipe = one stage of a pipeline (its place in the name: r1of4) under that schedule,
dual = 1f1b where each forward pass shares its time, operator by operator, with the backward pass of an earlier micro-batch,
var = micro-batches of unequal lengths (or image sizes).
"""
import os
import random
import sys
import time

import torch
import torch.nn.functional as F
from torch._subclasses import FakeTensorMode
from torch.utils.checkpoint import checkpoint

from record import Recorder, write

OUT = os.environ.get("TRACES", ".")


def sgd(model):
    state = {p: torch.zeros_like(p) for p in model.parameters()}

    def update():
        for p, m in state.items():
            if p.grad is None:
                continue
            m.mul_(0.9).add_(p.grad.add(p, alpha=1e-4))
            p.add_(m, alpha=-0.1)
            p.grad = None
    return update


def adamw(model, clip=1.0):
    """The single-tensor path of torch.optim.AdamW, operator for operator, after clipping by the global norm."""
    state = {p: (torch.zeros_like(p), torch.zeros_like(p)) for p in model.parameters()}

    def update():
        if clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip, foreach=False)
        for p, (m, v) in state.items():
            if p.grad is None:
                continue
            p.mul_(1 - 1e-5)
            m.lerp_(p.grad, 0.1)
            v.mul_(0.999).addcmul_(p.grad, p.grad.conj(), value=0.001)
            p.addcdiv_(m, (v.sqrt() / 0.5).add_(1e-8), value=-1e-4)
            p.grad = None
    return update


def run(name, make, optimiser, batches, core=False, bf16=False, params=False):
    """make() gives (model, loss of a batch); batches() the list of micro-batches of the step."""
    start = time.time()
    with FakeTensorMode():
        model, loss_of = make()
        model.train()
        update = optimiser(model)
        data = batches()
        with Recorder(core) as rec:
            for batch in data:
                with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                    loss = loss_of(batch)
                rec.keep.append(loss.detach())
                (loss / len(data)).backward()
                del loss
            with torch.no_grad():
                update()
    save(name, rec, params, start)


def run_pipeline(name, make, optimiser, inputs, rank, ranks, schedule, core=False, bf16=False):
    """One stage of a pipeline.  make() gives the stage (tensor in, tensor out); what it gets from its neighbours comes as a new buffer."""
    start = time.time()
    with FakeTensorMode():
        stage = make()
        stage.train()
        update = optimiser(stage)
        shapes = inputs()
        count = len(shapes)
        with Recorder(core) as rec:
            held = {}

            def forward(i):
                x = torch.empty(shapes[i]).requires_grad_()
                with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                    held[i] = x, stage(x)

            def backward(i):
                x, y = held.pop(i)
                y.backward(torch.empty_like(y))
                x.grad.clone()   # sent to the stage before

            ahead = count if schedule == "gpipe" else min(count, ranks - rank - 1)
            pairs = []
            for i in range(ahead):
                forward(i)
            for i in range(count - ahead):
                if schedule == "dual" and not i:   # the two in a pair must not need each other
                    forward(ahead)
                first = rec.step
                if schedule != "dual" or ahead + i + 1 < count:
                    forward(ahead + i + (schedule == "dual"))
                middle = rec.step
                backward(i)
                pairs.append((first, middle, rec.step))
            for i in range(count - ahead, count):
                backward(i)
            with torch.no_grad():
                update()
    save(name, rec, False, start, overlap(rec.step, pairs) if schedule == "dual" else None)


def overlap(steps, pairs):
    """The step numbers after each pair of stretches [first, middle), [middle, last) is run side by side."""
    at = list(range(steps + 1))
    for first, middle, last in pairs:
        key = [(s - first) / (middle - first) if s < middle else (s - middle) / (last - middle) for s in range(first, last)]
        for place, s in enumerate(sorted(range(first, last), key=lambda s: key[s - first])):
            at[s] = first + place
    return at


def save(name, rec, params, start, at=None):
    n = write(f"{OUT}/{name}.csv", rec.rows(params, at))
    print(f"{name}: {n} buffers, {rec.step} steps, {time.time() - start:.0f} s", flush=True)


def vision(arch, **kw):
    import torchvision

    def make():
        model = getattr(torchvision.models, arch)(weights=None, **kw)

        def loss_of(batch):
            x, y = batch
            out = model(x)
            if isinstance(out, tuple):   # googlenet, inception: two auxiliary heads or one
                return sum(F.cross_entropy(o, y) * w for o, w in zip(out, (1.0, 0.3, 0.3)))
            return F.cross_entropy(out, y)
        return model, loss_of
    return make


def images(batch, side=224, mb=1):
    return lambda: [(torch.empty(batch, 3, side, side), torch.zeros(batch, dtype=torch.long)) for _ in range(mb)]


def scales(batch, mb):
    """Multi-scale training: each micro-batch of another image size."""
    rng = random.Random(1)
    sides = [32 * rng.randrange(5, 13) for _ in range(mb)]
    return lambda: [(torch.empty(batch, 3, s, s), torch.zeros(batch, dtype=torch.long)) for s in sides]


class Trunk(torch.nn.Module):
    """A stretch of a vision network as a pipeline stage."""
    def __init__(self, model, first, last):
        super().__init__()
        self.parts = torch.nn.Sequential(*list(model.features.children())[first:last])

    def forward(self, x):
        return self.parts(x)


def trunk(arch, first, last):
    import torchvision
    return lambda: Trunk(getattr(torchvision.models, arch)(weights=None), first, last)


def maps(batch, mb):
    rng = random.Random(1)
    sides = [32 * rng.randrange(5, 13) for _ in range(mb)]
    return lambda: [(batch, 3, s, s) for s in sides]


def segmentation(batch, side, mb=1):
    return lambda: [(torch.empty(batch, 3, side, side), torch.zeros(batch, side, side, dtype=torch.long)) for _ in range(mb)]


def deeplab():
    import torchvision
    model = torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None, aux_loss=True)

    def loss_of(batch):
        x, y = batch
        out = model(x)
        return F.cross_entropy(out["out"], y) + 0.5 * F.cross_entropy(out["aux"], y)
    return model, loss_of


class UNet(torch.nn.Module):
    """The U-Net of the 2015 paper, with padding and batch norm."""
    def __init__(self, widths=(64, 128, 256, 512, 1024), classes=21):
        super().__init__()
        nn = torch.nn

        def double(a, b):
            return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(True),
                                 nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(True))
        self.down = nn.ModuleList(double(a, b) for a, b in zip((3,) + widths, widths))
        back = widths[::-1]
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, 2) for a, b in zip(back, back[1:]))
        self.join = nn.ModuleList(double(a, b) for a, b in zip(back, back[1:]))
        self.head = nn.Conv2d(widths[0], classes, 1)

    def forward(self, x):
        skips = []
        for block in self.down:
            x = block(F.max_pool2d(x, 2) if skips else x)
            skips.append(x)
        skips.pop()
        for up, join in zip(self.up, self.join):
            x = join(torch.cat([skips.pop(), up(x)], 1))
        return self.head(x)


def unet():
    model = UNet()
    return model, lambda batch: F.cross_entropy(model(batch[0]), batch[1])


def language(kind, ckpt=False, **kw):
    import transformers as T

    def make():
        if kind == "gpt2":
            model = T.GPT2LMHeadModel(T.GPT2Config(use_cache=False, **kw))
        elif kind == "llama":
            model = T.LlamaForCausalLM(T.LlamaConfig(use_cache=False, attn_implementation="eager", **kw))
        elif kind == "bert":
            model = T.BertForMaskedLM(T.BertConfig(**kw))
        elif kind == "t5":
            model = T.T5ForConditionalGeneration(T.T5Config(use_cache=False, decoder_start_token_id=0, **kw))
        if ckpt:
            model.gradient_checkpointing_enable({"use_reentrant": False})

        def loss_of(ids):
            return model(input_ids=ids, labels=ids, attention_mask=torch.ones_like(ids) if kind == "bert" else None).loss
        return model, loss_of
    return make


def tokens(batch, length, mb=1, var=False):
    rng = random.Random(1)
    lengths = [rng.randrange(length // 4, length + 1) for _ in range(mb)] if var else [length] * mb
    return lambda: [torch.zeros(batch, n, dtype=torch.long) for n in lengths]


class Layers(torch.nn.Module):
    """Some of a decoder's layers: the middle stage of a pipeline."""
    def __init__(self, kind, layers, ckpt, **kw):
        super().__init__()
        import transformers as T
        self.kind, self.ckpt = kind, ckpt
        if kind == "gpt2":
            config = T.GPT2Config(n_layer=layers, use_cache=False, **kw)
            self.layers = torch.nn.ModuleList(T.models.gpt2.modeling_gpt2.GPT2Block(config, i) for i in range(layers))
        else:
            config = T.LlamaConfig(num_hidden_layers=layers, use_cache=False, attn_implementation="eager", **kw)
            self.layers = torch.nn.ModuleList(
                T.models.llama.modeling_llama.LlamaDecoderLayer(config, i) for i in range(layers))

    def forward(self, x):
        n = x.shape[1]
        if self.kind == "gpt2":
            extra = {}
        else:
            mask = torch.full((n, n), torch.finfo(x.dtype).min).triu(1)[None, None].expand(x.shape[0], 1, n, n)
            extra = {"attention_mask": mask, "position_ids": torch.arange(n)[None]}
        for layer in self.layers:
            def call(y, layer=layer):
                return layer(y, **extra)[0]
            x = checkpoint(call, x, use_reentrant=False) if self.ckpt else call(x)
        return x


def stage(kind, layers, ckpt=False, **kw):
    return lambda: Layers(kind, layers, ckpt, **kw)


def hidden(batch, length, width, mb, var=False):
    rng = random.Random(1)
    return lambda: [(batch, rng.randrange(length // 4, length + 1) if var else length, width) for _ in range(mb)]


XL = dict(n_embd=1600, n_head=25)
L7 = dict(hidden_size=4096, intermediate_size=11008, num_attention_heads=32)
L70 = dict(hidden_size=8192, intermediate_size=28672, num_attention_heads=64, num_key_value_heads=8)
SMALL = dict(hidden_size=768, intermediate_size=2048, num_attention_heads=12, num_key_value_heads=4, vocab_size=32000)
DEEP = dict(hidden_size=2048, intermediate_size=5632, num_attention_heads=32, num_key_value_heads=4, vocab_size=32000)
T5S = dict(d_model=512, d_kv=64, d_ff=2048, num_layers=6, num_heads=8)

TRACES = {
    "resnet50_b32_sgd": lambda n: run(n, vision("resnet50"), sgd, images(32)),
    "gpt2_b8_s512_adamw": lambda n: run(n, language("gpt2"), adamw, tokens(8, 512)),
    "llama_80layers_b1_s512_mb4_core": lambda n: run(
        n, language("llama", num_hidden_layers=80, **DEEP), adamw, tokens(1, 512, 4), core=True),
    "gpt2xl_b1_s512_mb4_core": lambda n: run(n, language("gpt2", n_layer=48, **XL), adamw, tokens(1, 512, 4), core=True),
    "densenet121_b16_sgd": lambda n: run(n, vision("densenet121"), sgd, images(16)),
    "vit_b_16_b8_adamw": lambda n: run(n, vision("vit_b_16"), adamw, images(8)),
    "bert_base_b16_s128_adamw": lambda n: run(n, language("bert"), adamw, tokens(16, 128)),
    "t5_small_b8_s256_adamw": lambda n: run(n, language("t5", **T5S), adamw, tokens(8, 256)),
    "llama_small_b4_s512_adamw": lambda n: run(n, language("llama", num_hidden_layers=12, **SMALL), adamw, tokens(4, 512)),
    "unet_b4_sgd": lambda n: run(n, unet, sgd, segmentation(4, 256)),
    "llama7b_1f1b_r0of4_mb16_core": lambda n: run_pipeline(
        n, stage("llama", 8, **L7), adamw, hidden(1, 1024, 4096, 16), 0, 4, "1f1b", core=True),
    "gpt2xl_gpipe_r1of4_mb8_core": lambda n: run_pipeline(
        n, stage("gpt2", 12, **XL), adamw, hidden(1, 1024, 1600, 8), 1, 4, "gpipe", core=True),
    "llama7b_1f1b_r0of4_mb16_var_core": lambda n: run_pipeline(
        n, stage("llama", 8, **L7), adamw, hidden(1, 2048, 4096, 16, True), 0, 4, "1f1b", core=True),
    "gpt2_b4_mb8_var_core": lambda n: run(n, language("gpt2"), adamw, tokens(4, 1024, 8, True), core=True),
    "llama70b_1f1b_r2of8_mb8_ckpt_core": lambda n: run_pipeline(
        n, stage("llama", 10, True, **L70), adamw, hidden(1, 2048, 8192, 8), 2, 8, "1f1b", core=True),
    "llama_80layers_b1_s512_ckpt": lambda n: run(
        n, language("llama", True, num_hidden_layers=80, **DEEP), adamw, tokens(1, 512)),
    "gpt2xl_b1_s1024_ckpt": lambda n: run(n, language("gpt2", True, n_layer=48, **XL), adamw, tokens(1, 1024)),
    "gpt2_b8_s512_bf16": lambda n: run(n, language("gpt2"), adamw, tokens(8, 512), bf16=True),
    "bert_base_b16_s128_core_bf16": lambda n: run(n, language("bert"), adamw, tokens(16, 128), core=True, bf16=True),
    "resnet50_b32_sgd_core": lambda n: run(n, vision("resnet50"), sgd, images(32), core=True),
    "densenet121_b16_core": lambda n: run(n, vision("densenet121"), sgd, images(16), core=True),
    "densenet201_b8_mb4": lambda n: run(n, vision("densenet201"), sgd, images(8, mb=4)),
    "inception_v3_b16_sgd": lambda n: run(n, vision("inception_v3", init_weights=False), sgd, images(16, 299)),
    "googlenet_b32_sgd": lambda n: run(n, vision("googlenet", init_weights=False), sgd, images(32)),
    "mobilenet_v3_large_b32_sgd": lambda n: run(n, vision("mobilenet_v3_large"), sgd, images(32)),
    "efficientnet_b4_b8_sgd": lambda n: run(n, vision("efficientnet_b4"), sgd, images(8, 380)),
    "shufflenet_v2_x1_0_b32_sgd": lambda n: run(n, vision("shufflenet_v2_x1_0"), sgd, images(32)),
    "swin_t_b8_adamw": lambda n: run(n, vision("swin_t"), adamw, images(8)),
    "convnext_base_b8_adamw": lambda n: run(n, vision("convnext_base"), adamw, images(8)),
    "maxvit_t_b4_adamw": lambda n: run(n, vision("maxvit_t"), adamw, images(4)),
    "vgg16_b8_sgd": lambda n: run(n, vision("vgg16", init_weights=False), sgd, images(8)),
    "deeplabv3_resnet50_b4_sgd": lambda n: run(n, deeplab, sgd, segmentation(4, 321)),
    "resnet50_b32_sgd_params": lambda n: run(n, vision("resnet50"), sgd, images(32), params=True),
    "gpt2_b8_s512_adamw_params": lambda n: run(n, language("gpt2"), adamw, tokens(8, 512), params=True),
    "resnet50_b1_sgd": lambda n: run(n, vision("resnet50"), sgd, images(1)),
    "llama_80layers_b1_s512_mb2_var": lambda n: run(
        n, language("llama", num_hidden_layers=80, **DEEP), adamw, tokens(1, 1024, 2, True)),
    "llama7b_dual_r0of8_mb16_core": lambda n: run_pipeline(
        n, stage("llama", 4, **L7), adamw, hidden(1, 2048, 4096, 16), 0, 8, "dual", core=True),
    "llama7b_dual_r0of8_mb16_var": lambda n: run_pipeline(
        n, stage("llama", 4, **L7), adamw, hidden(1, 2048, 4096, 16, True), 0, 8, "dual"),
    "gpt2xl_1f1b_r0of4_mb16_var_core": lambda n: run_pipeline(
        n, stage("gpt2", 12, **XL), adamw, hidden(1, 1024, 1600, 16, True), 0, 4, "1f1b", core=True),
    "densenet121_1f1b_r0of4_mb16_var": lambda n: run_pipeline(
        n, trunk("densenet121", 0, 8), sgd, maps(8, 16), 0, 4, "1f1b"),
    "efficientnet_b4_dual_r0of4_mb8_var": lambda n: run_pipeline(
        n, trunk("efficientnet_b4", 0, 6), sgd, maps(4, 8), 0, 4, "dual"),
    "resnet50_b8_mb8_var": lambda n: run(n, vision("resnet50"), sgd, scales(8, 8)),
    "gpt2_1f1b_r0of2_mb4_var": lambda n: run_pipeline(
        n, stage("gpt2", 6), adamw, hidden(4, 1024, 768, 4, True), 0, 2, "1f1b"),
    "llama_small_dual_r0of2_mb6_var": lambda n: run_pipeline(
        n, stage("llama", 2, **SMALL), adamw, hidden(2, 1024, 768, 6, True), 0, 2, "dual"),
    "bert_base_b16_s512_mb8_var_core_bf16": lambda n: run(
        n, language("bert"), adamw, tokens(16, 512, 8, True), core=True, bf16=True),
    "bert_base_b16_s128_core": lambda n: run(n, language("bert"), adamw, tokens(16, 128), core=True),
    "vit_b_16_b8_core_bf16": lambda n: run(n, vision("vit_b_16"), adamw, images(8), core=True, bf16=True),
    "t5_small_b8_s256_core_bf16": lambda n: run(n, language("t5", **T5S), adamw, tokens(8, 256), core=True, bf16=True),
    "swin_t_b8_core_bf16": lambda n: run(n, vision("swin_t"), adamw, images(8), core=True, bf16=True),
    "resnet50_b32_core_bf16": lambda n: run(n, vision("resnet50"), sgd, images(32), core=True, bf16=True),
    "gpt2xl_b1_s1024_mb4_core_bf16": lambda n: run(
        n, language("gpt2", n_layer=48, **XL), adamw, tokens(1, 1024, 4), core=True, bf16=True),
    "llama7b_1f1b_r0of4_mb16_var_core_bf16": lambda n: run_pipeline(
        n, stage("llama", 8, **L7), adamw, hidden(1, 2048, 4096, 16, True), 0, 4, "1f1b", core=True, bf16=True),
    "llama_80layers_b1_s1024_mb4_var_core_bf16": lambda n: run(
        n, language("llama", num_hidden_layers=80, **DEEP), adamw, tokens(1, 1024, 4, True), core=True, bf16=True),
}

if __name__ == "__main__":
    if sys.argv[1:] == ["list"]:
        print("\n".join(TRACES))
    for name in sys.argv[1:]:
        if name in TRACES:
            TRACES[name](name)
