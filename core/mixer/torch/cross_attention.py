# SPDX-License-Identifier: MIT
import math

import torch
from torch import nn


class __NAME__(nn.Module):
    """Every token looks at all tokens z of the encoder: softmax(x·Wq·(z·Wk)ᵀ/√h)·z·Wv·Wo."""  #? scale_scores
    """Every token looks at all tokens z of the encoder: softmax(x·Wq·(z·Wk)ᵀ)·z·Wv·Wo."""  #? not scale_scores

    def __init__(
        self,
        d,
        heads,
        kv_heads,  #? grouped
        head_dim,
    ):
        super().__init__()
        self.heads, self.kv_heads, self.head_dim = heads, kv_heads, head_dim  #? grouped
        self.head_dim = head_dim  #? not grouped
        keys = kv_heads * head_dim  #? grouped
        keys = heads * head_dim  #? not grouped
        self.q = nn.Linear(d, heads * head_dim)  #? qkv_bias
        self.q = nn.Linear(d, heads * head_dim, bias=False)  #? not qkv_bias
        self.kv = nn.Linear(d, 2 * keys)  #? qkv_bias
        self.kv = nn.Linear(d, 2 * keys, bias=False)  #? not qkv_bias
        self.out = nn.Linear(heads * head_dim, d)  #? out_bias
        self.out = nn.Linear(heads * head_dim, d, bias=False)  #? not out_bias

#if library
    def forward(self, x, context):  # [B, S, d]
        q = self.split(self.q(x))  # [B, heads, S, h]
        k, v = context.of_source(self.keys_and_values)
#else
    def forward(self, x, source):  # [B, S, d] and [B, S_src, d]
        k, v = self.kv(source).chunk(2, dim=-1)
        q, k, v = (self.split(part) for part in (self.q(x), k, v))  # [B, heads, S, h]
#endif
#if grouped
        group = self.heads // self.kv_heads  # query heads that share keys and values
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
#endif
        scores = q @ k.transpose(-2, -1)  # [B, H, S, S_src]
        scores = scores / math.sqrt(self.head_dim)  #? scale_scores
        scores = context.masked_source(scores)  #? library
        weights = torch.softmax(scores, dim=-1)
        return self.out((weights @ v).transpose(1, 2).flatten(2))

#if library
    def keys_and_values(self, source):  # [B, S_src, d]
        """[B, heads, S_src, h] each"""
        return [self.split(part) for part in self.kv(source).chunk(2, dim=-1)]

#endif
    def split(self, rows):
        """[B, S, heads·h] → [B, heads, S, h]"""
        return rows.view(*rows.shape[:2], -1, self.head_dim).transpose(1, 2)
