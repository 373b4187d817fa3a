# SPDX-License-Identifier: Apache-2.0
"""Record the buffer lifetimes of any PyTorch program, without computing anything.

Run the program on fake tensors (shapes only) inside a Recorder.  Each aten operator is one step.  Each storage that an
operator makes is one buffer, live from the step that makes it to the last step that reads or writes it, or a view of it.
A storage first seen as an operand (parameter, optimiser state, input) was there before: it is left out, or with
params=True written as live from the first step to the last.
"""
import csv
import gzip
import os

import torch
from torch._decomp import core_aten_decompositions, decomposition_table
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten


def decompositions():
    """PyTorch's core decompositions, and those of the fused training operators."""
    table = dict(core_aten_decompositions())
    for op, fn in decomposition_table.items():
        name = op._schema.name.split("::")[-1] if hasattr(op, "_schema") else ""
        if name in ("native_batch_norm", "native_batch_norm_backward", "native_layer_norm", "native_group_norm", "addmm",
                    "_softmax", "_log_softmax", "native_dropout", "addcmul", "addcdiv"):
            table[op] = fn
    # Written into a buffer that exists (in-place, out=): keep these whole.
    return {op: fn for op, fn in table.items() if not op._schema.is_mutable}


class Recorder(TorchDispatchMode):
    def __init__(self, decompose=False):
        super().__init__()
        self.table = decompositions() if decompose else {}
        self.step = 0
        self.seen = {}     # address of a storage -> [weak reference, first step or None if it was there before, last step, bytes]
        self.keep = []     # tensors that the program hands out: live to the end

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func in self.table:
            with self:
                out = self.table[func](*args, **kwargs)
            if out is not NotImplemented:
                return out
        out = func(*args, **kwargs)
        if func is torch.ops.prim.device.default:   # a question that only fake tensors ask
            return out
        self.touch((args, kwargs), made=False)
        self.touch(out, made=True)
        self.step += 1
        return out

    def touch(self, tree, made):
        for t in tree_flatten(tree)[0]:
            if not isinstance(t, torch.Tensor):
                continue
            storage = t.untyped_storage()
            entry = self.seen.get(storage._cdata)
            if entry is None:
                # The weak reference keeps the address from being used again by a later storage.
                entry = self.seen[storage._cdata] = [StorageWeakRef(storage), self.step if made else None, 0, 0]
            entry[2] = self.step
            entry[3] = max(entry[3], storage.nbytes())

    def rows(self, params=False, at=None):
        """(lower, upper, size) of each buffer; at[s], if given, is the time of step s."""
        for t in self.keep:
            entry = self.seen.get(t.untyped_storage()._cdata)
            if entry:
                entry[2] = self.step - 1
        for _, first, last, size in self.seen.values():
            if size and first is not None:
                yield (at[first], at[last] + 1, size) if at else (first, last + 1, size)
            elif size and params:
                yield 0, self.step, size


def write(path, rows):
    rows = sorted(rows, key=lambda r: (r[0], r[1], r[2]))
    with open(path, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["id", "lower", "upper", "size"])
        out.writerows([i, *r] for i, r in enumerate(rows))
    if os.path.getsize(path) > 300_000:
        with open(path, "rb") as f, open(path + ".gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as g:
            g.write(f.read())
        os.remove(path)
    return len(rows)
