// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/ffn.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

#include <set>

namespace flopsmith::reference {
namespace {

Executed executedBy(const FfnSpec& ffn, const Shape& shape)
{
    const auto weights = randomWeights<Counted>(flopsmith::weights(ffn, shape.dModel), 1);
    const auto x = randomActivations<Counted>(shape.activations(), 2);
    std::vector<Counted> y(x.size());
    return executed([&] { forward<Counted>(ffn, shape, weights, x, y); });
}

void expectExecution(const FfnSpec& ffn, const Shape& shape)
{
    const Executed formula = executionOf(test::costTree(ffn, shape).total().count);

    EXPECT_EQ(text(executedBy(ffn, shape)), text(formula))
        << test::describeFfn(ffn) << "batch " << shape.batch << ", sequence " << shape.sequence
        << ", d " << shape.dModel << (shape.training ? ", training" : "");
}

class CountedFfn : public testing::TestWithParam<int>
{};

// The heart of the program: a number on the screen is true because this run executed it.
TEST_P(CountedFfn, ExecutesWhatItsFormulaSaysClassByClass)
{
    const int dModel = GetParam();
    const std::vector<Shape> shapes = test::awkwardShapes(dModel);
    std::size_t next = 0;
    for (const FfnSpec& ffn : test::ffnCases(dModel)) {
        const Shape& shape = shapes[next++ % shapes.size()];

        expectExecution(ffn, shape);
        if (holds_alternative<ComposedFfn>(ffn)) { // dropout acts in training
            Shape training = shape;
            training.training = true;
            expectExecution(ffn, training);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(AwkwardWidths,
                         CountedFfn,
                         testing::ValuesIn(test::awkwardWidths()),
                         testing::PrintToStringParamName());

TEST(CountedFfn, CasesCoverEveryVariantAndItsExtremes)
{
    std::set<std::string_view> ids;
    std::set<std::string> settings;
    for (const FfnSpec& ffn : test::ffnCases(9)) {
        ids.insert(info(ffn).id);
        for (const auto& field : fields(ffn)) {
            settings.insert(std::string(field.text.key) + "=" + valueText(field.value(ffn)));
        }
    }

    EXPECT_EQ(ids.size(), FfnSpec::kKinds);
    for (const char* extreme : {"k_freq=1",
                                "k_freq=5", // F of d = 9
                                "selection=top_k",
                                "algorithm=direct",
                                "poly_degree=1",
                                "poly_degree=2",
                                "poly_degree=3",
                                "poly_keep_ratio=1",
                                "poly_keep_ratio=0.01",
                                "micro_steps=1",
                                "micro_steps=9",
                                "mode=iterative",
                                "density=1",
                                "density=0.01",
                                "projection_features=1",
                                "feedback_steps=1",
                                "feedback_keep_ratio=1",
                                "feedback_selection=top_k",
                                "feedback=previous_token",
                                "feedback_weights=per_step",
                                "gate=channel",
                                "composition=sequential",
                                "dropout=0.5",
                                "groups=2",
                                "groups=5",
                                "group_score=best"}) {
        EXPECT_TRUE(settings.count(extreme) == 1) << extreme;
    }
}

} // namespace
} // namespace flopsmith::reference
