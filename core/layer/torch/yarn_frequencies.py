# SPDX-License-Identifier: MIT
import math

import torch


def yarn_frequencies(features, base, factor, positions, fast, slow, whole_pairs):
    """base^(−2i/r), kept for pairs of more than ``fast`` turns within the trained positions, divided
    by the factor for those of fewer than ``slow``, and a ramp over the pairs between them."""

    def pair_of(turns):
        return features * math.log(positions / (turns * 2 * math.pi)) / (2 * math.log(base))

    first, last = pair_of(fast), pair_of(slow)
    if whole_pairs:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, features - 1)
    if first == last:
        last += 0.001  # so that the ramp has a slope
    pair = torch.arange(features // 2, dtype=torch.float64)
    plain = base ** (-2.0 * pair / features)
    kept = 1 - ((pair - first) / (last - first)).clamp(0, 1)
    return (1 - kept) * plain / factor + kept * plain
