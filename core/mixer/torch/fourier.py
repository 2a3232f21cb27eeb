# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
    """Mixes all tokens by Fourier transforms of features and tokens: Re(FFT(FFT(x)))."""

#if library
    def forward(self, x, context):  # [B, S, d]
        if context.mask is None:
            return self.transformed(x)
        y = torch.zeros_like(x)
        for row, is_token in enumerate(context.mask):  # of each sequence without its padding
            y[row, is_token] = self.transformed(x[row, is_token])
        return y
#else
    def forward(self, x):  # [B, S, d]
        return self.transformed(x)
#endif

    def transformed(self, x):  # [..., S, d]
        wide = torch.promote_types(x.dtype, torch.float32)  # 16 bits are not transformed
        return torch.fft.fft2(x.to(wide), dim=(-2, -1)).real.to(x.dtype)
