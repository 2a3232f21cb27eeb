# SPDX-License-Identifier: MIT
import math

import torch


def relative_bucket(offset, buckets, both):
    """T5's bucket of a key that stands ``offset`` positions after the query.

    Half of the buckets hold one distance each, the others as much of a logarithmic scale up to a
    distance of 128. Looking both ways, the upper half of all is for keys after the query.
    """
    side = buckets // 2 if both else buckets
    distance = offset.abs() if both else (-offset).clamp(min=0)
    exact = side // 2
    share = torch.log(distance.double().clamp(min=1) / exact) / math.log(128 / exact)
    above = (share.clamp(max=1) * (side - exact) + 1e-9).long()
    bucket = torch.where(distance < exact, distance, (exact + above).clamp(max=side - 1))
    return bucket + side * (offset > 0).long() if both else bucket
