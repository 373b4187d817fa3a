"""Writes what ONNX Runtime and onnxsim take for the memory of an ONNX model, as JSON for `./arena plan --compare`.

usage: python3 compare.py MODEL.onnx [--dim NAME=N]... > compared.json

It needs the packages onnx, onnxruntime, onnxsim and numpy. Free dimensions have the names that `./arena plan` asks for.

ONNX Runtime: its memory pattern is one allocation for the values of a run, planned on the first run. The session takes
memory for each request, and gives all of it back after a run, so that its log shows each allocation. The first one of
the second run is the pattern; what follows is memory inside of kernels, which no plan of values has. Optimisations are
off: the values are those of the file.

onnxsim: plan_activation_memory. It plans inputs too, and no values whose shape it does not know.

Both keep weights apart, as they are: initialisers and constants.
"""
import json
import os
import re
import sys
import tempfile

import numpy
import onnx
import onnxruntime
import onnxsim


def arguments():
    sizes = {}
    words = sys.argv[1:]
    paths = []
    while words:
        word = words.pop(0)
        if word == "--dim":
            name, size = words.pop(0).rsplit("=", 1)
            sizes[name] = int(size)
        else:
            paths.append(word)
    if len(paths) != 1:
        sys.exit(__doc__)
    return paths[0], sizes


def with_sizes(model, sizes):
    """Gives the free dimensions of inputs and values their sizes."""
    weights = {tensor.name for tensor in model.graph.initializer}
    for value in list(model.graph.input) + list(model.graph.value_info) + list(model.graph.output):
        if value.name in weights:
            continue
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            free = not dim.HasField("dim_value") or dim.dim_value < 0
            own = dim.dim_param if dim.dim_param not in ("", "?") else f"{value.name}.{axis}"
            if free and own in sizes:
                dim.dim_value = sizes[own]
    return model


def inputs(model):
    weights = {tensor.name for tensor in model.graph.initializer}
    zeros = {}
    for value in model.graph.input:
        if value.name not in weights:
            kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
            shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
            zeros[value.name] = numpy.zeros(shape, kind)
    return zeros


def logged(run):
    """Runs a function and returns what native code wrote to standard error meanwhile."""
    saved = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            run()
        finally:
            os.dup2(saved, 2)
            os.close(saved)
        log.seek(0)
        return log.read().decode("utf-8", "replace")


def numbers(pattern, log):
    return [int(number) for number in re.findall(pattern, log)]


def runtime(model):
    onnxruntime.set_default_logger_severity(1)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.add_session_config_entry("session.use_device_allocator_for_initializers", "1")
    memory = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    onnxruntime.create_and_register_allocator(memory, onnxruntime.OrtArenaCfg(0, 1, -1, -1))
    sessions = []
    logged(
        lambda: sessions.append(
            onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        )
    )
    run_options = onnxruntime.RunOptions()
    run_options.log_severity_level = 1
    run_options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    zeros = inputs(model)
    logged(lambda: sessions[0].run(None, zeros, run_options))
    second = numbers(r"Extended allocation by (\d+) bytes", logged(lambda: sessions[0].run(None, zeros, run_options)))
    return {
        "version": onnxruntime.__version__,
        "activationBytes": second[0] if second else 0,
        "kernelBytes": sum(second[1:]),
    }


def simplifier(model):
    plan = onnxsim.plan_activation_memory(model)
    return {
        "version": onnxsim.__version__,
        "activationBytes": plan.arena_bytes,
        "planned": sorted(plan.tensor_offsets),
        "unplanned": len(plan.unplanned),
    }


def weights(model):
    read = {name for node in model.graph.node for name in node.input}
    tensors = [tensor for tensor in model.graph.initializer if tensor.name in read]
    for node in model.graph.node:
        if node.op_type == "Constant" and node.output[0] in read:
            tensors += [attribute.t for attribute in node.attribute if attribute.name == "value"]
    return sum(onnx.numpy_helper.to_array(tensor).nbytes for tensor in tensors)


def main():
    path, sizes = arguments()
    model = with_sizes(onnx.load(path), sizes)
    result = {
        "format": "device-arena-comparison/1",
        "model": os.path.basename(path),
        "dimensions": sizes,
        "weightBytes": weights(model),
        "onnxruntime": runtime(model),
        "onnxsim": simplifier(model),
    }
    json.dump(result, sys.stdout, indent=1)
    print()


main()
