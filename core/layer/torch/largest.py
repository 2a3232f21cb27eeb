# SPDX-License-Identifier: MIT
import torch


def largest(values, count):
    """Places of the ``count`` largest values of each row, ascending; of equal ones the first."""
    order = torch.sort(values.detach(), dim=-1, descending=True, stable=True).indices
    return order[..., :count].sort(dim=-1).values
