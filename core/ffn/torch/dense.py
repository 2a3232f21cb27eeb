# SPDX-License-Identifier: MIT
import torch.nn.functional as F
from torch import nn


class __NAME__(nn.Module):
    """Two matrices with an activation between them: act(x·W₁ + b₁)·W₂ + b₂."""  #? bias
    """Two matrices with an activation between them: act(x·W₁)·W₂."""  #? not bias

    def __init__(
        self,
        d,
        d_ff,
    ):
        super().__init__()
        self.c_fc = nn.Linear(d, d_ff)  #? bias
        self.c_fc = nn.Linear(d, d_ff, bias=False)  #? not bias
        self.c_proj = nn.Linear(d_ff, d)  #? bias
        self.c_proj = nn.Linear(d_ff, d, bias=False)  #? not bias

    def forward(self, x):  # [..., d]
        h = __ACTIVATION__(self.c_fc(x))  # [..., d_ff]  #? activation != none
        h = self.c_fc(x)  # [..., d_ff]  #? activation == none
        return self.c_proj(h)
