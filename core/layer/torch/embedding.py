# SPDX-License-Identifier: MIT
import math

import torch
from torch import nn


class __NAME__(nn.Module):
    """What turns numbers of tokens into rows of d features."""

    def __init__(
        self,
        d,
        vocab,
        embedding_width,  #? embedding_projection != none
        position_rows,  #? positions == learned
        token_types,  #? token_types
        scale_factor,  #? embedding_scale and scale_factor
        eps,  #? has_norm
    ):
        super().__init__()
        self.d = d  #? embedding_scale and not scale_factor
        self.scale_factor = scale_factor  #? embedding_scale and scale_factor
        self.tokens = nn.Embedding(vocab, __WIDTH__)
        self.positions = nn.Embedding(position_rows, __SUM_WIDTH__)  #? positions == learned
        self.token_types = nn.Embedding(token_types, __SUM_WIDTH__)  #? token_types
        self.norm = __NORM__(__SUM_WIDTH__, eps=eps)  #? has_norm
        self.projection = nn.Linear(embedding_width, d)  #? embedding_projection == biased
        self.projection = nn.Linear(embedding_width, d, bias=False)  #? embedding_projection == plain

    def forward(
        self,
        tokens,
        context,  #? library
    ):  # [B, S]
        x = self.tokens(tokens)  # [B, S, __WIDTH__]
        x = x * math.sqrt(self.d)  #? embedding_scale and not scale_factor
        x = x * self.scale_factor  #? embedding_scale and scale_factor
        x = self.projection(x)  #? embedding_projection != none and not positions_before_projection
#if positions == learned
        position = torch.arange(tokens.shape[1], device=tokens.device)  #? not library
        position = context.positions  # of each token in its sequence  #? library
        x = x + self.positions(position % self.positions.num_embeddings)
#elif positions == sinusoidal
        x = x + sinusoidal(torch.arange(x.shape[1]), x.shape[2]).to(x)  #? not library
        x = x + sinusoidal(context.exact_positions, x.shape[2]).to(x)  #? library
#endif
        x = x + self.token_types.weight[0]  # every token is of the first type  #? token_types and not library
        x = x + self.token_types.weight[context.types]  #? token_types and library
        x = self.norm(x)  #? has_norm
        x = self.projection(x)  #? embedding_projection != none and positions_before_projection
        return x  # [B, S, d]
