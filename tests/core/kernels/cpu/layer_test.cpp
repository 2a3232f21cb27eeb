// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"

#include "core/kernels/check.h"
#include "core/kernels/cpu/simd/memory_ledger.h"
#include "core/kernels/reference/layer.h"
#include "tests/core/kernels/cpu/layer_variations.h"
#include "tests/core/kernels/cpu/normalisation.h"
#include "tests/support/embedding_cases.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace flopsmith::cpu {
namespace {

// `cancelling` is the size of terms whose difference y is: their rounding errors stay.
void expectAgreement(Kernel& kernel,
                     const std::vector<double>& y,
                     double terms,
                     double cancelling = 0)
{
    const double left = 16 * std::numeric_limits<float>::epsilon() * cancelling * std::sqrt(terms);
    kernel.run();
    const std::vector<float> first(kernel.output().begin(), kernel.output().end());
    const Agreement agreement = compare(first, y, terms);
    EXPECT_TRUE(agreement.agrees || agreement.largestError <= left)
        << agreement.largestError << " of " << agreement.magnitude << ", tolerance "
        << agreement.tolerance << " or " << left;
    kernel.run();
    EXPECT_EQ(std::vector<float>(kernel.output().begin(), kernel.output().end()), first);
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

TEST(ResidualKernel, AddsTwoBranchesAndScales)
{
    const std::vector<float> x{1, 2, 3};
    const std::vector<float> f{4, -2, 4};
    const std::vector<float> g{8, 2, -8};

    const auto kernel = std::move(prepareResidual({2, true}, x, f, g, {2})).value();
    kernel->run();

    const std::vector<float> sum(kernel->output().begin(), kernel->output().end());
    EXPECT_EQ(sum, (std::vector<float>{4, 2, 2})); // a quarter of 12, 0, −4
}

TEST(EmbeddingKernel, AgreesWithTheReference)
{
    const std::vector<Norm> norms = test::norms();
    std::size_t next = 0;
    std::vector<Shape> shapes = awkwardShapes();
    shapes.push_back({.batch = 2, .sequence = 3, .context = 90, .dModel = 5});
    for (const Shape& anyShape : shapes) {
        for (const Embedding& any : variationsOf(anyShape.dModel, kEmbeddings)) {
            Embedding embedding = test::small(any, 60);
            embedding.norm = norms[next++ % norms.size()];
            SCOPED_TRACE(test::describe(embedding) + " norm " + test::describe(embedding.norm));
            const Shape shape = test::shapeFor(embedding, anyShape);
            const auto tensors = weights(embedding, shape.dModel);
            const auto w = randomWeights<float>(tensors, 33);
            std::vector<double> y(shape.activations());
            const double normalised = normalisation(embedding, shape, 33).sums;
            test::withInput<double>(embedding, shape, [&](const auto& input) {
                reference::forward<double>(
                    embedding, shape, randomWeights<double>(tensors, 33), input, y);
            });
            test::withInput<float>(embedding, shape, [&](const auto& input) {
                for (const int threads : {1, 2}) {
                    const auto kernel =
                        std::move(prepare(embedding, shape, w, input, {threads})).value();
                    expectAgreement(*kernel, y, shape.dModel + embedding.patchPixels(), normalised);
                }
            });
        }
    }
}

TEST(HeadKernel, AgreesWithTheReference)
{
    const TokenTable table(kVocab, 3);
    const std::vector<Norm> norms = test::norms();
    std::size_t next = 0;
    for (const Shape& shape : awkwardShapes()) {
        for (Head head : variationsOf(shape.dModel, kHeads)) {
            head.norm = norms[next++ % norms.size()];
            SCOPED_TRACE(test::describe(head) + " norm " + test::describe(head.norm));
            const auto tensors = weights(head, shape.dModel, table);
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
                    expectAgreement(*kernel, y, 4.0 * shape.dModel);
                }
            }
        }
    }
}

TEST(HeadKernel, AllocatesNoCopyOfItsMatrix)
{
    const Shape shape{.batch = 1, .sequence = 2, .context = 2, .dModel = 8};
    const auto w = randomWeights<float>(weights(Head{}, 8, kVocab), 1);
    const auto x = randomActivations<float>(shape.activations(), 2);

    const auto first = std::move(prepare(Head{}, kVocab, shape, w, x, {2})).value();
    const std::size_t before = memoryLedger().bytes(); // threads have their scratch already

    const auto kernel = std::move(prepare(Head{}, kVocab, shape, w, x, {2})).value();

    EXPECT_EQ(memoryLedger().bytes() - before, kernel->output().size_bytes());
}

} // namespace
} // namespace flopsmith::cpu
