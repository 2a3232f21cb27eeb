# SPDX-License-Identifier: MIT
import torch


def rotate(
    x,
    features,
    context,  #? library
):
    """RoPE: turns features i and i + r/2 of the first r by position·10000^(−2i/r)."""
    half = features // 2
    position = torch.arange(x.shape[-2], dtype=torch.float64)  #? not library
    frequency = 10000.0 ** (-2.0 * torch.arange(half, dtype=torch.float64) / features)
    angle = position[:, None] * frequency  # [S, r/2]  #? not library
    angle = context.exact_positions[:, None, :, None] * frequency  # [B, 1, S, r/2]  #? library
    cos, sin = angle.cos().to(x), angle.sin().to(x)
    first, second, rest = x.split([half, half, x.shape[-1] - features], dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin, rest], dim=-1)
