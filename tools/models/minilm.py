"""Writes all-MiniLM-L6-v2 as an ONNX file, from its safetensors: the operators that PyTorch's exporter writes.

usage: minilm.py MODEL.safetensors MODEL.onnx

Inputs are input_ids, attention_mask and token_type_ids of [batch, sequence]; outputs last_hidden_state, and
sentence_embedding: the mean over the tokens, of length 1.
"""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors import safe_open

HEADS, WIDTH, LAYERS, EPSILON = 12, 384, 6, 1e-12


class Graph:
    def __init__(self, weights):
        self.weights = weights
        self.nodes, self.initialisers, self.names = [], [], {}

    def op(self, kind, *inputs, **attributes):
        """Adds a node; returns the name of its value."""
        name = attributes.pop("name", None) or f"/{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=f"{name}.node", **attributes))
        return name

    def constant(self, value, dtype=numpy.int64):
        value = numpy.asarray(value, dtype)
        return self.op("Constant", value=numpy_helper.from_array(value))

    def weight(self, name, transposed=False):
        if name not in self.names:
            value = self.weights[name]
            self.names[name] = name
            self.initialisers.append(numpy_helper.from_array(numpy.ascontiguousarray(value.T if transposed else value), name))
        return name

    def linear(self, x, name):
        return self.op("Add", self.weight(name + ".bias"), self.op("MatMul", x, self.weight(name + ".weight", True)))

    def size(self, x, axis):
        return self.op("Unsqueeze", self.op("Gather", self.op("Shape", x), self.constant(axis), axis=0), self.constant([0]))

    def norm(self, x, name):
        centred = self.op("Sub", x, self.op("ReduceMean", x, axes=[-1]))
        variance = self.op("ReduceMean", self.op("Pow", centred, self.constant(2, numpy.float32)), axes=[-1])
        root = self.op("Sqrt", self.op("Add", variance, self.constant(EPSILON, numpy.float32)))
        scaled = self.op("Mul", self.op("Div", centred, root), self.weight(name + ".weight"))
        return self.op("Add", scaled, self.weight(name + ".bias"))

    def heads(self, x):
        shape = self.op("Concat", self.size(x, 0), self.size(x, 1), self.constant([HEADS]), self.constant([WIDTH // HEADS]), axis=0)
        return self.op("Reshape", x, shape)

    def layer(self, x, mask, name):
        own = name + ".attention.self."
        query = self.op("Transpose", self.heads(self.linear(x, own + "query")), perm=[0, 2, 1, 3])
        key = self.op("Transpose", self.heads(self.linear(x, own + "key")), perm=[0, 2, 3, 1])
        value = self.op("Transpose", self.heads(self.linear(x, own + "value")), perm=[0, 2, 1, 3])
        # the square root of the width of a head, from its shape
        width = self.op("Cast", self.op("Slice", self.op("Shape", query), self.constant([-1]), self.constant([2**63 - 1])), to=TensorProto.FLOAT)
        scores = self.op("Add", self.op("Div", self.op("MatMul", query, key), self.op("Sqrt", width)), mask)
        mixed = self.op("Transpose", self.op("MatMul", self.op("Softmax", scores, axis=-1), value), perm=[0, 2, 1, 3])
        shape = self.op("Concat", self.size(mixed, 0), self.size(mixed, 1), self.constant([WIDTH]), axis=0)
        joined = self.linear(self.op("Reshape", mixed, shape), name + ".attention.output.dense")
        x = self.norm(self.op("Add", joined, x), name + ".attention.output.LayerNorm")
        inner = self.linear(x, name + ".intermediate.dense")
        error = self.op("Erf", self.op("Div", inner, self.constant(2**0.5, numpy.float32)))
        gelu = self.op("Mul", self.op("Mul", inner, self.op("Add", error, self.constant(1, numpy.float32))), self.constant(0.5, numpy.float32))
        return self.norm(self.op("Add", self.linear(gelu, name + ".output.dense"), x), name + ".output.LayerNorm")


def model(weights):
    g = Graph(weights)
    tokens = g.op("Gather", g.weight("embeddings.word_embeddings.weight"), "input_ids")
    types = g.op("Gather", g.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    positions = g.op("Slice", g.constant(numpy.arange(512).reshape(1, 512)), g.constant([0]), g.size("input_ids", 1), g.constant([1]))
    places = g.op("Gather", g.weight("embeddings.position_embeddings.weight"), positions)
    x = g.norm(g.op("Add", g.op("Add", tokens, types), places), "embeddings.LayerNorm")
    mask = g.op("Cast", g.op("Unsqueeze", "attention_mask", g.constant([1, 2])), to=TensorProto.FLOAT)
    least = g.constant(numpy.finfo(numpy.float32).min, numpy.float32)
    mask = g.op("Mul", g.op("Sub", g.constant(1, numpy.float32), mask), least)
    for i in range(LAYERS):
        x = g.layer(x, mask, f"encoder.layer.{i}")
    x = g.op("Identity", x, name="last_hidden_state")
    wide = g.op("Cast", g.op("Expand", g.op("Unsqueeze", "attention_mask", g.constant([-1])), g.op("Shape", x)), to=TensorProto.FLOAT)
    total = g.op("ReduceSum", g.op("Mul", x, wide), g.constant([1]), keepdims=0)
    count = g.op("Clip", g.op("ReduceSum", wide, g.constant([1]), keepdims=0), g.constant(1e-9, numpy.float32))
    mean = g.op("Div", total, count)
    length = g.op("Clip", g.op("ReduceL2", mean, axes=[1]), g.constant(1e-12, numpy.float32))
    shape = g.op("Shape", mean)
    g.op("Div", mean, g.op("Expand", length, shape), name="sentence_embedding")
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in ("input_ids", "attention_mask", "token_type_ids")]
    outputs = [
        helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", WIDTH]),
        helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", WIDTH]),
    ]
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", inputs, outputs, g.initialisers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


def write(weights, target):
    with safe_open(weights, "numpy") as file:
        made = model({name: file.get_tensor(name) for name in file.keys()})
    onnx.checker.check_model(made)
    onnx.save(made, target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write(sys.argv[1], sys.argv[2])
