# SPDX-License-Identifier: MIT
import math

import torch
from torch import nn


class __NAME__(nn.Module):
    """Keys and values of all heads come from one latent c = norm(x·Wc) of each token.

    softmax((q_nope·(c·Wk)ᵀ + q_rope·k_ropeᵀ)·scale)·(c·Wv)·Wo  #? form != absorbed and score_scale
    softmax((q_nope·(c·Wk)ᵀ + q_rope·k_ropeᵀ)/√h)·(c·Wv)·Wo  #? form != absorbed and not score_scale
    softmax((q_nope·Wkᵀ·cᵀ + q_rope·k_ropeᵀ)·scale)·c·Wv·Wo: attention to the latents themselves  #? form == absorbed and score_scale
    softmax((q_nope·Wkᵀ·cᵀ + q_rope·k_ropeᵀ)/√h)·c·Wv·Wo: attention to the latents themselves  #? form == absorbed and not score_scale
    """

    def __init__(
        self,
        d,
        heads,
        q_lora_rank,  #? q_lora_rank
        kv_lora_rank,
        qk_nope_head_dim,
        qk_rope_head_dim,
        v_head_dim,
        frequencies,  #? own_angles
        amplitude,  #? own_amplitude
        score_scale,  #? score_scale
        eps,
    ):
        super().__init__()
        self.heads, self.rank = heads, kv_lora_rank
        self.nope, self.rope = qk_nope_head_dim, qk_rope_head_dim
        self.frequencies = frequencies  # gives those of the rotated pairs, [rope/2]  #? own_angles
        self.amplitude = amplitude  #? own_amplitude
        self.score_scale = score_scale  #? score_scale
        queries = heads * (qk_nope_head_dim + qk_rope_head_dim)
#if q_lora_rank
        self.q_a = nn.Linear(d, q_lora_rank)  #? bias
        self.q_a = nn.Linear(d, q_lora_rank, bias=False)  #? not bias
        self.q_norm = __NORM__(q_lora_rank, eps=eps)
        self.q_b = nn.Linear(q_lora_rank, queries, bias=False)
#else
        self.q = nn.Linear(d, queries, bias=False)
#endif
        self.kv_a = nn.Linear(d, kv_lora_rank + qk_rope_head_dim)  #? bias
        self.kv_a = nn.Linear(d, kv_lora_rank + qk_rope_head_dim, bias=False)  #? not bias
        self.kv_norm = __NORM__(kv_lora_rank, eps=eps)
        self.k_b = nn.Linear(kv_lora_rank, heads * qk_nope_head_dim, bias=False)
        self.v_b = nn.Linear(kv_lora_rank, heads * v_head_dim, bias=False)
        self.out = nn.Linear(heads * v_head_dim, d)  #? bias
        self.out = nn.Linear(heads * v_head_dim, d, bias=False)  #? not bias

    def forward(
        self,
        x,
        context,  #? library
    ):  # [B, S, d]
        q = self.split(self.q_b(self.q_norm(self.q_a(x))))  # [B, H, S, nope + rope]  #? q_lora_rank
        q = self.split(self.q(x))  # [B, H, S, nope + rope]  #? not q_lora_rank
        q_nope, q_rope = q.split([self.nope, self.rope], dim=-1)
        c, k_rope = self.kv_a(x).split([self.rank, self.rope], dim=-1)
        c = self.kv_norm(c)  # [B, S, rank]
        k_rope = k_rope[:, None]  # one for all heads
#if own_amplitude
        q_rope = rotate_by(q_rope, self.frequencies(), self.amplitude)  #? not library
        k_rope = rotate_by(k_rope, self.frequencies(), self.amplitude)  #? not library
        q_rope = rotate_by(q_rope, self.frequencies(), context, self.amplitude)  #? library
        k_rope = rotate_by(k_rope, self.frequencies(), context, self.amplitude)  #? library
#elif own_angles
        q_rope = rotate_by(q_rope, self.frequencies())  #? not library
        k_rope = rotate_by(k_rope, self.frequencies())  #? not library
        q_rope = rotate_by(q_rope, self.frequencies(), context)  #? library
        k_rope = rotate_by(k_rope, self.frequencies(), context)  #? library
#else
        q_rope = rotate(q_rope, self.rope)  #? not library
        k_rope = rotate(k_rope, self.rope)  #? not library
        q_rope = rotate(q_rope, self.rope, context)  #? library
        k_rope = rotate(k_rope, self.rope, context)  #? library
#endif
#if caches and causal
        c, k_rope = context.with_earlier(c[:, None], k_rope)  # of K tokens, earlier ones first
        c = c[:, 0]  # [B, K, rank]
#endif
#if form != absorbed
        scores = q_nope @ self.split(self.k_b(c)).transpose(-2, -1)  # [B, H, S, S]
#else
        into_latents = self.k_b.weight.view(self.heads, -1, self.rank)  # [H, nope, rank]
        scores = q_nope @ into_latents @ c[:, None].transpose(-2, -1)  # [B, H, S, S]
#endif
        scores = scores + q_rope @ k_rope.transpose(-2, -1)
        scores = scores / math.sqrt(self.nope + self.rope)  #? not score_scale
        scores = scores * self.score_scale  #? score_scale
#if library
        scores = context.masked(scores, context.offset > 0)  #? causal
        scores = context.masked(scores)  #? not causal
#elif causal
        position = torch.arange(x.shape[1], device=x.device)
        scores = scores.masked_fill(position[None, :] > position[:, None], float("-inf"))
#endif
        weights = torch.softmax(scores, dim=-1)
#if form != absorbed
        y = weights @ self.split(self.v_b(c))  # [B, H, S, h_v]
#else
        from_latents = self.v_b.weight.view(self.heads, -1, self.rank)  # [H, h_v, rank]
        y = weights @ c[:, None] @ from_latents.transpose(-2, -1)  # [B, H, S, h_v]
#endif
        return self.out(y.transpose(1, 2).flatten(2))

    def split(self, rows):
        """[B, S, heads·h] → [B, heads, S, h]"""
        return rows.view(*rows.shape[:2], self.heads, -1).transpose(1, 2)
