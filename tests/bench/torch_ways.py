# SPDX-License-Identifier: GPL-3.0-or-later
"""Faster ways to compute what an exported module computes, from that module's tensors.

An export is written to be read: it has no cache, no fused attention, and of equal values it
chooses the first. What is timed is the fastest way that PyTorch has. A way takes and gives rows
[T, d] (behind the tokens those of the source, for cross-attention).
"""

import dataclasses
import math

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


@dataclasses.dataclass
class Sizes:
    d: int
    batch: int
    sequence: int
    context: int
    cached: torch.Tensor  # keys, then values, of the tokens before

    def is_cached(self):
        return self.cached.numel() > 0

    def tokens(self):
        return self.batch * self.sequence

    def per_sequence(self, rows):
        return rows.view(self.batch, -1, rows.shape[-1])


def exported_way(part, sizes):
    def exported(rows):
        tokens = sizes.tokens()
        inputs = [rows[:tokens], rows[tokens:]] if len(rows) > tokens else [rows]
        return part(*(sizes.per_sequence(each) for each in inputs)).flatten(0, 1)

    return exported


def with_topk(part, source, sizes):
    """The exported module with topk() where it sorts all values."""
    inner = exported_way(part, sizes)
    is_ordered = any(hasattr(module, "feedback_steps") for module in part.modules())

    def topk(values, count):
        places = torch.topk(values.detach(), count, dim=-1, sorted=False).indices
        return places.sort(dim=-1).values if is_ordered else places

    def by_topk(rows):
        stable = source.largest
        source.largest = topk
        try:
            return inner(rows)
        finally:
            source.largest = stable

    return by_topk


def experts_by_groups(part):
    """Tokens sorted by expert, one product per expert that has any, results added back."""

    def grouped(x):
        chosen, shares = part.route(x)
        order = torch.argsort(chosen.reshape(-1))
        tokens = order // part.experts_per_token
        counts = torch.bincount(chosen.reshape(-1), minlength=len(part.experts)).tolist()
        groups = x[tokens].split(counts)
        outputs = torch.cat([part.experts[e](g) for e, g in enumerate(groups) if counts[e] > 0])
        outputs = outputs * shares.reshape(-1)[order].unsqueeze(-1)
        return torch.zeros_like(x).index_add(0, tokens, outputs)

    return grouped


def static_channels(part, at):
    """`at(x, tensor)` of the kept channels alone, or of all behind a mask."""
    channels = part.channels

    def indexed(x):
        values = at(x[:, channels], lambda tensor: tensor[channels])
        return torch.zeros_like(x).index_copy(1, channels, values)

    def masked(x):
        mask = torch.zeros(x.shape[1], dtype=x.dtype).index_fill(0, channels, 1.0)
        return at(x, lambda tensor: tensor) * mask

    return [indexed, masked]


def polynomial(part, spec):
    def at(x, kept):
        per_channel = spec["coefficients"] == "per_channel"
        alpha = kept(part.alpha) if per_channel else part.alpha[0]
        return part.evaluate(alpha.unbind(dim=-1), x)

    return static_channels(part, at) if spec["poly_selection"] == "static" else []


def refined(part):
    def at(x, kept):
        return kept(part.beta) * torch.tanh(kept(part.gamma) * x + kept(part.delta))

    return at


def micro_refine(part, spec, d):
    if spec["mode"] != "groups":
        return []
    if spec["micro_selection"] == "static":
        return static_channels(part, refined(part))
    steps = spec["micro_steps"]
    size, starts = d // steps, torch.tensor(part.starts[:-1])
    if size * steps != d:
        return []

    def masked_groups(x):
        groups = x.detach().abs().view(-1, steps, size)
        chosen = torch.topk(groups, part.kept[size], dim=-1, sorted=False).indices
        channels = (chosen + starts.view(1, -1, 1)).flatten(1)
        mask = torch.zeros_like(x).scatter(1, channels, 1.0)
        return refined(part)(x, lambda tensor: tensor) * mask

    return [masked_groups]


class SignedSums(torch.autograd.Function):
    """x·Rᵀ with R a sparse matrix of signs; its transpose is kept for the backward pass."""

    @staticmethod
    def forward(context, x, matrix, transposed):
        context.transposed = transposed
        return (matrix @ x.t()).t()

    @staticmethod
    def backward(context, dy):
        return (context.transposed @ dy.t()).t(), None, None


def sign_matrix(entries, columns):
    rows, per_row = entries.shape
    at = torch.where(entries < 0, -entries - 1, entries).flatten()
    signs = torch.where(entries < 0, -1.0, 1.0).to(torch.float32).flatten()
    starts = torch.arange(0, entries.numel() + 1, per_row)
    sparse = torch.sparse_csr_tensor(starts, at, signs, (rows, columns))
    return sparse, sparse.to_dense(), 1 / math.sqrt(per_row)


def random_projection(part, spec):
    """Products with the matrices of signs, made beforehand: as sparse (CSR) or as full ones."""
    into, full_into, alpha = sign_matrix(part.inward, part.d)
    out, full_out, beta = sign_matrix(part.outward, part.features)
    into_t, out_t = full_into.t().to_sparse_csr(), full_out.t().to_sparse_csr()
    act = ACTIVATIONS[spec["activation"]]

    def sparse(x):
        hidden = act(alpha * SignedSums.apply(x, into, into_t) + part.bias)
        return beta * SignedSums.apply(part.gain * hidden, out, out_t)

    def full(x):
        hidden = act(alpha * F.linear(x, full_into) + part.bias)
        return beta * F.linear(part.gain * hidden, full_out)

    return [sparse, full]


def token_feedback(part, spec, sizes):
    """Windows that do not go around are slices."""
    if spec["feedback_selection"] == "top_k":
        return []
    d, act = sizes.d, ACTIVATIONS[spec["activation"]]

    def before(z):
        return F.pad(sizes.per_sequence(z), (0, 0, 1, 0))[:, :-1].flatten(0, 1)

    def sliced(x):
        z = x
        for t in range(part.feedback_steps):
            step = part.steps[t if len(part.steps) > 1 else 0]
            scale, shift = step.gate["scale"], step.gate["shift"]
            phi = before(z) if spec["feedback"] == "previous_token" else z
            first = t * part.kept % d
            is_slice = first + part.kept <= d
            window = first + torch.arange(part.kept)
            picked = slice(first, first + part.kept) if is_slice else window % d
            gate = torch.sigmoid(scale[picked] * phi[:, picked] + shift[picked])
            new = z[:, picked] + gate * step.up(act(step.down(z[:, picked])))
            if is_slice:
                z = torch.slice_scatter(z, new, 1, first, first + part.kept)
            else:
                z = z.index_copy(1, picked, new)
        return z - x

    return [sliced]


def composed(part, spec, source, sizes):
    """Each stage in its i-th way, those with fewer in their last."""
    stages = []
    for stage, stage_spec in zip(part.stages, spec["stages"]):
        faster = faster_ways(stage_spec["kind"], stage_spec, stage, source, sizes)
        stages.append([exported_way(stage, sizes), *faster])

    def version(i):
        of = [ways[min(i, len(ways) - 1)] for ways in stages]

        def composition(x):
            gates = [1.0] * len(of) if spec["gate"] == "none" else torch.sigmoid(part.gates)
            if spec["composition"] == "parallel":
                return sum(gate * way(x) for gate, way in zip(gates, of))
            z = x
            for gate, way in zip(gates, of):
                z = z + gate * way(z)
            return z - x

        return composition

    return [version(i) for i in range(1, max(len(ways) for ways in stages))]


def attention(part, spec, sizes):
    """Around F.scaled_dot_product_attention; earlier tokens in a preallocated cache."""
    h, heads = part.head_dim, spec["heads"]
    kv = spec["kv_heads"]
    cache = None
    if sizes.is_cached():
        earlier = sizes.cached.view(2, sizes.batch, -1, kv, h).transpose(2, 3)
        new = torch.zeros(2, sizes.batch, kv, sizes.sequence, h)
        cache = torch.cat([earlier, new], dim=3).contiguous()

    def split(rows):
        return rows.view(sizes.batch, -1, rows.shape[-1] // h, h).transpose(1, 2)

    def fused_attention(x):
        q, k, v = (split(rows) for rows in part.qkv(x).split([heads * h, kv * h, kv * h], dim=-1))
        causal = spec["causal"]
        if cache is not None:
            keys, values = cache
            keys[:, :, -k.shape[2] :], values[:, :, -v.shape[2] :] = k, v
            k, v, causal = keys, values, False
        y = F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=kv != heads)
        return part.out(y.transpose(1, 2).reshape(-1, heads * h))

    return [fused_attention]


def cross_attention(part, spec, sizes):
    """Attention to a source that stands behind the tokens, or to keys and values of the cache."""
    h, heads = part.head_dim, spec["heads"]
    kv = spec["kv_heads"]
    scale = h**-0.5 if spec["scale_scores"] else 1.0
    cache = None
    if sizes.is_cached():
        rows = sizes.cached.view(2, sizes.batch, -1, kv, h)
        cache = rows.transpose(2, 3).contiguous()

    def split(rows):
        return rows.view(sizes.batch, -1, rows.shape[-1] // h, h).transpose(1, 2)

    def fused_cross_attention(x):
        if cache is not None:
            q, (k, v) = split(part.q(x)), cache
        else:
            x, source = x.split([sizes.tokens(), x.shape[0] - sizes.tokens()])
            k, v = (split(rows) for rows in part.kv(source).chunk(2, dim=-1))
            q = split(part.q(x))
        y = F.scaled_dot_product_attention(q, k, v, scale=scale, enable_gqa=kv != heads)
        return part.out(y.transpose(1, 2).reshape(-1, heads * h))

    return [fused_cross_attention]


def fused(q, k, v, causal, scale):
    """Any number of key heads; one for all queries that see every key is a longer query."""
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


def rotary_from(first, sequence, features):
    """Cosines and sines of the angles of the positions from `first` on."""
    positions = torch.arange(first, first + sequence, dtype=torch.float64)
    powers = 10000.0 ** (-2.0 * torch.arange(features // 2, dtype=torch.float64) / features)
    angles = positions[:, None] * powers
    return angles.cos().float(), angles.sin().float()


def latent_attention(part, spec, sizes):
    """Expanded: keys and values of every head. Absorbed: one head of latents for all queries."""
    if spec["q_lora_rank"] or spec["cache"] != "latents":
        raise ValueError("only direct queries and cached latents are written here")
    heads, rank, nope, rope = part.heads, part.rank, part.nope, part.rope
    scale = (nope + rope) ** -0.5
    is_absorbed = spec["form"] == "absorbed"
    earlier = sizes.context - sizes.sequence
    cos, sin = rotary_from(earlier, sizes.sequence, rope)
    cache = None
    if sizes.is_cached():
        new = torch.zeros(sizes.batch, sizes.sequence, rank + rope)
        rows = sizes.cached.view(sizes.batch, earlier, rank + rope)
        cache = torch.cat([rows, new], dim=1).contiguous()

    def rotate(x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)

    def per_head(rows):
        return rows.view(sizes.batch, -1, heads, rows.shape[-1] // heads).transpose(1, 2)

    def expanded(attend, q_nope, q_rope, c, k_rope, causal):
        q = torch.cat([q_nope, q_rope], dim=-1)
        k_rope = k_rope.unsqueeze(1).expand(-1, heads, -1, -1)
        k = torch.cat([per_head(part.k_b(c)), k_rope], dim=-1)
        return attend(q, k, per_head(part.v_b(c)), causal, scale)

    def absorbed(attend, q_nope, q_rope, c, k_rope, causal):
        into_latents = part.k_b.weight.view(heads, -1, rank)
        q = torch.cat([torch.einsum("bhtn,hnr->bhtr", q_nope, into_latents), q_rope], dim=-1)
        k = torch.cat([c, k_rope], dim=-1).unsqueeze(1)
        y = attend(q, k, k[..., :rank], causal, scale)
        return torch.einsum("bhtr,hvr->bhtv", y, part.v_b.weight.view(heads, -1, rank))

    form = absorbed if is_absorbed else expanded

    def way_with(attend):
        def fused_latent_attention(x):
            q_nope, q_rope = per_head(part.q(x)).split([nope, rope], dim=-1)
            c, k_rope = sizes.per_sequence(part.kv_a(x)).split([rank, rope], dim=-1)
            q_rope, c, k_rope = rotate(q_rope), part.kv_norm(c), rotate(k_rope)
            causal = spec["causal"] and c.shape[1] > 1
            if cache is not None:
                cache[:, -c.shape[1] :] = torch.cat([c, k_rope], dim=-1)
                c, k_rope = cache.split([rank, rope], dim=-1)
                causal = False
            y = form(attend, q_nope, q_rope, c, k_rope, causal)
            return part.out(y.transpose(1, 2).flatten(2).flatten(0, 1))

        return fused_latent_attention

    return [way_with(fused), way_with(fused_on_keys if is_absorbed else fused_at_one_width)]


def faster_ways(kind, spec, part, source, sizes):
    """Ways beside the exported one; all there are where earlier tokens are cached."""
    chosen = [with_topk(part, source, sizes)] if hasattr(source, "largest") else []
    own = {
        "moe": lambda: [] if hasattr(part, "shared") else [experts_by_groups(part)],
        "polynomial": lambda: polynomial(part, spec),
        "micro_refine": lambda: micro_refine(part, spec, sizes.d),
        "random_projection": lambda: random_projection(part, spec),
        "token_feedback": lambda: token_feedback(part, spec, sizes),
        "composed": lambda: composed(part, spec, source, sizes),
        "attention": lambda: attention(part, spec, sizes),
        "cross_attention": lambda: cross_attention(part, spec, sizes),
        "latent_attention": lambda: latent_attention(part, spec, sizes),
    }
    return chosen + own.get(kind, list)()
