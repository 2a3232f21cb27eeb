// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/values.h"

#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/model/presets.h"
#include "tests/support/drawn_values.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

Scenario withDrawnValues(const Preset& preset, std::uint64_t seed)
{
    Scenario scenario{preset.make(), {}};
    scenario.model = test::DrawnValues(seed).of(scenario.model);
    return scenario;
}

TEST(Values, ChangeNoCount)
{
    for (const Preset& preset : presets()) {
        for (const Phase phase : {Phase::prefill, Phase::train}) {
            Scenario drawn = withDrawnValues(preset, 3);
            drawn.workload.phase = phase;
            const Scenario usual{preset.make(), drawn.workload};

            const CostTree<Count> ours = costTree(drawn);
            const CostTree<Count> theirs = costTree(usual);

            ASSERT_EQ(ours.nodes().size(), theirs.nodes().size()) << preset.id;
            for (std::size_t i = 0; i < ours.nodes().size(); ++i) {
                EXPECT_EQ(ours.nodes()[i].cost, theirs.nodes()[i].cost) << preset.id << " " << i;
            }
        }
    }
}

TEST(Values, AreLeftOutOfWhatIsMeasured)
{
    for (const Preset& preset : presets()) {
        EXPECT_EQ(measuredParts(withDrawnValues(preset, 5)), measuredParts({preset.make(), {}}))
            << preset.id;
    }
}

TEST(Values, AreComparedAndTakenAway)
{
    for (const Preset& preset : presets()) {
        const Scenario drawn = withDrawnValues(preset, 7);

        EXPECT_NE(drawn.model, preset.make()) << preset.id;
        EXPECT_EQ(withoutValues(drawn.model), withoutValues(preset.make())) << preset.id;
    }
}

} // namespace
} // namespace flopsmith
