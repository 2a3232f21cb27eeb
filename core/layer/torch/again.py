# SPDX-License-Identifier: MIT
from torch import nn


class Again(nn.Module):
    """An earlier block once more: one set of parameters, which is stored there."""

    def __init__(self, block):
        super().__init__()
        self.block = [block]  # a list hides the block from the list of parameters

    def forward(self, *inputs):
        return self.block[0](*inputs)
