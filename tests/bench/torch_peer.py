# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of Flopsmith in PyTorch, as it exports them, timed on request.

Reads one JSON object per line from standard input and answers each with one on standard output;
numbers travel in files of plain float32 or int64. Requests:

  {"do": "hello"}                                           -> {"torch": VERSION, …}
  {"do": "load", "source": PATH of the exported module, "kind": "dense", "spec": {…},
   "tensors": [{"name", "rows", "columns", "transposed", "shape"}, …], "weights_file": PATH,
   "lists": [{"name", "shape"}, …], "lists_file": PATH,
   "d_model": D, "precision": "float32" or "bfloat16"}      -> {}
  {"do": "shape", "batch": B, "sequence": S, "context": C, "threads": N, "backward": false,
   "x_file": PATH, "dy_file": PATH, "cache_file": PATH, "result_file": PATH}
  {"do": "time", "runs": N}        both -> {"wall": seconds of all runs, "processor": seconds}

"shape" runs the exported module and writes what it gives: y, or dx and the gradient of each
weight in order. Where PyTorch has a faster way to compute the same from the module's tensors
(torch_ways.py), it must give the same, and the fastest way is timed. In bfloat16 weights,
activations and results are that, as in a model that was converted.
"""

import importlib.util
import json
import math
import pathlib
import sys
import time

import numpy as np
import torch

from torch_ways import Sizes, exported_way, faster_ways

MOST_DIFFERENT = {torch.float32: 1e-3, torch.bfloat16: 5e-2}  # of two ways, to the largest value
ROUNDING = 1e-5  # to the largest of all tensors: what is left of gradients that cancel
NOT_WORTH_A_RUN = 3.0  # a way that took so many times as long is not run again


def from_file(path, kind):
    return torch.from_numpy(np.fromfile(path, dtype=kind))


def imported(path, name):
    """The module in a file that is written anew for each operation."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def state_of(request):
    """The tensors as the exported module's state dict has them."""
    sizes = [entry["rows"] * entry["columns"] for entry in request["tensors"]]
    state = {}
    for entry, values in zip(
        request["tensors"], from_file(request["weights_file"], np.float32).split(sizes)
    ):
        values = values.view(entry["rows"], entry["columns"])
        values = values.t() if entry["transposed"] else values
        state[entry["name"]] = values.reshape(entry["shape"])
    sizes = [math.prod(entry["shape"]) for entry in request["lists"]]
    if sizes:
        lists = from_file(request["lists_file"], np.int64).split(sizes)
        for entry, values in zip(request["lists"], lists):
            state[entry["name"]] = values.view(entry["shape"])
    return state


class Peer:
    def __init__(self):
        self.part = None
        self.run = None
        self.loaded = 0

    def hello(self, request):
        return {
            "torch": torch.__version__,
            "mkl": torch.backends.mkl.is_available(),
            "onednn": torch.backends.mkldnn.is_available(),
            "capability": torch.backends.cpu.get_cpu_capability(),
        }

    def load(self, request):
        self.part, self.run = None, None
        self.loaded += 1
        self.source = imported(pathlib.Path(request["source"]), f"exported_{self.loaded}")
        part = self.source.part().eval()
        part.load_state_dict(state_of(request), strict=True)
        self.kind = getattr(torch, request["precision"])
        self.part = part.to(self.kind)
        self.request = request
        parameters = dict(self.part.named_parameters())
        self.parameters = [parameters[entry["name"]] for entry in request["tensors"]]
        return {}

    def shape(self, request):
        self.run = None
        torch.set_num_threads(request["threads"])
        d = self.request["d_model"]
        x = from_file(request["x_file"], np.float32).to(self.kind).view(-1, d)
        dy = None
        if request["backward"]:
            dy = from_file(request["dy_file"], np.float32).to(self.kind).view(-1, d)
        cached = from_file(request["cache_file"], np.float32).to(self.kind)
        sizes = Sizes(d, request["batch"], request["sequence"], request["context"], cached)
        ways = faster_ways(self.request["kind"], self.request["spec"], self.part, self.source, sizes)
        if not sizes.is_cached():
            ways.insert(0, exported_way(self.part, sizes))
        result, seconds = None, None
        for way in ways:
            run = self.backward_of(way, x, dy) if request["backward"] else self.forward_of(way, x)
            found, taken = timed(run)
            if result is None:
                result = found
            else:
                self.expect_same(result, found, way)
            if seconds is None or taken["wall"] < NOT_WORTH_A_RUN * seconds["wall"]:
                if taken["wall"] < 1.0 or len(ways) > 1:
                    taken = timed(run)[1]
                if seconds is None or taken["wall"] < seconds["wall"]:
                    self.run, seconds = run, taken
        with open(request["result_file"], "wb") as file:
            for tensor in self.in_our_order(result):
                tensor.detach().float().contiguous().numpy().tofile(file)
        return seconds

    def expect_same(self, exported, found, way):
        rounding = ROUNDING * max(wanted.abs().max().item() for wanted in exported)
        for wanted, tensor in zip(exported, found):
            most = MOST_DIFFERENT[self.kind] * wanted.abs().max().item() + rounding
            if not (tensor - wanted).abs().max().item() <= most:
                raise ValueError(f"{way.__qualname__} differs from the exported module")

    def in_our_order(self, tensors):
        """Gradients as our weights lie, [in, out]; y and dx as they are."""
        yield tensors[0]
        for entry, tensor in zip(self.request["tensors"], tensors[1:]):
            if entry["transposed"]:
                tensor = tensor.reshape(entry["columns"], entry["rows"]).t()
            yield tensor

    @staticmethod
    def forward_of(way, x):
        def run():
            with torch.inference_mode():
                return [way(x)]

        return run

    def backward_of(self, way, x, dy):
        x.requires_grad_(True)
        wanted = [x, *self.parameters]
        y = way(x)

        def run():
            return torch.autograd.grad(
                y, wanted, dy, retain_graph=True, allow_unused=True, materialize_grads=True
            )

        return run

    def time(self, request):
        return timed(self.run, request["runs"])[1]


def timed(run, runs=1):
    wall, processor = time.perf_counter(), time.process_time()
    for _ in range(runs):
        result = run()
    return result, {
        "wall": time.perf_counter() - wall,
        "processor": time.process_time() - processor,
    }


def main():
    peer = Peer()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(peer, request["do"])(request)
        except Exception as error:  # whatever it is, the other side prints it
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
