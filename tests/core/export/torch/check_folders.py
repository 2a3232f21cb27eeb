# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks every exported folder in the folder that is named, in one process.

Runs its check.py (outputs and gradients in float64), runs the model in float64 on the inputs of
other lengths (expected-*.safetensors), and in float32 on those of check.py, where outputs may
differ by 16·ε·√terms of the largest (terms.txt has their number), unless a part of the model computes
what float32 cannot hold, such as a high power of a large number. Counts its matrix products
where products.txt says how many there are. Prints what is not equal, and how many folders are at each level.
"""

import contextlib
import io
import pathlib
import runpy
import sys
import traceback

import torch
import torch.utils.flop_counter

MOST_RELATIVE = 1e-10
EPSILON = 2.0**-23
LARGEST_IN_FLOAT32 = 1e30  # with room for products inside a part


def said(folder):
    """What its check says, whether all is equal, and what check.py has."""
    text = io.StringIO()
    sys.modules.pop("model", None)
    path = list(sys.path)  # check.py takes places away
    code, check = 1, {}
    try:
        with contextlib.redirect_stdout(text):
            runpy.run_path(str(folder / "check.py"), run_name="__main__")
    except SystemExit as end:
        code = end.code
    except Exception:  # a program that fails is one that is not equal
        traceback.print_exc(file=text)
    else:
        text.write("check.py ended without a verdict")
    try:
        check = runpy.run_path(str(folder / "check.py"))
    finally:
        sys.path[:] = path
    return text.getvalue(), code == 0, check


def relative_error(model, expected, dtype):
    inputs = [expected[name] for name in ("images", "tokens", "source") if name in expected]
    inputs = [x.to(dtype) if x.is_floating_point() else x for x in inputs]
    with torch.no_grad():
        outputs = model(*inputs).double()
    wanted = expected["outputs"].reshape(outputs.shape)
    largest = wanted.abs().max().item()
    # One feature behind a norm is 0, and so is all that follows.
    return (outputs - wanted).abs().max().item() / (largest if largest > 0.0 else 1.0)


def largest_inside(model, expected):
    """The largest number that any part of the model gives in float64."""
    largest = 0.0

    def note(_module, _inputs, output):
        nonlocal largest
        if isinstance(output, torch.Tensor) and output.numel() > 0:
            largest = max(largest, output.abs().max().item())

    hooks = [module.register_forward_hook(note) for module in model.modules()]
    relative_error(model, expected, torch.float64)
    for hook in hooks:
        hook.remove()
    return largest


def products(model, expected):
    """FLOPs of the matrix products of a pass, as a profiler counts them."""
    with torch.utils.flop_counter.FlopCounterMode(display=False) as counter:
        relative_error(model, expected, torch.float32)
    return counter.get_total_flops()


def check_folder(folder):
    """Problems, by level."""
    text, is_equal, check = said(folder)
    problems = {} if is_equal else {"L1, L3": text}
    if not check:
        return problems
    model = check["loaded_model"]()
    read = check["read_safetensors"]
    for path in sorted(folder.glob("expected-*.safetensors")):
        error = relative_error(model, read(path), torch.float64)
        if not error <= MOST_RELATIVE:
            problems["L1 at other lengths"] = f"{path.name}: {error:.1e}"
    terms = float((folder / "terms.txt").read_text())
    most = 16 * EPSILON * terms**0.5
    fits = largest_inside(model, read(folder / "expected.safetensors")) <= LARGEST_IN_FLOAT32
    error = relative_error(model.float(), read(folder / "expected.safetensors"), torch.float32)
    if fits and not error <= most:
        problems["L2"] = f"float32: {error:.1e}, more than {most:.1e}"
    if (folder / "products.txt").exists():
        wanted = int((folder / "products.txt").read_text())
        found = products(model, read(folder / "expected.safetensors"))
        if found != wanted:
            problems["products"] = f"{found} FLOPs, expected {wanted}"
    return problems


def main():
    sys.dont_write_bytecode = True
    folders = sorted(path.parent for path in pathlib.Path(sys.argv[1]).glob("*/check.py"))
    wrong = {"L1, L3": 0, "L1 at other lengths": 0, "L2": 0, "products": 0}
    for folder in folders:
        for level, text in check_folder(folder).items():
            wrong[level] += 1
            print(f"{folder}, {level}:\n{text}")
    for level, count in wrong.items():
        print(f"{level}: {len(folders) - count} of {len(folders)} equal")
    sys.exit(0 if folders and not any(wrong.values()) else 1)


if __name__ == "__main__":
    main()
