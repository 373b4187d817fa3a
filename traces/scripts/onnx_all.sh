#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All ONNX traces.  WHEELS: a folder with the wheels below, from pip download, each unpacked in PACKAGE-VERSION/.
set -e
cd "$(dirname "$0")"
: "${PY:=python}" "${WHEELS:=wheels}"
light=$($PY -c 'import onnx; print(onnx.__path__[0])')/backend/test/data/light
for n in bvlc_alexnet densenet121 inception_v1 inception_v2 resnet50 shufflenet squeezenet vgg19 zfnet512; do
  nice "$PY" onnx_traces.py light_$n $light/light_$n.onnx "graph of the 'light' $n model in the onnx package's backend tests (Apache-2.0), weights stripped"
done
r=$WHEELS/rapidocr-3.10.0/rapidocr/models
o=$WHEELS/rapidocr_onnxruntime-1.4.4/rapidocr_onnxruntime/models
nice "$PY" onnx_traces.py ppocrv6_det_small $r/PP-OCRv6_det_small.onnx "PP-OCRv6 small text detection, rapidocr 3.10.0 (Apache-2.0), weights stripped" x=1x3x640x640
nice "$PY" onnx_traces.py ppocrv6_rec_small $r/PP-OCRv6_rec_small.onnx "PP-OCRv6 small text recognition, rapidocr 3.10.0 (Apache-2.0), weights stripped" x=6x3x48x320
nice "$PY" onnx_traces.py ppocrv4_det $o/ch_PP-OCRv4_det_infer.onnx "PP-OCRv4 text detection, rapidocr-onnxruntime 1.4.4 (Apache-2.0), weights stripped" x=1x3x736x736
nice "$PY" onnx_traces.py ppocrv4_rec $o/ch_PP-OCRv4_rec_infer.onnx "PP-OCRv4 text recognition, rapidocr-onnxruntime 1.4.4 (Apache-2.0), weights stripped" x=6x3x48x320
nice "$PY" onnx_traces.py ppocr_cls $o/ch_ppocr_mobile_v2.0_cls_infer.onnx "PP-OCR mobile v2.0 angle classification, rapidocr-onnxruntime 1.4.4 (Apache-2.0), weights stripped" x=6x3x48x192
nice "$PY" onnx_traces.py magika $WHEELS/magika-1.0.3/magika/models/standard_v3_3/model.onnx "Magika standard_v3_3, magika 1.0.3 (Apache-2.0), weights stripped" bytes=1x2048
nice "$PY" onnx_traces.py silero_vad_16k $WHEELS/silero_vad-6.2.3/silero_vad/data/silero_vad_16k_sequence.onnx "Silero VAD 16 kHz, sequence model, silero-vad 6.2.3 (MIT), weights stripped" input=32x576
