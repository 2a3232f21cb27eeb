// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/select/selection.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Operations on the bins of one token, each (re, im).
namespace flopsmith::cpu {

/// Whether the bin has no mirror image: the first one, and the last one of an even length.
inline bool isUnpaired(int bin, int length)
{
    return bin == 0 || 2 * bin == length;
}

/// product = w·z for `count` neighbours; `product` may be z.
inline void multiplyBins(const float* w, const float* z, float* product, std::size_t count)
{
    for (std::size_t i = 0; i < 2 * count; i += 2) {
        const float re = w[i] * z[i] - w[i + 1] * z[i + 1];
        const float im = w[i] * z[i + 1] + w[i + 1] * z[i];
        product[i] = re;
        product[i + 1] = im;
    }
}

/// From g, the gradient of w·x: sums += conj(x)·g and product = conj(w)·g for `count` neighbours;
/// `product` may be g.
inline void multiplyBinsBackward(const float* w,
                                 const float* x,
                                 const float* g,
                                 float* product,
                                 float* sums,
                                 std::size_t count)
{
    for (std::size_t i = 0; i < 2 * count; i += 2) {
        const float re = g[i];
        const float im = g[i + 1];
        sums[i] += x[i] * re + x[i + 1] * im;
        sums[i + 1] += x[i] * im - x[i + 1] * re;
        product[i] = w[i] * re + w[i + 1] * im;
        product[i + 1] = w[i] * im - w[i + 1] * re;
    }
}

/// The k bins of largest |X|², ascending; among equal ones the lower. `power` [F] is scratch,
/// `list` has space for F entries and one register more.
void chooseLargestBins(const float* spectrum,
                       std::size_t bins,
                       int k,
                       LargestSearch& search,
                       float* power,
                       std::int32_t* list);

/// The bins of a list as a dense array, and back into a spectrum of zeros.
void gatherBins(const float* spectrum, std::span<const int> list, float* gathered);
void scatterBins(const float* gathered,
                 std::span<const int> list,
                 float* spectrum,
                 std::size_t bins);

} // namespace flopsmith::cpu
