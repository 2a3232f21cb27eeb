// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"

#include "core/kernels/check.h"
#include "core/kernels/reference/layer.h"
#include "tests/core/kernels/cpu/cases.h"

#include <gtest/gtest.h>

namespace flopsmith::cpu {
namespace {

constexpr int kVocab = 41;

void expectAgreement(Kernel& kernel, const std::vector<double>& y, double terms)
{
    kernel.run();
    const std::vector<float> first(kernel.output().begin(), kernel.output().end());
    const Agreement agreement = compare(first, y, terms);
    EXPECT_TRUE(agreement.agrees) << agreement.largestError << " of " << agreement.magnitude;
    kernel.run();
    EXPECT_EQ(std::vector<float>(kernel.output().begin(), kernel.output().end()), first);
}

template <class Layer>
std::vector<Layer> variationsOf(int dModel)
{
    Random random(8);
    return variations(Layer{}, Layer::fields(), dModel, 10, random);
}

TEST(NormKernel, AgreesWithTheReference)
{
    for (const Shape& shape : awkwardShapes()) {
        for (const Norm& norm : variationsOf<Norm>(shape.dModel)) {
            const auto shapes = weights(norm, shape.dModel);
            const auto w = randomWeights<float>(shapes, 31);
            const auto x = randomActivations<float>(shape.activations(), 32);
            std::vector<double> y(x.size());
            reference::forward<double>(norm,
                                       shape,
                                       randomWeights<double>(shapes, 31),
                                       randomActivations<double>(x.size(), 32),
                                       y);
            for (const int threads : {1, 2}) {
                const auto kernel = std::move(prepare(norm, shape, w, x, {threads})).value();
                expectAgreement(*kernel, y, shape.dModel);
            }
        }
    }
}

TEST(ResidualKernel, Adds)
{
    const std::vector<float> x{1, 2, 3};
    const std::vector<float> f{0.5F, -2, 4};

    const auto kernel = std::move(prepareResidual(x, f, {2})).value();
    kernel->run();

    const std::vector<float> sum(kernel->output().begin(), kernel->output().end());
    EXPECT_EQ(sum, (std::vector<float>{1.5F, 0, 7}));
}

TEST(EmbeddingKernel, AgreesWithTheReference)
{
    std::vector<Shape> shapes = awkwardShapes();
    shapes.push_back({.batch = 2, .sequence = 3, .context = 90, .dModel = 5});
    for (const Shape& shape : shapes) {
        for (Embedding embedding : variationsOf<Embedding>(shape.dModel)) {
            embedding.norm = shape.batch == 2 ? Norm{} : Norm::absent();
            const auto tensors = weights(embedding, shape.dModel);
            const auto w = randomWeights<float>(tensors, 33);
            Random random(34);
            std::vector<int> ids;
            for (std::size_t t = 0; t < shape.tokens(); ++t) {
                ids.push_back(static_cast<int>(random.integer(0, embedding.vocab - 1)));
            }
            std::vector<double> y(shape.activations());
            reference::forward<double>(
                embedding, shape, randomWeights<double>(tensors, 33), ids, y);
            for (const int threads : {1, 2}) {
                const auto kernel = std::move(prepare(embedding, shape, w, ids, {threads})).value();
                expectAgreement(*kernel, y, shape.dModel);
            }
        }
    }
}

TEST(HeadKernel, AgreesWithTheReference)
{
    for (const Shape& shape : awkwardShapes()) {
        for (const Head& head : variationsOf<Head>(shape.dModel)) {
            const auto tensors = weights(head, shape.dModel, kVocab);
            const auto w = randomWeights<float>(tensors, 35);
            const auto x = randomActivations<float>(shape.activations(), 36);
            std::vector<double> y(reference::headOutputs(head, kVocab, shape));
            reference::forward<double>(head,
                                       kVocab,
                                       shape,
                                       randomWeights<double>(tensors, 35),
                                       randomActivations<double>(x.size(), 36),
                                       y);
            for (const int threads : {1, 2}) {
                const auto kernel =
                    std::move(prepare(head, kVocab, shape, w, x, {threads})).value();
                if (y.empty()) {
                    EXPECT_TRUE(kernel->output().empty());
                } else {
                    expectAgreement(*kernel, y, shape.dModel);
                }
            }
        }
    }
}

TEST(HeadKernel, NeedsNoCopyOfItsMatrix)
{
    const Shape shape{.batch = 1, .sequence = 2, .context = 2, .dModel = 8};
    const auto w = randomWeights<float>(weights(Head{}, 8, kVocab), 1);
    const auto x = randomActivations<float>(shape.activations(), 2);

    const auto kernel = std::move(prepare(Head{}, kVocab, shape, w, x, {2})).value();

    EXPECT_EQ(kernel->workspaceBytes(), 0U);
    EXPECT_EQ(bytesNeeded(Head{}, kVocab, shape, {2}),
              static_cast<Count>(4 * (kVocab * 8 + x.size() + 2 * kVocab)));
}

} // namespace
} // namespace flopsmith::cpu
