# SPDX-License-Identifier: MIT
import torch.nn.functional as F


def gelu_tanh(x):
    """½x(1 + tanh(√(2/π)(x + 0.044715x³)))"""
    return F.gelu(x, approximate="tanh")
