// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/layer.h"
#include "core/layer/activation_cost.h"
#include "core/layer/embedding_cost.h"
#include "core/layer/head_cost.h"
#include "core/layer/norm_cost.h"
#include "core/layer/residual_cost.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/core/kernels/reference/layer_cases.h"
#include "tests/support/embedding_cases.h"

#include <gtest/gtest.h>

namespace flopsmith::reference {
namespace {

Executed normFormula(const Norm& norm, const Shape& shape)
{
    const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
        addNorm("norm", norm, pass, tree);
    };
    return executionOf(test::treeOf(shape, add).total().count);
}

TEST(CountedNorm, ExecutesWhatItsFormulaSays)
{
    forEachShape([](const Shape& shape) {
        for (const Norm& norm : cases<Norm>(shape.dModel)) {
            const auto weights = randomWeights<Counted>(flopsmith::weights(norm, shape.dModel), 1);
            const auto x = randomActivations<Counted>(shape.activations(), 2);
            std::vector<Counted> y(x.size());

            const Executed ran = executed([&] { forward<Counted>(norm, shape, weights, x, y); });

            ASSERT_EQ(text(ran), text(normFormula(norm, shape))) << test::describe(norm);
        }
    });
}

TEST(CountedEmbedding, ExecutesWhatItsFormulaSays)
{
    forEachShape([](const Shape& any) {
        for (const Embedding& drawn : cases<Embedding>(any.dModel)) {
            for (const Norm& norm : {Norm::absent(), Norm{}, Norm::rms()}) {
                Embedding embedding = test::small(drawn, kVocab);
                embedding.norm = norm;
                const Shape shape = test::shapeFor(embedding, any);
                const auto weights =
                    randomWeights<Counted>(flopsmith::weights(embedding, shape.dModel), 1);
                std::vector<Counted> y(shape.activations());
                Executed ran;

                test::withInput<Counted>(embedding, shape, [&](const auto& input) {
                    ran = executed([&] { forward<Counted>(embedding, shape, weights, input, y); });
                });

                const Executed formula =
                    executionOf(test::costTree(embedding, shape).total().count);
                ASSERT_EQ(text(ran), text(formula)) << test::describe(embedding);
            }
        }
    });
}

TEST(CountedHead, ExecutesWhatItsFormulaSays)
{
    const TokenTable table(kVocab, 3);
    forEachShape([&](const Shape& shape) {
        for (const Head& head : cases<Head>(shape.dModel)) {
            const auto weights =
                randomWeights<Counted>(flopsmith::weights(head, shape.dModel, table), 1);
            const auto x = randomActivations<Counted>(shape.activations(), 2);
            std::vector<Counted> y(headOutputs(head, kVocab, shape));

            const Executed ran =
                executed([&] { forward<Counted>(head, kVocab, shape, weights, x, y); });

            const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                addCost(head, table, pass, tree);
            };
            const Executed formula = executionOf(test::treeOf(shape, add).total().count);
            ASSERT_EQ(text(ran), text(formula)) << test::describe(head);
        }
    });
}

TEST(CountedResidual, ExecutesWhatItsFormulaSays)
{
    forEachShape([](const Shape& shape) {
        const auto x = randomActivations<Counted>(shape.activations(), 1);
        const auto f = randomActivations<Counted>(shape.activations(), 2);
        const auto g = randomActivations<Counted>(shape.activations(), 3);
        std::vector<Counted> sum(x.size());
        for (const Residual& residual :
             {Residual{}, Residual{2, false}, Residual{1, true}, Residual{2, true}}) {
            const auto second =
                std::span<const Counted>(g).first(residual.branches > 1 ? g.size() : 0);

            const Executed ran =
                executed([&] { addResidual<Counted>(residual, x, f, second, sum); });

            const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                addResidual("residual", pass, tree, residual);
            };
            EXPECT_EQ(text(ran), text(executionOf(test::treeOf(shape, add).total().count)))
                << residual.branches << residual.scale;
        }
    });
}

TEST(CountedActivation, ExecutesWhatItsFormulaSaysPerElement)
{
    for (std::size_t i = 0; i < enumNames<Activation>().size(); ++i) {
        const auto activation = static_cast<Activation>(i);
        for (const double x : {-2.0, 0.0, 3.0}) {
            const Executed ran = executed([&] { activated(activation, Counted(x)); });

            EXPECT_EQ(text(ran), text(executionOf(activationCount(activation, Count{1}))))
                << enumName(activation);
        }
    }
}

} // namespace
} // namespace flopsmith::reference
