// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/class_list.h"

#include "core/export/torch/modules.h"
#include "core/ffn/ffn_variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith::torch {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ClassList, SharesTheClassOfModulesThatDifferInNumbers)
{
    ClassList classes;

    EXPECT_EQ(ffnModule(DenseFfn{.dFf = 8}, 4, classes).text(), "Dense(d=4, d_ff=8)");
    EXPECT_EQ(ffnModule(DenseFfn{.dFf = 16}, 4, classes).text(), "Dense(d=4, d_ff=16)");
    EXPECT_EQ(ffnModule(DenseFfn{.dFf = 8, .bias = false}, 4, classes).text(),
              "Dense2(d=4, d_ff=8)");
    EXPECT_EQ(ffnModule(DenseFfn{.dFf = 2}, 4, classes).text(), "Dense(d=4, d_ff=2)");
}

TEST(ClassList, DefinesWhatItsClassesCallAndNothingElse)
{
    ClassList classes;
    ffnModule(DenseFfn{.activation = Activation::geluTanh}, 4, classes);
    const std::string source = classes.source("").value();

    EXPECT_THAT(source, HasSubstr("def gelu_tanh(x):"));
    EXPECT_THAT(source, Not(HasSubstr("def relu_squared")));
    EXPECT_THAT(source, Not(HasSubstr("def largest")));
}

TEST(ClassList, NamesTheClassesOfExpertsAndStages)
{
    ClassList classes;
    const MoeFfn moe{.experts = 4, .dFf = 6, .sharedExperts = 2, .sharedDFf = 5};
    const ComposedFfn composed{.stages = {{SpectralFfn{.kFreq = 2}}, {NoFfn{}}}};

    EXPECT_EQ(ffnModule(moe, 4, classes).text(),
              "MixtureOfExperts(d=4, experts=4, experts_per_token=2, d_ff=6, shared_d_ff=10)");
    EXPECT_EQ(ffnModule(composed, 4, classes).text(),
              "Composed(stages=[Spectral(k_freq=2), NoFfn()])");
    EXPECT_THAT(classes.source("").value(), HasSubstr("[Gated(d, d_ff) for _ in range(experts)]"));
}

TEST(ClassList, TellsOfAMissingTemplateOrArgument)
{
    ClassList missing;
    missing.module({.path = "ffn/nowhere.py", .className = "Nowhere"});
    EXPECT_EQ(missing.source("").error().message, "there is no template ffn/nowhere.py");

    ClassList incomplete;
    ModuleText gelu{.path = "layer/again.py", .className = "Again"};
    incomplete.module(gelu);
    EXPECT_EQ(incomplete.source("").error().message,
              "layer/again.py: nothing gives the constructor's \"block\"");
}

TEST(ClassList, UsesPytorchsOwnLayerNorm)
{
    ClassList classes;

    EXPECT_EQ(normModule(Norm{}, 4, classes).text(), "nn.LayerNorm(4, eps=1e-05)");
    EXPECT_EQ(normModule(Norm::rms(), 4, classes).text(), "RMSNorm(4, eps=1e-05)");
    EXPECT_EQ(normModule(Norm{.shift = false}, 4, classes).text(), "LayerNorm(4, eps=1e-05)");
}

} // namespace
} // namespace flopsmith::torch
