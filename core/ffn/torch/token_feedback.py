# SPDX-License-Identifier: MIT
import torch
import torch.nn.functional as F
from torch import nn


class __NAME__Step(nn.Module):
    """The weights of a step: A and a, B, and those of its gate, c and e."""

    def __init__(self, d, kept, rank):
        super().__init__()
        self.down = nn.Linear(kept, rank)
        self.up = nn.Linear(rank, kept, bias=False)
        self.gate = nn.ParameterDict({"scale": torch.ones(d), "shift": torch.zeros(d)})


class __NAME__(nn.Module):
    """Refines s features in M small steps: x_S ← x_S + σ(c ⊙ φ + e) ⊙ B·act(A·x_S + a).

    φ are these features of the token itself. What the steps added is the output.  #? feedback == self
    φ are these features of the token before. What the steps added is the output.  #? feedback == previous_token
    """

#if library and feedback == previous_token
    reads_context = True

#endif
    def __init__(
        self,
        d,
        feedback_steps,
        kept,
        feedback_rank,
    ):
        super().__init__()
        self.feedback_steps, self.kept = feedback_steps, kept
#if feedback_weights == shared
        self.steps = nn.ModuleList([__NAME__Step(d, kept, feedback_rank)])
#else
        self.steps = nn.ModuleList(
            [__NAME__Step(d, kept, feedback_rank) for _ in range(feedback_steps)]
        )
#endif

    def forward(
        self,
        x,
        context,  #? library and feedback == previous_token
    ):  # [B, S, d]
        z = x
        for t in range(self.feedback_steps):
            step = self.steps[0]  #? feedback_weights == shared
            step = self.steps[t]  #? feedback_weights == per_step
#if feedback_selection == top_k
            picked = largest(z.abs(), self.kept)  # [B, S, kept]
#else
            window = t * self.kept + torch.arange(self.kept, device=x.device)
            picked = (window % x.shape[-1]).expand(*x.shape[:-1], -1)  # [B, S, kept]
#endif
            now = z.gather(-1, picked)
            phi = now  #? feedback == self
            phi = F.pad(z, (0, 0, 1, 0))[:, :-1].gather(-1, picked)  # before the first: zeros  #? feedback == previous_token and not library
            phi = context.before(z).gather(-1, picked)  # before the first: zeros  #? feedback == previous_token and library
            gate = torch.sigmoid(step.gate["scale"][picked] * phi + step.gate["shift"][picked])
            h = __ACTIVATION__(step.down(now))  # [B, S, rank]  #? activation != none
            h = step.down(now)  # [B, S, rank]  #? activation == none
            z = z.scatter(-1, picked, now + gate * step.up(h))
        return z - x
