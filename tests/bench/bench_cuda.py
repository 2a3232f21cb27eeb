# SPDX-License-Identifier: GPL-3.0-or-later
"""Run times of the CUDA kernels beside PyTorch on the same GPU, as a Markdown table.

  bench_cuda.py modules --flopsmith PROGRAM DIR   writes each case's FFN as exported PyTorch
  bench_cuda.py run --worker PROGRAM DIR          measures; DIR is what the first call wrote

The first call needs no GPU, the second needs neither a display nor the window's program. The worker
is flopsmith-bench-cuda, asked by its own protocol: a kernel is timed only if it agrees with the
reference. PyTorch runs the exported module on the GPU, as it is and compiled by torch.compile;
the faster of the two is the peer. Both sides replay a captured graph and keep weights on the device.
"""

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

WIDTHS = (768, 4096)
DENSE = "dense, f = 4d"
PRODUCTS = (DENSE, "gated", "low rank", "experts")  # the others have no precision but float32


def near_root_divisor(n):
    return max(i for i in range(1, n + 1) if n % i == 0 and i * i <= n)


def ffns(d):
    """The cases of bench_kernels, by the fields of their specifications."""
    kronecker = {"d_ff": 4 * d, "d_1": near_root_divisor(d), "f_1": near_root_divisor(4 * d)}
    return {
        DENSE: {"kind": "dense", "d_ff": 4 * d},
        "gated, f = 8d/3": {"kind": "gated", "d_ff": 8 * d // 3 // 64 * 64},
        "low rank, r = d/8": {"kind": "low_rank", "d_ff": 4 * d, "rank": d // 8},
        "experts, 2 of 8, f = d/2": {"kind": "moe", "d_ff": d // 2},
        "spectral low_pass": {"kind": "spectral", "selection": "low_pass", "algorithm": "fft"},
        "spectral top_k": {"kind": "spectral", "selection": "top_k", "algorithm": "fft"},
        "polynomial static": {"kind": "polynomial", "poly_selection": "static"},
        "polynomial top_k": {
            "kind": "polynomial",
            "poly_selection": "top_k",
            "coefficients": "per_channel",
        },
        "micro-refine static": {"kind": "micro_refine", "micro_selection": "static"},
        "micro-refine top_k": {"kind": "micro_refine", "micro_selection": "top_k"},
        "token feedback": {"kind": "token_feedback", "feedback_rank": d // 6},
        "random projection, 10 %": {"kind": "random_projection", "projection_features": 4 * d},
        "Kronecker, rank 1": {"kind": "kronecker", "rank": 1, **kronecker},
        "UltraEfficientSparseFFN": {
            "kind": "composed",
            "dropout": 0.0,
            "stages": [
                {"kind": "spectral", "selection": "top_k"},
                {"kind": "polynomial"},
                {"kind": "micro_refine"},
            ],
        },
    }


def module_path(folder, name, d):
    return folder / f"{''.join(c if c.isalnum() else '_' for c in name)}_{d}.py"


def write_modules(program, folder):
    """One design of a single block for each case, exported without weights."""
    folder.mkdir(parents=True, exist_ok=True)
    for d in WIDTHS:
        for name, spec in ffns(d).items():
            design = {
                "flopsmith": 1,
                "model": {
                    "name": name,
                    "d_model": d,
                    "embedding": {"vocab": 2},
                    "blocks": [{"repeat": 1, "mixer": {"kind": "none"}, "ffn": spec}],
                },
            }
            source = folder / "design.flopsmith"
            source.write_text(json.dumps(design))
            exported = folder / "exported"
            subprocess.run(
                [program, "export", "torch", source, "-o", exported, "--no-weights", "--force"],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            (exported / "model.py").rename(module_path(folder, name, d))


class Worker:
    """flopsmith-bench-cuda: one JSON object per line."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.id = 0

    def ask(self, **request):
        self.id += 1
        print(
            json.dumps({"protocol": 1, "id": self.id, **request}),
            file=self.process.stdin,
            flush=True,
        )
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer["type"] != "progress":
                return answer
        raise SystemExit("bench_cuda: the worker ended without an answer")


def ours(worker, spec, d, tokens, precision, direction, budget):
    operation = {
        "kind": "ffn",
        "spec": spec,
        "d_model": d,
        "batch": 1,
        "sequence": tokens,
        "context": tokens,
    }
    return worker.ask(
        type="measure",
        operation=operation,
        precision=precision,
        **{"pass": direction},
        budget_seconds=budget,
    )


class Peer:
    """The exported module of a case on the GPU."""

    def __init__(self, path, d, precision):
        import torch

        self.torch = torch
        torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        model = module.Model()
        kind = torch.bfloat16 if precision == "bfloat16" else torch.float32
        self.ffn = model.blocks[0].ffn.to("cuda", kind)
        self.kind = kind
        self.d = d
        # Tokens are sorted by expert with counts that the host reads, which no graph can hold; a
        # capture that fails would spoil all later ones.
        self.captures = "experts" not in path.stem

    def seconds(self, tokens, direction, compiled):
        torch = self.torch
        ffn = torch.compile(self.ffn) if compiled else self.ffn
        x = torch.randn(1, tokens, self.d, device="cuda", dtype=self.kind)
        dy = torch.randn_like(x)
        x.requires_grad_(direction == "backward")
        wanted = [x, *(p for p in self.ffn.parameters() if p.requires_grad)]

        def forward():
            with torch.no_grad():
                return ffn(x)

        def both():
            return torch.autograd.grad(ffn(x), wanted, dy, allow_unused=True)

        if direction == "forward":
            return median_seconds(torch, forward, self.captures)
        # Of a training step without its forward pass: the difference of the two.
        forward_of_both = median_seconds(torch, lambda: ffn(x).detach(), self.captures)
        return median_seconds(torch, both, self.captures) - forward_of_both

    def best(self, tokens, direction, compiles):
        times = {}
        for compiled in (False, True) if compiles else (False,):
            try:
                times["compiled" if compiled else "eager"] = self.seconds(
                    tokens, direction, compiled
                )
            except Exception as error:  # a graph that cannot be captured, a compiler that gives up
                times["failed"] = type(error).__name__
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return times


def median_seconds(torch, run, captures):
    """Of replays of a captured graph, or of launches where that is impossible; timed by events."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            run()
    torch.cuda.synchronize()
    launch = run
    if captures:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            run()
        launch = graph.replay
    launch()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    launch()
    torch.cuda.synchronize()
    runs = max(1, min(200, int(0.002 / max(time.perf_counter() - begin, 1e-6))))
    samples = []
    for _ in range(15):
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        for _ in range(runs):
            launch()
        last.record()
        torch.cuda.synchronize()
        samples.append(first.elapsed_time(last) / 1e3 / runs)
    return statistics.median(samples)


def shown(seconds):
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def measure(options):
    worker = Worker(options.worker)
    described = worker.ask(type="describe")
    if described["type"] == "error":
        raise SystemExit(f"bench_cuda: {described['sentence']}")
    peaks = worker.ask(type="peaks", budget_seconds=2.0)
    results = {"described": described, "peaks": peaks, "rows": []}
    print(f"# {described['device']}\n\n{json.dumps(peaks)}\n", flush=True)
    print("| FFN | d | T | precision | pass | ours | FLOP/s | bytes/s | PyTorch | ratio | error |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    until = time.monotonic() + options.seconds
    for case in cases(options):
        if time.monotonic() > until:
            print(f"\nstopped after {options.seconds} s: the rest is missing")
            break
        results["rows"].append(row(worker, options, *case))
    return results


def cases(options):
    for d in options.width:
        for name, spec in ffns(d).items():
            if options.only not in name:
                continue
            for precision in options.precision:
                if precision != "float32" and not name.startswith(PRODUCTS):
                    continue
                for direction in options.direction:
                    for tokens in options.tokens:
                        yield name, spec, d, tokens, precision, direction


def row(worker, options, name, spec, d, tokens, precision, direction):
    answer = ours(worker, spec, d, tokens, precision, direction, options.budget)
    record = {
        "ffn": name,
        "d": d,
        "tokens": tokens,
        "precision": precision,
        "pass": direction,
        "ours": answer,
    }
    start = f"| {name} | {d} | {tokens} | {precision} | {direction} |"
    if answer["type"] == "error":
        print(f"{start} {answer['code']}: {answer['sentence']} | | | | | |", flush=True)
        return record
    seconds = answer["median_seconds"]
    times = {}
    if options.torch:
        peer = Peer(module_path(options.folder, name, d), d, precision)
        times = peer.best(tokens, direction, options.compile)
    record["torch"] = times
    best = min((t for t in times.values() if isinstance(t, float)), default=None)
    theirs = f"{shown(best)} | {best / seconds:.2f}" if best else f"{times.get('failed', '')} |"
    print(
        f"{start} {shown(seconds)} | {answer['flops_per_second'] / 1e12:.3g} T"
        f" | {answer['bytes_needed'] / seconds / 1e9:.4g} G | {theirs}"
        f" | {answer['check']['relative_error']:.1e} |",
        flush=True,
    )
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    modules = commands.add_parser("modules", help="export the cases")
    modules.add_argument("--flopsmith", default="build/release/bin/flopsmith")
    run = commands.add_parser("run", help="measure")
    run.add_argument("--worker", default="build/release/bin/flopsmith-bench-cuda")
    run.add_argument("--no-torch", dest="torch", action="store_false")
    run.add_argument("--compile", action="store_true", help="also by torch.compile")
    run.add_argument("--width", nargs="+", type=int, default=WIDTHS)
    run.add_argument("--tokens", nargs="+", type=int, default=[1, 128, 2048])
    run.add_argument("--precision", nargs="+", default=["float32", "tf32", "bfloat16"])
    run.add_argument("--direction", nargs="+", default=["forward", "backward"])
    run.add_argument("--only", default="", help="part of a case's name")
    run.add_argument("--budget", type=float, default=0.2, help="seconds for each of ours")
    run.add_argument("--seconds", type=float, default=1e9, help="for all")
    run.add_argument("--json", type=Path, help="write what was measured")
    for each in (modules, run):
        each.add_argument("folder", type=Path)
    options = parser.parse_args()
    if options.command == "modules":
        write_modules(options.flopsmith, options.folder)
        return
    results = measure(options)
    if options.json:
        options.json.write_text(json.dumps(results))


if __name__ == "__main__":
    sys.exit(main())
