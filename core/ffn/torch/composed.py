# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
#if not has_stages
    """A composition without stages: nothing is added."""
#elif composition == parallel
    """Stages side by side: Σ σ(g)·stage(x)."""  #? gate != none
    """Stages side by side: Σ stage(x)."""  #? gate == none
#else
    """Stages one after the other: z ← z + σ(g)·stage(z) from z = x on, and y = z − x."""  #? gate != none
    """Stages one after the other: z ← z + stage(z) from z = x on, and y = z − x."""  #? gate == none
#endif

#if passes_context
    reads_context = True

#endif
    def __init__(
        self,
        d,  #? gate == channel
        dropout,  #? drops
        stages,
    ):
        super().__init__()
        self.stages = nn.ModuleList(stages)
        self.gates = nn.Parameter(torch.zeros(len(stages), 1))  #? gate == scalar
        self.gates = nn.Parameter(torch.zeros(len(stages), d))  #? gate == channel
        self.dropout = nn.Dropout(dropout)  #? drops

    def forward(
        self,
        x,
        context,  #? passes_context
    ):  # [B, S, d]
#if not has_stages
        return torch.zeros_like(x)
#else
#if passes_context
        stages = [
            (lambda z, stage=stage: stage(z, context)) if hasattr(stage, "reads_context") else stage
            for stage in self.stages
        ]
#endif
        gates = torch.sigmoid(self.gates)  #? gate != none
#if composition == parallel
        y = sum(gate * stage(x) for gate, stage in zip(gates, __STAGES__))  #? gate != none
        y = sum(stage(x) for stage in __STAGES__)  #? gate == none
#else
        z = x
        for gate, stage in zip(gates, __STAGES__):  #? gate != none
            z = z + gate * stage(z)  #? gate != none
        for stage in __STAGES__:  #? gate == none
            z = z + stage(z)  #? gate == none
        y = z - x
#endif
        y = self.dropout(y)  #? drops
        return y
#endif
