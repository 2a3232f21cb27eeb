// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace flopsmith {

/// Where a letter stands in a product: d, f, H, G, h, w, V, d_e, P, N_types, E, k, F, K, n, s,
/// s_mu, M, L, N, then any other, then B, S, S_src, C. Letters at the same place are ordered by name.
int symbolPlace(std::string_view base);

/// A symbol's name in LaTeX: "s_mu" gives "s_{\mu}", "f" gives "d_{ff}", "f_2" gives "d_{ff,2}".
std::string latexName(std::string_view name);

} // namespace flopsmith
