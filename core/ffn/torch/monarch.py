# SPDX-License-Identifier: MIT
import torch
import torch.nn.functional as F
from torch import nn


class __NAME__Blocks(nn.Module):
    """The weight of a block-diagonal matrix, whose blocks lie one below the other."""

    def __init__(self, inputs, outputs, blocks):
        super().__init__()
        self.blocks = blocks
        rows = inputs // blocks
        self.weight = nn.Parameter(torch.randn(outputs, rows) / rows**0.5)

    def matrices(self):  # [blocks, outputs / blocks, inputs / blocks]
        return self.weight.unflatten(0, (self.blocks, -1))


class __NAME__Linear(nn.Module):
    """A Monarch matrix: blocks of neighbours, then blocks of every so many-th feature."""

    def __init__(self, inputs, width, outputs, blocks):
        super().__init__()
        self.blocks = blocks
        self.first = __NAME__Blocks(inputs, width, blocks)
        self.second = __NAME__Blocks(width, outputs, blocks)
        self.bias = nn.Parameter(torch.zeros(outputs))  #? bias

    def forward(self, x):  # [..., inputs]
        x = x.unflatten(-1, (self.blocks, -1))
        x = torch.einsum("...ki,koi->...ko", x, self.first.matrices())
        x = x.flatten(-2).unflatten(-1, (-1, self.blocks))  # the shuffle
        y = torch.einsum("...ik,koi->...ok", x, self.second.matrices())
        y = y.flatten(-2)
        y = y + self.bias  #? bias
        return y  # [..., outputs]


class __NAME__(nn.Module):
    """Both matrices are products of two block-diagonal ones: act(x·L₁·R₁)·L₂·R₂."""

    def __init__(
        self,
        d,
        d_ff,
        blocks,
    ):
        super().__init__()
        self.c_fc = __NAME__Linear(d, d, d_ff, blocks)
        self.c_proj = __NAME__Linear(d_ff, d, d, blocks)

    def forward(self, x):  # [B, S, d]
        h = __ACTIVATION__(self.c_fc(x))  # [B, S, d_ff]  #? activation != none
        h = self.c_fc(x)  # [B, S, d_ff]  #? activation == none
        return self.c_proj(h)
