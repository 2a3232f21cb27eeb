# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
    """x·Σ Aᵣ ⊗ Bᵣ without forming it: Σ Aᵣᵀ·X·Bᵣ of x as a matrix X [a_in, b_in]."""

    def __init__(
        self,
        rank,
        a_in,
        a_out,
        b_in,
        b_out,
        a_kept,  #? a_sparse
        b_kept,  #? b_sparse
    ):
        super().__init__()
        self.rank, self.a_out, self.b_out = rank, a_out, b_out  #? a_sparse or b_sparse
        self.a_in, self.b_in = a_in, b_in
#if a_sparse
        # The entries that each row of the stacked factors has, and their columns.
        self.a = nn.Parameter(torch.randn(rank * a_in, a_kept) / (rank * a_in) ** 0.5)
        self.register_buffer("a_columns", torch.arange(a_kept).repeat(rank * a_in, 1))
#else
        self.a = nn.Parameter(torch.randn(rank, a_in, a_out) / (rank * a_in) ** 0.5)
#endif
#if b_sparse
        # The entries that each row of the stacked factors has, and their columns.
        self.b = nn.Parameter(torch.randn(rank * b_in, b_kept) / (rank * b_in) ** 0.5)
        self.register_buffer("b_columns", torch.arange(b_kept).repeat(rank * b_in, 1))
#else
        self.b = nn.Parameter(torch.randn(rank, b_in, b_out) / (rank * b_in) ** 0.5)
#endif
        self.bias = nn.Parameter(torch.zeros(a_out * b_out))  #? bias

    def forward(self, x):  # [..., a_in · b_in]
        x = x.reshape(*x.shape[:-1], self.a_in, self.b_in)
        a = self.a  #? not a_sparse
        a = self.whole(self.a, self.a_columns, self.a_out)  #? a_sparse
        b = self.b  #? not b_sparse
        b = self.whole(self.b, self.b_columns, self.b_out)  #? b_sparse
#if right_first
        x = torch.einsum("...ij,rjq->...riq", x, b)
        y = torch.einsum("...riq,rip->...pq", x, a)
#else
        x = torch.einsum("...ij,rip->...rpj", x, a)
        y = torch.einsum("...rpj,rjq->...pq", x, b)
#endif
        y = y.flatten(-2)
        y = y + self.bias  #? bias
        return y  # [..., a_out · b_out]
#if a_sparse or b_sparse

    def whole(self, entries, columns, outputs):
        """[rank, inputs, outputs]: the factors with zeros where there is no entry."""
        factors = entries.new_zeros(len(entries), outputs).scatter(1, columns, entries)
        return factors.view(self.rank, -1, outputs)
#endif
