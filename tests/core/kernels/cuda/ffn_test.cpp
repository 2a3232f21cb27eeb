// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/ffn.h"

#include "core/kernels/reference/ffn.h"
#include "tests/core/kernels/cpu/ffn_variations.h"
#include "tests/core/kernels/cuda/device_under_test.h"
#include "tests/support/ffns_with_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::cuda {
namespace {

// Clenshaw's recurrence of degree K multiplies rounding errors by up to K², iterations and stages
// add theirs: all degrees and widths here are at most this.
constexpr double kTerms = cpu::kLargestTested * cpu::kLargestTested;
constexpr double kMove = 8.0 * std::numeric_limits<float>::epsilon();
constexpr std::uint64_t kMoves = 16;

// Rounded operands err by a share of a typical sum, and the largest of a tensor tells what that is.
// Of a few sums over many terms (the gradient of a 1×1 factor) all may have come out small by chance.
constexpr std::size_t kFew = 8;
constexpr double kChance = 4.0;

using Tensors = std::vector<std::vector<double>>;

// y; or dx and then the gradients of the weights. With the input moved by `relative` times its size
// in random directions.
Tensors expected(const FfnSpec& ffn,
                 const Shape& shape,
                 bool backward,
                 double relative = 0.0,
                 std::uint64_t seed = 0)
{
    const WeightShapes shapes = weights(ffn, shape.dModel);
    const auto values = randomWeights<double>(shapes, 21);
    auto x = randomActivations<double>(shape.activations(), 12);
    Random random(seed);
    for (double& value : x) {
        value *= 1.0 + relative * (2.0 * random.uniform() - 1.0);
    }
    std::vector<double> first(x.size());
    if (!backward) {
        reference::forward<double>(ffn, shape, values, x, first);
        return {first};
    }
    const auto dy = randomActivations<double>(shape.activations(), 13);
    Tensors all = zeros<double>(shapes);
    reference::backward<double>(ffn, shape, values, x, dy, first, all);
    all.insert(all.begin(), first);
    return all;
}

double largestIn(const Tensors& tensors)
{
    double largest = 0.0;
    for (const auto& tensor : tensors) {
        for (const double value : tensor) {
            largest = std::max(largest, std::abs(value));
        }
    }
    return largest;
}

// `cancelling` is the size of terms whose difference a tensor may be: their rounding errors stay.
std::string disagreement(const std::vector<float>& found,
                         const Tensors& tensors,
                         double rounding,
                         double cancelling)
{
    const double left = (16 * std::numeric_limits<float>::epsilon() + 8 * rounding) * cancelling;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::size_t size = tensors[i].size();
        if (begin + size > found.size()) {
            return "the output is too short";
        }
        const auto part = std::span<const float>(found).subspan(begin, size);
        const double ofFew = size < kFew ? kChance : 1.0;
        const Agreement agreement = compare(part, tensors[i], kTerms, ofFew * rounding);
        if (size > 0 && !agreement.agrees && !(agreement.largestError <= left)) {
            return "tensor " + std::to_string(i) + ": error "
                + std::to_string(agreement.largestError) + " of "
                + std::to_string(agreement.magnitude);
        }
        begin += size;
    }
    return begin == found.size() ? "" : "the output is too long";
}

// A choice between values that differ by a rounding error may fall either way: then the kernel
// agrees with the reference on an input that is a rounding error away.
std::string disagreementNearby(const FfnSpec& ffn,
                               const Shape& shape,
                               bool backward,
                               const std::vector<float>& found,
                               double rounding)
{
    const Tensors right = expected(ffn, shape, backward);
    // The gradient of a router is one of differences: between experts, and in its softmax.
    const bool differs = backward && holds_alternative<MoeFfn>(ffn);
    const double cancelling = differs ? largestIn(right) : 0.0;
    std::string first = disagreement(found, right, rounding, cancelling);
    for (std::uint64_t seed = 1; seed <= kMoves && !first.empty(); ++seed) {
        const Tensors nearby = expected(ffn, shape, backward, kMove, seed);
        if (disagreement(found, nearby, rounding, cancelling).empty()) {
            return "";
        }
    }
    return first;
}

class CudaHidden : public OnDevice
{
protected:
    // Skips where the variant is missing.
    static void expectAgreement(const FfnSpec& ffn,
                                const Shape& shape,
                                bool backward,
                                ProductPrecision precision = ProductPrecision::float32)
    {
        SCOPED_TRACE(cpu::describe(ffn, fields(ffn), shape) + ", " + nameOf(precision));
        const auto device = openDevice(precision);
        const auto values = randomWeights<float>(weights(ffn, shape.dModel), 21);
        const auto x = randomActivations<float>(shape.activations(), 12);
        const auto dy = randomActivations<float>(shape.activations(), 13);
        const Result<std::unique_ptr<Kernel>> kernel = backward
            ? prepare(ffn, shape, values, x, *device, dy)
            : prepare(ffn, shape, values, x, *device);
        ASSERT_TRUE(kernel) << kernel.error().message;
        const std::vector<float> found = outputOf(**kernel);
        EXPECT_EQ(disagreementNearby(ffn, shape, backward, found, operandRounding(precision)), "");
        expectRepeats(**kernel, *device, found);
    }
};

class CudaFfn
    : public CudaHidden
    , public testing::WithParamInterface<FfnSpec>
{
protected:
    void expectAgreementEverywhere(bool backward)
    {
        Random random(3);
        for (const Shape& shape : cpu::awkwardShapes()) {
            for (const FfnSpec& ffn : cpu::ffnVariations(GetParam(), shape.dModel, 6, random)) {
                expectAgreement(ffn, shape, backward, ProductPrecision::float32);
                if (HasFatalFailure() || IsSkipped()) {
                    return;
                }
            }
        }
    }
};

TEST_P(CudaFfn, AgreesWithTheReferenceForEveryOption)
{
    expectAgreementEverywhere(false);
}

TEST_P(CudaFfn, PassesGradientsBackLikeTheReferenceForEveryOption)
{
    expectAgreementEverywhere(true);
}

TEST_P(CudaFfn, AgreesWithinTheRoundingOfItsOperands)
{
    const Shape shape{.batch = 2, .sequence = 9, .context = 9, .dModel = 24};
    Random random(5);
    const FfnSpec ffn = cpu::ffnVariations(GetParam(), shape.dModel, 0, random).front();
    for (const ProductPrecision precision : kPrecisions) {
        expectAgreement(ffn, shape, false, precision);
        expectAgreement(ffn, shape, true, precision);
        if (HasFatalFailure() || IsSkipped()) {
            return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, CudaFfn, testing::ValuesIn(ffnPrototypes()), cpu::nameOf);

TEST_F(CudaHidden, AgreesWithOtherValues)
{
    const Shape shape{.batch = 2, .sequence = 9, .context = 9, .dModel = 24};
    for (const FfnSpec& ffn : test::ffnsWithValues()) {
        expectAgreement(ffn, shape, false);
        expectAgreement(ffn, shape, true);
    }
}

} // namespace
} // namespace flopsmith::cuda
