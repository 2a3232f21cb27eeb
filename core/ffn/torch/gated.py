# SPDX-License-Identifier: MIT
import torch
import torch.nn.functional as F
from torch import nn


class __NAME__(nn.Module):
    """A third matrix opens and closes each hidden feature: (act(x·Wg) ⊙ x·Wu)·Wd."""

    def __init__(
        self,
        d,
        d_ff,
        gate_limit,  #? gate_limit
        silu_slope,  #? own_slope
        up_offset,  #? up_offset
    ):
        super().__init__()
        self.gate = nn.Linear(d, d_ff)  #? bias
        self.gate = nn.Linear(d, d_ff, bias=False)  #? not bias
        self.up = nn.Linear(d, d_ff)  #? bias
        self.up = nn.Linear(d, d_ff, bias=False)  #? not bias
        self.down = nn.Linear(d_ff, d)  #? bias
        self.down = nn.Linear(d_ff, d, bias=False)  #? not bias
        self.gate_limit = gate_limit  #? gate_limit
        self.silu_slope = silu_slope  #? own_slope
        self.up_offset = up_offset  #? up_offset

    def forward(self, x):  # [..., d]
#if own_gate
        gate, up = self.gate(x), self.up(x)  # [..., d_ff]
        gate = gate.clamp(max=self.gate_limit)  #? gate_limit
        up = up.clamp(-self.gate_limit, self.gate_limit)  #? gate_limit
        up = up + self.up_offset  #? up_offset
        h = gate * torch.sigmoid(self.silu_slope * gate) * up  #? own_slope
        h = __ACTIVATION__(gate) * up  #? activation != none and not own_slope
        h = gate * up  #? activation == none
#else
        h = __ACTIVATION__(self.gate(x)) * self.up(x)  # [..., d_ff]  #? activation != none
        h = self.gate(x) * self.up(x)  # [..., d_ff]  #? activation == none
#endif
        return self.down(h)
