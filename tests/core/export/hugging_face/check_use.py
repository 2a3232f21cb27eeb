# SPDX-License-Identifier: GPL-3.0-or-later
"""check_use.py FOLDER…: uses each exported folder as people do, and prints what goes wrong.

Loads it by the class that its config names; generates, trains two steps by Trainer, saves, and loads
what was saved. Of code of its own it compares outputs with those of expected.safetensors, those of
padded sequences with those of each alone, and a pass over new tokens after a cached one with a whole
pass.
"""

import inspect
import sys
import tempfile
import traceback
import warnings

import torch
import transformers
from safetensors.torch import load_file

MOST_RELATIVE = 1e-10
SEQUENCES = ([3, 1, 4, 1, 5], [9, 2, 6], [5])
SOURCES = ([2, 7], [1, 8, 2, 8], [1])
PAD = 7  # any token: the mask says what is padding


def auto_class(config):
    """The class of transformers that loads the folder, by its name."""
    own = getattr(config, "auto_map", None)
    if own:
        return next(name for name in own if name.startswith("AutoModel"))
    name = config.architectures[0]
    for ending in ("CausalLM", "LMHeadModel", "MaskedLM", "SequenceClassification"):
        if name.endswith(ending):
            return "AutoModelFor" + ending.replace("LMHeadModel", "CausalLM")
    return "AutoModel"


def load(folder, dtype=None):
    """In double precision, of which only code of its own makes use in every part."""
    config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=True)
    kind = getattr(transformers, auto_class(config))
    if dtype is None:
        dtype = torch.float64 if config.model_type == "flopsmith" else torch.float32
    return kind.from_pretrained(
        folder, trust_remote_code=True, dtype=dtype, attn_implementation="eager"
    ).eval()


def is_own(model):
    return model.config.model_type == "flopsmith"


def reads_images(model):
    return model.main_input_name == "pixel_values"


def relative(found, wanted):
    return ((found - wanted).abs().max() / wanted.abs().max()).item()


def expect_equal(found, wanted, what):
    error = relative(found, wanted)
    if not error <= MOST_RELATIVE:
        raise AssertionError(f"{what}: {error:.1e} from {list(wanted.shape)}")


def outputs_of(model, **inputs):
    with torch.no_grad():
        result = model(**inputs)
    return result.logits if "logits" in result else result[0]


def check_reference(model, expected):
    """Own code alone: the library computes norms and angles of its own in single precision."""
    if "images" in expected:
        inputs = {"pixel_values": expected["images"]}
    elif "source" in expected:
        inputs = {"input_ids": expected["source"], "decoder_input_ids": expected["tokens"]}
    else:
        inputs = {"input_ids": expected["tokens"]}
    outputs = outputs_of(model, **inputs)
    expect_equal(outputs, expected["outputs"].view(outputs.shape), "outputs")


def padded(sequences, side):
    """The sequences as a batch, and its mask."""
    longest = max(len(sequence) for sequence in sequences)
    rows, masks = [], []
    for sequence in sequences:
        more = longest - len(sequence)
        row, mask = [PAD] * more, [0] * more
        if side == "left":
            rows.append(row + sequence)
            masks.append(mask + [1] * len(sequence))
        else:
            rows.append(sequence + row)
            masks.append([1] * len(sequence) + mask)
    return torch.tensor(rows), torch.tensor(masks)


def alone(model, row):
    ids = torch.tensor([SEQUENCES[row]])
    if model.config.is_encoder_decoder:
        return {"input_ids": torch.tensor([SOURCES[row]]), "decoder_input_ids": ids}
    return {"input_ids": ids}


def batch(model, side):
    ids, mask = padded(SEQUENCES, side)
    if model.config.is_encoder_decoder:
        source, source_mask = padded(SOURCES, side)
        return {
            "input_ids": source,
            "attention_mask": source_mask,
            "decoder_input_ids": ids,
            "decoder_attention_mask": mask,
        }
    return {"input_ids": ids, "attention_mask": mask}


def check_padding(model):
    for side in ("left", "right"):
        inputs = batch(model, side)
        name = "decoder_attention_mask" if model.config.is_encoder_decoder else "attention_mask"
        outputs = outputs_of(model, **inputs)
        for row in range(len(SEQUENCES)):
            found = outputs[row]
            if outputs.dim() == 3:  # of each token
                found = found[inputs[name][row].bool()]
            expect_equal(found, outputs_of(model, **alone(model, row))[0], f"padding on the {side}")


def check_positions(model):
    """Positions that are given count: those of the sequence change nothing."""
    ids = torch.tensor([SEQUENCES[0]])
    where = torch.arange(ids.shape[1])[None]
    plain = outputs_of(model, input_ids=ids)
    expect_equal(outputs_of(model, input_ids=ids, position_ids=where), plain, "position_ids")


def check_cache(model):
    """A pass over two tokens after one over three is one over five."""
    inputs = alone(model, 0)
    name = "decoder_input_ids" if model.config.is_encoder_decoder else "input_ids"
    ids = inputs.pop(name)
    whole = outputs_of(model, **inputs, **{name: ids})
    with torch.no_grad():
        first = model(**inputs, **{name: ids[:, :3]}, use_cache=True)
        second = model(**inputs, **{name: ids[:, 3:]}, cache=first.cache)
    expect_equal(torch.cat([first.logits, second.logits], dim=1), whole, "a pass after a cached one")


def check_generation(model):
    """Of a padded batch, by a cache and without: the tokens of each sequence by itself."""
    options = {"max_new_tokens": 4, "do_sample": False, "pad_token_id": 0}
    is_seq2seq = model.config.is_encoder_decoder
    ids, mask = padded(SOURCES if is_seq2seq else SEQUENCES, "left")
    texts = [model.generate(ids, attention_mask=mask, use_cache=use, **options)[:, -4:]
             for use in (True, False)]
    if not torch.equal(*texts):
        raise AssertionError("generate() gives other tokens with a cache than without")
    for row, sequence in enumerate(SOURCES if is_seq2seq else SEQUENCES):
        found = model.generate(torch.tensor([sequence]), **options)[0, -4:]
        if not torch.equal(found, texts[0][row]):
            raise AssertionError("generate() gives other tokens for a padded sequence")
    beams = model.generate(ids, attention_mask=mask, num_beams=2, **options)
    if beams.shape[0] != len(SEQUENCES):
        raise AssertionError("beams")


def examples(model):
    """What Trainer reads: sequences with padding, or images."""
    label = [0, 1, 0]
    if reads_images(model):
        images = torch.randn(3, *image_shape(model), dtype=model.dtype)
        return [{"pixel_values": image, "labels": y} for image, y in zip(images, label)]
    inputs = batch(model, "left" if is_own(model) else "right")
    rows = [{name: tensor[row] for name, tensor in inputs.items()} for row in range(3)]
    for row, y in zip(rows, label):
        is_lm = "CausalLM" in type(model).__name__ or "LMHead" in type(model).__name__ \
            or "MaskedLM" in type(model).__name__
        if model.config.is_encoder_decoder:
            ids, mask = row.pop("decoder_input_ids"), row.pop("decoder_attention_mask")
            row["labels"] = ids.masked_fill(mask == 0, -100)
        elif is_lm:
            row["labels"] = row["input_ids"].masked_fill(row["attention_mask"] == 0, -100)
        else:
            row["labels"] = torch.tensor(y)
    return rows


def image_shape(model):
    patches = model.model.embedding.patches
    count = model.model.embedding.positions.shape[0] - 1
    side = int(count**0.5) * patches.kernel_size[0]
    return patches.in_channels, side, side


def expected_loss(model, rows):
    """Of all rows, from logits alone."""
    inputs = {name: torch.stack([torch.as_tensor(row[name]) for row in rows]) for name in rows[0]}
    labels = inputs.pop("labels")
    if model.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = model.prepare_decoder_input_ids_from_labels(labels)
    logits = outputs_of(model, **inputs)
    if "CausalLM" in type(model).__name__ or "LMHead" in type(model).__name__:
        logits, labels = logits[:, :-1], labels[:, 1:]
    return torch.nn.functional.cross_entropy(logits.flatten(0, -2), labels.flatten()).item()


def check_training(model, folder):
    """Two steps change every trained tensor; what is saved is what is loaded."""
    rows = examples(model)
    stacked = {name: torch.stack([torch.as_tensor(row[name]) for row in rows]) for name in rows[0]}
    with torch.no_grad():
        loss = model(**stacked).loss.item()
    wanted = expected_loss(model, rows)
    if not abs(loss - wanted) <= 1e-6 * abs(wanted):
        raise AssertionError(f"the loss is {loss}, expected {wanted}")
    before = {name: tensor.clone() for name, tensor in model.named_parameters()}
    trainer = transformers.Trainer(
        model=model,
        args=transformers.TrainingArguments(
            output_dir=folder, max_steps=2, per_device_train_batch_size=1, logging_strategy="no",
            gradient_accumulation_steps=3, learning_rate=1e-2, report_to=[], use_cpu=True,
            save_strategy="no", disable_tqdm=True, remove_unused_columns=False),
        train_dataset=rows)
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.train()
    if not any(not torch.equal(tensor, before[name]) for name, tensor in model.named_parameters()):
        raise AssertionError("training changed nothing")
    model.eval()
    model.save_pretrained(folder)
    again = load(folder)
    inputs = {key: value for key, value in stacked.items() if key != "labels"}
    if model.config.is_encoder_decoder:
        inputs = alone(model, 0)
    expect_equal(outputs_of(again, **inputs), outputs_of(model, **inputs), "what was saved")


def check_half(folder):
    """Loads and runs in bfloat16."""
    model = load(folder, torch.bfloat16)
    if reads_images(model):
        outputs = outputs_of(model, pixel_values=torch.randn(1, *image_shape(model)).bfloat16())
    else:
        outputs = outputs_of(model, **alone(model, 0))
    if not bool(outputs.isfinite().all()) or outputs.dtype != torch.bfloat16:
        raise AssertionError(f"in bfloat16 outputs are {outputs.dtype}, {outputs}")


def check(folder):
    model = load(folder)
    if is_own(model):
        check_reference(model, load_file(folder + "/expected.safetensors"))
        check_half(folder)
        if not reads_images(model):
            check_padding(model)
            if not model.config.is_encoder_decoder:
                check_positions(model)
        if model.can_generate():
            check_cache(model)
            check_generation(model)
    elif model.can_generate():
        model.generate(torch.tensor([SEQUENCES[0]]), max_new_tokens=4, pad_token_id=0)
    if "labels" in inspect.signature(model.forward).parameters:
        with tempfile.TemporaryDirectory() as saved:
            check_training(model, saved)
    return type(model).__name__


def main():
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    wrong = 0
    for folder in sys.argv[1:]:
        name = folder.split("/")[-1]
        try:
            print(f"{name} {check(folder)}: right", flush=True)
        except Exception:  # one that fails hides no other
            wrong += 1
            print(f"{name}: WRONG\n{traceback.format_exc()}", flush=True)
    sys.exit(0 if len(sys.argv) > 1 and wrong == 0 else 1)


if __name__ == "__main__":
    main()
