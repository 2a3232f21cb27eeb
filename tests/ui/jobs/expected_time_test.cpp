// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/expected_time.h"

#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

std::vector<MeasuredPart> partsOf(const char* preset)
{
    return measuredParts({.model = *presetNamed(preset)});
}

TEST(ExpectedSeconds, TellsSecondsFromMinutes)
{
    EXPECT_LT(expectedSeconds(partsOf("gpt2"), {}, {}), 30.0);
    EXPECT_GT(expectedSeconds(partsOf("llama-3-8b"), {}, {}), 30.0);
}

TEST(ExpectedSeconds, FallsWithTheRate)
{
    const std::vector<MeasuredPart> parts = partsOf("gpt2");

    EXPECT_DOUBLE_EQ(expectedSeconds(parts, {}, 1e11), 10.0 * expectedSeconds(parts, {}, 1e12));
}

TEST(ExpectedSeconds, WhatIsKnownTakesNone)
{
    const std::vector<MeasuredPart> parts = partsOf("gpt2");
    const PartTime known{.state = PartState::settled, .medianSeconds = 1.0};

    EXPECT_EQ(expectedSeconds(parts, std::vector<PartTime>(parts.size(), known), {}), 0.0);
}

TEST(RoughTimeText, HasOneUnit)
{
    EXPECT_EQ(roughTimeText(40.3), QStringLiteral("40 s"));
    EXPECT_EQ(roughTimeText(720.0), QStringLiteral("12 min"));
    EXPECT_EQ(roughTimeText(3.1 * 3600.0), QStringLiteral("3 h"));
}

} // namespace
} // namespace flopsmith::ui
