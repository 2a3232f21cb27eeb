# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
    """A router sends each token through k of E experts: Σ wₑ·expertₑ(x)."""

    def __init__(
        self,
        d,
        experts,
        experts_per_token,
        d_ff,
        routed_scale,  #? scales
        groups,  #? limits_groups
        groups_per_token,  #? limits_groups
        shared_d_ff,  #? shared_experts
        gate_limit,  #? gate_limit
        silu_slope,  #? own_slope
        up_offset,  #? up_offset
    ):
        super().__init__()
        self.experts_per_token = experts_per_token
        self.routed_scale = routed_scale  #? scales
        self.groups, self.groups_per_token = groups, groups_per_token  #? limits_groups
        self.router = nn.Linear(d, experts)  #? router_bias
        self.router = nn.Linear(d, experts, bias=False)  #? not router_bias
        self.register_buffer("correction_bias", torch.zeros(experts))  #? correction_bias
#if own_gate
        gate = {}
        gate["gate_limit"] = gate_limit  #? gate_limit
        gate["silu_slope"] = silu_slope  #? own_slope
        gate["up_offset"] = up_offset  #? up_offset
        self.experts = nn.ModuleList([__EXPERT__(d, d_ff, **gate) for _ in range(experts)])
        self.shared = __EXPERT__(d, shared_d_ff, **gate)  # all as one  #? shared_experts
#else
        self.experts = nn.ModuleList([__EXPERT__(d, d_ff) for _ in range(experts)])
        self.shared = __EXPERT__(d, shared_d_ff)  # all shared experts as one  #? shared_experts
#endif
        self.shared_gate = nn.Linear(d, 1, bias=False)  #? has_shared_gate

    def forward(self, x):  # [B, S, d]
        tokens = x.reshape(-1, x.shape[-1])  # [T, d]
        chosen, weights = self.route(tokens)  # [T, k] each
        y = torch.zeros_like(tokens)
        for e, expert in enumerate(self.experts):
            row, place = torch.where(chosen == e)
            y = y.index_add(0, row, weights[row, place, None] * expert(tokens[row]))
#if has_shared_gate
        y = y + torch.sigmoid(self.shared_gate(tokens)) * self.shared(tokens)
#elif shared_experts
        y = y + self.shared(tokens)
#endif
        return y.view_as(x)

    def route(self, tokens):
        """The experts of each token, ascending, and the weights of their outputs."""
        logits = self.router(tokens)  # [T, E]
#if scored == all
        scores = torch.softmax(logits, dim=-1)  #? score == softmax
        scores = torch.sigmoid(logits)  #? score == sigmoid
#endif
#if chooses_by_score
        chosen = self.choose(scores)
#else
        chosen = self.choose(logits)  # they have the order of the scores
#endif
#if scored == all
        weights = scores.gather(-1, chosen)
#else
        weights = torch.softmax(logits.gather(-1, chosen), dim=-1)  #? score == softmax
        weights = torch.sigmoid(logits.gather(-1, chosen))  #? score == sigmoid
#endif
        weights = weights / weights.sum(dim=-1, keepdim=True)  #? renormalises
        weights = weights * self.routed_scale  #? scales
        return chosen, weights

    def choose(self, values):
        """The k experts of largest value."""
        values = values + self.correction_bias  # moves the choice, not the weights  #? correction_bias
#if limits_groups
        members = values.view(len(values), self.groups, -1)
        worth = members.topk(2, dim=-1).values.sum(dim=-1)  # of a group: its two best  #? sums_groups
        worth = members.amax(dim=-1)  # of a group: its best  #? not sums_groups
        best = largest(worth, self.groups_per_token)
        outside = torch.ones_like(worth, dtype=torch.bool).scatter(-1, best, False)
        values = members.masked_fill(outside[..., None], float("-inf")).flatten(1)
#endif
        return largest(values, self.experts_per_token)
