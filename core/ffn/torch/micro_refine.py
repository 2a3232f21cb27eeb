# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
#if mode == groups
    """Bends some channels of each group, leaves 0 elsewhere: β·tanh(γ·x + δ)."""
#else
    """Bends some channels again and again: z ← z + β·tanh(γ·z + δ), and y = z − x."""
#endif

    def __init__(
        self,
        d,
        micro_steps,  #? mode == iterative or micro_selection == top_k
        kept,
    ):
        super().__init__()
        self.beta = nn.Parameter(0.1 * torch.randn(d))
        self.gamma = nn.Parameter(torch.ones(d))
        self.delta = nn.Parameter(torch.zeros(d))
        self.micro_steps = micro_steps  #? mode == iterative
#if micro_selection == static
        self.register_buffer("channels", torch.arange(kept))
#elif mode == iterative
        self.kept = kept
#else
        self.starts = [d * g // micro_steps for g in range(micro_steps + 1)]  # of the groups
        self.kept = kept  # channels of a group, by its size
#endif

    def forward(self, x):  # [B, S, d]
#if mode == groups
        channels, y = self.refined(x)
        return torch.zeros_like(x).scatter(-1, channels, y)
#else
        z = x
        for _ in range(self.micro_steps):
            channels, y = self.refined(z)
            z = z.scatter_add(-1, channels, y)
        return z - x
#endif

    def refined(self, z):
        """The chosen channels and what they become."""
#if micro_selection == static
        channels = self.channels.expand(*z.shape[:-1], -1)
#elif mode == iterative
        channels = largest(z.abs(), self.kept)
#else
        channels = torch.cat(
            [
                start + largest(z[..., start:end].abs(), self.kept[end - start])
                for start, end in zip(self.starts, self.starts[1:])
            ],
            dim=-1,
        )
#endif
        inner = self.gamma[channels] * z.gather(-1, channels) + self.delta[channels]
        return channels, self.beta[channels] * torch.tanh(inner)
