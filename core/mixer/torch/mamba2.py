# SPDX-License-Identifier: MIT
import torch
import torch.nn.functional as F
from torch import nn


class __NAME__(nn.Module):
    """A recurrence with a state of [h, N] numbers per head: S ← a·S + (Δ·x)·Bᵀ, y = S·C + D·x."""

    def __init__(
        self,
        d,
        heads,
        head_dim,
        state_dim,
        groups,
        conv_width,
        chunk,  #? algorithm == chunked
        norm_groups,  #? gated_norm
        eps,  #? gated_norm
    ):
        super().__init__()
        inner, shared = heads * head_dim, groups * state_dim
        channels = inner + 2 * shared
        self.heads, self.groups = heads, groups
        self.chunk = chunk  #? algorithm == chunked
        self.projected = [inner, channels, heads]  # z, what is convolved, Δ
        self.convolved = [inner, shared, shared]  # x, B, C
        self.in_proj = nn.Linear(d, inner + channels + heads)  #? bias
        self.in_proj = nn.Linear(d, inner + channels + heads, bias=False)  #? not bias
        self.conv = nn.Conv1d(channels, channels, conv_width, groups=channels)  #? conv_bias
        self.conv = nn.Conv1d(channels, channels, conv_width, groups=channels, bias=False)  #? not conv_bias
        self.before = conv_width - 1
        self.dt_bias = nn.Parameter(torch.zeros(heads))
        self.A_log = nn.Parameter(torch.zeros(heads))
        self.D = nn.Parameter(torch.ones(heads))
#if gated_norm
        self.norm = nn.Parameter(torch.ones(inner))
        self.norm_groups, self.eps = norm_groups, eps
#endif
        self.out_proj = nn.Linear(inner, d)  #? bias
        self.out_proj = nn.Linear(inner, d, bias=False)  #? not bias

    def forward(
        self,
        x,
        context,  #? library
    ):  # [B, S, d]
        z, convolved, step = self.in_proj(x).split(self.projected, dim=-1)
        convolved = context.without_padding(convolved)  #? library
        convolved = F.pad(convolved.transpose(1, 2), (self.before, 0))
        convolved = F.silu(self.conv(convolved)).transpose(1, 2)
        convolved = context.without_padding(convolved)  #? library
        x, b, c = convolved.split(self.convolved, dim=-1)
        x = x.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # [B, H, S, h]
        b = b.unflatten(-1, (self.groups, -1)).transpose(1, 2)  # [B, G, S, N]
        c = c.unflatten(-1, (self.groups, -1)).transpose(1, 2)
        step = F.softplus(step + self.dt_bias).transpose(1, 2)  # Δ [B, H, S]
        exponents = -torch.exp(self.A_log)[:, None] * step  # log a
        y = self.scan(step[..., None] * x, b, c, exponents) + self.D[:, None, None] * x
        y = y.transpose(1, 2).flatten(2) * F.silu(z)
#if gated_norm
        parts = y.unflatten(-1, (self.norm_groups, -1))
        parts = parts * torch.rsqrt(parts.square().mean(-1, keepdim=True) + self.eps)
        y = parts.flatten(2) * self.norm
#endif
        return self.out_proj(y)

    def scan(self, u, b, c, exponents):
        """S ← a·S + u·Bᵀ, y = S·C  [B, H, S, h]"""
        heads = self.heads // self.groups  # of a group
        state = u.new_zeros(*u.shape[:2], u.shape[-1], b.shape[-1])  # [B, H, h, N]
        y = []
#if algorithm == chunked
        for first in range(0, u.shape[2], self.chunk):
            at = slice(first, first + self.chunk)
            sums = exponents[:, :, at].cumsum(-1)  # [B, H, c]
            pairs = sums.new_ones(sums.shape[-1], sums.shape[-1])
            later = pairs.triu(1).bool()  # not seen
            pairs = (sums[..., :, None] - sums[..., None, :]).masked_fill(later, float("-inf"))
            scores = c[:, :, at] @ b[:, :, at].transpose(-2, -1)  # [B, G, c, c]
            mixing = scores.repeat_interleave(heads, 1) * torch.exp(pairs)
            b_of_head = b[:, :, at].repeat_interleave(heads, 1)
            c_of_head = c[:, :, at].repeat_interleave(heads, 1)
            before = c_of_head @ state.transpose(-2, -1)  # [B, H, c, h]
            y.append(mixing @ u[:, :, at] + torch.exp(sums)[..., None] * before)
            weighed = torch.exp(sums[..., -1:] - sums)[..., None] * u[:, :, at]
            carried = torch.exp(sums[..., -1])[..., None, None] * state
            state = carried + weighed.transpose(-2, -1) @ b_of_head
        return torch.cat(y, 2)
#else
        b, c = b.repeat_interleave(heads, 1), c.repeat_interleave(heads, 1)
        for t in range(u.shape[2]):
            state = torch.exp(exponents[:, :, t])[..., None, None] * state
            state = state + u[:, :, t, :, None] * b[:, :, t, None, :]
            y.append(state @ c[:, :, t, :, None])  # [B, H, h, 1]
        return torch.cat(y, -1).transpose(-2, -1)
#endif
