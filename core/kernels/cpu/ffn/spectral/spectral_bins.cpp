// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/spectral_bins.h"

#include "core/kernels/cpu/fft/lane_bins.h"
#include "core/kernels/cpu/select/channels.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

void powersOf(const float* spectrum, std::size_t bins, float* power)
{
    std::size_t j = 0;
    for (; j + kLanes <= bins; j += kLanes) {
        const Complex z = loadBins(spectrum + 2 * j);
        store(power + j, z.re * z.re + z.im * z.im);
    }
    for (; j < bins; ++j) {
        power[j] = spectrum[2 * j] * spectrum[2 * j] + spectrum[2 * j + 1] * spectrum[2 * j + 1];
    }
}

} // namespace

void chooseLargestBins(const float* spectrum,
                       std::size_t bins,
                       int k,
                       LargestSearch& search,
                       float* power,
                       std::int32_t* list)
{
    powersOf(spectrum, bins, power);
    listLargest(power, search(power, static_cast<int>(bins), k, list), bins, list);
}

void gatherBins(const float* spectrum, std::span<const int> list, float* gathered)
{
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::copy_n(spectrum + 2 * static_cast<std::size_t>(list[i]), 2, gathered + 2 * i);
    }
}

void scatterBins(const float* gathered,
                 std::span<const int> list,
                 float* spectrum,
                 std::size_t bins)
{
    std::fill_n(spectrum, 2 * bins, 0.0F);
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::copy_n(gathered + 2 * i, 2, spectrum + 2 * static_cast<std::size_t>(list[i]));
    }
}

} // namespace flopsmith::cpu
