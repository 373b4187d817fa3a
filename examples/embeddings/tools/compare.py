#!/usr/bin/env python3
"""Prints how long ONNX Runtime takes for what `run --bench` measures.

  python3 tools/compare.py MODEL [THREADS]

It writes the model as ONNX with plain operators, and layer norms and GELU as one operator each, which ONNX Runtime has
fast kernels for; its optimisations are on. It needs the packages numpy, onnx, onnxruntime and safetensors.
"""
import sys
import time

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors import safe_open


def export(folder):
    with safe_open(folder + "/model.safetensors", framework="np") as file:
        weights = {name: file.get_tensor(name) for name in file.keys()}
    nodes, constants, count = [], {}, [0]

    def constant(name, value):
        constants[name] = numpy_helper.from_array(numpy.array(value, order="C"), name)
        return name

    def op(kind, *inputs, **attributes):
        count[0] += 1
        out = f"v{count[0]}"
        nodes.append(helper.make_node(kind, list(inputs), [out], **attributes))
        return out

    def dense(name, x):
        product = op("MatMul", x, constant(name + ".weight", weights[name + ".weight"].T))
        return op("Add", product, constant(name + ".bias", weights[name + ".bias"]))

    def norm(name, x):
        return op("LayerNormalization", x, constant(name + ".weight", weights[name + ".weight"]),
                  constant(name + ".bias", weights[name + ".bias"]), axis=-1, epsilon=1e-12)

    length = op("Squeeze", op("Shape", "ids", start=1, end=2))
    places = op("Range", constant("zero", numpy.int64(0)), length, constant("one", numpy.int64(1)))
    x = op("Gather", constant("words", weights["embeddings.word_embeddings.weight"]), "ids")
    x = op("Add", x, op("Gather", constant("places", weights["embeddings.position_embeddings.weight"]), places))
    x = op("Add", x, constant("type", weights["embeddings.token_type_embeddings.weight"][0]))
    x = norm("embeddings.LayerNorm", x)
    hidden = op("Mul", op("Sub", "mask", constant("f1", numpy.float32(1))), constant("far", numpy.float32(1e9)))
    hidden = op("Unsqueeze", hidden, constant("axes", numpy.array([1, 2])))
    split, joined = constant("split", numpy.array([0, 0, 12, 32])), constant("joined", numpy.array([0, 0, 384]))
    for i in range(6):
        layer = f"encoder.layer.{i}."
        q, k, v = (op("Transpose", op("Reshape", dense(f"{layer}attention.self.{part}", x), split), perm=order)
                   for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])))
        scores = op("Add", op("Mul", op("MatMul", q, k), constant("scale", numpy.float32(32 ** -0.5))), hidden)
        mixed = op("Transpose", op("MatMul", op("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        attended = dense(layer + "attention.output.dense", op("Reshape", mixed, joined))
        x = norm(layer + "attention.output.LayerNorm", op("Add", attended, x))
        inner = op("Gelu", dense(layer + "intermediate.dense", x))
        x = norm(layer + "output.LayerNorm", op("Add", dense(layer + "output.dense", inner), x))
    sums = op("ReduceSum", op("Mul", x, op("Unsqueeze", "mask", constant("last", numpy.array([2])))),
              constant("middle", numpy.array([1])), keepdims=0)
    nodes.append(helper.make_node("LpNormalization", [sums], ["vectors"], axis=-1, p=2))
    graph = helper.make_graph(
        nodes, "minilm",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "length"]),
         helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["batch", "length"])],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", 384])],
        list(constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    return model.SerializeToString()


def tokens(text, length):
    return [101] + [1000 + (text * 31 + i * 17) % 20000 for i in range(1, length - 1)] + [102]


def embed(session, texts):
    """Sorted by length, in batches of 64, each as long as its longest text."""
    texts = sorted(texts, key=len)
    for first in range(0, len(texts), 64):
        batch = texts[first:first + 64]
        ids = numpy.zeros((len(batch), len(batch[-1])), numpy.int64)
        mask = numpy.zeros(ids.shape, numpy.float32)
        for row, text in enumerate(batch):
            ids[row, :len(text)] = text
            mask[row, :len(text)] = 1
        vectors = session.run(None, {"ids": ids, "mask": mask})[0]
    return vectors


def times(session, texts):
    seconds, begin = [], time.perf_counter()
    while time.perf_counter() - begin < 3 or len(seconds) < 3:
        start = time.perf_counter()
        embed(session, texts)
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)


def main():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    session = onnxruntime.InferenceSession(export(sys.argv[1]), options, providers=["CPUExecutionProvider"])
    print(f"ONNX Runtime {onnxruntime.__version__}, {options.intra_op_num_threads} threads")
    for what, texts in (("1 x 32 tokens", [tokens(0, 32)]),
                        ("64 x 32 tokens", [tokens(i, 32) for i in range(64)]),
                        ("512 of 8 to 32 tokens", [tokens(i, 8 + i * 7 % 25) for i in range(512)])):
        times(session, texts)
        seconds = times(session, texts)
        median = seconds[len(seconds) // 2]
        print(f"{what:22} {median * 1e3:9.3f} ms  {len(texts) / median:9,.0f} sentences/s  "
              f"(best {seconds[0] * 1e3:.3f} ms of {len(seconds)} runs)")


main()
