// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace flopsmith::cpu {

/// The n/2 + 1 bins of the real transform of x [n], summed up as they are defined.
inline std::vector<std::complex<double>> plainSpectrum(const float* x, int n)
{
    std::vector<std::complex<double>> bins;
    for (int k = 0; k <= n / 2; ++k) {
        std::complex<double> sum = 0.0;
        for (int m = 0; m < n; ++m) {
            const double turns = static_cast<double>(std::int64_t{k} * m % n) / n;
            const double angle = -2.0 * std::numbers::pi * turns;
            sum += static_cast<double>(x[m]) * std::polar(1.0, angle);
        }
        bins.push_back(sum);
    }
    return bins;
}

} // namespace flopsmith::cpu
