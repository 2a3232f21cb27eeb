# SPDX-License-Identifier: MIT
import math

import torch


def llama3_frequencies(features, base, factor, low, high, positions):
    """base^(−2i/r), divided by the factor for pairs of fewer than ``low`` turns within the trained
    positions, kept for those of more than ``high``, and between them a mixture of both."""
    plain = base ** (-2.0 * torch.arange(features // 2, dtype=torch.float64) / features)
    turns = positions * plain / (2 * math.pi)
    kept = ((turns - low) / (high - low)).clamp(0, 1)
    return (1 - kept) * plain / factor + kept * plain
