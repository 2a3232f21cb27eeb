# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
    """Mixes all tokens by Fourier transforms of features and tokens: Re(FFT(FFT(x)))."""

    def forward(self, x):  # [B, S, d]
        return torch.fft.fft2(x, dim=(-2, -1)).real
