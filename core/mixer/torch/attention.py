# SPDX-License-Identifier: MIT
import math

import torch
from torch import nn


class __NAME__(nn.Module):
    """Every token takes a weighted sum of the values of tokens: softmax(q·kᵀ/√h)·v·Wo."""  #? scale_scores and not score_scale
    """Every token takes a weighted sum of the values of tokens: softmax(q·kᵀ·scale)·v·Wo."""  #? scale_scores and score_scale
    """Every token takes a weighted sum of the values of tokens: softmax(q·kᵀ)·v·Wo."""  #? not scale_scores

    def __init__(
        self,
        d,
        heads,
        kv_heads,  #? grouped
        head_dim,
        rotary_dim,  #? rotary and not own_angles
        frequencies,  #? rotary and own_angles
        amplitude,  #? rotary and own_amplitude
        score_scale,  #? scale_scores and score_scale
        qkv_limit,  #? qkv_limit
        window,  #? window
        soft_cap,  #? soft_cap
        relative_buckets,  #? position_bias == relative
        relative_bias,  #? position_bias == shared_relative
        eps,  #? qk_norm != none
    ):
        super().__init__()
#if grouped
        self.heads, self.kv_heads, self.head_dim = heads, kv_heads, head_dim
        self.qkv = nn.Linear(d, (heads + 2 * kv_heads) * head_dim)  #? qkv_bias
        self.qkv = nn.Linear(d, (heads + 2 * kv_heads) * head_dim, bias=False)  #? not qkv_bias
#else
        self.heads, self.head_dim = heads, head_dim
        self.qkv = nn.Linear(d, 3 * heads * head_dim)  #? qkv_bias
        self.qkv = nn.Linear(d, 3 * heads * head_dim, bias=False)  #? not qkv_bias
#endif
#if qk_norm == per_head
        self.q_norm = __QK_NORM__(head_dim, eps=eps)
        self.k_norm = __QK_NORM__(head_dim, eps=eps)
#elif qk_norm == full_width
        self.q_norm = __QK_NORM__(heads * head_dim, eps=eps)
        self.k_norm = __QK_NORM__(kv_heads * head_dim, eps=eps)  #? grouped
        self.k_norm = __QK_NORM__(heads * head_dim, eps=eps)  #? not grouped
#endif
        self.rotary_dim = rotary_dim  #? rotary and not own_angles
        self.frequencies = frequencies  # gives those of the rotated pairs, [r/2]  #? rotary and own_angles
        self.amplitude = amplitude  #? rotary and own_amplitude
        self.score_scale = score_scale  #? scale_scores and score_scale
        self.qkv_limit = qkv_limit  #? qkv_limit
        self.window = window  #? window
        self.soft_cap = soft_cap  #? soft_cap
        self.sinks = nn.Parameter(torch.zeros(heads))  # a logit without a value  #? sinks
        self.relative_bias = nn.Embedding(relative_buckets, heads)  #? position_bias == relative
        self.relative_bias = [relative_bias]  # of an earlier block, stored there  #? position_bias == shared_relative
        self.out = nn.Linear(heads * head_dim, d)  #? out_bias
        self.out = nn.Linear(heads * head_dim, d, bias=False)  #? not out_bias

    def forward(
        self,
        x,
        context,  #? library
    ):  # [B, S, d]
#if grouped
        sizes = [n * self.head_dim for n in (self.heads, self.kv_heads, self.kv_heads)]
        q, k, v = self.qkv(x).split(sizes, dim=-1)
#else
        q, k, v = self.qkv(x).chunk(3, dim=-1)
#endif
        q, k = self.q_norm(q), self.k_norm(k)  #? qk_norm == full_width
        q, k, v = (self.split(part) for part in (q, k, v))  # [B, heads, S, h]
        q, k = self.q_norm(q), self.k_norm(k)  #? qk_norm == per_head
        q, k, v = (part.clamp(-self.qkv_limit, self.qkv_limit) for part in (q, k, v))  #? qkv_limit
#if rotary and own_amplitude
        q = rotate_by(q, self.frequencies(), self.amplitude)  #? not library
        k = rotate_by(k, self.frequencies(), self.amplitude)  #? not library
        q = rotate_by(q, self.frequencies(), context, self.amplitude)  #? library
        k = rotate_by(k, self.frequencies(), context, self.amplitude)  #? library
#elif rotary and own_angles
        q, k = rotate_by(q, self.frequencies()), rotate_by(k, self.frequencies())  #? not library
        q = rotate_by(q, self.frequencies(), context)  #? library
        k = rotate_by(k, self.frequencies(), context)  #? library
#elif rotary
        q, k = rotate(q, self.rotary_dim), rotate(k, self.rotary_dim)  #? not library
        q, k = rotate(q, self.rotary_dim, context), rotate(k, self.rotary_dim, context)  #? library
#endif
        k, v = context.with_earlier(k, v)  # [B, heads, K, h] of K tokens, earlier ones first  #? caches and causal
#if grouped
        group = self.heads // self.kv_heads  # query heads that share keys and values
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
#endif
        scores = q @ k.transpose(-2, -1)  # [B, H, S, S]  #? not (caches and causal)
        scores = q @ k.transpose(-2, -1)  # [B, H, S, K]  #? caches and causal
        scores = scores / math.sqrt(self.head_dim)  #? scale_scores and not score_scale
        scores = scores * self.score_scale  #? scale_scores and score_scale
        scores = self.soft_cap * torch.tanh(scores / self.soft_cap)  #? soft_cap
#if causal or window or position_bias != none
        position = torch.arange(x.shape[1], device=x.device)  #? not library
        offset = position[None, :] - position[:, None]  # from the query to the key, [S, S]  #? not library
        offset = context.offset  # from the query to the key, [S, K]  #? library
#endif
#if position_bias == alibi
        slopes = alibi_slopes(self.heads).to(x)
        scores = scores - slopes[:, None, None] * offset.abs()
#elif position_bias == relative
        bucket = relative_bucket(offset, self.relative_bias.num_embeddings, both=__BOTH__)
        scores = scores + self.relative_bias(bucket).permute(2, 0, 1)
#elif position_bias == shared_relative
        table = self.relative_bias[0]
        bucket = relative_bucket(offset, table.num_embeddings, both=__BOTH__)
        scores = scores + table(bucket).permute(2, 0, 1)
#endif
#if causal
        unseen = (offset > 0) | (offset <= -self.window)  #? window
        unseen = offset > 0  #? not window
#elif window
        unseen = offset.abs() > self.window // 2
#endif
        scores = scores.masked_fill(unseen, float("-inf"))  #? (causal or window) and not library
        scores = context.masked(scores, unseen)  #? (causal or window) and library
        scores = context.masked(scores)  #? not (causal or window) and library
#if sinks
        sinks = self.sinks[:, None, None].expand(*scores.shape[:3], 1)
        weights = torch.softmax(torch.cat([scores, sinks], dim=-1), dim=-1)[..., :-1]
#else
        weights = torch.softmax(scores, dim=-1)
#endif
        return self.out((weights @ v).transpose(1, 2).flatten(2))

    def split(self, rows):
        """[B, S, heads·h] → [B, heads, S, h]"""
        return rows.view(*rows.shape[:2], -1, self.head_dim).transpose(1, 2)
