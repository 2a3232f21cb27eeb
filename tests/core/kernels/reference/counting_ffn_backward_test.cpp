// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/ffn.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/core/kernels/reference/gradient_check.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

namespace flopsmith::reference {
namespace {

Executed executedBackward(const FfnSpec& ffn, const Shape& shape)
{
    const WeightShapes shapes = weights(ffn, shape.dModel);
    const auto weightValues = randomWeights<Counted>(shapes, 1);
    auto gradients = zeros<Counted>(shapes);
    const auto x = randomActivations<Counted>(shape.activations(), 2);
    const auto dy = randomActivations<Counted>(shape.activations(), 3);
    std::vector<Counted> dx(x.size());
    return executed([&] { backward<Counted>(ffn, shape, weightValues, x, dy, dx, gradients); });
}

/// The cases of one variant of the registry.
class FfnBackward : public testing::TestWithParam<FfnSpec>
{
protected:
    static std::vector<FfnSpec> cases(int dModel)
    {
        std::vector<FfnSpec> cases;
        for (const FfnSpec& ffn : test::ffnCases(dModel)) {
            if (ffn.index() == GetParam().index()) {
                cases.push_back(ffn);
            }
        }
        return cases;
    }
};

std::string nameOf(const testing::TestParamInfo<FfnSpec>& tested)
{
    return std::string(info(tested.param).id);
}

TEST_P(FfnBackward, ExecutesWhatItsFormulaSaysClassByClass)
{
    for (const int dModel : test::awkwardWidths()) {
        const std::vector<Shape> shapes = test::awkwardShapes(dModel);
        std::size_t next = 0;
        for (const FfnSpec& ffn : cases(dModel)) {
            const Shape& shape = shapes[next++ % shapes.size()];
            const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                addBackwardCost(ffn, pass, tree);
            };

            const Executed formula = executionOf(test::treeOf(shape, add).total().count);

            ASSERT_EQ(text(executedBackward(ffn, shape)), text(formula))
                << test::describeFfn(ffn) << "batch " << shape.batch << ", sequence "
                << shape.sequence << ", d " << dModel;
        }
    }
}

TEST_P(FfnBackward, GradientsAreThoseOfCentralDifferences)
{
    for (const int dModel : {1, 7, 12}) {
        const Shape shape{.batch = 2, .sequence = 3, .context = 3, .dModel = dModel};
        constexpr std::size_t kMax = 150; // differences take two forward passes per element
        const std::vector<FfnSpec> all = cases(dModel);
        const std::size_t stride = (all.size() + kMax - 1) / kMax;
        for (std::size_t i = 0; i < all.size(); i += stride) {
            ASSERT_NO_FATAL_FAILURE(expectGradients(all[i], shape))
                << test::describeFfn(all[i]) << ", d " << dModel;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, FfnBackward, testing::ValuesIn(ffnPrototypes()), nameOf);

} // namespace
} // namespace flopsmith::reference
