# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
    """Cuts images into squares, each of which becomes a row of d features."""

    def __init__(
        self,
        d,
        patch_size,
        channels,
        extra_tokens,  #? extra_tokens
        image_tokens,  #? positions == learned
        eps,  #? has_norm
    ):
        super().__init__()
        self.patches = nn.Conv2d(channels, d, kernel_size=patch_size, stride=patch_size)  #? patch_bias
#if not patch_bias
        self.patches = nn.Conv2d(
            channels, d, kernel_size=patch_size, stride=patch_size, bias=False
        )
#endif
        self.extra_tokens = nn.Parameter(0.02 * torch.randn(extra_tokens, d))  #? extra_tokens
        self.positions = nn.Parameter(0.02 * torch.randn(image_tokens, d))  #? positions == learned
        self.norm = __NORM__(d, eps=eps)  #? has_norm

    def forward(self, images):  # [B, channels, height, width]
        x = self.patches(images).flatten(2).transpose(1, 2)  # [B, patches, d], row by row
#if extra_tokens
        extra = self.extra_tokens.expand(x.shape[0], -1, -1)
        x = torch.cat([extra, x], dim=1)
#endif
        x = x + self.positions  #? positions == learned
        x = x + sinusoidal(torch.arange(x.shape[1]), x.shape[2]).to(x)  #? positions == sinusoidal
        x = self.norm(x)  #? has_norm
        return x  # [B, S, d]
