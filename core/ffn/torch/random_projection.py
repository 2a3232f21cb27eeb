# SPDX-License-Identifier: MIT
import math

import torch
import torch.nn.functional as F
from torch import nn


class __NAME__(nn.Module):
    """Two fixed matrices of few entries ±1: R₂(g ⊙ act(α·R₁x + b))·β, α = 1/√p, β = 1/√q."""  #? activation != none
    """Two fixed matrices of few entries ±1: R₂(g ⊙ (α·R₁x + b))·β, α = 1/√p, β = 1/√q."""  #? activation == none

    def __init__(
        self,
        d,
        projection_features,
        inputs_per_feature,
        features_per_output,
    ):
        super().__init__()
        self.d, self.features = d, projection_features
        self.gain = nn.Parameter(torch.ones(projection_features))
        self.bias = nn.Parameter(torch.zeros(projection_features))
        # One number for each entry that is not 0: its column c for +1, −1 − c for −1.
        inward = torch.arange(inputs_per_feature).repeat(projection_features, 1)
        outward = torch.arange(features_per_output).repeat(d, 1)
        self.register_buffer("inward", inward)
        self.register_buffer("outward", outward)

    def forward(self, x):  # [B, S, d]
        h = self.project(x, self.inward, self.d) + self.bias  # [B, S, features]
        h = __ACTIVATION__(h)  #? activation != none
        return self.project(self.gain * h, self.outward, self.features)

    def project(self, x, entries, columns):
        """x·Rᵀ over the root of the entries in a row of R."""
        signs = torch.where(entries < 0, -1, 1).to(x.dtype)
        matrix = x.new_zeros(len(entries), columns)
        matrix = matrix.scatter(1, torch.where(entries < 0, -1 - entries, entries), signs)
        return F.linear(x, matrix) / math.sqrt(entries.shape[1])
