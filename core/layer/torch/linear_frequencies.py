# SPDX-License-Identifier: MIT
import torch


def linear_frequencies(features, base, factor):
    """Radians per position of each pair of features, all divided: base^(−2i/r)/factor."""
    return base ** (-2.0 * torch.arange(features // 2, dtype=torch.float64) / features) / factor
