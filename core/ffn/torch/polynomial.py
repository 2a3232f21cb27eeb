# SPDX-License-Identifier: MIT
import torch
from torch import nn


class __NAME__(nn.Module):
    """A polynomial on the kept channels, 0 elsewhere: Σ αₘ·xᵐ."""  #? basis == monomial
    """Chebyshev polynomials on the kept channels, 0 elsewhere: Σ αₘ·Tₘ(tanh x)."""  #? basis == chebyshev

    def __init__(
        self,
        d,  #? coefficients == per_channel
        terms,
        kept,
    ):
        super().__init__()
        self.alpha = nn.Parameter(0.1 * torch.randn(d, terms))  # lowest power first  #? coefficients == per_channel
        self.alpha = nn.Parameter(0.1 * torch.randn(1, terms))  # lowest power first  #? coefficients == shared
        self.kept = kept  #? poly_selection == top_k
        self.register_buffer("channels", torch.arange(kept))  #? poly_selection == static

    def forward(self, x):  # [B, S, d]
        channels = largest(x.abs(), self.kept)  # [B, S, kept]  #? poly_selection == top_k
        channels = self.channels.expand(*x.shape[:-1], -1)  # [B, S, kept]  #? poly_selection == static
        alpha = self.alpha[channels]  # [B, S, kept, terms]  #? coefficients == per_channel
        alpha = self.alpha[0]  # [terms]  #? coefficients == shared
        y = self.evaluate(alpha.unbind(dim=-1), x.gather(-1, channels))
        return torch.zeros_like(x).scatter(-1, channels, y)

    def evaluate(self, alpha, x):
#if basis == monomial
        """Horner's rule."""  #? terms == all
        """Horner's rule in x², then times x: odd powers alone."""  #? terms == odd
        """Horner's rule in x²: even powers alone."""  #? terms == even
        v = x  #? terms == all
        v = x * x  #? terms != all
        y = alpha[-1].expand_as(x)
        for a in reversed(alpha[:-1]):
            y = y * v + a
        y = y * x  #? terms == odd
        return y
#else
        """From Tₘ₊₁ = 2u·Tₘ − Tₘ₋₁."""  #? terms == all
        """From Tₘ₊₂ = 2T₂·Tₘ − Tₘ₋₂: odd ones alone, and T₋₁ = T₁."""  #? terms == odd
        """From Tₘ₊₂ = 2T₂·Tₘ − Tₘ₋₂: even ones alone, and T₋₂ = T₂."""  #? terms == even
        u = torch.tanh(x)
        v = u  #? terms == all
        v = 2 * u * u - 1  # T₂  #? terms != all
        before, here = v, torch.ones_like(u)  #? terms != odd
        before, here = u, u  #? terms == odd
        y = alpha[0] * here
        for a in alpha[1:]:
            before, here = here, 2 * v * here - before
            y = y + a * here
        return y
#endif
