# SPDX-License-Identifier: GPL-3.0-or-later
"""check_hub.py FOLDER…: loads each folder by the Hugging Face library in double precision and compares
its outputs with those in expected.safetensors."""

import sys

import torch
import transformers
from safetensors.torch import load_file


def compute_in_double():
    """The library computes norms and angles in single precision, whatever its models have."""
    torch.set_default_dtype(torch.float64)
    torch.float32 = torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double


def load(folder):
    is_bert = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=True).model_type == "bert"
    kind = transformers.AutoModelForMaskedLM if is_bert else transformers.AutoModelForCausalLM
    # Its own attention, which computes softmax in the precision of the model.
    return kind.from_pretrained(
        folder, trust_remote_code=True, dtype=torch.float64, attn_implementation="eager"
    )


def largest_error(loaded, expected):
    model = type(loaded)(loaded.config).to(torch.float64).eval()  # its angles in double too
    model.load_state_dict(loaded.state_dict())
    with torch.no_grad():
        logits = model(expected["tokens"]).logits
    outputs = expected["outputs"].view(logits.shape)
    return ((logits - outputs).abs().max() / outputs.abs().max()).item()


folders = sys.argv[1:]
models = [load(folder) for folder in folders]
outputs = [load_file(folder + "/expected.safetensors") for folder in folders]
compute_in_double()
errors = [largest_error(model, expected) for model, expected in zip(models, outputs)]
for folder, model, error in zip(folders, models, errors):
    print(f"{folder.split('/')[-1]} {type(model).__name__}: {error:.2e}")
sys.exit(0 if all(error <= 1e-10 for error in errors) else 1)
