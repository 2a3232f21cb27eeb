// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/task/closed_forms.h"

#include "core/ffn/gated.h"
#include "core/ffn/no_ffn.h"
#include "core/ffn/spectral.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(ClosedForms, KnowTheMomentsOfActivations)
{
    const ActivationMoments tanh = momentsOf(Activation::geluTanh);
    EXPECT_NEAR(tanh.mean, 0.282039, 1e-6);
    EXPECT_NEAR(tanh.variance, 0.345648, 1e-6);
    EXPECT_NEAR(tanh.slope, 0.5, 1e-9);

    EXPECT_NEAR(linearShare(Activation::geluTanh), 0.723279, 1e-6);
    EXPECT_NEAR(linearShare(Activation::gelu), 0.723288, 1e-6);
    EXPECT_NEAR(linearShare(Activation::relu), 0.733471, 1e-5);
    EXPECT_NEAR(linearShare(Activation::silu), 0.798510, 1e-6);
    EXPECT_NEAR(linearShare(Activation::none), 1.0, 1e-9);
}

TEST(ClosedForms, CountTheNumbersOfCirculantMaps)
{
    EXPECT_EQ(circulantNumbers(64, 33), 64);
    EXPECT_EQ(circulantNumbers(64, 6), 11);
    EXPECT_EQ(circulantNumbers(7, 4), 7);
    EXPECT_EQ(circulantNumbers(64, 99), 64);
    EXPECT_EQ(circulantNumbers(64, 0), 0);
    EXPECT_EQ(circulantNumbers(1, 1), 1);
}

TEST(ClosedForms, PredictWhatStudentsReach)
{
    const auto share = [](const FfnSpec& student) {
        return predictedShare(student, 64, 256, Activation::geluTanh);
    };

    EXPECT_EQ(share(NoFfn{}), 0.0);
    EXPECT_NEAR(*share(DenseFfn{.dFf = 64, .activation = Activation::none}), 0.723279, 1e-6);
    EXPECT_EQ(share(DenseFfn{.dFf = 256}), 1.0);
    EXPECT_FALSE(share(DenseFfn{.dFf = 128}));
    EXPECT_NEAR(*share(SpectralFfn{.kFreq = 33}), 0.723279 / 64, 1e-7);
    EXPECT_NEAR(*share(SpectralFfn{.kFreq = 6}), 0.723279 * 11 / 4096, 1e-7);
    EXPECT_FALSE(share(SpectralFfn{.kFreq = 33, .activation = Activation::gelu}));
    EXPECT_FALSE(share(GatedFfn{}));
}

} // namespace
} // namespace flopsmith
