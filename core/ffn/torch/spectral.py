# SPDX-License-Identifier: MIT
import torch
import torch.nn.functional as F
from torch import nn


class __NAME__(nn.Module):
    """Filters the features of each token in the frequency domain: irfft(w ⊙ rfft(x))."""  #? activation == none
    """Filters the features of each token in the frequency domain: act(irfft(w ⊙ rfft(x)))."""  #? activation != none

    def __init__(
        self,
        d,  #? selection == top_k
        k_freq,
    ):
        super().__init__()
#if selection == top_k
        self.k_freq = k_freq
        self.filter = nn.Parameter(torch.ones(d // 2 + 1, 2))  # real and imaginary parts
#else
        self.filter = nn.Parameter(torch.ones(k_freq, 2))  # real and imaginary parts
        self.register_buffer("bins", torch.arange(k_freq))  #? selection == learned
#endif

    def forward(self, x):  # [B, S, d]
        wide = torch.promote_types(x.dtype, torch.float32)  # 16 bits are not transformed
        spectrum = torch.fft.rfft(x.to(wide))  # [B, S, d // 2 + 1]
        factors = torch.complex(*self.filter.to(wide).unbind(dim=-1))  # of any alignment
#if selection == low_pass
        kept = spectrum[..., : len(factors)] * factors  # irfft sets the other bins to zero
#elif selection == learned
        products = spectrum[..., self.bins] * factors
        kept = torch.zeros_like(spectrum).index_copy(-1, self.bins, products)
#else
        power = spectrum.real.square() + spectrum.imag.square()
        bins = largest(power, self.k_freq)  # of each token
        products = spectrum.gather(-1, bins) * factors[bins]
        kept = torch.zeros_like(spectrum).scatter(-1, bins, products)
#endif
        y = torch.fft.irfft(kept, n=x.shape[-1]).to(x.dtype)
        y = __ACTIVATION__(y)  #? activation != none
        return y
