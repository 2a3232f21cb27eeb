# SPDX-License-Identifier: MIT
import torch.nn.functional as F


def relu_squared(x):
    """max(x, 0)²"""
    return F.relu(x).square()
