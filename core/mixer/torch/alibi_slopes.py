# SPDX-License-Identifier: MIT
import torch


def alibi_slopes(heads):
    """ALiBi's slope of each head; beyond a power of two every second one of the next."""
    power = 2 ** (heads.bit_length() - 1)
    return torch.tensor(
        [
            2 ** (-8 * (h + 1) / power) if h < power else 2 ** (-4 * (2 * (h - power) + 1) / power)
            for h in range(heads)
        ],
        dtype=torch.float64,
    )
