// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/layer/activation.h"

#include <optional>

// What theory says of students of a random dense teacher whose hidden units see N(0, 1): of the
// variance of the teacher's outputs, which share (R²) can a student of some kind explain at best?
namespace flopsmith {

/// Moments of g(z) for normal z.
struct ActivationMoments
{
    double mean = 0.0;
    double variance = 0.0;
    double slope = 0.0; ///< E[z·g(z)]
};

ActivationMoments momentsOf(Activation activation);

/// The best linear map: slope²/variance.
double linearShare(Activation activation);

/// Free numbers of the circulant maps of d features whose first `bins` frequencies are free: 1 for
/// the constant, 2 for each other frequency, 1 for d/2.
int circulantNumbers(int dModel, int bins);

/// What theory says of this student, where it says something: no FFN 0; linear maps of full rank
/// linearShare(); spectral filters without activation, which are circulant,
/// linearShare()·circulantNumbers()/d². A dense FFN at least as wide as the teacher reaches 1.
std::optional<double> predictedShare(const FfnSpec& student,
                                     int dModel,
                                     int teacherWidth,
                                     Activation activation);

} // namespace flopsmith
