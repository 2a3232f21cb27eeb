// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of several selected runs.
#include "core/parameter/validation.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/scenario_edit.h"
#include "ui/document/selected_parameters.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;

// Dense, dense, ultra-efficient: 3, 3 and 6 blocks.
Scenario threeRuns()
{
    Scenario scenario = halfSwapped();
    splitRun(scenario, 0);
    return scenario;
}

class ParametersOfSeveralRuns : public testing::Test
{
protected:
    ParametersOfSeveralRuns() { document.select(Selection::ofRuns({0, 1, 2}, 1)); }

    Parameter of(int run, const char* key)
    {
        return parameterAt(document.scenario(), {run, key}).value();
    }

    std::int64_t whole(int run, const char* key)
    {
        return std::get<std::int64_t>(of(run, key).value(document.scenario()));
    }

    Document document{threeRuns()};
};

TEST_F(ParametersOfSeveralRuns, AValueIsSetOnAllInOneStep)
{
    EXPECT_TRUE(setParameter(document, of(1, "mixer.heads"), std::int64_t{16}));

    for (const int run : {0, 1, 2}) {
        EXPECT_EQ(whole(run, "mixer.heads"), 16);
    }
    EXPECT_EQ(document.selection(), Selection::ofRuns({0, 1, 2}, 1));
    EXPECT_EQ(document.undoStack().count(), 1);
    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), threeRuns());
}

TEST_F(ParametersOfSeveralRuns, ADragOfTheirLengthsIsOneStepAndReturnsToTheStart)
{
    document.history().beginGesture();
    for (const std::int64_t repeat : {4, 9, 2}) {
        setParameter(document, of(1, "repeat"), repeat);
    }
    EXPECT_EQ(document.model().layers(), 6);
    EXPECT_EQ(document.undoStack().count(), 1);
    document.history().endGesture();

    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), threeRuns());
}

TEST_F(ParametersOfSeveralRuns, SettingAllIsSettingEach)
{
    Document each{threeRuns()};
    for (const int run : {0, 1, 2}) {
        each.select(Selection::ofRun(run));
        setParameter(
            each, parameterAt(each.scenario(), {run, "mixer.window"}).value(), std::int64_t{64});
    }

    setParameter(document, of(1, "mixer.window"), std::int64_t{64});

    EXPECT_EQ(document.scenario(), each.scenario());
}

TEST_F(ParametersOfSeveralRuns, OtherParametersAreSetAlone)
{
    document.select(Selection::ofRuns({0, 1}, 1));
    setParameter(document, of(2, "mixer.heads"), std::int64_t{16});
    EXPECT_EQ(whole(1, "mixer.heads"), 12);

    setParameter(document, test::parameter(document, "d_model"), std::int64_t{1536});
    EXPECT_EQ(document.model().dModel, 1536);
}

TEST_F(ParametersOfSeveralRuns, TheScopeOfEqualBlocksIsForOneRunAlone)
{
    document.select(Selection::ofRuns({1, 2}, 1));
    document.setEditScope(EditScope::allEqual);
    setParameter(document, of(1, "mixer.heads"), std::int64_t{16});

    EXPECT_EQ(whole(0, "mixer.heads"), 12); // equals run 1, but is not selected
    EXPECT_EQ(whole(2, "mixer.heads"), 16);
}

TEST_F(ParametersOfSeveralRuns, MixedIsWhatDiffers)
{
    const auto mixed = [this](const char* key) {
        return isMixed(document.scenario(), document.selection(), of(1, key));
    };
    EXPECT_TRUE(mixed("repeat"));
    EXPECT_FALSE(mixed("mixer.heads"));

    document.select(Selection::ofRun(0));
    setParameter(document, of(0, "mixer.heads"), std::int64_t{16});
    document.select(Selection::ofRuns({0, 1, 2}, 1));
    EXPECT_TRUE(mixed("mixer.heads"));

    setParameter(document, of(1, "mixer.heads"), std::int64_t{12}); // what the current one has
    EXPECT_FALSE(mixed("mixer.heads"));
    EXPECT_EQ(document.scenario(), threeRuns());
}

TEST_F(ParametersOfSeveralRuns, OnlyWhatAllHaveIsOfAll)
{
    const auto common = [this](const char* key) {
        return isOfAll(document.scenario(), document.selection(), of(1, key));
    };
    EXPECT_TRUE(common("mixer.heads"));
    EXPECT_TRUE(common("repeat"));
    EXPECT_FALSE(common("ffn.d_ff")); // the last run's FFN is composed

    document.select(Selection::ofRuns({0, 1}, 1));
    EXPECT_TRUE(common("ffn.d_ff"));
}

TEST_F(ParametersOfSeveralRuns, WhatARunCannotTakeIsToldAndTheModelStaysLegal)
{
    // With rotary positions 256 heads need an even width each, without them any divisor will do.
    document.select(Selection::ofRun(2));
    setParameter(document, of(2, "mixer.rotary"), true);
    document.select(Selection::ofRuns({1, 2}, 1));

    enterParameter(document, of(1, "mixer.heads"), std::int64_t{256});

    EXPECT_EQ(whole(1, "mixer.heads"), 256);
    EXPECT_NE(whole(2, "mixer.heads"), 256);
    EXPECT_EQ(document.model().dModel, 768);
    EXPECT_TRUE(document.notice().text.startsWith(QStringLiteral("256 is not")))
        << qPrintable(document.notice().text);
    EXPECT_TRUE(validated(document.scenario()).ok());
}

TEST_F(ParametersOfSeveralRuns, ATypedValueIsCorrectedForAllWithOneNotice)
{
    enterParameter(document, of(1, "mixer.heads"), std::int64_t{13});

    EXPECT_EQ(whole(0, "mixer.heads"), 12);
    EXPECT_TRUE(document.notice().text.startsWith(QStringLiteral("13 is not")));
    EXPECT_FALSE(document.notice().alternative.has_value()); // it would be of one run
}

} // namespace
} // namespace flopsmith::ui
