# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
#if head == pooler
    """tanh(x·W + b) of the first token of each sequence."""
#elif pooled
    """Logits over classes from tanh(x·W + b) of the first token of each sequence."""
#else
    """Logits over classes from the first token of each sequence."""
#endif

    def __init__(
        self,
        d,
        classes,  #? head == classifier
    ):
        super().__init__()
        self.dense = nn.Linear(d, d)  #? pools
        self.classes = nn.Linear(d, classes)  #? head == classifier and head_bias
        self.classes = nn.Linear(d, classes, bias=False)  #? head == classifier and not head_bias

    def forward(
        self,
        x,
        context,  #? library
    ):  # [B, S, d]
        x = x[:, 0]  #? not library
        x = context.first(x)  #? library
        x = torch.tanh(self.dense(x))  #? pools
        x = self.classes(x)  # [B, classes]  #? head == classifier
        return x
