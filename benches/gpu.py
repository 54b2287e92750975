#!/usr/bin/env python3
"""What generated CUDA code does on a graphics card: checks every number against the same source on the processor, then times it.

    biela generate benches/gpu/general-6r.toml --quantity rnea,aba --language cuda -o CODE/general
    benches/gpu.py CODE [--out FIGURES.json]

CODE holds folders of generated code, one *.cu in each. Needs CuPy, a C++ compiler and a card. Data stays on the card; a table has for each
function the best of several sizes of blocks, evaluations and bytes a second, and sums and products a second.
"""

import argparse
import ctypes
import json
import pathlib
import re
import subprocess
import tempfile

import cupy
import numpy

# Fused products and other sines: the part of the largest result of a state that they may be off. Derivatives of forward dynamics pass twice through the
# inverse of an inertia matrix whose condition is 1e4 at some of a thousand random states.
AGREEMENT = {"double": 1e-10, "float": 3e-2}
BLOCKS = [32, 64, 128, 256]
ROUNDS = 5
LEAST_SECONDS = 0.02


def functions(text):
    """Name, inputs and outputs (name and size each) of every kernel, and its sums and products."""
    found = []
    for kernel in re.finditer(r'extern "C" __global__ void (\w+)\(biela_count n, ([^)]*)\)', text):
        name = kernel.group(1)
        real = "float" if "float" in kernel.group(2) else "double"
        head = text[: kernel.start()].rfind("/*")
        sizes = dict(re.findall(r"\* {3}(?:in |out) (\w+)\[(\d+)\]", text[head : kernel.start()]))
        arguments = [(a.split("*")[-1].replace("__restrict__", "").strip(), "const" in a) for a in kernel.group(2).split(",")]
        body = text[text.find(f"void {name}_of(") : head]
        operations = len(re.findall(r" = x?[\w.()-]+ [*+-] ", body))
        found.append(
            {
                "name": name,
                "real": real,
                "inputs": [(a, int(sizes[a])) for a, given in arguments if given],
                "outputs": [(a, int(sizes[a])) for a, given in arguments if not given],
                "operations": operations,
            }
        )
    return found


def inputs(function, n, seed):
    """Angles within a turn, rates and the rest within one; attitudes need no unit length."""
    random = numpy.random.default_rng(seed)
    real = numpy.float32 if function["real"] == "float" else numpy.float64
    reach = {"q": numpy.pi}
    return [random.uniform(-1, 1, (size, n)).astype(real) * real(reach.get(name, 1)) for name, size in function["inputs"]]


def on_processor(library, function, given, n):
    real = given[0].dtype
    room = [numpy.zeros((size, n), real) for _, size in function["outputs"]]
    pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    getattr(library, function["name"])(ctypes.c_ulonglong(n), *map(pointer, given), *map(pointer, room))
    return room


def launch(kernel, n, block, arrays):
    kernel(((n + block - 1) // block,), (block,), (numpy.uint64(n), *arrays))


def check(kernel, library, function):
    """The largest difference from the processor, as a part of the largest result."""
    n = 1000
    given = inputs(function, n, 1)
    arrays = [cupy.asarray(a) for a in given]
    room = [cupy.zeros((size, n), given[0].dtype) for _, size in function["outputs"]]
    launch(kernel, n, 128, arrays + room)
    worst = 0.0
    for found, wanted in zip(room, on_processor(library, function, given, n)):
        size = numpy.abs(wanted).max(axis=0) + 1e-300
        worst = max(worst, float((numpy.abs(found.get() - wanted) / size).max()))
    assert worst < AGREEMENT[function["real"]], f"{function['name']}: off by {worst:.1e}"
    return worst


def time(kernel, function, n):
    """Seconds of one pass over n states, least over sizes of blocks and rounds."""
    few = inputs(function, 4096, 2)
    arrays = [cupy.tile(cupy.asarray(a), (1, n // 4096)) for a in few]
    room = [cupy.zeros((size, n), few[0].dtype) for _, size in function["outputs"]]
    best = (numpy.inf, 0)
    for block in BLOCKS:
        launch(kernel, n, block, arrays + room)
        repeats, seconds = 1, 0.0
        while True:
            start, end = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            for _ in range(repeats):
                launch(kernel, n, block, arrays + room)
            end.record()
            end.synchronize()
            seconds = cupy.cuda.get_elapsed_time(start, end) * 1e-3
            if seconds > LEAST_SECONDS:
                break
            repeats *= 4
        for _ in range(ROUNDS):
            start.record()
            for _ in range(repeats):
                launch(kernel, n, block, arrays + room)
            end.record()
            end.synchronize()
            best = min(best, (cupy.cuda.get_elapsed_time(start, end) * 1e-3 / repeats, block))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--room", type=float, default=4e9, help="bytes of all arrays of a pass")
    options = parser.parse_args()
    card = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    driver, runtime = cupy.cuda.runtime.driverGetVersion(), cupy.cuda.runtime.runtimeGetVersion()
    print(f"{card}, driver for CUDA {driver}, CUDA {runtime}")
    print("| function | states | block | 10^9 a second | GB/s | 10^12 sums and products a second | off the processor | registers |")
    print("|---|---|---|---|---|---|---|---|")
    figures = {"card": card, "driver": driver, "cuda": runtime, "functions": []}
    for path in sorted(options.code.glob("*/*.cu")):
        text = path.read_text()
        module = cupy.RawModule(code=text, options=("-std=c++17",))
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "code.so"
            command = ["c++", "-O0", "-fPIC", "-shared", "-x", "c++", str(path), "-o", str(library)]
            subprocess.run(command, check=True)
            library = ctypes.CDLL(str(library))
            for function in functions(text):
                kernel = module.get_function(function["name"])
                worst = check(kernel, library, function)
                numbers = sum(size for _, size in function["inputs"] + function["outputs"])
                width = 4 if function["real"] == "float" else 8
                n = max(1 << 14, min(1 << 24, 1 << int(numpy.log2(options.room / (numbers * width)))))
                seconds, block = time(kernel, function, n)
                rate = n / seconds
                speed = rate * numbers * width
                done = rate * function["operations"]
                print(
                    f"| {path.parent.name} {function['name']} | {n} | {block} | {rate * 1e-9:.3g} | {speed * 1e-9:.0f} | "
                    f"{done * 1e-12:.3g} | {worst:.0e} | {kernel.num_regs} |",
                    flush=True,
                )
                figures["functions"].append(
                    {"name": function["name"], "code": path.parent.name, "states": n, "block": block, "per_second": rate,
                     "bytes_per_second": speed, "operations_per_second": done, "registers": kernel.num_regs,
                     "local_bytes": kernel.local_size_bytes, "off": worst}
                )
    if options.out:
        options.out.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
