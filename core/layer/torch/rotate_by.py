# SPDX-License-Identifier: MIT
import torch


def rotate_by(
    x,
    frequencies,
    context,  #? library
    amplitude=1.0,
):
    """RoPE: turns features i and i + r/2 of the first r by position·frequency of pair i < r/2."""
    half = frequencies.shape[0]
    position = torch.arange(x.shape[-2], dtype=torch.float64)  #? not library
    angle = position[:, None] * frequencies  # [S, r/2]  #? not library
    angle = context.exact_positions[:, None, :, None] * frequencies  # [B, 1, S, r/2]  #? library
    cos, sin = (amplitude * angle.cos()).to(x), (amplitude * angle.sin()).to(x)
    first, second, rest = x.split([half, half, x.shape[-1] - 2 * half], dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin, rest], dim=-1)
