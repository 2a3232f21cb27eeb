// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/check.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/team.h"
#include "core/kernels/reference/ffn.h"
#include "tests/core/kernels/cpu/cases.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

namespace flopsmith::cpu {
namespace {

// dx and then the gradients of the weights.
template <class S>
using Tensors = std::vector<std::vector<S>>;

// With the input moved by `relative` times its size in random directions.
template <class Spec>
Tensors<double> expected(const Spec& ffn,
                         const Shape& shape,
                         double relative = 0.0,
                         std::uint64_t seed = 0)
{
    const WeightShapes shapes = flopsmith::weights(ffn, shape.dModel);
    const auto weights = randomWeights<double>(shapes, 11);
    auto x = randomActivations<double>(shape.activations(), 12);
    Random random(seed);
    for (double& value : x) {
        value *= 1.0 + relative * (2.0 * random.uniform() - 1.0);
    }
    const auto dy = randomActivations<double>(shape.activations(), 13);
    Tensors<double> all = zeros<double>(shapes);
    std::vector<double> dx(x.size());
    reference::backward<double>(ffn, shape, weights, x, dy, dx, all);
    all.insert(all.begin(), dx);
    return all;
}

template <class Spec>
struct ReadyBackward
{
    WeightShapes shapes;
    Weights<float> weights;
    std::vector<float> x;
    std::vector<float> dy;
    Tensors<float> results;
    std::vector<std::span<float>> gradients;
    std::unique_ptr<BackwardStage> stage;

    ReadyBackward(const Spec& ffn, const Shape& shape, Threads threads)
        : shapes(flopsmith::weights(ffn, shape.dModel))
        , weights(randomWeights<float>(shapes, 11))
        , x(randomActivations<float>(shape.activations(), 12))
        , dy(randomActivations<float>(shape.activations(), 13))
        , results(zeros<float>(shapes))
    {
        startThreads(threads);
        results.insert(results.begin(), std::vector<float>(x.size()));
        for (std::size_t i = 1; i < results.size(); ++i) {
            std::fill(results[i].begin(), results[i].end(), 7.0F); // to be overwritten
            gradients.emplace_back(results[i]);
        }
        stage = std::move(makeBackwardStage(ffn, stageSizeOf(shape, threads), weights, gradients))
                    .value();
        std::vector<float> y(x.size());
        stage->remember(x.data(), y.data());
    }

    const Tensors<float>& run()
    {
        stage->run(dy.data(), results[0].data());
        return results;
    }
};

// Products of d_model, d_ff and the number of tokens, all at most this.
constexpr double kTerms = kLargestTested * kLargestTested;

// What disagrees, or nothing.
std::string disagreement(const Tensors<float>& fast,
                         const Tensors<double>& right,
                         const WeightShapes& shapes)
{
    std::string text;
    for (std::size_t i = 0; i < right.size(); ++i) {
        const Agreement agreement = compare(fast[i], right[i], kTerms);
        if (!agreement.agrees) {
            text += (i == 0 ? "dx" : shapes[i - 1].name) + ": error "
                + std::to_string(agreement.largestError) + " of "
                + std::to_string(agreement.magnitude) + "; ";
        }
    }
    return text;
}

// A choice between values that differ by a rounding error may fall either way: then the kernel
// agrees with the reference on an input that is a rounding error away.
template <class Spec>
bool agreesNearby(const Spec& ffn,
                  const Shape& shape,
                  const Tensors<float>& fast,
                  const WeightShapes& shapes)
{
    constexpr double kMove = 8.0 * std::numeric_limits<float>::epsilon();
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        if (disagreement(fast, expected(ffn, shape, kMove, seed), shapes).empty()) {
            return true;
        }
    }
    return false;
}

template <class Spec>
void expectAgreement(const Spec& ffn, const Shape& shape)
{
    SCOPED_TRACE(test::describeFfn(ffn) + "d=" + std::to_string(shape.dModel));
    const Tensors<double> right = expected(ffn, shape);
    for (const int threads : {1, 2}) {
        ReadyBackward<Spec> ready(ffn, shape, {threads});
        const Tensors<float> fast = ready.run();
        const std::string wrong = disagreement(fast, right, ready.shapes);
        EXPECT_TRUE(wrong.empty() || agreesNearby(ffn, shape, fast, ready.shapes))
            << wrong << threads << " threads";
        EXPECT_EQ(ready.run(), fast) << "the second run differs, " << threads << " threads";
        EXPECT_GE(backwardWorkspaceBytes(ffn, stageSizeOf(shape, {threads})),
                  static_cast<Count>(ready.stage->workspaceBytes()));
    }
}

template <class Spec>
class FfnBackwardKernels : public testing::Test
{};

using Variants = testing::Types<NoFfn,
                                DenseFfn,
                                GatedFfn,
                                LowRankFfn,
                                MoeFfn,
                                RandomProjectionFfn,
                                TokenFeedbackFfn,
                                KroneckerFfn>;
TYPED_TEST_SUITE(FfnBackwardKernels, Variants);

TYPED_TEST(FfnBackwardKernels, AgreeWithTheReferenceForEveryOption)
{
    Random random(3);
    for (const Shape& shape : awkwardShapes()) {
        for (const TypeParam& ffn :
             variations(TypeParam{}, TypeParam::fields(), shape.dModel, 8, random)) {
            expectAgreement(ffn, shape);
        }
    }
}

} // namespace
} // namespace flopsmith::cpu
