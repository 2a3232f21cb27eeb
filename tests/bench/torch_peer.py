# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of Flopsmith written in PyTorch, timed on request.

Reads one JSON object per line from standard input and answers each with one on standard output;
numbers travel in files of plain float32 or int32. Requests:

  {"do": "hello"}                                           -> {"torch": VERSION, …}
  {"do": "load", "operation": …, "weights": [[rows, columns], …], "weights_file": PATH,
   "lists": [length, …], "lists_file": PATH,
   "precision": "float32" or "bfloat16"}                    -> {}
  {"do": "shape", "batch": B, "sequence": S, "context": C, "threads": N, "backward": false,
   "x_file": PATH, "dy_file": PATH, "cache_file": PATH, "result_file": PATH}
  {"do": "time", "runs": N}        both -> {"wall": seconds of all runs, "processor": seconds}

"shape" runs the operation once and writes what it gives: y, or dx and the gradient of each weight
in order. In bfloat16 weights, activations and results are that, as in a model that was converted.
Linear layers keep their weights as nn.Linear does, [out, in]; a list is a fixed choice of
channels, bins or signed columns.
"""

import json
import math
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

ACTIVATIONS = {
    "none": lambda x: x,
    "relu": F.relu,
    "relu2": lambda x: F.relu(x).square(),
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
}

EPSILON = 1e-5  # of norms


class Operands:
    """Weights and fixed lists in the order in which the specification names them."""

    def __init__(self, weights, lists):
        self.weights = weights
        self.lists = lists
        self.parameters = []
        self.transposed = []

    def take(self, as_linear=False):
        """The next weight, as [out, in] if it is the matrix of a linear layer."""
        weight = self.weights.pop(0)
        if as_linear:
            weight = weight.t().contiguous()
        weight.requires_grad_(True)
        self.parameters.append(weight)
        self.transposed.append(as_linear)
        return weight

    def vector(self):
        weight = self.weights.pop(0).reshape(-1)
        weight.requires_grad_(True)
        self.parameters.append(weight)
        self.transposed.append(False)
        return weight

    def list(self):
        return self.lists.pop(0)


def linear(operands, bias):
    weight = operands.take(as_linear=True)
    shift = operands.vector() if bias else None
    return lambda x: F.linear(x, weight, shift)


def dense(spec, shape, operands):
    up = linear(operands, spec["bias"])
    down = linear(operands, spec["bias"])
    act = ACTIVATIONS[spec["activation"]]
    return lambda x: down(act(up(x)))


def gated(spec, shape, operands):
    gate = linear(operands, spec["bias"])
    up = linear(operands, spec["bias"])
    down = linear(operands, spec["bias"])
    act = ACTIVATIONS[spec["activation"]]
    return lambda x: down(act(gate(x)) * up(x))


def moe(spec, shape, operands):
    """Tokens sorted by expert, one product per expert that has any, results added back."""
    router = linear(operands, False)
    expert = gated if spec["expert"] == "gated" else dense
    inner = {"bias": spec["bias"], "activation": spec["activation"]}
    experts = [expert(inner, shape, operands) for _ in range(spec["experts"])]
    k = spec["experts_per_token"]

    def forward(x):
        shares, chosen = torch.topk(torch.softmax(router(x), dim=-1), k, dim=-1)
        if spec["renormalise"]:
            shares = shares / shares.sum(dim=-1, keepdim=True)
        order = torch.argsort(chosen.reshape(-1))
        tokens = order // k
        counts = torch.bincount(chosen.reshape(-1), minlength=len(experts)).tolist()
        groups = x[tokens].split(counts)
        rows = torch.cat([experts[e](g) for e, g in enumerate(groups) if counts[e] > 0])
        rows = rows * shares.reshape(-1)[order].unsqueeze(-1)
        return torch.zeros_like(x).index_add(0, tokens, rows)

    return forward


def spectral(spec, shape, operands):
    d = shape["d_model"]
    k = spec["k_freq"]
    filter_ = operands.take()
    bins = operands.list() if spec["selection"] == "learned" else None
    act = ACTIVATIONS[spec["activation"]]

    def forward(x):
        spectrum = torch.fft.rfft(x)
        factors = torch.view_as_complex(filter_)
        if spec["selection"] == "low_pass":
            return act(torch.fft.irfft(spectrum[:, :k] * factors, n=d))
        if spec["selection"] == "learned":
            kept = torch.zeros_like(spectrum).index_copy(1, bins, spectrum[:, bins] * factors)
            return act(torch.fft.irfft(kept, n=d))
        power = spectrum.real.square() + spectrum.imag.square()
        chosen = torch.topk(power.detach(), k, dim=-1, sorted=False).indices
        products = spectrum.gather(1, chosen) * factors[chosen]
        return act(torch.fft.irfft(torch.zeros_like(spectrum).scatter(1, chosen, products), n=d))

    return forward


def powers(spec):
    first = 1 if spec["terms"] == "odd" else 0
    step = 1 if spec["terms"] == "all" else 2
    return list(range(first, spec["poly_degree"] + 1, step))


def horner(spec, coefficients, x):
    """The sum of the terms; `coefficients` has one number or one row per term."""
    v = x if spec["terms"] == "all" else x * x
    total = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = total * v + c
    if spec["terms"] == "odd":
        total = total * x
    return total


def polynomial(spec, shape, operands):
    if spec["basis"] != "monomial":
        raise ValueError("only monomials are written here")
    d = shape["d_model"]
    kept = operands.list()
    alpha = operands.take()
    per_channel = spec["coefficients"] == "per_channel"
    terms = range(len(powers(spec)))

    if spec["poly_selection"] == "static":
        mask = torch.zeros(d).index_fill(0, kept, 1.0)

        def masked(x):
            return horner(spec, [alpha[:, m] for m in terms], x) * mask

        def indexed(x):
            rows = alpha[kept] if per_channel else alpha
            values = horner(spec, [rows[:, m] for m in terms], x[:, kept])
            return torch.zeros_like(x).index_copy(1, kept, values)

        return [masked, indexed]

    def chosen(x):
        channels = torch.topk(x.detach().abs(), len(kept), dim=-1, sorted=False).indices
        rows = alpha[channels] if per_channel else alpha
        values = horner(spec, [rows[..., m] for m in terms], x.gather(1, channels))
        return torch.zeros_like(x).scatter(1, channels, values)

    return chosen


def group_starts(d, steps):
    return [d * g // steps for g in range(steps + 1)]


def micro_refine(spec, shape, operands):
    if spec["mode"] != "groups":
        raise ValueError("only groups are written here")
    d = shape["d_model"]
    kept = operands.list()
    beta, gamma, delta = operands.vector(), operands.vector(), operands.vector()
    starts = group_starts(d, spec["micro_steps"])

    if spec["micro_selection"] == "static":
        mask = torch.zeros(d).index_fill(0, kept, 1.0)

        def masked(x):
            return beta * torch.tanh(gamma * x + delta) * mask

        def indexed(x):
            values = beta[kept] * torch.tanh(gamma[kept] * x[:, kept] + delta[kept])
            return torch.zeros_like(x).index_copy(1, kept, values)

        return [masked, indexed]

    counts = [
        max(1, math.floor(spec["micro_keep_ratio"] * (b - a) + 0.5))
        for a, b in zip(starts, starts[1:])
    ]

    def channels_of(x):
        size = d // spec["micro_steps"]
        size_of_x = x.detach().abs()
        if size * spec["micro_steps"] == d:
            groups = size_of_x.view(-1, spec["micro_steps"], size)
            chosen = torch.topk(groups, counts[0], dim=-1, sorted=False).indices
            return (chosen + torch.tensor(starts[:-1]).view(1, -1, 1)).flatten(1)
        parts = [
            a + torch.topk(size_of_x[:, a:b], n, dim=-1, sorted=False).indices
            for a, b, n in zip(starts, starts[1:], counts)
        ]
        return torch.cat(parts, dim=1)

    def gathered(x):
        channels = channels_of(x)
        values = beta[channels] * torch.tanh(
            gamma[channels] * x.gather(1, channels) + delta[channels]
        )
        return torch.zeros_like(x).scatter(1, channels, values)

    def masked_choice(x):
        mask = torch.zeros_like(x).scatter(1, channels_of(x), 1.0)
        return beta * torch.tanh(gamma * x + delta) * mask

    return [gathered, masked_choice]


class SignedSums(torch.autograd.Function):
    """x·Rᵀ with R a sparse matrix of signs; its transpose is kept for the backward pass."""

    @staticmethod
    def forward(context, x, matrix, transposed):
        context.transposed = transposed
        return (matrix @ x.t()).t()

    @staticmethod
    def backward(context, dy):
        return (context.transposed @ dy.t()).t(), None, None


def sign_matrix(entries, rows, columns):
    per_row = entries.numel() // rows
    at = torch.where(entries < 0, -entries - 1, entries)
    signs = torch.where(entries < 0, -1.0, 1.0).to(torch.float32)
    starts = torch.arange(0, entries.numel() + 1, per_row)
    sparse = torch.sparse_csr_tensor(starts, at, signs, (rows, columns))
    return sparse, sparse.to_dense()


def random_projection(spec, shape, operands):
    """Products with the matrices of signs, stored as sparse (CSR) or as full ones."""
    d, m = shape["d_model"], spec["projection_features"]
    input_matrix, full_input = sign_matrix(operands.list(), m, d)
    output_matrix, full_output = sign_matrix(operands.list(), d, m)
    gain, bias = operands.vector(), operands.vector()
    alpha = 1 / math.sqrt(input_matrix.values().numel() / m)
    beta = 1 / math.sqrt(output_matrix.values().numel() / d)
    act = ACTIVATIONS[spec["activation"]]
    input_t = full_input.t().to_sparse_csr()
    output_t = full_output.t().to_sparse_csr()

    def sparse(x):
        hidden = act(alpha * SignedSums.apply(x, input_matrix, input_t) + bias)
        return beta * SignedSums.apply(gain * hidden, output_matrix, output_t)

    def full(x):
        hidden = act(alpha * F.linear(x, full_input) + bias)
        return beta * F.linear(gain * hidden, full_output)

    return [sparse, full]


def token_feedback(spec, shape, operands):
    d, steps = shape["d_model"], spec["feedback_steps"]
    s = max(1, math.floor(spec["feedback_keep_ratio"] * d + 0.5))
    own = spec["feedback_weights"] == "per_step"
    act = ACTIVATIONS[spec["activation"]]
    sets = []
    for _ in range(steps if own else 1):
        down = linear(operands, True)
        up = linear(operands, False)
        sets.append((down, up, operands.vector(), operands.vector()))

    def before(z, batch):
        rows = z.view(batch, -1, d)
        return torch.cat([torch.zeros_like(rows[:, :1]), rows[:, :-1]], dim=1).view(-1, d)

    def forward(x):
        z = x
        for t in range(steps):
            down, up, scale, shift = sets[t if own else 0]
            phi = before(z, forward.batch) if spec["feedback"] == "previous_token" else z
            if spec["feedback_selection"] == "top_k":
                picked = torch.topk(z.detach().abs(), s, dim=-1, sorted=False).indices
                picked = picked.sort(dim=-1).values
                gate = torch.sigmoid(scale[picked] * phi.gather(1, picked) + shift[picked])
                z = z.scatter_add(1, picked, gate * up(act(down(z.gather(1, picked)))))
                continue
            first = t * s % d
            if first + s <= d:
                part = slice(first, first + s)
                gate = torch.sigmoid(scale[part] * phi[:, part] + shift[part])
                new = z[:, part] + gate * up(act(down(z[:, part])))
                z = torch.slice_scatter(z, new, 1, first, first + s)
            else:
                picked = (first + torch.arange(s)) % d
                gate = torch.sigmoid(scale[picked] * phi[:, picked] + shift[picked])
                new = z[:, picked] + gate * up(act(down(z[:, picked])))
                z = z.index_copy(1, picked, new)
        return z - x

    return forward


def kronecker_matrix(operands, rank, a, b, bias):
    """x·Σ A⊗B as two small products, in the order with fewer multiply-adds."""
    (in1, out1), (in2, out2) = a, b
    left = operands.take()
    right = operands.take()
    shift = operands.vector() if bias else None
    right_first = rank * (in1 * in2 * out2 + in1 * out1 * out2)
    left_first = rank * (in1 * out1 * in2 + out1 * in2 * out2)

    def forward(x):
        rows = x.view(-1, in1, in2)
        la, rb = left.view(rank, in1, out1), right.view(rank, in2, out2)
        if right_first <= left_first:
            y = torch.einsum("tiro,ria->tao", torch.einsum("tij,rjo->tiro", rows, rb), la)
        else:
            y = torch.einsum("traj,rjo->tao", torch.einsum("tij,ria->traj", rows, la), rb)
        y = y.reshape(-1, out1 * out2)
        return y if shift is None else y + shift

    return forward


def kronecker(spec, shape, operands):
    if spec["factor_keep_ratio"] != 1.0:
        raise ValueError("only whole factors are written here")
    d, f = shape["d_model"], spec["d_ff"]
    d1, f1, rank = spec["d_1"], spec["f_1"], spec["rank"]
    a, b = (d1, f1), (d // d1, f // f1)
    up = kronecker_matrix(operands, rank, a, b, spec["bias"])
    down = kronecker_matrix(operands, rank, a[::-1], b[::-1], spec["bias"])
    act = ACTIVATIONS[spec["activation"]]
    return lambda x: down(act(up(x)))


def low_rank(spec, shape, operands):
    first, second = linear(operands, False), linear(operands, spec["bias"])
    third, fourth = linear(operands, False), linear(operands, spec["bias"])
    act = ACTIVATIONS[spec["activation"]]
    return lambda x: fourth(third(act(second(first(x)))))


def composed(spec, shape, operands):
    gates = operands.take() if spec["gate"] != "none" else None
    stages = [choices(stage, shape, operands) for stage in spec["stages"]]
    versions = max(len(stage) for stage in stages)

    def version(i):
        of = [stage[min(i, len(stage) - 1)] for stage in stages]

        def forward(x):
            opened = [1.0] * len(of) if gates is None else torch.sigmoid(gates)
            for stage in of:
                stage.batch = getattr(forward, "batch", 1)
            if spec["composition"] == "parallel":
                return sum(opened[s] * stage(x) for s, stage in enumerate(of))
            z = x
            for s, stage in enumerate(of):
                z = z + opened[s] * stage(z)
            return z - x

        return forward

    return [version(i) for i in range(versions)]


def attention(spec, shape, operands):
    """Projections around F.scaled_dot_product_attention; earlier tokens in a preallocated cache."""
    d, heads, groups = shape["d_model"], spec["heads"], spec["kv_heads"]
    h = spec["head_dim"] or d // heads
    into = linear(operands, spec["qkv_bias"])
    out = linear(operands, spec["out_bias"])

    def split(rows, count):
        return rows.view(forward.batch, -1, count, h).transpose(1, 2)

    def forward(x):
        q, k, v = into(x).split([heads * h, groups * h, groups * h], dim=-1)
        q, k, v = split(q, heads), split(k, groups), split(v, groups)
        causal = spec["causal"]
        if forward.cache is not None:
            keys, values = forward.cache
            keys[:, :, -k.shape[2] :], values[:, :, -v.shape[2] :] = k, v
            k, v, causal = keys, values, False
        y = F.scaled_dot_product_attention(
            q, k, v, is_causal=causal, enable_gqa=groups != heads
        )
        return out(y.transpose(1, 2).reshape(-1, heads * h))

    def prepare(cached, context, sequence):
        forward.cache = None
        if context > sequence:
            shape_of = (2, forward.batch, context - sequence, groups, h)
            earlier = cached.view(shape_of).transpose(2, 3)
            new = torch.zeros(2, forward.batch, groups, sequence, h)
            forward.cache = torch.cat([earlier, new], dim=3).contiguous()

    forward.prepare = prepare
    return forward


def cross_attention(spec, shape, operands):
    """Attention to a source that stands behind the tokens, or to keys and values of the cache."""
    d, heads, groups = shape["d_model"], spec["heads"], spec["kv_heads"]
    h = spec["head_dim"] or d // heads
    to_queries = linear(operands, spec["qkv_bias"])
    to_keys = linear(operands, spec["qkv_bias"])
    out = linear(operands, spec["out_bias"])
    scale = h**-0.5 if spec["scale_scores"] else 1.0

    def split(rows, count):
        return rows.view(forward.batch, -1, count, h).transpose(1, 2)

    def forward(x):
        if forward.cache is not None:
            q, (k, v) = split(to_queries(x), heads), forward.cache
        else:
            x, source = x.split([forward.tokens, x.shape[0] - forward.tokens])
            keys, values = to_keys(source).chunk(2, dim=-1)
            q, k, v = split(to_queries(x), heads), split(keys, groups), split(values, groups)
        y = F.scaled_dot_product_attention(q, k, v, scale=scale, enable_gqa=groups != heads)
        return out(y.transpose(1, 2).reshape(-1, heads * h))

    def prepare(cached, context, sequence):
        forward.tokens = forward.batch * sequence
        forward.cache = None
        if context > sequence:
            rows = cached.view(2, forward.batch, -1, groups, h)
            forward.cache = rows.transpose(2, 3).contiguous()

    forward.prepare = prepare
    return forward


def fused(q, k, v, causal, scale):
    """Any number of key heads; one of them for all queries that see every key is a longer query."""
    if k.shape[1] == 1 and not causal:
        y = F.scaled_dot_product_attention(q.flatten(1, 2).unsqueeze(1), k, v, scale=scale)
        return y.view(*q.shape[:3], v.shape[-1])
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale, enable_gqa=True)


def fused_at_one_width(q, k, v, causal, scale):
    """Values padded to the width of the keys: the fused kernel takes no other."""
    width = v.shape[-1]
    return fused(q, k, F.pad(v, (0, k.shape[-1] - width)), causal, scale)[..., :width]


def fused_on_keys(q, k, v, causal, scale):
    """Values that are the first part of the keys: the keys are taken for both."""
    return fused(q, k, k, causal, scale)[..., : v.shape[-1]]


def latent_attention(spec, shape, operands):
    """Expanded: keys and values of every head. Absorbed: one head of latents for all queries."""
    heads, rank = spec["heads"], spec["kv_lora_rank"]
    nope, rope, value = spec["qk_nope_head_dim"], spec["qk_rope_head_dim"], spec["v_head_dim"]
    if spec["q_lora_rank"] or spec["cache"] != "latents":
        raise ValueError("only direct queries and cached latents are written here")
    to_queries = linear(operands, False)
    to_latents = linear(operands, spec["bias"])
    gain = operands.vector()
    w_keys, w_values = operands.take(), operands.take()
    out = linear(operands, spec["bias"])
    scale = (nope + rope) ** -0.5

    def expanded(way, q_nope, q_rope, c, k_rope, causal):
        q = torch.cat([q_nope, q_rope], dim=-1)
        keys = way.per_head(c @ w_keys, nope)
        k = torch.cat([keys, k_rope.unsqueeze(1).expand(-1, heads, -1, -1)], dim=-1)
        return way.attend(q, k, way.per_head(c @ w_values, value), causal, scale)

    def absorbed(way, q_nope, q_rope, c, k_rope, causal):
        into_latents = w_keys.view(rank, heads, nope)
        q = torch.cat([torch.einsum("bhtn,rhn->bhtr", q_nope, into_latents), q_rope], dim=-1)
        k = torch.cat([c, k_rope], dim=-1).unsqueeze(1)
        y = way.attend(q, k, k[..., :rank], causal, scale)
        return torch.einsum("bhtr,rhv->bhtv", y, w_values.view(rank, heads, value))

    is_absorbed = spec["form"] == "absorbed"
    form = absorbed if is_absorbed else expanded

    def way_with(attend):
        def rotate(x):
            first, second = x.chunk(2, dim=-1)
            cos, sin = way.rotary
            return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)

        def per_head(rows, width):
            return rows.view(way.batch, -1, heads, width).transpose(1, 2)

        def way(x):
            q_nope, q_rope = per_head(to_queries(x), nope + rope).split([nope, rope], dim=-1)
            q_rope = rotate(q_rope)
            rows = to_latents(x).view(way.batch, -1, rank + rope)
            c, k_rope = rows.split([rank, rope], dim=-1)
            c, k_rope = F.rms_norm(c, (rank,), gain, EPSILON), rotate(k_rope)
            causal = spec["causal"] and c.shape[1] > 1
            if way.cache is not None:
                way.cache[:, -c.shape[1] :] = torch.cat([c, k_rope], dim=-1)
                c, k_rope = way.cache.split([rank, rope], dim=-1)
                causal = False
            y = form(way, q_nope, q_rope, c, k_rope, causal)
            return out(y.transpose(1, 2).reshape(-1, heads * value))

        def prepare(cached, context, sequence):
            earlier = context - sequence
            positions = torch.arange(earlier, context, dtype=torch.float64)
            powers = 10000.0 ** (-2.0 * torch.arange(rope // 2, dtype=torch.float64) / rope)
            angles = positions[:, None] * powers
            way.rotary = angles.cos().float(), angles.sin().float()
            way.cache = None
            if earlier > 0:
                new = torch.zeros(way.batch, sequence, rank + rope)
                rows = cached.view(way.batch, earlier, rank + rope)
                way.cache = torch.cat([rows, new], dim=1).contiguous()

        way.attend, way.per_head, way.prepare = attend, per_head, prepare
        return way

    return [way_with(fused), way_with(fused_on_keys if is_absorbed else fused_at_one_width)]


OPERATIONS = {
    "dense": dense,
    "gated": gated,
    "moe": moe,
    "spectral": spectral,
    "polynomial": polynomial,
    "micro_refine": micro_refine,
    "random_projection": random_projection,
    "token_feedback": token_feedback,
    "kronecker": kronecker,
    "low_rank": low_rank,
    "composed": composed,
    "attention": attention,
    "cross_attention": cross_attention,
    "latent_attention": latent_attention,
}


def choices(spec, shape, operands):
    """The ways to write the operation, of which the fastest is timed."""
    made = OPERATIONS[spec["kind"]](spec, shape, operands)
    return made if isinstance(made, list) else [made]


def from_file(path, kind=np.float32):
    return torch.from_numpy(np.fromfile(path, dtype=kind))


class Peer:
    def __init__(self):
        self.ways = []
        self.run = None

    def hello(self, request):
        return {
            "torch": torch.__version__,
            "mkl": torch.backends.mkl.is_available(),
            "onednn": torch.backends.mkldnn.is_available(),
            "capability": torch.backends.cpu.get_cpu_capability(),
        }

    def load(self, request):
        self.ways, self.run = [], None
        self.kind = getattr(torch, request.get("precision", "float32"))
        flat = from_file(request["weights_file"]).to(self.kind)
        sizes = [rows * columns for rows, columns in request["weights"]]
        weights = [
            part.view(shape).clone() for part, shape in zip(flat.split(sizes), request["weights"])
        ]
        lists = []
        if request["lists"]:
            entries = from_file(request["lists_file"], np.int32).to(torch.int64)
            lists = list(entries.split(request["lists"]))
        self.operands = Operands(weights, lists)
        operation = request["operation"]
        self.d = operation["d_model"]
        self.ways = choices(operation["spec"], {"d_model": self.d}, self.operands)
        if self.operands.weights or self.operands.lists:
            raise ValueError("not all weights or lists were used")
        return {}

    def shape(self, request):
        self.run = None
        torch.set_num_threads(request["threads"])
        x = from_file(request["x_file"]).to(self.kind).view(-1, self.d)
        dy = None
        if request["backward"]:
            dy = from_file(request["dy_file"]).to(self.kind).view(-1, self.d)
        cached = from_file(request["cache_file"]) if "cache_file" in request else None
        best = None
        for way in self.ways:
            way.batch = request["batch"]
            if hasattr(way, "prepare"):
                way.prepare(cached, request["context"], request["sequence"])
            run = self.backward_of(way, x, dy) if request["backward"] else self.forward_of(way, x)
            result, seconds = timed(run)
            if seconds["wall"] < 1.0 or len(self.ways) > 1:
                seconds = timed(run)[1]
            if best is None or seconds["wall"] < best[1]["wall"]:
                best = (run, seconds, result)
        self.run = best[0]
        with open(request["result_file"], "wb") as file:
            for tensor in self.in_our_order(best[2]):
                tensor.detach().float().contiguous().numpy().tofile(file)
        return best[1]

    def in_our_order(self, tensors):
        """Gradients of [out, in] as [in, out]; y and dx as they are."""
        transposed = [False, *self.operands.transposed]
        return [t.t() if is_transposed else t for t, is_transposed in zip(tensors, transposed)]

    @staticmethod
    def forward_of(way, x):
        def run():
            with torch.inference_mode():
                return [way(x)]

        return run

    def backward_of(self, way, x, dy):
        x.requires_grad_(True)
        wanted = [x, *self.operands.parameters]
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
