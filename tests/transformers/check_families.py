# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what Flopsmith imports against what the transformers library builds.

For every model type that the program names: the defaults of the library's class, a small model, and
the small model with one key changed at a time, in each class of the type. The model is built on the
meta device, without memory; its parameters, shared ones once, must equal those of `flopsmith cost`,
to the digit. So must the multiply-adds of its products at one and at 128 tokens, which the small
models compute.

    python check_families.py FLOPSMITH [--golden FILE] [TYPE ...]

prints one line per type and one per difference, and fails if there is a difference. With --golden
some of the library's figures are written to the file, which `./dev test` holds against the imports
without the library (tests/core/io/import_built_test.cpp).
"""
import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode
from transformers.models.auto import configuration_auto, modeling_auto

LENGTHS = (1, 128)
GOLDEN_CHANGES = 2  # of each type's first class, beside the defaults and the small model of all
BATCH = 1

# Sizes of the small model, by the names that the families use.
SMALL = {
    64: ("hidden_size", "n_embd", "d_model", "dim"),
    3: ("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
    4: ("num_attention_heads", "n_head", "num_heads", "n_heads", "attention_heads"),
    96: ("intermediate_size", "ffn_dim", "d_ff", "hidden_dim"),
    101: ("vocab_size",),
    2: ("num_key_value_heads",),
    16: ("head_dim", "d_kv"),
    24: ("moe_intermediate_size",),
    6: ("num_experts", "num_local_experts", "n_routed_experts"),
    130: ("max_position_embeddings", "n_positions"),
    32: ("embedding_size",),
}

# What a class needs besides, to be as small.
OWN = {
    "gpt_neo": {"num_layers": 4, "attention_types": [[["global", "local"], 2]], "window_size": 8},
    "albert": {"embedding_size": 32},
    "gptj": {"rotary_dim": 8},
    "codegen": {"rotary_dim": 8},
    "ministral": {"head_dim": 16},
    "hunyuan_v1_dense": {"head_dim": 16},
    "flex_olmo": {"pad_token_id": 0},
    "mamba2": {"num_heads": 8, "head_dim": 16, "state_size": 8, "n_groups": 2, "chunk_size": 32},
    "bamba": {"mamba_n_heads": 8, "mamba_d_state": 8, "mamba_n_groups": 2, "mamba_chunk_size": 32,
              "attn_layer_indices": [1]},
    "granitemoehybrid": {"mamba_n_heads": 8, "mamba_d_state": 8, "mamba_n_groups": 2,
                         "mamba_chunk_size": 32,
                         "layer_types": ["linear_attention", "full_attention", "linear_attention"]},
    "nemotron_h": {"mamba_num_heads": 8, "mamba_head_dim": 16, "ssm_state_size": 8, "n_groups": 2,
                   "chunk_size": 32, "moe_shared_expert_intermediate_size": 40},
    "dots1": {"head_dim": 16, "n_routed_experts": 6, "n_shared_experts": 1, "num_experts_per_tok": 2},
}

# One key at a time, where the class has it.
CHANGES = {
    "num_hidden_layers": 5, "n_layer": 5, "num_layers": 2, "num_key_value_heads": 1,
    "head_dim": 24, "intermediate_size": 40, "n_inner": 40, "ffn_dim": 40, "vocab_size": 77,
    "hidden_act": "relu", "activation_function": "relu", "type_vocab_size": 1, "embedding_size": 64,
    "num_experts_per_tok": 1, "num_local_experts": 3, "n_routed_experts": 4, "n_shared_experts": 2,
    "shared_intermediate_size": 40, "first_k_dense_replace": 2, "sliding_window": 8,
    "partial_rotary_factor": 0.25, "rotary_dim": 8, "logit_scale": 1.0, "num_hidden_groups": 2,
    "relative_attention_num_buckets": 16, "image_size": 64, "patch_size": 8, "num_labels": 5,
    "attention_multiplier": 0.5, "residual_multiplier": 0.5, "num_decoder_layers": 2,
    "num_nextn_predict_layers": 0, "no_rope_layer_interval": 2, "word_embed_proj_dim": 32,
    "q_lora_rank": None, "moe_intermediate_size": 40, "layer_types": None,
    "n_groups": 4, "mamba_n_groups": 4, "state_size": 12, "mamba_d_state": 12, "ssm_state_size": 12,
    "conv_kernel": 3, "mamba_d_conv": 3, "chunk_size": 16, "mamba_chunk_size": 16,
    "position_embedding_type": "rope", "attn_layer_indices": None,
}

# Flags that say how a model is run or decoded, not what it is.
RUNNING = {
    "use_cache", "return_dict", "output_attentions", "output_hidden_states", "torchscript",
    "is_encoder_decoder", "output_router_logits", "tie_encoder_decoder", "use_bfloat16",
    "is_llama_config", "add_cross_attention", "is_decoder",
}

def documented(model_type, class_name, label):
    """Why a difference is meant (core/io/hugging_face/README.md); empty where none is."""
    if model_type == "switch_transformers":
        return "experts drop tokens beyond their capacity, and an untied head is untied twice"
    if model_type == "gemma3":
        return "its image part is not counted"
    if label == "tie_word_embeddings = False" and class_name.endswith("ForMaskedLM"):
        return "an untied head has a second bias, which is never read"
    return ""


MAPPINGS = (
    modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_PRETRAINING_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES,
    modeling_auto.MODEL_MAPPING_NAMES,
)


def classes_of(model_type):
    names = []
    for mapping in MAPPINGS:
        name = mapping.get(model_type)
        for each in name if isinstance(name, (tuple, list)) else [name]:
            if each is not None and each not in names and hasattr(transformers, each):
                names.append(each)
    return names


def small(config_class):
    """The small model's keys, as far as the class has them."""
    known = config_class().to_dict()
    keys = {}
    for size, names in SMALL.items():
        for name in names:
            if isinstance(known.get(name), int) and not isinstance(known.get(name), bool):
                keys[name] = size
    if "qk_rope_head_dim" in known:
        keys.pop("head_dim", None)  # which follows from it
    if "num_experts_per_tok" in known:
        keys["num_experts_per_tok"] = 2
    for list_of_blocks in ("layer_types", "no_rope_layers"):
        if list_of_blocks in known:
            keys[list_of_blocks] = None
    return {**keys, **OWN.get(config_class.model_type, {})}


def variants_of(config_class):
    yield "defaults", {}
    if "text_config" in config_class().to_dict():
        return  # of several parts, whose sizes stand in objects of their own
    base = small(config_class)
    yield "small", base
    known = config_class(**base).to_dict()
    for key, value in CHANGES.items():
        always = key == "num_labels"  # which a config keeps as the names of its labels
        if always or key in known or key == "partial_rotary_factor" and "rope_parameters" in known:
            yield f"{key} = {value}", {**base, key: value}
    for key, value in known.items():
        if isinstance(value, bool) and key not in RUNNING:
            yield f"{key} = {not value}", {**base, key: not value}


def reads_images(config):
    return getattr(config, "image_size", None) is not None and hasattr(config, "num_channels")


def size(config, *names):
    return next(getattr(config, name) for name in names if hasattr(config, name))


def recurrences(model, config, length):
    """What is counted of the Mamba-2 mixers less what the library computes for them: it convolves
    beyond the end of a sequence, fills it up to whole chunks, scores every head instead of every
    group, and passes all states on in one product."""
    mixers = [part for part in model.modules() if hasattr(part, "A_log")]
    if not mixers:
        return 0
    heads = size(config, "mamba_n_heads", "mamba_num_heads", "num_heads")
    width = size(config, "mamba_d_head", "mamba_head_dim", "head_dim")
    state = size(config, "mamba_d_state", "ssm_state_size", "state_size")
    groups = size(config, "mamba_n_groups", "n_groups")
    taps = size(config, "mamba_d_conv", "conv_kernel")
    chunk = size(config, "mamba_chunk_size", "chunk_size")
    chunks = -(-length // chunk)
    inner = heads * width
    channels = inner + 2 * groups * state
    lengths = [min(chunk, length - first) for first in range(0, length, chunk)]
    pairs = sum(each * each for each in lengths)
    counted = length * channels * taps + pairs * (groups * state + inner) + 2 * length * inner * state
    computed = (length + taps - 1) * channels * taps + heads * (
        chunks * chunk * chunk * (state + width)
        + 2 * chunks * chunk * width * state
        + (chunks + 1) ** 2 * width * state
    )
    return len(mixers) * (counted - computed)


def multiply_adds(model, config, length):
    """Of one pass of all tokens; None where the library cannot compute it."""
    if reads_images(config):
        side = config.image_size
        given = {"pixel_values": torch.zeros((BATCH, config.num_channels, side, side))}
    else:
        given = {"input_ids": torch.zeros((BATCH, length), dtype=torch.long)}
        if config.is_encoder_decoder:
            given["decoder_input_ids"] = given["input_ids"]
    if getattr(config, "chunk_size", None) or getattr(config, "mamba_chunk_size", None):
        given["use_cache"] = False  # with a cache a convolution begins with inputs that are kept
    counter = FlopCounterMode(display=False)
    try:
        with torch.no_grad(), counter:
            model(**given)
    except Exception as error:
        if os.environ.get("SHOW_ERRORS"):
            print(f"  not run: {type(error).__name__}: {error}")
        return None
    return counter.get_total_flops() // 2 + recurrences(model, config, length)


def built(class_name, keys, device):
    """The library's model and its config."""
    model_class = getattr(transformers, class_name)
    config = model_class.config_class(**keys)
    config._attn_implementation = "eager"  # products that are counted one by one
    config._experts_implementation = "eager"
    with torch.device(device):
        model = model_class(config)
    model.tie_weights()
    return model.eval(), config


def parameters(model):
    return sum(p.numel() for p in {id(p): p for p in model.parameters()}.values())


class Program:
    def __init__(self, path, folder):
        self.path = path
        self.file = os.path.join(folder, "config.json")

    def types(self):
        asked = [self.path, "families", "--format", "json"]
        rows = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
        return [row["model_type"] for row in rows]

    def write(self, config, class_name):
        keys = config.to_dict()
        keys["architectures"] = [class_name]
        with open(self.file, "w") as file:
            json.dump(keys, file)

    def cost(self, length):
        """The totals of a pass, or none and the error; an image has as many tokens as it has."""
        asked = [self.path, "cost", self.file, "--lens", "mac", "--pairs", "full", "--format", "json"]
        asked += ["--seq", str(length)] if length else []
        done = subprocess.run(asked, capture_output=True, text=True)
        return (json.loads(done.stdout)["total"], "") if done.returncode == 0 else (None, done.stderr)


class Tally:
    def __init__(self):
        self.equal = self.documented = self.refused = self.unbuilt = self.unrun = 0
        self.differences = []
        self.golden = []


def golden_row(model_type, class_name, keys, parameters, products):
    row = {"config": {"model_type": model_type, "architectures": [class_name], **keys},
           "parameters": parameters}
    return {**row, "macs": products} if products else row


def check(program, model_type, class_name, label, keys, tally):
    try:
        with contextlib.redirect_stderr(None):
            model, config = built(class_name, keys, "meta" if label == "defaults" else "cpu")
    except Exception:
        tally.unbuilt += 1
        return
    program.write(config, class_name)
    wanted = parameters(model)
    where = f"{model_type} {class_name} {label}"
    computed = {}

    def note(difference):
        if documented(model_type, class_name, label):
            tally.documented += 1
        else:
            tally.differences.append(difference)

    for length in [None] if reads_images(config) else LENGTHS:
        found, error = program.cost(length)
        if found is None:
            tally.refused += 1
            if label in ("defaults", "small"):
                print(f"  refused: {where}: {error.strip().splitlines()[-1][:200]}")
            return
        if found["params"] != wanted:
            note(f"{where}: {found['params']} parameters, built {wanted}")
            return
        if label == "defaults":
            continue
        products = multiply_adds(model, config, length)
        if products is not None:
            computed[str(length or "image")] = products
        if products is None:
            tally.unrun += 1
        elif products != found["macs"]:
            note(f"{where}, {length} tokens: {found['macs']} multiply-adds, computed {products}")
            return
    tally.equal += 1
    # Some classes tie whatever the file says, and a file without q_lora_rank means none.
    named = ["tie_word_embeddings"] if config.is_encoder_decoder else ["q_lora_rank"]
    written = config.to_dict()
    keys = {**keys, **{name: written[name] for name in named if name in written}}
    tally.golden.append(golden_row(model_type, class_name, keys, wanted, computed))


def checked(program, model_type):
    """The tally of a type, and what of it is worth keeping; none where the library has no such type."""
    if model_type not in configuration_auto.CONFIG_MAPPING_NAMES:
        return None
    tally = Tally()
    golden = []
    config_class = configuration_auto.CONFIG_MAPPING[model_type]
    for class_name in classes_of(model_type):
        if getattr(transformers, class_name).config_class is not config_class:
            continue
        first = len(tally.golden)
        for label, keys in variants_of(config_class):
            check(program, model_type, class_name, label, keys, tally)
        of_class = tally.golden[first:]
        golden += of_class[:2] + (of_class[2:][-GOLDEN_CHANGES:] if not golden else [])
    return tally, golden


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("program")
    asked.add_argument("--golden")
    asked.add_argument("types", nargs="*")
    asked = asked.parse_intermixed_args()
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    failed = False
    kept = []
    with tempfile.TemporaryDirectory() as folder:
        program = Program(asked.program, folder)
        for model_type in asked.types or program.types():
            found = checked(program, model_type)
            if found is None:
                print(f"{model_type}: not a type of this library", flush=True)
                continue
            tally, golden = found
            kept += golden
            print(f"{model_type}: {tally.equal} equal, {len(tally.differences)} differ, "
                  f"{tally.documented} as documented, {tally.refused} refused, {tally.unbuilt} not built by the library, "
                  f"{tally.unrun} passes not run", flush=True)
            for difference in tally.differences:
                print("  differs: " + difference)
            failed = failed or bool(tally.differences)
    if asked.golden:
        with open(asked.golden, "w") as file:
            file.write("[\n" + ",\n".join(json.dumps(row) for row in kept) + "\n]\n")
    sys.exit(1 if failed else 0)


main()
