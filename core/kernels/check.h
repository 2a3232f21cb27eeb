// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/kernels/shape.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace flopsmith {

/// How far a fast kernel in single precision is from the reference in double precision.
struct Agreement
{
    std::size_t compared = 0; ///< elements
    double largestError = 0; ///< largest |fast − reference|; infinite if one is not finite
    double magnitude = 0; ///< largest |reference|
    double tolerance = 0; ///< largest error that still agrees
    bool agrees = false; ///< also false if a value is not finite or nothing was compared

    /// largestError / magnitude; 0 if both are 0.
    double relativeError() const;
};

/// Compares equally many values. `terms` is the length of the longest contraction behind one of
/// them (d_ff for a dense FFN's second product, d for an FFT, 1 for element-wise work).
///
/// tolerance = 16 · ε · magnitude · √terms with ε = 2^-23. Rounding errors of a sum of n terms of
/// random sign grow like √n (Higham, Accuracy and Stability of Numerical Algorithms, 2.8) and are
/// at most n; blocked and vectorised sums stay below √n, FFTs grow like log n. The constant covers
/// the few operations that follow one another. An error of method is far larger.
///
/// `operandRounding` is the unit roundoff of products whose operands are rounded first (2^-11 for
/// tf32, 2^-9 for bfloat16): every term is then wrong by that share, their sum by about the same
/// share of a typical sum, and 8 · operandRounding · magnitude is added for the few products that
/// follow one another.
Agreement compare(std::span<const float> fast,
                  std::span<const double> reference,
                  double terms,
                  double operandRounding = 0.0);

/// Token rows to check of an operation on independent tokens, ascending: as many as `budget`
/// operations allow, at least the first, spread evenly from the first to the last.
std::vector<std::size_t> rowsToCheck(std::size_t tokens,
                                     const Count& operationsPerToken,
                                     const Count& budget);

/// The largest shape that fits `budget`, to check an operation whose tokens depend on each other:
/// one sequence if the whole shape is too expensive, then fewer query, cached and encoder tokens;
/// d_model stays. `operations` returns the cost of a shape and must be monotone.
Shape shapeToCheck(const Shape& shape,
                   const std::function<Count(const Shape&)>& operations,
                   const Count& budget);

} // namespace flopsmith
