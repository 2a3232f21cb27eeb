// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/reference/layer.h"
#include "tests/core/kernels/cpu/backward_run.h"
#include "tests/core/kernels/cpu/cases.h"

#include <gtest/gtest.h>

namespace flopsmith::cpu {
namespace {

constexpr int kVocab = 41;

// Long enough for several threads to have a part.
std::vector<Shape> shapes()
{
    std::vector<Shape> all = awkwardShapes();
    all.push_back({.batch = 2, .sequence = 300, .context = 300, .dModel = 160});
    return all;
}

template <class Layer>
std::vector<Layer> variationsOf(int dModel)
{
    Random random(8);
    return variations(Layer{}, Layer::fields(), dModel, 10, random);
}

template <class S>
std::vector<std::vector<S>> withFirst(const std::vector<S>& first, std::vector<std::vector<S>> rest)
{
    rest.insert(rest.begin(), first);
    return rest;
}

Count bytesIn(const WeightShapes& tensors, std::size_t values)
{
    Count elements = static_cast<Count>(values);
    for (const WeightShape& tensor : tensors) {
        elements += tensor.size();
    }
    return elements * Count{sizeof(float)};
}

// Of one or two features nothing is left: dx is orthogonal to x, and to a constant.
TEST(NormBackwardKernel, AgreesWithTheReference)
{
    for (const Shape& shape : shapes()) {
        for (const Norm& norm : variationsOf<Norm>(shape.dModel)) {
            SCOPED_TRACE("d " + std::to_string(shape.dModel));
            const WeightShapes tensors = weights(norm, shape.dModel);
            const auto w = randomWeights<float>(tensors, 31);
            const auto x = randomActivations<float>(shape.activations(), 32);
            const auto dy = randomActivations<float>(shape.activations(), 33);
            auto gradients = zeros<double>(tensors);
            std::vector<double> dx(x.size());
            reference::backward<double>(norm,
                                        shape,
                                        randomWeights<double>(tensors, 31),
                                        randomActivations<double>(x.size(), 32),
                                        randomActivations<double>(x.size(), 33),
                                        dx,
                                        gradients);
            for (const int threads : {1, 2, 3}) {
                const auto kernel =
                    std::move(prepareBackward(norm, shape, w, x, dy, {threads})).value();
                expectTensors(*kernel, withFirst(dx, gradients), shape.dModel + 100.0, 4.0);
                EXPECT_EQ(bytesNeededBackward(norm, shape, {threads}),
                          bytesIn(tensors, 2 * x.size()) + allocatedBytes(*kernel));
            }
        }
    }
}

std::vector<int> tokenIds(const Embedding& embedding, const Shape& shape)
{
    Random random(34);
    std::vector<int> ids;
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        ids.push_back(static_cast<int>(random.integer(0, std::min(embedding.vocab, 30) - 1)));
    }
    return ids;
}

TEST(EmbeddingBackwardKernel, AgreesWithTheReference)
{
    std::vector<Shape> all = shapes();
    all.push_back({.batch = 2, .sequence = 3, .context = 90, .dModel = 5});
    for (const Shape& shape : all) {
        for (Embedding embedding : variationsOf<Embedding>(shape.dModel)) {
            embedding.norm = shape.batch == 2 ? Norm{} : Norm::absent();
            const WeightShapes tensors = weights(embedding, shape.dModel);
            const auto w = randomWeights<float>(tensors, 33);
            const std::vector<int> ids = tokenIds(embedding, shape);
            const auto dy = randomActivations<float>(shape.activations(), 35);
            auto gradients = zeros<double>(tensors);
            reference::backward<double>(embedding,
                                        shape,
                                        randomWeights<double>(tensors, 33),
                                        ids,
                                        randomActivations<double>(dy.size(), 35),
                                        gradients);
            for (const int threads : {1, 2, 3}) {
                const auto kernel =
                    std::move(prepareBackward(embedding, shape, w, ids, dy, {threads})).value();
                expectTensors(*kernel, gradients, shape.dModel + 600.0);
                EXPECT_EQ(bytesNeededBackward(embedding, shape, {threads}),
                          bytesIn(tensors, dy.size() + ids.size()) + allocatedBytes(*kernel));
            }
        }
    }
}

TEST(HeadBackwardKernel, AgreesWithTheReference)
{
    for (const Shape& shape : shapes()) {
        for (const Head& head : variationsOf<Head>(shape.dModel)) {
            const WeightShapes tensors = weights(head, shape.dModel, kVocab);
            const auto w = randomWeights<float>(tensors, 35);
            const auto x = randomActivations<float>(shape.activations(), 36);
            const std::size_t outputs = reference::headOutputs(head, kVocab, shape);
            const auto dy = randomActivations<float>(outputs, 37);
            auto gradients = zeros<double>(tensors);
            std::vector<double> dx(x.size());
            reference::backward<double>(head,
                                        kVocab,
                                        shape,
                                        randomWeights<double>(tensors, 35),
                                        randomActivations<double>(x.size(), 36),
                                        randomActivations<double>(outputs, 37),
                                        dx,
                                        gradients);
            for (const int threads : {1, 2}) {
                const auto kernel =
                    std::move(prepareBackward(head, kVocab, shape, w, x, dy, {threads})).value();
                expectTensors(*kernel, withFirst(dx, gradients), kVocab + shape.dModel + 600.0);
                EXPECT_EQ(bytesNeededBackward(head, kVocab, shape, {threads}),
                          bytesIn(tensors, x.size() + outputs) + allocatedBytes(*kernel));
            }
        }
    }
}

} // namespace
} // namespace flopsmith::cpu
