// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/hidden/bf16_hidden.h"

#include "core/kernels/check.h"
#include "core/kernels/weights.h"
#include "tests/core/kernels/cpu/bfloat16_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace flopsmith::cpu {
namespace {

struct Case
{
    std::int64_t tokens;
    int dModel;
    int dFf;
    int threads;

    StageSize size() const
    {
        return {.tokens = tokens,
                .dModel = dModel,
                .threads = {threads},
                .precision = Precision::bfloat16};
    }
};

template <class Ffn>
Ffn ffnOf(const Case& c, Activation activation, bool bias)
{
    Ffn ffn;
    ffn.dFf = c.dFf;
    ffn.activation = activation;
    ffn.bias = bias;
    return ffn;
}

template <class Ffn>
Weights<float> weightsOf(const Ffn& ffn, const Case& c)
{
    Weights<float> drawn = randomWeights<float>(weights(ffn, c.dModel), 5);
    for (std::vector<float>& tensor : drawn) { // biases too
        for (std::size_t i = 0; i < tensor.size(); ++i) {
            tensor[i] += 0.01F * static_cast<float>(i % 7);
        }
    }
    return drawn;
}

// The same products and hidden activations, the latter in single precision until they are rounded.
template <class Ffn>
std::vector<double> hiddenInSinglePrecision(const Ffn& ffn,
                                            const Case& c,
                                            const Weights<float>& weights,
                                            const std::vector<float>& x)
{
    const HiddenLayer layer(ffn, c.size(), weights);
    std::vector<float> gates(static_cast<std::size_t>(c.tokens * c.dFf));
    std::vector<float> hidden(gates.size());
    std::vector<float> y(x.size());
    layer.projectUp(x.data(), gates.data(), hidden.data(), {{0, c.tokens}, {0, c.dFf}});
    layer.projectDown(hidden.data(), y.data(), {{0, c.tokens}, {0, c.dModel}});
    return {y.begin(), y.end()};
}

template <class Ffn>
std::vector<float> run(const Ffn& ffn,
                       const Case& c,
                       const Weights<float>& weights,
                       const std::vector<float>& x)
{
    RoundedHiddenStage stage(HiddenLayer(ffn, c.size(), weights), c.size(), c.dFf);
    std::vector<float> y(x.size(), NAN);
    stage.run(x.data(), y.data());
    return y;
}

template <class Ffn>
void expectSame(const Case& c, Activation activation, bool bias)
{
    SCOPED_TRACE(std::to_string(c.tokens) + " tokens, d = " + std::to_string(c.dModel)
                 + ", f = " + std::to_string(c.dFf) + ", threads " + std::to_string(c.threads));
    const Ffn ffn = ffnOf<Ffn>(c, activation, bias);
    const Weights<float> weights = weightsOf(ffn, c);
    const auto x = randomActivations<float>(static_cast<std::size_t>(c.tokens * c.dModel), 9);
    const std::vector<double> right = hiddenInSinglePrecision(ffn, c, weights, x);
    // Sums in another order may round a hidden activation to the other side: one of f terms then
    // differs by the rounding of an operand.
    const Agreement agreement = compare(run(ffn, c, weights, x),
                                        right,
                                        static_cast<double>(c.dModel + c.dFf),
                                        operandRounding(Precision::bfloat16) / 16.0);
    EXPECT_TRUE(agreement.agrees) << agreement.largestError << " of " << agreement.magnitude;
}

TEST(RoundedHiddenStage, DoesWhatRoundingAfterwardsDoesAtAwkwardSizes)
{
    const test::Bfloat16Anywhere bfloat16;
    for (const int threads : {1, 3}) {
        for (const std::int64_t tokens : {5, 16, 17, 33, 130}) {
            for (const Case& c : {Case{tokens, 24, 97, threads},
                                  Case{tokens, 97, 33, threads},
                                  Case{tokens, 7, 300, threads}}) {
                expectSame<DenseFfn>(c, Activation::gelu, true);
                expectSame<GatedFfn>(c, Activation::silu, false);
                expectSame<GatedFfn>(c, Activation::geluTanh, true);
            }
        }
    }
}

TEST(RoundedHiddenStage, IsPutTogetherFromBlocks)
{
    const test::Bfloat16Anywhere bfloat16;
    constexpr int kWide = static_cast<int>(2 * BlockSize::kMaxInner + 33);
    for (const int threads : {1, 2}) {
        expectSame<DenseFfn>(
            {2 * BlockSize::kMaxRows + 37, 40, 70, threads}, Activation::relu, true);
        expectSame<GatedFfn>(
            {BlockSize::kMaxRows + 17, kWide, 290, threads}, Activation::silu, true);
        expectSame<GatedFfn>({19, 300, kWide, threads}, Activation::silu, false);
    }
}

// Columns that fill up the last panel are no hidden activations: zero times what is infinite would
// be no number.
TEST(RoundedHiddenStage, KeepsWhatIsInfiniteToItsRow)
{
    const test::Bfloat16Anywhere bfloat16;
    constexpr Case kCase{20, 6, 3, 1};
    const DenseFfn ffn = ffnOf<DenseFfn>(kCase, Activation::relu, false);
    Weights<float> weights = zeros<float>(flopsmith::weights(ffn, kCase.dModel));
    for (std::vector<float>& tensor : weights) {
        tensor.assign(tensor.size(), 1.0F);
    }
    std::vector<float> x(static_cast<std::size_t>(kCase.tokens * kCase.dModel), 1.0F);
    x[3 * 6 + 2] = std::numeric_limits<float>::infinity();

    const std::vector<float> y = run(ffn, kCase, weights, x);
    for (std::size_t i = 0; i < y.size(); ++i) {
        EXPECT_EQ(y[i], i / 6 == 3 ? std::numeric_limits<float>::infinity() : 18.0F) << i;
    }
}

TEST(RoundedHiddenStage, IsForMoreThanAWalkThroughTheWeights)
{
    EXPECT_FALSE(RoundedHiddenStage::isFor({.tokens = 4, .precision = Precision::bfloat16}));
    EXPECT_TRUE(RoundedHiddenStage::isFor({.tokens = 5, .precision = Precision::bfloat16}));
    EXPECT_FALSE(RoundedHiddenStage::isFor({.tokens = 500}));
}

} // namespace
} // namespace flopsmith::cpu
