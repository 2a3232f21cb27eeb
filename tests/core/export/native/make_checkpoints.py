# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes tiny random models of the transformers library in the folder that is named.

Each gets a folder FAMILY-float32 or FAMILY-float64 with config.json, model.safetensors, and
expected.safetensors: tokens [S], and the logits [S, vocab] that the library computes.
"""

import pathlib
import sys

import torch
import transformers
from safetensors.torch import save_file

SIZES = {
    "vocab_size": 61,
    "hidden_size": 24,
    "intermediate_size": 40,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
}
GROUPED = {**SIZES, "num_key_value_heads": 2}
SANDWICH = {**GROUPED, "head_dim": 8, "query_pre_attn_scalar": 11, "sliding_window": 4}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
YARN = {
    "rope_type": "yarn",
    "rope_theta": 1000.0,
    "factor": 4.0,
    "original_max_position_embeddings": 16,
}
TOKENS = [1, 5, 9, 2, 60, 33, 7, 8, 11, 12]


def configs():
    t = transformers
    yield "gpt2", t.GPT2Config(
        vocab_size=61, n_embd=24, n_layer=3, n_head=4, n_positions=32, layer_norm_epsilon=3e-4
    )
    yield "llama", t.LlamaConfig(
        **GROUPED, rms_norm_eps=1e-3, attention_bias=True, mlp_bias=True, rope_parameters=LLAMA3
    )
    linear = {"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.0}
    yield "llama-tied", t.LlamaConfig(**GROUPED, tie_word_embeddings=True, rope_parameters=linear)
    yield "mistral", t.MistralConfig(**GROUPED, sliding_window=4)
    yield "qwen2", t.Qwen2Config(**GROUPED, tie_word_embeddings=True)
    yield "qwen3", t.Qwen3Config(**GROUPED, head_dim=8, rope_parameters=YARN)
    yield "gemma", t.GemmaConfig(**GROUPED, head_dim=8)
    yield "gemma2", t.Gemma2Config(**SANDWICH)
    kinds = ["sliding_attention", "sliding_attention", "full_attention"]
    yield "gemma3", t.Gemma3TextConfig(**SANDWICH, layer_types=kinds)
    yield "bert", t.BertConfig(**SIZES)
    yield "olmo", t.OlmoConfig(**GROUPED, clip_qkv=0.5)
    clipped = {"clip_qkv": 0.5, "softmax_scale": 0.3}
    # A number of heads that is no power of two has further slopes.
    yield "mpt", t.MptConfig(
        vocab_size=61, d_model=24, n_heads=6, n_layers=3, max_seq_len=32, attn_config=clipped
    )


def make(folder, config, dtype):
    torch.manual_seed(7)
    is_bert = config.model_type == "bert"
    kind = transformers.AutoModelForMaskedLM if is_bert else transformers.AutoModelForCausalLM
    model = kind.from_config(config, attn_implementation="eager", dtype=dtype).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.3 * torch.randn_like(parameter))
        logits = model(torch.tensor([TOKENS])).logits[0]
    model.save_pretrained(folder)
    expected = {"tokens": torch.tensor(TOKENS), "logits": logits.double().contiguous()}
    save_file(expected, str(folder / "expected.safetensors"))


def compute_in_double():
    """The library computes norms, angles and softmax in single precision, whatever its models have."""
    torch.set_default_dtype(torch.float64)
    torch.float32 = torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double


def main():
    for name, dtype in (("float32", torch.float32), ("float64", torch.float64)):
        if name == "float64":
            compute_in_double()
        for family, config in configs():
            make(pathlib.Path(sys.argv[1]) / f"{family}-{name}", config, dtype)


if __name__ == "__main__":
    main()
