# SPDX-License-Identifier: MIT
import torch.nn.functional as F
from torch import nn


class __NAME__(nn.Module):
    """A third matrix opens and closes each hidden feature: (act(x·Wg) ⊙ x·Wu)·Wd."""

    def __init__(
        self,
        d,
        d_ff,
    ):
        super().__init__()
        self.gate = nn.Linear(d, d_ff)  #? bias
        self.gate = nn.Linear(d, d_ff, bias=False)  #? not bias
        self.up = nn.Linear(d, d_ff)  #? bias
        self.up = nn.Linear(d, d_ff, bias=False)  #? not bias
        self.down = nn.Linear(d_ff, d)  #? bias
        self.down = nn.Linear(d_ff, d, bias=False)  #? not bias

    def forward(self, x):  # [..., d]
        h = __ACTIVATION__(self.gate(x)) * self.up(x)  # [..., d_ff]  #? activation != none
        h = self.gate(x) * self.up(x)  # [..., d_ff]  #? activation == none
        return self.down(h)
