"""Compiles CUDA C to PTX with NVRTC: nvrtc.py LIBRARY ARCHITECTURE INCLUDE-FOLDER SOURCE TARGET."""

import ctypes
import pathlib
import sys


def main(library, architecture, include, source, target):
    nvrtc = ctypes.CDLL(library)
    nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p

    def call(name, *arguments):
        code = getattr(nvrtc, name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{name}: {nvrtc.nvrtcGetErrorString(code).decode()}")

    def text(kind, program):
        size = ctypes.c_size_t()
        call(f"nvrtcGet{kind}Size", program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        call(f"nvrtcGet{kind}", program, buffer)
        return buffer.value.decode()

    name = pathlib.Path(source).name
    # C++03: newer ones put tables of a header of NVRTC's own into each PTX
    own = pathlib.Path(source).parent
    options = [f"--gpu-architecture={architecture}", f"--include-path={include}", f"--include-path={own}", "--std=c++03"]
    program = ctypes.c_void_p()
    call("nvrtcCreateProgram", ctypes.byref(program), pathlib.Path(source).read_bytes(), name.encode(), 0, None, None)
    try:
        call("nvrtcCompileProgram", program, len(options), (ctypes.c_char_p * len(options))(*map(str.encode, options)))
    except RuntimeError as e:
        sys.exit(f"{source}: {e}\n{text('ProgramLog', program)}")
    pathlib.Path(target).write_text(text("PTX", program), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
