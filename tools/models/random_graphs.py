"""Makes random graphs of the operators that examples/onnx runs, and what ONNX Runtime answers.

usage: random_graphs.py FOLDER FIRST COUNT

The graph of a seed S is FOLDER/S.onnx; FOLDER/S.onnx.answers/fixed/0 has its inputs and outputs, as those of answers.py.
"""

import os
import sys

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

MOST_ELEMENTS = 3000
UNARY = "Relu Sigmoid Tanh Abs Neg Erf HardSwish HardSigmoid LeakyRelu Floor Ceil Round Sin Cos Identity Exp Sign".split()
BINARY = "Add Sub Mul Max Min".split()
REDUCTIONS = "ReduceMean ReduceMax ReduceMin ReduceL2 ReduceSumSquare ReduceProd".split()


class Graph:
    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)
        self.nodes, self.weights, self.shapes, self.inputs = [], [], {}, []

    def int(self, least, most):
        return int(self.random.integers(least, most + 1))

    def one_of(self, things):
        return things[self.int(0, len(things) - 1)]

    def weight(self, shape, scale=0.5, values=None):
        name = f"w{len(self.weights)}"
        if values is None:
            values = self.random.normal(0, scale, shape).astype(numpy.float32)
        self.weights.append(numpy_helper.from_array(numpy.asarray(values), name))
        return name

    def ints(self, *values):
        return self.weight(None, values=numpy.array(values, numpy.int64))

    def input(self, shape):
        name = f"x{len(self.inputs)}"
        self.inputs.append(name)
        self.shapes[name] = list(shape)

    def add(self, kind, inputs, shapes, **attributes):
        """Adds a node whose results have these shapes."""
        names = [f"v{len(self.nodes)}_{i}" for i in range(len(shapes))]
        self.nodes.append(helper.make_node(kind, inputs, names, name=names[0], **attributes))
        for name, shape in zip(names, shapes):
            self.shapes[name] = [int(extent) for extent in shape]
        return names[0]

    def value(self, rank=None):
        """A value, often a late one."""
        names = [n for n in self.shapes if rank is None or len(self.shapes[n]) in rank]
        return names[-1 - min(int(self.random.exponential(2)), len(names) - 1)] if names else None

    def broadcast(self, shape):
        """A weight that is broadcast to a shape."""
        kept = [extent if self.random.random() < 0.5 else 1 for extent in shape]
        return self.weight(kept[self.int(0, len(kept)):])

    def step(self):
        kind = self.one_of(
            "unary unary binary binary weighted weighted conv conv transposed pool global matmul product gemm transpose reshape "
            "slice concat split softmax reduce norm layer expand pad gather resize clip where tile chain swish argmax".split()
        )
        images = kind in ("conv", "transposed", "pool", "global", "norm", "resize")
        x = self.value([3, 4] if images and kind != "resize" else [4] if kind == "resize" else [2] if kind == "gemm" else None)
        if x is None:
            return
        shape = self.shapes[x]
        rank = len(shape)
        axis = self.int(0, rank - 1)
        spatial = shape[2:]
        if kind == "unary":
            self.add(self.one_of(UNARY), [x], [shape])
        elif kind == "binary":
            same = [n for n in self.shapes if self.shapes[n] == shape]
            self.add(self.one_of(BINARY), [x, self.one_of(same)], [shape])
        elif kind == "weighted":
            pair = [x, self.broadcast(shape)]
            self.add(self.one_of(BINARY), pair[:: self.one_of([1, -1])], [shape])
        elif kind == "chain":
            for _ in range(self.int(2, 4)):
                x = self.add(self.one_of(BINARY), [x, self.weight([])], [shape])
        elif kind == "swish":
            gate = self.add(self.one_of(["Sigmoid", "HardSigmoid", "Tanh"]), [x], [shape])
            self.add("Mul", [x, gate], [shape])
        elif kind == "conv":
            size = [self.int(1, min(4, extent)) for extent in spatial]
            stride = [self.int(1, 2) for _ in spatial]
            pads = [self.int(0, each - 1) for each in size] * 2
            groups = self.one_of([g for g in (1, 2, 3, shape[1]) if shape[1] % g == 0])
            out = groups * self.int(1, 3)
            places = [(n + 2 * p - k) // s + 1 for n, p, k, s in zip(spatial, pads, size, stride)]
            inputs = [x, self.weight([out, shape[1] // groups] + size, 0.3)]
            inputs += [self.weight([out])] if self.random.random() < 0.5 else []
            result = [shape[0], out] + places
            y = self.add("Conv", inputs, [result], strides=stride, pads=pads, group=groups)
            if self.random.random() < 0.7:
                if self.random.random() < 0.5:
                    y = self.normalised(y)
                if self.random.random() < 0.3:
                    y = self.add("Add", [y, self.weight([1, out] + [1] * len(spatial))], [result])
                same = [n for n in self.shapes if self.shapes[n] == result and n != y]
                if same and self.random.random() < 0.5:
                    y = self.add("Add", [y, self.one_of(same)], [result])
                self.add(self.one_of(UNARY), [y], [result])
        elif kind == "transposed":
            size = [self.int(1, 3) for _ in spatial]
            stride = [self.int(1, 2) for _ in spatial]
            out = self.int(1, 4)
            result = [shape[0], out] + [(n - 1) * s + k for n, s, k in zip(spatial, stride, size)]
            if numpy.prod(result) < MOST_ELEMENTS:
                y = self.add("ConvTranspose", [x, self.weight([shape[1], out] + size, 0.3)], [result], strides=stride)
                if self.random.random() < 0.5:
                    self.normalised(y)
        elif kind == "norm":
            self.normalised(x)
        elif kind == "pool":
            size = [self.int(1, min(3, extent)) for extent in spatial]
            stride = [self.int(1, 2) for _ in spatial]
            result = shape[:2] + [(n - k) // s + 1 for n, k, s in zip(spatial, size, stride)]
            self.add(self.one_of(["MaxPool", "AveragePool"]), [x], [result], kernel_shape=size, strides=stride)
        elif kind == "global":
            pool = self.one_of(["GlobalAveragePool", "GlobalMaxPool"])
            y = self.add(pool, [x], [shape[:2] + [1] * len(spatial)])
            if self.random.random() < 0.5:
                self.add("Mul", [x, y], [shape])
        elif kind == "matmul":
            out = self.int(1, 9)
            y = self.add("MatMul", [x, self.weight([shape[-1], out], 0.3)], [shape[:-1] + [out]])
            if self.random.random() < 0.5:
                y = self.add("Add", [y, self.weight([out])], [shape[:-1] + [out]])
                self.add(self.one_of(UNARY), [y], [shape[:-1] + [out]])
        elif kind == "product" and rank > 1:
            order = list(range(rank - 2)) + [rank - 1, rank - 2]
            y = self.add("Transpose", [x], [[shape[i] for i in order]], perm=order)
            self.add("MatMul", [x, y], [shape[:-1] + [shape[-2]]])
        elif kind == "gemm":
            flip = self.int(0, 1)
            out = self.int(1, 7)
            inputs = [x, self.weight([out, shape[1]] if flip else [shape[1], out], 0.3)]
            inputs += [self.weight([out])] if self.random.random() < 0.6 else []
            self.add("Gemm", inputs, [[shape[0], out]], transB=flip)
        elif kind == "transpose":
            order = [int(i) for i in self.random.permutation(rank)]
            self.add("Transpose", [x], [[shape[i] for i in order]], perm=order)
        elif kind == "reshape":
            whole = int(numpy.prod(shape))
            first = self.one_of([d for d in range(1, whole + 1) if whole % d == 0])
            result = self.one_of([[first, whole // first], [1, first, whole // first], [1, 1, first, whole // first]])
            self.add("Reshape", [x, self.ints(*result)], [result])
        elif kind == "slice":
            begin = self.int(0, shape[axis] - 1)
            end = self.int(begin + 1, shape[axis])
            step = self.int(1, 2)
            result = list(shape)
            result[axis] = (end - begin + step - 1) // step
            inputs = [x, self.ints(begin), self.ints(end), self.ints(axis), self.ints(step)]
            self.add("Slice", inputs, [result])
        elif kind == "concat":
            parts = [n for n in self.shapes if len(self.shapes[n]) == rank
                     and all(i == axis or a == b for i, (a, b) in enumerate(zip(self.shapes[n], shape)))]
            chosen = [x] + [self.one_of(parts) for _ in range(self.int(1, 2))]
            result = list(shape)
            result[axis] = sum(self.shapes[n][axis] for n in chosen)
            if numpy.prod(result) < MOST_ELEMENTS:
                self.add("Concat", chosen, [result], axis=axis)
        elif kind == "split" and shape[axis] > 1:
            first = self.int(1, shape[axis] - 1)
            results = [list(shape), list(shape)]
            results[0][axis], results[1][axis] = first, shape[axis] - first
            self.add("Split", [x, self.ints(first, shape[axis] - first)], results, axis=axis)
        elif kind == "softmax":
            self.add(self.one_of(["Softmax", "LogSoftmax"]), [x], [shape], axis=axis)
        elif kind == "reduce":
            keep = self.int(0, 1)
            result = [1 if i == axis else e for i, e in enumerate(shape) if keep or i != axis]
            if result:
                self.add(self.one_of(REDUCTIONS), [x], [result], axes=[axis], keepdims=keep)
        elif kind == "layer":
            weights = [self.weight([shape[-1]]), self.weight([shape[-1]])]
            self.add("LayerNormalization", [x] + weights, [shape], axis=-1, epsilon=1e-2)
        elif kind == "expand" and numpy.prod(shape) < MOST_ELEMENTS // 3 and rank < 4:
            result = [self.int(2, 3)] + shape
            self.add("Expand", [x, self.ints(*result)], [result])
        elif kind == "tile" and numpy.prod(shape) < MOST_ELEMENTS // 2 and rank < 5:
            times = [2 if i == axis else 1 for i in range(rank)]
            self.add("Tile", [x, self.ints(*times)], [[a * b for a, b in zip(shape, times)]])
        elif kind == "pad" and numpy.prod(shape) < MOST_ELEMENTS // 3:
            pads = [self.int(0, 1) for _ in range(2 * rank)]
            result = [e + pads[i] + pads[i + rank] for i, e in enumerate(shape)]
            self.add("Pad", [x, self.ints(*pads)], [result])
        elif kind == "gather":
            count = self.int(1, 4)
            places = self.ints(*[self.int(-shape[axis], shape[axis] - 1) for _ in range(count)])
            self.add("Gather", [x, places], [shape[:axis] + [count] + shape[axis + 1 :]], axis=axis)
        elif kind == "resize" and numpy.prod(shape) < MOST_ELEMENTS // 4:
            how = self.one_of([
                dict(mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
                dict(mode="linear", coordinate_transformation_mode="half_pixel"),
            ])
            scales = self.weight(None, values=numpy.array([1, 1, 2, 2], numpy.float32))
            self.add("Resize", [x, "", scales], [shape[:2] + [2 * e for e in spatial]], **how)
        elif kind == "clip":
            least = self.weight(None, values=numpy.float32(self.random.normal(-1, 0.3)))
            most = self.weight(None, values=numpy.float32(self.random.normal(1, 0.3)))
            self.add("Clip", [x, least, most], [shape])
        elif kind == "where":
            # a number that no value is: noise must not change the branch
            condition = self.add(self.one_of(["Less", "Greater"]), [self.inputs[0], self.weight([])], [self.shapes[self.inputs[0]]])
            if self.shapes[self.inputs[0]] == shape:
                self.add("Where", [condition, x, self.broadcast(shape)], [shape])
            self.shapes.pop(condition)
        elif kind == "argmax":
            y = self.add("ArgMax", [self.inputs[0]], [self.shapes[self.inputs[0]][:-1] + [1]], axis=-1)
            self.add("Cast", [y], [self.shapes.pop(y)], to=TensorProto.FLOAT)

    def normalised(self, x):
        count = self.shapes[x][1]
        positive = numpy.abs(self.random.normal(1, 0.2, count)).astype(numpy.float32) + 0.1
        numbers = [self.weight([count]), self.weight([count]), self.weight([count]), self.weight(None, values=positive)]
        return self.add("BatchNormalization", [x] + numbers, [self.shapes[x]])

    def model(self):
        read = {name for node in self.nodes for name in node.input}
        made = [name for node in self.nodes for name in node.output if name in self.shapes]
        ends = [name for name in made if name not in read or self.random.random() < 0.05]

        def described(name):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, self.shapes[name])

        graph = helper.make_graph(
            self.nodes, "random", [described(n) for n in self.inputs], [described(n) for n in ends], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def write(folder, seed):
    graph = Graph(seed)
    graph.input([graph.int(1, 2), graph.int(1, 6), graph.int(2, 9), graph.int(2, 9)])
    graph.input(graph.one_of([graph.shapes["x0"], [graph.int(1, 5), graph.int(2, 12)], [1, graph.int(1, 4), graph.int(4, 20)]]))
    for _ in range(graph.int(3, 14)):
        graph.step()
    if not graph.nodes:
        return
    path = os.path.join(folder, f"{seed}.onnx")
    onnx.save(graph.model(), path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    inputs = {n: graph.random.normal(0, 1, graph.shapes[n]).astype(numpy.float32) for n in graph.inputs}
    outputs = session.run(None, inputs)
    folder = os.path.join(path + ".answers", "fixed", "0")
    os.makedirs(folder, exist_ok=True)
    for kind, values in (("in", inputs.values()), ("out", outputs)):
        for i, value in enumerate(values):
            numpy.save(os.path.join(folder, f"{kind}{i}.npy"), value)


def main():
    folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    for seed in range(first, first + count):
        try:
            write(folder, seed)
        except Exception as e:
            print(seed, str(e)[:300])


main()
