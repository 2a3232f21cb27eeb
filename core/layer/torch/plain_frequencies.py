# SPDX-License-Identifier: MIT
import torch


def plain_frequencies(features, base):
    """Radians per position of each pair of features: base^(−2i/r)."""
    return base ** (-2.0 * torch.arange(features // 2, dtype=torch.float64) / features)
