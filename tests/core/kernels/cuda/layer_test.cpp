// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/layer.h"

#include "core/kernels/reference/layer.h"
#include "tests/core/kernels/cpu/cases.h"
#include "tests/core/kernels/cpu/normalisation.h"
#include "tests/core/kernels/cuda/device_under_test.h"
#include "tests/support/embedding_cases.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::cuda {
namespace {

constexpr int kVocab = 41;
const TokenTable kTable(kVocab, 3);

using Tensors = std::vector<std::vector<double>>;

class CudaLayer : public OnDevice
{};

// Fails unless the output is these tensors one behind the other. `cancelling` is the size of terms
// whose difference a tensor may be: their rounding errors stay.
void expectTensors(const Result<std::unique_ptr<Kernel>>& kernel,
                   const Device& device,
                   const Tensors& tensors,
                   double terms,
                   double cancelling)
{
    ASSERT_TRUE(kernel) << kernel.error().message;
    const double rounding = operandRounding(device.precision());
    const double left =
        (16 * std::numeric_limits<float>::epsilon() * std::sqrt(terms) + 8 * rounding) * cancelling;
    const std::vector<float> found = outputOf(**kernel);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::size_t size = tensors[i].size();
        ASSERT_LE(begin + size, found.size());
        const auto part = std::span<const float>(found).subspan(begin, size);
        const Agreement agreement = compare(part, tensors[i], terms, rounding);
        EXPECT_TRUE(agreement.agrees || size == 0 || agreement.largestError <= left)
            << "tensor " << i << ": error " << agreement.largestError << " of "
            << agreement.magnitude << ", tolerance " << agreement.tolerance << " or " << left;
        begin += size;
    }
    EXPECT_EQ(begin, found.size());
    expectRepeats(**kernel, device, found);
}

template <class Layer>
std::vector<Layer> variationsOf(int dModel, const std::vector<Layer>& prototypes = {Layer{}})
{
    Random random(8);
    std::vector<Layer> all;
    for (const Layer& prototype : prototypes) {
        const auto some = cpu::variations(prototype, Layer::fields(), dModel, 4, random);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

// Forms whose fields do not apply to the default one.
const std::vector<Embedding> kEmbeddings{{},
                                         {.input = InputKind::patches},
                                         {.width = 3, .projection = Projection::biased}};
const std::vector<Head> kHeads{{},
                               {.projection = true, .scale = true},
                               {.transform = true, .softCap = 2.0},
                               {.kind = HeadKind::classifier, .classes = 5}};

Tensors withFirst(const std::vector<double>& first, Tensors rest)
{
    rest.insert(rest.begin(), first);
    return rest;
}

// Of one or two features nothing is left: dx is orthogonal to x, and to a constant.
TEST_F(CudaLayer, NormsLikeTheReference)
{
    const auto device = openDevice();
    std::vector<Shape> shapes = cpu::awkwardShapes();
    shapes.push_back({.batch = 1, .sequence = 2, .context = 2, .dModel = 13'001});
    for (const Shape& shape : shapes) {
        for (const Norm& norm : variationsOf<Norm>(shape.dModel)) {
            SCOPED_TRACE(test::describe(norm) + " d " + std::to_string(shape.dModel));
            const WeightShapes tensors = weights(norm, shape.dModel);
            const auto w = randomWeights<float>(tensors, 31);
            const auto x = randomActivations<float>(shape.activations(), 32);
            const auto dy = randomActivations<float>(shape.activations(), 33);
            const auto exact = randomWeights<double>(tensors, 31);
            const std::vector<double> xExact(x.begin(), x.end());
            const std::vector<double> dyExact(dy.begin(), dy.end());
            std::vector<double> y(x.size());
            reference::forward<double>(norm, shape, exact, xExact, y);
            Tensors gradients = zeros<double>(tensors);
            std::vector<double> dx(x.size());
            reference::backward<double>(norm, shape, exact, xExact, dyExact, dx, gradients);

            const double terms = shape.dModel + 100.0;
            expectTensors(prepare(norm, shape, w, x, *device), *device, {y}, terms, 4.0);
            expectTensors(prepare(norm, shape, w, x, *device, dy),
                          *device,
                          withFirst(dx, gradients),
                          terms,
                          4.0);
        }
    }
}

TEST_F(CudaLayer, AddsResidualsLikeTheReference)
{
    const auto device = openDevice();
    for (const std::size_t size : {1, 3, 64, 1027}) {
        const auto x = randomActivations<float>(size, 1);
        const auto f = randomActivations<float>(size, 2);
        const auto g = randomActivations<float>(size, 3);
        for (const int branches : {1, 2}) {
            for (const bool scale : {false, true}) {
                const Residual residual{.branches = branches, .scale = scale};
                const auto second = branches > 1 ? g : std::vector<float>();
                std::vector<double> y(size);
                reference::addResidual<double>(residual,
                                               std::vector<double>(x.begin(), x.end()),
                                               std::vector<double>(f.begin(), f.end()),
                                               std::vector<double>(second.begin(), second.end()),
                                               y);
                expectTensors(
                    prepareResidual(residual, x, f, second, *device), *device, {y}, 1.0, 0.0);
            }
        }
    }
}

void expectEmbedding(const Embedding& embedding, const Shape& anyShape, const Device& device)
{
    SCOPED_TRACE(test::describe(embedding) + " norm " + test::describe(embedding.norm) + ", "
                 + nameOf(device.precision()));
    const Shape shape = test::shapeFor(embedding, anyShape);
    const WeightShapes tensors = weights(embedding, shape.dModel);
    const auto w = randomWeights<float>(tensors, 33);
    const auto exact = randomWeights<double>(tensors, 33);
    const auto dy = randomActivations<float>(shape.activations(), 35);
    const std::vector<double> dyExact(dy.begin(), dy.end());
    const auto normed = cpu::normalisation(embedding, shape, 33);
    double largest = 0;
    for (const double value : dyExact) {
        largest = std::max(largest, std::abs(value));
    }
    std::vector<double> y(shape.activations());
    Tensors gradients = zeros<double>(tensors);
    test::withInput<double>(embedding, shape, [&](const auto& input) {
        reference::forward<double>(embedding, shape, exact, input, y);
        reference::backward<double>(embedding, shape, exact, input, dyExact, gradients);
    });
    const double terms = shape.dModel + 600.0;
    test::withInput<float>(embedding, shape, [&](const auto& input) {
        expectTensors(
            prepare(embedding, shape, w, input, device), device, {y}, terms, 4.0 + normed.sums);
        expectTensors(prepare(embedding, shape, w, input, device, dy),
                      device,
                      gradients,
                      terms,
                      4.0 + normed.gradients(largest, embedding.sumWidth(shape.dModel)));
    });
}

TEST_F(CudaLayer, EmbedsLikeTheReference)
{
    const auto device = openDevice();
    const std::vector<Norm> norms = test::norms();
    std::size_t next = 0;
    std::vector<Shape> shapes = cpu::awkwardShapes();
    shapes.push_back({.batch = 2, .sequence = 3, .context = 90, .dModel = 5});
    for (const Shape& shape : shapes) {
        for (const Embedding& any : variationsOf(shape.dModel, kEmbeddings)) {
            Embedding embedding = test::small(any, 60);
            embedding.norm = norms[next++ % norms.size()];
            expectEmbedding(embedding, shape, *device);
        }
    }
}

void expectHead(const Head& head, const Shape& shape, const Device& device)
{
    SCOPED_TRACE(test::describe(head) + " norm " + test::describe(head.norm) + " d "
                 + std::to_string(shape.dModel) + ", " + nameOf(device.precision()));
    const WeightShapes tensors = weights(head, shape.dModel, kTable);
    const auto w = randomWeights<float>(tensors, 41);
    const auto exact = randomWeights<double>(tensors, 41);
    const auto x = randomActivations<float>(shape.activations(), 42);
    const std::vector<double> xExact(x.begin(), x.end());
    std::vector<double> y(reference::headOutputs(head, kVocab, shape));
    reference::forward<double>(head, kVocab, shape, exact, xExact, y);
    const auto dy = randomActivations<float>(y.size(), 43);
    Tensors gradients = zeros<double>(tensors);
    std::vector<double> dx(x.size());
    reference::backward<double>(head,
                                kVocab,
                                shape,
                                exact,
                                xExact,
                                std::vector<double>(dy.begin(), dy.end()),
                                dx,
                                gradients);
    // A transform's norm over three features may enlarge what is left of their differences.
    const double cancelling = head.hasTransform() ? 100.0 : 4.0;
    const double terms = shape.dModel + 600.0;
    expectTensors(prepare(head, kVocab, shape, w, x, device), device, {y}, terms, cancelling);
    expectTensors(prepare(head, kVocab, shape, w, x, device, dy),
                  device,
                  withFirst(dx, gradients),
                  terms,
                  cancelling);
}

TEST_F(CudaLayer, HeadsLikeTheReference)
{
    const auto device = openDevice();
    const std::vector<Norm> norms = test::norms();
    std::size_t next = 0;
    for (const Shape& shape : cpu::awkwardShapes()) {
        for (Head head : variationsOf(shape.dModel, kHeads)) {
            head.norm = norms[next++ % norms.size()];
            expectHead(head, shape, *device);
        }
    }
}

// Norms without differences that cancel, so that the operands' rounding alone shows.
TEST_F(CudaLayer, RoundsOperandsOnly)
{
    const Shape shape{.batch = 2, .sequence = 8, .context = 8, .dModel = 32};
    for (const ProductPrecision precision : kPrecisions) {
        const auto device = openDevice(precision);
        expectEmbedding(test::small({.norm = Norm{}}, 60), shape, *device);
        expectEmbedding(test::small({.input = InputKind::patches}, 60), shape, *device);
        expectEmbedding(
            test::small({.width = 24, .projection = Projection::biased}, 60), shape, *device);
        expectHead({.bias = true, .softCap = 2.0}, shape, *device);
        expectHead({.kind = HeadKind::classifier, .classes = 5, .pooled = true}, shape, *device);
    }
}

} // namespace
} // namespace flopsmith::cuda
