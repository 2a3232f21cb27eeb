# SPDX-License-Identifier: MIT
"""Runs the model in float64 and compares it with what Flopsmith's reference computed.

Both had the weights of model.safetensors and the inputs of expected.safetensors. The exit code
is 0 if all is equal, else 1.
"""

import os
import sys

# A file beside this one that is called like a module, as json.py, is not imported.
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:] = [place for place in sys.path if os.path.realpath(place) != HERE]

import importlib.util
import json
import pathlib
import struct

import torch

FOLDER = pathlib.Path(HERE)


def beside(name):
    """The module in the file of that name in this folder."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


Model = beside("model").Model
DTYPES = {"F64": torch.float64, "F32": torch.float32, "BF16": torch.bfloat16,
          "I64": torch.int64, "I32": torch.int32}
MOST_RELATIVE = 1e-10  # of outputs, to their largest
MOST_OF_GRADIENT = 1e-9  # of gradients, to the largest of their tensor
ROUNDING = 1e-12  # to the largest gradient of all: what is left of terms that cancel


def read_safetensors(path):
    """All tensors of a file: 8 bytes of length, a header in JSON, the values."""
    data = bytearray(path.read_bytes())
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(bytes(data[8:8 + length]))
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        dtype = DTYPES[entry["dtype"]]
        values = torch.empty(0, dtype=dtype)
        if end > begin:
            count = (end - begin) // values.element_size()
            values = torch.frombuffer(data, dtype=dtype, count=count, offset=8 + length + begin)
        tensors[name] = values.reshape(entry["shape"])
    return tensors


def loaded_model():
    state = {}
    for path in sorted(FOLDER.glob("model*.safetensors")):
        state.update(read_safetensors(path))
    model = Model().double().eval()
    model.load_state_dict(state, strict=True)
    return model


def outputs_equal(outputs, wanted):
    wanted = wanted.reshape(outputs.shape)
    largest = wanted.abs().max().item()
    differences = (outputs - wanted).abs().flatten(0, -2).amax(-1)
    equal = int((differences <= MOST_RELATIVE * largest).sum())
    verdict = "equal" if equal == len(differences) else "NOT EQUAL"
    print(f"outputs: max |Δ| {differences.max().item():.1e} of {largest:.3g}, "
          f"{equal} of {len(differences)} positions: {verdict}")
    return equal == len(differences)


def gradients_equal(model, wanted):
    rounding = ROUNDING * max(value.abs().max().item() for value in wanted.values())
    worst, worst_name, wrong = 0.0, "", []
    for name, parameter in model.named_parameters():
        if name not in wanted:
            continue
        found = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        largest = wanted[name].abs().max().item()
        difference = (found - wanted[name]).abs().max().item()
        if difference > MOST_OF_GRADIENT * largest + rounding:
            wrong.append(name)
        if largest > rounding and difference / largest > worst:
            worst, worst_name = difference / largest, name
    verdict = "equal" if not wrong else "NOT EQUAL: " + ", ".join(wrong)
    print(f"gradients: largest relative |Δ| {worst:.1e} ({worst_name}), "
          f"{len(wanted) - len(wrong)} of {len(wanted)} tensors: {verdict}")
    return not wrong


def main():
    expected = read_safetensors(FOLDER / "expected.safetensors")
    model = loaded_model()
    inputs = [expected[name] for name in ("images", "tokens", "source") if name in expected]
    outputs = model(*inputs)
    equal = outputs_equal(outputs.detach(), expected["outputs"])
    if "output_gradients" in expected:
        outputs.backward(expected["output_gradients"].reshape(outputs.shape))
        prefix = "gradients."
        wanted = {name[len(prefix):]: value for name, value in expected.items()
                  if name.startswith(prefix) and value.numel() > 0}
        equal = gradients_equal(model, wanted) and equal
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()
