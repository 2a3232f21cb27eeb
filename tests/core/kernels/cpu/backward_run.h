// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/check.h"
#include "core/kernels/kernel.h"
#include "tests/core/kernels/cpu/bfloat16_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace flopsmith::cpu {

inline double largestIn(const std::vector<std::vector<double>>& tensors)
{
    double largest = 0.0;
    for (const auto& tensor : tensors) {
        for (const double value : tensor) {
            largest = std::max(largest, std::abs(value));
        }
    }
    return largest;
}

/// Fails unless output() is these tensors one behind the other, each within its own tolerance, and
/// the second run gives the same bits as the first. `cancelling` is the size of terms whose
/// difference a tensor may be: their rounding errors stay.
inline void expectTensors(Kernel& kernel,
                          const std::vector<std::vector<double>>& tensors,
                          double terms,
                          double cancelling = 0,
                          Precision precision = Precision::float32)
{
    const double left =
        (16 * std::numeric_limits<float>::epsilon() + 8 * operandRounding(precision)) * cancelling;
    kernel.run();
    const std::vector<float> first(kernel.output().begin(), kernel.output().end());
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::size_t size = tensors[i].size();
        ASSERT_LE(begin + size, first.size());
        const auto found = std::span<const float>(first).subspan(begin, size);
        const Agreement agreement =
            compare(found, tensors[i], terms, roundingOfTensor(precision, size));
        EXPECT_TRUE(agreement.agrees || size == 0 || agreement.largestError <= left)
            << "tensor " << i << ": error " << agreement.largestError << " of "
            << agreement.magnitude << ", tolerance " << agreement.tolerance;
        begin += size;
    }
    EXPECT_EQ(begin, first.size());
    kernel.run();
    EXPECT_EQ(std::vector<float>(kernel.output().begin(), kernel.output().end()), first);
}

} // namespace flopsmith::cpu
