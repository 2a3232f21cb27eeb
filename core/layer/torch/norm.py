# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
#if norm == layer_norm
    """LayerNorm: (x − mean)/√(variance + ε)·γ + β, each token by itself."""  #? norm_scale and norm_shift
    """LayerNorm without a shift: (x − mean)/√(variance + ε)·γ."""  #? norm_scale and not norm_shift
    """LayerNorm without a factor: (x − mean)/√(variance + ε) + β."""  #? not norm_scale and norm_shift
    """LayerNorm without weights: (x − mean)/√(variance + ε)."""  #? not norm_scale and not norm_shift
#else
    """RMSNorm: x/√(mean(x²) + ε)·γ, each token by itself."""  #? norm_scale
    """RMSNorm without weights: x/√(mean(x²) + ε)."""  #? not norm_scale
#endif

    def __init__(
        self,
        d,
        eps,
    ):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))  #? norm_scale
        self.bias = nn.Parameter(torch.zeros(d))  #? norm_shift
        self.eps = eps

    def forward(self, x):  # [..., d]
        x = x - x.mean(dim=-1, keepdim=True)  #? norm == layer_norm
        x = x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + self.eps)
        x = x * self.weight  #? norm_scale
        x = x + self.bias  #? norm_shift
        return x
