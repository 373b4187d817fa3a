# SPDX-License-Identifier: Apache-2.0
"""Turn ONNX models into device-arena-graph/1 JSON and a trace of their activations.  Needs onnx, onnxruntime, numpy.

    python onnx_traces.py NAME MODEL.onnx 'SOURCE' [INPUT=1x3x640x640 ...]

The model is run once on zeros, without optimisation, to learn the shape of every value.  What depends on weights and shapes
alone is folded away; weights keep their shapes, not their values.  Reshapes and the like share their operand's memory.
A node with several outputs becomes several nodes, one an output, in a row.  In the trace they are made at the same step.
"""
import json
import os
import sys

import numpy as np
import onnx
import onnxruntime as ort

from record import write

OUT = os.environ.get("TRACES", ".")
VIEWS = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout"}
SHORT = {"float32": "f32", "float16": "f16", "float64": "f64", "int64": "i64", "int32": "i32", "int8": "i8", "uint8": "u8", "bool": "bool"}


def values(model, shapes):
    """Every value of the graph, from one run: name -> array."""
    graph = model.graph
    read = {i for node in graph.node for i in node.input}
    for init in list(graph.initializer):   # an initialiser may be unused, or listed as an input too
        if init.name not in read:
            graph.initializer.remove(init)
        for i in [i for i in graph.input if i.name == init.name]:
            graph.input.remove(i)
    for i in [i for i in graph.input if i.name not in read]:
        graph.input.remove(i)
    have = {o.name for o in graph.output}
    for node in graph.node:
        graph.output.extend(onnx.ValueInfoProto(name=o) for o in node.output if o and o not in have)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    dtypes = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32}
    feeds = {i.name: np.zeros(shapes.get(i.name, i.shape), dtypes[i.type]) for i in session.get_inputs()}
    names = [o.name for o in session.get_outputs()]
    result = dict(feeds)
    result.update((n, v) for n, v in zip(names, session.run(names, feeds)))
    return result


def convert(name, path, source, shapes):
    model = onnx.load(path)
    outputs = [o.name for o in model.graph.output]
    value = values(model, shapes)
    graph = model.graph
    fixed = {i.name: onnx.numpy_helper.to_array(i) for i in graph.initializer}
    ops = []
    for node in graph.node:
        if node.op_type in ("Constant", "Shape") or all(i in fixed for i in node.input if i):
            fixed.update((o, value[o]) for o in node.output if o)
        else:
            ops.append(node)
    used = {i for node in ops for i in node.input}

    nodes, ids = [], {}

    def add(key, array, role, **more):
        ids[key] = len(nodes)
        nodes.append({"id": ids[key], "name": key, "shape": list(array.shape), "dtype": SHORT[str(array.dtype)], "role": role, **more})

    inputs = [i.name for i in graph.input]
    for i in inputs:
        add(i, value[i], "input")
    for i in fixed:
        if i in used:
            add(i, fixed[i], "param")
    base = {i: i for i in inputs}          # value -> value whose memory it shares
    life = {i: [0, 1, value[i].nbytes] for i in inputs}
    for step, node in enumerate(ops):
        reads = [i for i in node.input if i]
        made = [o for o in node.output if o and (o in outputs or any(o in n.input for n in ops))] or [node.output[0]]
        view = node.op_type in VIEWS and reads[0] not in fixed
        for o in made:
            more = {"op": node.op_type, "inputs": [ids[i] for i in reads]}
            if view:
                more["viewOf"] = ids[reads[0]]
            add(o, value[o], "op", **more)
            base[o] = base[reads[0]] if view else o
            if not view:
                life[o] = [step, step + 1, value[o].nbytes]
        for i in reads:
            if i in base:
                life[base[i]][1] = step + 1
    for o in outputs:
        life[base[o]][1] = len(ops)

    head = {"format": "device-arena-graph/1", "name": name, "source": source, "outputs": [ids[o] for o in outputs]}
    text = json.dumps(head, separators=(",", ":"))[:-1]
    lines = ",\n".join(json.dumps(n, separators=(",", ":")) for n in nodes)
    os.makedirs(f"{OUT}/graphs", exist_ok=True)
    with open(f"{OUT}/graphs/{name}.graph.json", "w") as f:
        f.write(f'{text},"nodes":[\n{lines}\n]}}\n')
    n = write(f"{OUT}/onnx_{name}.csv", [tuple(r) for r in life.values() if r[2]])
    print(f"{name}: {n} buffers, {len(ops)} steps, {len(nodes)} nodes")


if __name__ == "__main__":
    convert(sys.argv[1], sys.argv[2], sys.argv[3],
            {k: [int(d) for d in v.split("x") if d] for k, v in (a.rsplit("=", 1) for a in sys.argv[4:])})
