// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/stack_find.h"

#include "core/mixer/attention.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

const Scenario& searchedScenario()
{
    static const Scenario kScenario{.model = *presetNamed("gpt2-half-swapped")};
    return kScenario;
}

std::vector<int> found(std::string_view query, const Scenario& scenario = searchedScenario())
{
    return rowsContaining(
        scenario, stackPicture(scenario, costTree(scenario), LensId::exact), query);
}

TEST(StackFind, FindsRowsByTheirTexts)
{
    EXPECT_EQ(found("attention"), (std::vector<int>{1, 2}));
    EXPECT_EQ(found("dense"), (std::vector<int>{1}));
    EXPECT_EQ(found("learned positions"), (std::vector<int>{0}));
    EXPECT_EQ(found("final norm"), (std::vector<int>{3}));
    EXPECT_EQ(found("SPECTRAL"), (std::vector<int>{2}));
}

TEST(StackFind, FindsRowsByParameters)
{
    EXPECT_EQ(found("3072"), (std::vector<int>{1}));
    EXPECT_EQ(found("heads 12"), (std::vector<int>{1, 2}));
    EXPECT_EQ(found("12 heads"), (std::vector<int>{1, 2}));
    EXPECT_EQ(found("d_ff 3072"), (std::vector<int>{1}));
    EXPECT_EQ(found("d_model 768"), (std::vector<int>{0}));
    EXPECT_EQ(found("50257"), (std::vector<int>{0}));
    EXPECT_TRUE(found("heads 3072").empty()); // in two parameters
}

TEST(StackFind, NameAndValueAreOfOneParameter)
{
    Scenario scenario = searchedScenario();
    get<Attention>(scenario.model.runs[0].block.mixer).kvHeads = 4;

    EXPECT_EQ(found("kv_heads 12", scenario), (std::vector<int>{2}));
    EXPECT_EQ(found("kv_heads 4", scenario), (std::vector<int>{1}));
}

TEST(StackFind, ANumberIsAWholeNumber)
{
    EXPECT_TRUE(found("307").empty());
    EXPECT_TRUE(found("d_ff 072").empty());
    EXPECT_TRUE(found("5025").empty());
}

TEST(StackFind, NothingContainsNothing)
{
    EXPECT_TRUE(found("").empty());
    EXPECT_TRUE(found("  ").empty());
    EXPECT_TRUE(found("zebra").empty());
}

TEST(StackFind, EveryTitleOfAPartFindsItsRow)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario{.model = preset.make()};
        const StackPicture picture = stackPicture(scenario, costTree(scenario), LensId::exact);
        for (std::size_t row = 0; row < picture.rows.size(); ++row) {
            for (const StackPart& part : picture.rows[row].parts) {
                const auto rows = rowsContaining(scenario, picture, part.title);
                EXPECT_EQ(std::count(rows.begin(), rows.end(), static_cast<int>(row)), 1)
                    << preset.title << ": " << part.title;
            }
        }
    }
}

TEST(StackFind, EveryParameterFindsItsRun)
{
    const Scenario& scenario = searchedScenario();
    for (int run = 0; run < 2; ++run) {
        for (const Parameter& parameter : blockParameters(scenario, run)) {
            if (!parameter.applies(scenario)) {
                continue;
            }
            const std::string query =
                std::string(parameter.text.key) + ' ' + valueText(parameter.value(scenario));
            const auto rows = found(query);
            EXPECT_EQ(std::count(rows.begin(), rows.end(), run + 1), 1) << query;
        }
    }
}

} // namespace
} // namespace flopsmith
