// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/reference/layer.h"
#include "tests/core/kernels/cpu/backward_run.h"
#include "tests/core/kernels/cpu/layer_variations.h"
#include "tests/core/kernels/cpu/normalisation.h"
#include "tests/support/embedding_cases.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::cpu {
namespace {

const TokenTable kTable(kVocab, 3);

// Long enough for several threads to have a part.
std::vector<Shape> shapes()
{
    std::vector<Shape> all = awkwardShapes();
    all.push_back({.batch = 2, .sequence = 300, .context = 300, .dModel = 160});
    return all;
}

template <class S>
std::vector<std::vector<S>> withFirst(const std::vector<S>& first, std::vector<std::vector<S>> rest)
{
    rest.insert(rest.begin(), first);
    return rest;
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
            }
        }
    }
}

TEST(EmbeddingBackwardKernel, AgreesWithTheReference)
{
    const std::vector<Norm> norms = test::norms();
    std::size_t next = 0;
    std::vector<Shape> all = shapes();
    all.push_back({.batch = 2, .sequence = 3, .context = 90, .dModel = 5});
    for (const Shape& anyShape : all) {
        for (const Embedding& any : variationsOf(anyShape.dModel, kEmbeddings)) {
            Embedding embedding = test::small(any, 60);
            embedding.norm = norms[next++ % norms.size()];
            SCOPED_TRACE(test::describe(embedding) + " norm " + test::describe(embedding.norm));
            const Shape shape = test::shapeFor(embedding, anyShape);
            const WeightShapes tensors = weights(embedding, shape.dModel);
            const auto w = randomWeights<float>(tensors, 33);
            const auto dy = randomActivations<float>(shape.activations(), 35);
            auto gradients = zeros<double>(tensors);
            const double largest = std::abs(*std::max_element(
                dy.begin(), dy.end(), [](float a, float b) { return std::abs(a) < std::abs(b); }));
            const double cancelling = 4.0
                + normalisation(embedding, shape, 33)
                      .gradients(largest, embedding.sumWidth(shape.dModel));
            test::withInput<double>(embedding, shape, [&](const auto& input) {
                reference::backward<double>(embedding,
                                            shape,
                                            randomWeights<double>(tensors, 33),
                                            input,
                                            randomActivations<double>(dy.size(), 35),
                                            gradients);
            });
            test::withInput<float>(embedding, shape, [&](const auto& input) {
                for (const int threads : {1, 2, 3}) {
                    const auto kernel =
                        std::move(prepareBackward(embedding, shape, w, input, dy, {threads}))
                            .value();
                    expectTensors(*kernel, gradients, shape.dModel + 600.0, cancelling);
                }
            });
        }
    }
}

TEST(HeadBackwardKernel, AgreesWithTheReference)
{
    const std::vector<Norm> norms = test::norms();
    std::size_t next = 0;
    for (const Shape& shape : shapes()) {
        for (Head head : variationsOf(shape.dModel, kHeads)) {
            head.norm = norms[next++ % norms.size()];
            const WeightShapes tensors = weights(head, shape.dModel, kTable);
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
                SCOPED_TRACE(test::describe(head) + " norm " + test::describe(head.norm));
                // A soft-cap passes a rounding error of its logit on 1/cap times as large.
                const double capped = head.softCap > 0.0 ? 4.0 : 1.0;
                const double cancelling = head.softCap > 0.0 ? 50.0 / head.softCap : 4.0;
                expectTensors(*kernel,
                              withFirst(dx, gradients),
                              capped * (kVocab + shape.dModel + 600.0),
                              cancelling);
            }
        }
    }
}

} // namespace
} // namespace flopsmith::cpu
