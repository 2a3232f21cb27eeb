# SPDX-License-Identifier: MIT
"""Trains the model as Flopsmith's lab does: the same batches, AdamW, clipping and schedule.

    python train.py                                the steps of training.json, from the last saved one
    torchrun --nproc-per-node 2 train.py           the same, each step's examples shared out

training.json has the numbers and each parameter's own rate, batches.safetensors the examples of
every step, test.safetensors those of the evaluations. Training continues from the
state in state.safetensors, which it saves; a file named "stop" beside it stops the training. --json
prints what happens as lines of JSON.
"""

import os
import sys

# A file beside this one that is called like a module, as json.py, is not imported.
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:] = [place for place in sys.path if os.path.realpath(place) != HERE]

import argparse
import importlib.util
import json
import math
import pathlib
import struct
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit("PyTorch is missing for this Python: pip install torch")

FOLDER = pathlib.Path(HERE)


def beside(name):
    """The module in the file of that name in this folder."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


check = beside("check")
DTYPES, read_safetensors, Model = check.DTYPES, check.read_safetensors, check.Model
NO_LABEL = -1
SMOOTHING = 0.9
DIVERGENCE = 1.0  # of the smoothed loss, above the first one
MOMENTS = (("first_moment.", "exp_avg"), ("second_moment.", "exp_avg_sq"))


def write_safetensors(path, tensors, metadata):
    """Writes all tensors as a file that appears as a whole."""
    names = {dtype: name for name, dtype in DTYPES.items()}
    header, at, parts = {"__metadata__": metadata}, 0, []
    for name, tensor in tensors.items():
        part = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() \
            if tensor.numel() > 0 else b""
        header[name] = {"dtype": names[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [at, at + len(part)]}
        parts.append(part)
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    new = path.with_name(path.name + ".new")
    with open(new, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for part in parts:
            file.write(part)
    os.replace(new, path)


def schedule_factor(schedule, step):
    """Warm-up, then constant with a straight line to 0 at the end, or half a cosine."""
    steps, warmup = schedule["steps"], schedule["warmup"]
    now = min(max(step, 1), max(steps, 1))
    warm = now / warmup if now < warmup else 1.0
    if schedule["decay"] == "linear":
        cooldown = math.floor(schedule["cooldown"] * steps + 0.5)
        return min(warm, 1.0, (steps - now + 1) / (cooldown + 1))
    if now <= warmup or steps <= warmup:
        return warm
    share = (now - warmup) / (steps - warmup)
    floor = schedule["floor"]
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * share))


class Group:
    """The processes that share a training: one, or those that torchrun started."""

    def __init__(self, device):
        self.size = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0"))
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        if self.device.type == "cuda" and self.size > 1:
            self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
            torch.cuda.set_device(self.device)
        if self.size > 1:
            backend = "nccl" if self.device.type == "cuda" else "gloo"
            torch.distributed.init_process_group(backend)

    def sum(self, tensor):
        if self.size > 1:
            torch.distributed.all_reduce(tensor)
        return tensor

    def any(self, condition):
        """Whether it holds for one of the processes, so that all do the same."""
        if self.size == 1:
            return condition
        return self.sum(torch.tensor([float(condition)], device=self.device)).item() > 0

    def close(self):
        if self.size > 1:
            torch.distributed.destroy_process_group()


class Examples:
    """Batches of a file: inputs [N, B, …] with labels [N, rows], or with numbers and places."""

    def __init__(self, path, group, dtype):
        self.tensors = read_safetensors(path)
        self.group = group
        self.dtype = dtype

        if group.size > 1 and "values" in self.tensors:
            sys.exit("the targets are numbers: this task is trained by one process")
        if group.size > next(iter(self.tensors.values())).shape[1]:
            sys.exit(f"{group.size} processes are more than a step has examples")

    def __len__(self):
        return len(next(iter(self.tensors.values())))

    def batch(self, number):
        """Of this process: every n-th sequence."""
        mine = {}
        for name, tensor in self.tensors.items():
            part = tensor[number]
            part = part.to(self.dtype) if part.is_floating_point() else part.long()
            if name in ("images", "tokens", "source", "labels"):
                part = part[self.group.rank::self.group.size]
            mine[name] = part.to(self.group.device)
        return mine


class ExpertBalance:
    """The balance loss of mixtures of experts, α·E·Σ f·P each: f is the share of the rows that an
    expert gets, P the mean of its scores over the tokens."""

    def __init__(self, model, settings, group):
        self.coefficient = settings["coefficient"]
        self.group = group
        self.loss = 0.0
        for name in settings["modules"] if self.coefficient > 0 else []:
            self.watch(model.get_submodule(name))

    def watch(self, mixture):
        route, logits = mixture.route, []
        mixture.router.register_forward_hook(lambda module, inputs, output: logits.append(output))

        def routed(tokens):
            chosen, weights = route(tokens)
            self.add(torch.softmax(logits.pop(), dim=-1), chosen)
            return chosen, weights

        mixture.route = routed

    def add(self, scores, chosen):
        rows = torch.bincount(chosen.reshape(-1), minlength=scores.shape[-1]).to(scores.dtype)
        rows = self.group.sum(rows)
        tokens = rows.sum() / chosen.shape[-1]  # of all processes
        means = scores.sum(dim=0) / tokens
        self.loss = self.loss + self.coefficient * len(rows) * (rows / rows.sum() * means).sum()

    def take(self):
        """The loss since the last call."""
        loss, self.loss = self.loss, 0.0
        return loss


class Training:
    def __init__(self, settings, group):
        self.settings = settings
        self.group = group
        self.dtype = DTYPES[settings["precision"]]
        self.optimizer_settings = settings["optimizer"]
        self.model = Model().to(self.dtype)
        self.balance = ExpertBalance(self.model, settings["expert_balance"], group)
        self.step = settings["step"]
        self.batches = Examples(FOLDER / "batches.safetensors", group, self.dtype)
        self.first_batch = settings["step"] + 1  # the step of the first batch of the file
        tests = FOLDER / "test.safetensors"
        self.tests = Examples(tests, group, self.dtype) if tests.exists() else []
        self.first_loss = settings["first_loss"]
        self.smoothed = settings["smoothed_loss"]
        self.seconds = settings["seconds"]
        self.load()

    def load(self):
        weights = {}
        for path in sorted(FOLDER.glob("model*.safetensors")):
            weights.update(read_safetensors(path))
        state = {}
        if (FOLDER / "state.safetensors").exists():
            state = read_safetensors(FOLDER / "state.safetensors")
            weights.update({name[len("weights."):]: tensor for name, tensor in state.items()
                            if name.startswith("weights.")})
            step, self.first_loss, self.smoothed, self.seconds = state["progress"].tolist()
            self.step = int(step)
        self.model.load_state_dict(weights, strict=True)
        self.model.to(self.group.device).train()
        self.choose_parameters(state)

    def choose_parameters(self, state):
        """AdamW with a group for each rate and decay; parameters without an entry are fixed."""
        entries = {entry["name"]: entry for entry in self.settings["parameters"]}
        self.named = {}
        self.columns = []  # parameters whose columns learn at rates of their own
        groups = {}
        for name, parameter in self.model.named_parameters():
            entry = entries.get(name)
            parameter.requires_grad_(entry is not None)
            if entry is None:
                continue
            self.named[name] = parameter
            groups.setdefault((entry["rate"], entry["decays"]), []).append(parameter)
            if "columns" in entry:
                self.columns.append((parameter, self.factors(entry, parameter)))
        self.optimizer = self.adamw([
            {"params": parameters, "kappa": rate,
             "weight_decay": self.optimizer_settings["decay"] if decays else 0.0}
            for (rate, decays), parameters in groups.items()])
        for name, parameter in self.named.items():
            if MOMENTS[0][0] + name in state:
                self.optimizer.state[parameter] = {
                    "step": torch.tensor(float(self.step), device=self.group.device),
                    **{key: state[prefix + name].to(parameter) for prefix, key in MOMENTS}}

    def adamw(self, groups):
        numbers = self.optimizer_settings
        common = {"lr": numbers["rate"], "betas": (numbers["beta1"], numbers["beta2"]),
                  "eps": numbers["epsilon"]}
        try:  # in one pass over each tensor, where this PyTorch can
            return torch.optim.AdamW(groups, fused=True, **common)
        except (RuntimeError, TypeError):
            return torch.optim.AdamW(groups, **common)

    def factors(self, entry, parameter):
        """The rates of the columns of a matrix [rows, columns] as the parameter lies."""
        rates = torch.tensor(entry["columns"], dtype=torch.float64)
        matrix = rates.expand(parameter.numel() // len(rates), len(rates))
        matrix = matrix.t() if entry["transposed"] else matrix
        return matrix.reshape(parameter.shape).to(parameter)

    def loss_of(self, batch):
        """The sum over what is compared, how much that is, and how many rows are right."""
        outputs = self.model(*[batch[name] for name in ("images", "tokens", "source")
                               if name in batch])
        if "labels" in batch:
            rows = outputs.reshape(batch["labels"].numel(), -1)
            labels = batch["labels"].reshape(-1)
            loss = F.cross_entropy(rows, labels, ignore_index=NO_LABEL, reduction="sum")
            right = (rows.argmax(-1) == labels).sum()
            return loss, (labels != NO_LABEL).sum(), right
        numbers = outputs.reshape(-1)
        if "places" in batch:
            numbers = numbers[batch["places"]]
        loss = (numbers - batch["values"]).square().sum()
        return loss, torch.tensor(numbers.numel(), device=loss.device), torch.tensor(0)

    def take_step(self):
        """One step: its loss before it, the norm of all gradients, and whether it changed anything."""
        loss, compared, _ = self.loss_of(self.batches.batch(self.step + 1 - self.first_batch))
        compared = self.group.sum(compared)
        loss = loss / compared
        self.optimizer.zero_grad()
        (loss + self.balance.take()).backward()
        for parameter in self.named.values():
            if parameter.grad is None:  # of an expert that no token chose
                parameter.grad = torch.zeros_like(parameter)
            self.group.sum(parameter.grad)
        value = self.group.sum(loss.detach()).item()
        clip = self.optimizer_settings["clip"]
        norm = torch.nn.utils.clip_grad_norm_(self.named.values(), clip if clip > 0 else math.inf)
        norm = norm.item()
        changed = math.isfinite(value) and math.isfinite(norm)
        if changed:
            self.update()
        return value, norm, changed

    def update(self):
        rate = self.optimizer_settings["rate"] * schedule_factor(self.settings["schedule"],
                                                                 self.step + 1)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["kappa"]
        before = [parameter.detach().clone() for parameter, _ in self.columns]
        self.optimizer.step()
        with torch.no_grad():  # an update is proportional to its rate
            for (parameter, factors), old in zip(self.columns, before):
                parameter.copy_(old + factors * (parameter - old))
        self.step += 1

    def evaluate(self):
        self.model.eval()
        total, compared, right = 0.0, 0.0, 0.0
        with torch.no_grad():
            for number in range(len(self.tests)):
                sums = [self.group.sum(each.double().clone())
                        for each in self.loss_of(self.tests.batch(number))]
                total += sums[0].item()
                compared += sums[1].item()
                right += sums[2].item()
        self.model.train()
        self.balance.take()
        return {"evaluated": self.step, "loss": total / compared, "right": right / compared,
                "seconds": self.seconds}

    def save(self):
        if self.group.rank > 0:
            return
        tensors = {"weights." + name: tensor for name, tensor in self.model.state_dict().items()
                   if name in self.named}
        for name, parameter in self.named.items():
            moments = self.optimizer.state.get(parameter)
            for prefix, key in MOMENTS:
                tensors[prefix + name] = moments[key] if moments else torch.zeros_like(parameter)
        tensors["progress"] = torch.tensor(
            [float(self.step), self.first_loss, self.smoothed, self.seconds], dtype=torch.float64)
        write_safetensors(FOLDER / "state.safetensors", tensors, {"format": "pt"})


class Printer:
    """What happens, for a reader or as lines of JSON."""

    def __init__(self, as_json, group):
        self.as_json = as_json
        self.silent = group.rank > 0

    def say(self, **what):
        if self.silent:
            return
        if self.as_json:  # which has no numbers that are not finite
            print(json.dumps({key: None if isinstance(value, float) and not math.isfinite(value)
                              else value for key, value in what.items()}), flush=True)
        elif "evaluated" in what:
            print(f"step {what['evaluated']}: test loss {what['loss']:.4f}, "
                  f"{100 * what['right']:.1f} % right, {what['seconds']:.1f} s")
        elif "ended" in what:
            print(f"{what['ended']} after step {what['step']}")


def run(training, printer, save_every):
    """All steps to the last one; why it ended."""
    every, until = training.settings["evaluate_every"], training.settings["until"]
    if training.step == 0 and training.tests:
        printer.say(**training.evaluate())
    saved = time.monotonic()
    while training.step < until:
        if training.group.any((FOLDER / "stop").exists()):
            return "stopped"
        began = time.monotonic()
        loss, norm, changed = training.take_step()
        training.seconds += time.monotonic() - began
        number = training.step + (0 if changed else 1)
        if number == 1:
            training.first_loss = training.smoothed = loss
        training.smoothed = SMOOTHING * training.smoothed + (1 - SMOOTHING) * loss
        printer.say(step=number, loss=loss, norm=norm, seconds=training.seconds,
                    smoothed=training.smoothed)
        if not changed or training.smoothed > training.first_loss + DIVERGENCE:
            return "diverged"
        if training.tests and (training.step % every == 0 or training.step == until):
            printer.say(**training.evaluate())
        if training.group.any(time.monotonic() - saved >= save_every) and training.step < until:
            training.save()
            printer.say(saved=training.step)
            saved = time.monotonic()
    return "finished"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print lines of JSON")
    parser.add_argument("--device", help="cuda or cpu; without it cuda where there is one")
    parser.add_argument("--threads", type=int, help="of the processor")
    parser.add_argument("--save-every", type=float, default=10.0, metavar="SECONDS")
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    group = Group(options.device)
    training = Training(json.loads((FOLDER / "training.json").read_text()), group)
    printer = Printer(options.json, group)
    end = run(training, printer, options.save_every)
    training.save()
    printer.say(ended=end, step=training.step)
    group.close()


if __name__ == "__main__":
    main()
