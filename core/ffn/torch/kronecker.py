# SPDX-License-Identifier: MIT
import torch.nn.functional as F
from torch import nn


class __NAME__(nn.Module):
    """Both matrices are sums of Kronecker products: act(x·Σ A ⊗ B)·Σ C ⊗ D."""

    def __init__(
        self,
        c_fc,
        c_proj,
    ):
        super().__init__()
        self.c_fc = c_fc
        self.c_proj = c_proj

    def forward(self, x):  # [B, S, d]
        h = __ACTIVATION__(self.c_fc(x))  # [B, S, d_ff]  #? activation != none
        h = self.c_fc(x)  # [B, S, d_ff]  #? activation == none
        return self.c_proj(h)
