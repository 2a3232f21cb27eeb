# SPDX-License-Identifier: MIT
"""Runs and times parts of models with PyTorch; started by flopsmith-bench-torch (see its README.md).

Requests arrive as one JSON object per line on standard input. Each is answered by one line on standard
output. Tensors travel in files: weights and inputs as safetensors, outputs as raw values.
"""
import gc
import json
import os
import queue
import shutil
import sys
import threading
import time

OLDEST = (2, 0)


class Refused(Exception):
    """What is answered in place of a result."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


def imported_torch():
    try:
        import torch
    except ImportError as error:
        if error.name != "torch":
            raise Refused("failed", f"its PyTorch cannot be imported: {first_line(error)}") from None
        raise Refused("failed", "it has no PyTorch; pip install torch adds it") from None
    version = str(torch.__version__)
    numbers = [int("".join(filter(str.isdigit, n)) or 0) for n in version.split(".")[:2]]
    if tuple(numbers) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        sentence = f"its PyTorch {version} is too old; {oldest} is the oldest that will do"
        raise Refused("failed", sentence)
    return torch


def first_line(error):
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


class Device:
    """One device that PyTorch computes on: its clock, its memory, its name."""

    def __init__(self, torch, name):
        self.torch, self.name = torch, name
        self.kind = name.partition(":")[0]
        self.device = torch.device(name)
        self.module = {"cuda": torch.cuda, "xpu": getattr(torch, "xpu", None)}.get(self.kind)
        self.flushed = None
        if self.module is not None and hasattr(self.module, "set_device"):
            self.module.set_device(self.device)  # events are recorded on the current one

    def platform(self):
        """What PyTorch computes with there, and its version."""
        version = self.torch.version
        if self.kind == "cuda":
            hip = getattr(version, "hip", None)
            return ("ROCm", hip) if hip else ("CUDA", version.cuda)
        return {"xpu": ("XPU", ""), "mps": ("MPS", "")}.get(self.kind, ("CPU", ""))

    def bytes(self):
        """Of its own memory; 0 where it shares that of the processor."""
        if self.module is None:
            return 0
        return int(self.module.get_device_properties(self.device).total_memory)

    def max_bytes(self):
        count = getattr(self.module, "max_memory_allocated", None)  # XPU has it since 2.6
        return int(count(self.device)) if count is not None else 0

    def reset_memory(self):
        gc.collect()
        reset = getattr(self.module, "reset_peak_memory_stats", None)
        if reset is not None:
            reset(self.device)
        if self.kind != "cpu":
            (self.module or self.torch.mps).empty_cache()

    def synchronize(self):
        if self.module is not None:
            self.module.synchronize(self.device)
        elif self.kind == "mps":
            self.torch.mps.synchronize()

    def seconds(self, work):
        """Between two events on the device, where it has some."""
        if self.module is None:
            self.synchronize()
            begin = time.perf_counter()
            work()
            self.synchronize()
            return time.perf_counter() - begin
        begin, end = (self.module.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1000.0

    def flush(self, size):
        """Overwrites the caches."""
        if self.flushed is None or self.flushed.numel() != size:
            self.flushed = self.torch.empty(size, dtype=self.torch.uint8, device=self.device)
        self.flushed.zero_()

    def flush_bytes(self, host_cache):
        if self.module is None:
            return 2 * host_cache
        properties = self.module.get_device_properties(self.device)
        return 4 * int(getattr(properties, "L2_cache_size", 0) or 64 << 20)

    def set_precision(self, name):
        """The type of the tensors; tf32 is a way to multiply those of float32."""
        torch = self.torch
        if name == "tf32" and (self.kind != "cuda" or getattr(torch.version, "hip", None)):
            sentence = f"PyTorch multiplies without tf32 on {self.name}; float32 would do"
            raise Refused("bad_operation", sentence)
        torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
        torch.backends.cudnn.allow_tf32 = name == "tf32"
        return torch.float32 if name == "tf32" else getattr(torch, name)


def title_of(torch, name):
    kind = name.partition(":")[0]
    if kind in ("cuda", "xpu"):
        return getattr(torch, kind).get_device_name(torch.device(name))
    return "Apple GPU" if kind == "mps" else "CPU"


def device_names(torch):
    """Everything that PyTorch can compute on, the best first."""
    names = []
    if torch.cuda.is_available():
        names += [f"cuda:{i}" for i in range(torch.cuda.device_count())]
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        names += [f"xpu:{i}" for i in range(torch.xpu.device_count())]
    mps = getattr(torch.backends, "mps", None)
    if mps is not None and mps.is_available():
        names.append("mps")
    return names + ["cpu"]


def chosen_device(torch, name):
    known = device_names(torch)
    if not name:
        return known[0]
    found = name if name in known else f"{name}:0"
    if found not in known:
        raise Refused("failed", f"its PyTorch sees no device {name}; it sees {', '.join(known)}")
    return found


class Context:
    """What parts of a step that decodes know of earlier tokens: as core/export/torch/context.py."""

    types = 0

    def __init__(self, torch, tokens, known, device):
        self.torch = torch
        self.exact_positions = torch.arange(known - tokens, known, dtype=torch.float64)[None]
        self.positions = torch.arange(known - tokens, known, device=device)[None]  # [1, S]
        key = torch.arange(known, device=device)
        self.offset = key[None, :] - self.positions[0, :, None]  # from the query to the key, [S, K]
        self.keys = self.values = None

    def set_cache(self, kind, heads, keys, values, tokens):
        """Rows [B, C − S, features] become [B, heads, C, h] with a place for the new tokens."""
        if kind == "latents":
            sizes = [heads, keys.shape[-1] - heads]
            keys, values = (part[:, :, None] for part in keys.split(sizes, dim=-1))
        else:
            keys, values = (part.unflatten(-1, (heads, -1)) for part in (keys, values))
        if kind == "source":
            tokens = 0
        pad = self.torch.nn.functional.pad
        self.keys, self.values = (
            pad(part.transpose(1, 2), (0, 0, 0, tokens)).contiguous() for part in (keys, values)
        )

    def with_earlier(self, k, v):
        """Keys and values after those of earlier passes, in place: [B, heads, S, h] → [B, heads, K, h]."""
        self.keys[:, :, self.keys.shape[2] - k.shape[2] :] = k
        self.values[:, :, self.values.shape[2] - v.shape[2] :] = v
        return self.keys, self.values

    def of_source(self, keys_and_values):
        return self.keys, self.values

    def masked_source(self, scores):
        return scores

    def masked(self, scores, unseen=None):
        if unseen is None:
            return scores
        return scores.masked_fill(unseen, self.torch.finfo(scores.dtype).min)


TYPES = {"F32": "float32", "I32": "int32", "I64": "int64"}


def read_tensors(torch, path):
    """Those of a safetensors file by name: 8 bytes of length, a header in JSON, the values."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    mapped = torch.from_file(path, shared=False, size=os.path.getsize(path), dtype=torch.uint8)
    os.unlink(path)  # what is mapped stays
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        values = mapped[begin:end].view(getattr(torch, TYPES[entry["dtype"]]))
        tensors[name] = values.reshape(entry["shape"])
    return tensors


def write_values(torch, path, tensors):
    """Their values in float32, one tensor after the other."""
    count = sum(tensor.numel() for tensor in tensors)
    out = torch.from_file(path, shared=True, size=count, dtype=torch.float32)
    begin = 0
    for tensor in tensors:
        out[begin : begin + tensor.numel()].copy_(tensor.detach().reshape(-1))
        begin += tensor.numel()


def put(torch, module, name, value):
    """Replaces a parameter or buffer of the state dict."""
    path, _, leaf = name.rpartition(".")
    owner = module.get_submodule(path)
    place = owner._parameters if leaf in owner._parameters else owner._buffers
    if tuple(place[leaf].shape) != tuple(value.shape):
        shapes = f"{list(place[leaf].shape)} in the program and {list(value.shape)} here"
        raise ValueError(f"{name} is {shapes}")
    if place is owner._parameters:
        value = torch.nn.Parameter(value, requires_grad=value.is_floating_point())
    place[leaf] = value


def drop_by(module, mask):
    """Drops what the mask says, and not what PyTorch would draw."""
    del module.dropout
    module.dropout = lambda y: y * mask


class Part:
    """A part of a model on its device: run() gives its outputs, step() is what is timed."""

    def __init__(self, torch, device, request, compiles):
        self.torch, self.device, self.request = torch, device, request
        self.dtype = device.set_precision(request["precision"])
        self.backward = request["backward"]
        self.cache = request.get("cache")
        names = {"__name__": "flopsmith_part"}
        exec(compile(request["source"], "<part>", "exec"), names)  # of templates of Flopsmith
        with torch.device("meta"):
            self.module = names[request["call"]]()
        weights = read_tensors(torch, request["weights"])
        self.constants = {}
        for name, value in weights.items():
            if name in request["arguments"]:
                self.constants[name] = self.moved(value)
            elif name.startswith("mask."):
                drop_by(self.module.get_submodule(name[len("mask.") :]), self.moved(value))
            else:
                put(torch, self.module, name, self.moved(value))
        left = [name for name, value in self.module.state_dict().items() if value.is_meta]
        if left:
            raise ValueError(f"no values came for {', '.join(left)}")
        self.module.eval()
        self.call = self.module
        if compiles:
            allow_retained_graphs()
            self.call = torch.compile(self.module, dynamic=False)
        self.inputs = None

    def moved(self, value):
        dtype = self.dtype if value.is_floating_point() else value.dtype
        return value.to(device=self.device.device, dtype=dtype, copy=True)

    def take(self, path):
        """The inputs of the next runs, in the place of those before."""
        read = read_tensors(self.torch, path)
        fresh = {name: self.moved(value) for name, value in read.items()}
        keys, values = fresh.pop("cached_keys", None), fresh.pop("cached_values", None)
        if self.inputs is None:
            self.inputs = {**fresh, **self.constants}
            if self.backward:
                self.dy = self.inputs.pop("dy")
                for value in self.inputs.values():
                    value.requires_grad_(value.is_floating_point())
        else:
            with self.torch.no_grad():
                for name, value in fresh.items():
                    own = self.dy if name == "dy" else self.inputs[name]
                    own.copy_(value.reshape(own.shape))
        self.arguments = [self.inputs[name] for name in self.request["arguments"]]
        if self.cache is not None:
            tokens, known = self.cache["tokens"], self.cache["known"]
            context = Context(self.torch, tokens, known, self.device.device)
            if self.cache["kind"] != "none":
                context.set_cache(self.cache["kind"], self.cache["heads"], keys, values, tokens)
            self.arguments.append(context)

    def run(self, path):
        """Its outputs for these inputs, or the gradients that the request asks for, in its order."""
        self.take(path)
        if not self.backward:
            return [self.step()]
        self.y = self.call(*self.arguments)
        leaves = {**dict(self.module.named_parameters()), **self.inputs}
        self.dy = self.dy.reshape(self.y.shape)
        asked = self.request["gradients"]
        names = [one["name"] for one in asked if one["name"] in leaves]
        self.wanted = [leaves[name] for name in names]
        found = dict(zip(names, self.step()))
        gradients = [(found.get(one["name"]), one["size"]) for one in asked]
        return [self.torch.zeros(size) if value is None else value for value, size in gradients]

    def step(self):
        if self.backward:
            return self.torch.autograd.grad(
                self.y, self.wanted, self.dy, retain_graph=True, allow_unused=True
            )
        with self.torch.no_grad():
            return self.call(*self.arguments)


class Peak:
    """What a device does best: a product, a copy, or an operation on a single value."""

    def __init__(self, torch, device, request):
        size = request["size"]

        def made(shape, dtype):
            return torch.empty(shape, dtype=dtype, device=device.device).fill_(0.5)

        if request["what"] == "product":
            a, b, c = (made((size, size), device.set_precision(request["precision"])) for _ in range(3))
            self.step = lambda: torch.matmul(a, b, out=c)
        else:
            a, b = (made(size, torch.uint8 if size > 1 else torch.float32) for _ in range(2))
            self.step = lambda: b.copy_(a)


def allow_retained_graphs():
    """A compiled backward pass may otherwise overwrite what the next run of it reads."""
    try:
        import torch._functorch.config as config
    except ImportError:
        return
    if hasattr(config, "donated_buffer"):
        config.donated_buffer = False


class Worker:
    def __init__(self, torch, device, compiles):
        self.torch, self.device, self.compiles = torch, device, compiles
        self.loaded = {}

    def answer(self, request):
        return getattr(self, "do_" + request["do"])(request)

    def do_load(self, request):
        if self.device.kind == "cpu" and request["threads"] > 0:
            self.torch.set_num_threads(request["threads"])
        part = Part(self.torch, self.device, request, self.compiles)
        self.loaded[request["slot"]] = part
        return {}

    def do_peak(self, request):
        if self.device.kind == "cpu" and request["threads"] > 0:
            self.torch.set_num_threads(request["threads"])
        self.loaded[request["slot"]] = Peak(self.torch, self.device, request)
        return {}

    def do_drop(self, request):
        self.loaded.pop(request["slot"], None)
        self.device.reset_memory()
        return {}

    def do_run(self, request):
        outputs = self.loaded[request["slot"]].run(request["inputs"])
        write_values(self.torch, request["outputs"], outputs)
        return {"device_bytes": self.device.max_bytes()}

    def do_time(self, request):
        step, runs = self.loaded[request["slot"]].step, request["runs"]
        if request["cold"]:
            size = self.device.flush_bytes(request["host_cache"])
            return {"seconds": sum(self.cold_seconds(step, size) for _ in range(runs))}
        if runs > 1:
            step()  # threads and clocks wake up
        return {"seconds": self.device.seconds(lambda: repeat(step, runs))}

    def cold_seconds(self, step, size):
        self.device.flush(size)
        return self.device.seconds(step)


def repeat(step, runs):
    for _ in range(runs):
        step()


def failure(error):
    """What went wrong as an answer, in one sentence."""
    if isinstance(error, Refused):
        return {"error": error.code, "sentence": str(error)}
    sentence = first_line(error)
    low = sentence.lower()
    if isinstance(error, MemoryError) or "out of memory" in low or "not enough memory" in low:
        return {"error": "memory", "sentence": sentence}
    if "not implemented for" in low or "not supported" in low:  # a type of numbers, an operation
        return {"error": "bad_operation", "sentence": sentence}
    return {"error": "failed", "sentence": f"{type(error).__name__}: {sentence}"}


class Lines:
    """Requests from standard input, answers to what was standard output: what a library prints there
    goes to standard error. This process ends at once when its input ends."""

    def __init__(self, folder):
        self.folder = folder
        self.out = os.dup(1)
        os.dup2(2, 1)
        self.waiting = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in sys.stdin.buffer:
            self.waiting.put(line)
        for _ in range(10):  # a run may write there meanwhile
            shutil.rmtree(self.folder, ignore_errors=True)
        os._exit(0)

    def next(self):
        return json.loads(self.waiting.get())

    def say(self, answer):
        os.write(self.out, (json.dumps(answer) + "\n").encode())


def described(torch, device):
    platform, version = device.platform()
    return {
        "torch": str(torch.__version__),
        "python": sys.version.split()[0],
        "device": device.name,
        "title": title_of(torch, device.name),
        "platform": platform,
        "platform_version": version or "",
        "bytes": device.bytes(),
        "threads": torch.get_num_threads(),
        "devices": [{"name": name, "title": title_of(torch, name)} for name in device_names(torch)],
    }


def main(folder, name, compiles):
    lines = Lines(folder)
    try:
        torch = imported_torch()
        worker = Worker(torch, Device(torch, chosen_device(torch, name)), compiles)
        lines.say(described(torch, worker.device))
    except Exception as error:
        lines.say(failure(error))
        return
    gc.disable()  # a collection amid a timing would count
    gc.freeze()  # and what PyTorch made is not to be looked through
    while True:
        request = lines.next()
        try:
            lines.say(worker.answer(request))
        except Exception as error:
            lines.say(failure(error))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3] == "compiled")
