# SPDX-License-Identifier: MIT
import torch.nn.functional as F
from torch import nn


class __NAME__Linear(nn.Module):
    """A matrix as the product of a tall and a flat one: x·U·V + b."""  #? bias
    """A matrix as the product of a tall and a flat one: x·U·V."""  #? not bias

    def __init__(self, inputs, rank, outputs):
        super().__init__()
        self.u = nn.Linear(inputs, rank, bias=False)
        self.v = nn.Linear(rank, outputs)  #? bias
        self.v = nn.Linear(rank, outputs, bias=False)  #? not bias

    def forward(self, x):  # [..., inputs]
        return self.v(self.u(x))


class __NAME__(nn.Module):
    """Both matrices go through rank r: act(x·U₁·V₁)·U₂·V₂."""

    def __init__(
        self,
        d,
        d_ff,
        rank,
    ):
        super().__init__()
        self.c_fc = __NAME__Linear(d, rank, d_ff)
        self.c_proj = __NAME__Linear(d_ff, rank, d)

    def forward(self, x):  # [B, S, d]
        h = __ACTIVATION__(self.c_fc(x))  # [B, S, d_ff]  #? activation != none
        h = self.c_fc(x)  # [B, S, d_ff]  #? activation == none
        return self.c_proj(h)
