# SPDX-License-Identifier: MIT
import torch
import torch.nn.functional as F
from torch import nn


class __NAME__(nn.Module):
    """Logits over the vocabulary for every token."""

    def __init__(
        self,
        d,  #? head_transform or head_projection or (head_scale and not scale_factor) or not head_tied
        vocab,  #? not head_tied or head_bias
        width,  #? head_transform or head_projection
        scale_factor,  #? head_scale and scale_factor
        soft_cap,  #? head_soft_cap
        eps,  #? has_norm
    ):
        super().__init__()
        self.transform = nn.Linear(d, width)  #? head_transform and transform_bias
        self.transform = nn.Linear(d, width, bias=False)  #? head_transform and not transform_bias
        self.norm = __NORM__(width, eps=eps)  #? has_norm
        self.projection = nn.Linear(d, width, bias=False)  #? head_projection
#if head_tied
        self.logits = nn.ParameterDict({"bias": torch.zeros(vocab)})  #? head_bias
#elif head_transform or head_projection
        self.logits = nn.Linear(width, vocab)  #? head_bias
        self.logits = nn.Linear(width, vocab, bias=False)  #? not head_bias
#else
        self.logits = nn.Linear(d, vocab)  #? head_bias
        self.logits = nn.Linear(d, vocab, bias=False)  #? not head_bias
#endif
        self.scale = d**-0.5  #? head_scale and not scale_factor
        self.scale = scale_factor  #? head_scale and scale_factor
        self.soft_cap = soft_cap  #? head_soft_cap

    def forward(
        self,
        x,
        table,  #? head_tied
    ):
        # x [B, S, d], and the token table [vocab, width] that is the head's too  #? head_tied
        x = __ACTIVATION__(self.transform(x))  #? head_transform and transform_activation != none
        x = self.transform(x)  #? head_transform and transform_activation == none
        x = self.norm(x)  #? has_norm
        x = self.projection(x)  #? head_projection
        x = x * self.scale  #? head_scale
        y = F.linear(x, table, self.logits["bias"])  #? head_tied and head_bias
        y = F.linear(x, table)  #? head_tied and not head_bias
        y = self.logits(x)  #? not head_tied
        y = self.soft_cap * torch.tanh(y / self.soft_cap)  #? head_soft_cap
        return y  # [B, S, vocab]
