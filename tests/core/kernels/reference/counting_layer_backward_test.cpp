// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/layer.h"
#include "core/layer/embedding_cost.h"
#include "core/layer/head_cost.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/core/kernels/reference/gradient_check.h"
#include "tests/core/kernels/reference/layer_cases.h"
#include "tests/core/kernels/reference/reference_run.h"
#include "tests/support/embedding_cases.h"

#include <gtest/gtest.h>

namespace flopsmith::reference {
namespace {

const TokenTable kTable(kVocab, 3);

template <class Add>
std::string formulaText(const Shape& shape, Add add)
{
    return text(executionOf(test::treeOf(shape, add).total().count));
}

Embedding small(const Embedding& any, const Norm& norm)
{
    Embedding embedding = test::small(any, kVocab);
    embedding.norm = norm;
    return embedding;
}

TEST(NormBackward, ExecutesWhatItsFormulaSays)
{
    forEachShape([](const Shape& shape) {
        for (const Norm& norm : cases<Norm>(shape.dModel)) {
            const WeightShapes shapes = weights(norm, shape.dModel);
            const auto w = randomWeights<Counted>(shapes, 1);
            auto gradients = zeros<Counted>(shapes);
            const auto x = randomActivations<Counted>(shape.activations(), 2);
            const auto dy = randomActivations<Counted>(shape.activations(), 3);
            std::vector<Counted> dx(x.size());

            const Executed ran =
                executed([&] { backward<Counted>(norm, shape, w, x, dy, dx, gradients); });

            const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                addNormBackward("norm", norm, pass, tree);
            };
            ASSERT_EQ(text(ran), formulaText(shape, add)) << test::describe(norm);
        }
    });
}

TEST(EmbeddingBackward, ExecutesWhatItsFormulaSays)
{
    forEachShape([](const Shape& anyShape) {
        for (const Embedding& any : cases<Embedding>(anyShape.dModel)) {
            for (const Norm& norm : {Norm::absent(), Norm{}, Norm::rms()}) {
                const Embedding embedding = small(any, norm);
                const Shape shape = test::shapeFor(embedding, anyShape);
                const WeightShapes shapes = weights(embedding, shape.dModel);
                const auto w = randomWeights<Counted>(shapes, 1);
                auto gradients = zeros<Counted>(shapes);
                const auto dy = randomActivations<Counted>(shape.activations(), 3);
                Executed ran;

                test::withInput<Counted>(embedding, shape, [&](const auto& input) {
                    ran = executed(
                        [&] { backward<Counted>(embedding, shape, w, input, dy, gradients); });
                });

                const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                    addBackwardCost(embedding, pass, tree);
                };
                ASSERT_EQ(text(ran), formulaText(shape, add)) << test::describe(embedding);
            }
        }
    });
}

TEST(HeadBackward, ExecutesWhatItsFormulaSays)
{
    forEachShape([](const Shape& shape) {
        for (const Head& head : cases<Head>(shape.dModel)) {
            const WeightShapes shapes = weights(head, shape.dModel, kTable);
            const auto w = randomWeights<Counted>(shapes, 1);
            auto gradients = zeros<Counted>(shapes);
            const auto x = randomActivations<Counted>(shape.activations(), 2);
            const auto dy = randomActivations<Counted>(headOutputs(head, kVocab, shape), 3);
            std::vector<Counted> dx(x.size());

            const Executed ran =
                executed([&] { backward<Counted>(head, kVocab, shape, w, x, dy, dx, gradients); });

            const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                addBackwardCost(head, kTable, pass, tree);
            };
            ASSERT_EQ(text(ran), formulaText(shape, add)) << test::describe(head);
        }
    });
}

TEST(NormBackward, GradientsAreThoseOfCentralDifferences)
{
    for (const int dModel : {2, 7, 12}) {
        const Shape shape{.batch = 2, .sequence = 3, .context = 3, .dModel = dModel};
        for (const Norm& norm : cases<Norm>(dModel)) {
            ASSERT_NO_FATAL_FAILURE(expectGradients(norm, shape)) << test::describe(norm);
        }
    }
}

TEST(EmbeddingBackward, GradientsAreThoseOfCentralDifferences)
{
    const Shape anyShape{.batch = 2, .sequence = 4, .context = 4, .dModel = 5};
    for (const Embedding& any : cases<Embedding>(anyShape.dModel)) {
        for (const Norm& norm : {Norm::absent(), Norm{}, Norm::rms()}) {
            const Embedding embedding = small(any, norm);
            const Shape shape = test::shapeFor(embedding, anyShape);
            const WeightShapes shapes = weights(embedding, shape.dModel);
            auto w = randomWeights<double>(shapes, 1);
            auto gradients = zeros<double>(shapes);
            const auto dy = randomActivations<double>(shape.activations(), 3);
            test::withInput<double>(embedding, shape, [&](const auto& input) {
                backward<double>(embedding, shape, w, input, dy, gradients);

                std::vector<double> y(dy.size());
                const auto loss = [&] {
                    forward<double>(embedding, shape, w, input, y);
                    return inner(y, dy);
                };
                std::vector<double> none;
                ASSERT_NO_FATAL_FAILURE(expectAllSlopes(none, none, w, gradients, shapes, loss))
                    << test::describe(embedding);
            });
        }
    }
}

TEST(HeadBackward, GradientsAreThoseOfCentralDifferences)
{
    const Shape shape{.batch = 2, .sequence = 3, .context = 3, .dModel = 7};
    for (const Head& head : cases<Head>(shape.dModel)) {
        const WeightShapes shapes = weights(head, shape.dModel, kTable);
        auto w = randomWeights<double>(shapes, 1);
        auto gradients = zeros<double>(shapes);
        auto x = randomActivations<double>(shape.activations(), 2);
        const auto dy = randomActivations<double>(headOutputs(head, kVocab, shape), 3);
        std::vector<double> dx(x.size(), -1.0);
        backward<double>(head, kVocab, shape, w, x, dy, dx, gradients);

        std::vector<double> y(dy.size());
        const auto loss = [&] {
            forward<double>(head, kVocab, shape, w, x, y);
            return inner(y, dy);
        };
        ASSERT_NO_FATAL_FAILURE(expectAllSlopes(x, dx, w, gradients, shapes, loss))
            << test::describe(head);
    }
}

// A constant shift of a token changes nothing behind a LayerNorm, a factor almost nothing.
TEST(NormBackward, IsOrthogonalToWhatTheNormIgnores)
{
    const Shape shape{.batch = 1, .sequence = 1, .context = 1, .dModel = 7};
    const auto x = randomActivations<double>(7, 1);
    const auto dy = randomActivations<double>(7, 2);
    std::vector<double> dx(7);
    Weights<double> gradients = zeros<double>(weights(Norm{}, 7));

    backward<double>(
        Norm{}, shape, randomWeights<double>(weights(Norm{}, 7), 3), x, dy, dx, gradients);

    EXPECT_NEAR(std::accumulate(dx.begin(), dx.end(), 0.0), 0.0, 1e-12);
    EXPECT_NEAR(inner(dx, x), 0.0, 1e-4); // ε under the root is not scaled
}

} // namespace
} // namespace flopsmith::reference
