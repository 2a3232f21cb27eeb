// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/study/study_axis.h"

#include "core/parameter/parameter_lookup.h"
#include "tests/core/present/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

TEST(StudyAxis, DoublesALogarithmicParameterAroundItsPresentValue)
{
    const Axis axis = studyAxis(test::scenarioOf("gpt2"), "seq").value();

    std::vector<std::string> texts;
    for (const FieldValue& value : axis.values) {
        texts.push_back(valueText(value));
    }
    EXPECT_THAT(texts, testing::ElementsAre("128", "256", "512", "1024", "2048", "4096", "8192"));
}

TEST(StudyAxis, HoldsThePresentValueAndLegalOnesInOrder)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = test::scenarioOf(preset.id);
        for (const Parameter& each : modelParameters()) {
            const std::optional<Parameter> found = firstParameter(scenario, each.key);
            if (!found) {
                continue;
            }
            const Parameter& parameter = *found;
            const Result<Axis> axis = studyAxis(scenario, parameter.key);
            ASSERT_TRUE(axis.ok()) << preset.id << " " << parameter.key;
            const std::vector<FieldValue>& values = axis->values;
            const LegalValues legal = parameter.legal(scenario);
            EXPECT_LE(values.size(), 10U) << preset.id << " " << parameter.key;
            EXPECT_TRUE(
                std::all_of(values.begin(),
                            values.end(),
                            [&legal](const FieldValue& value) { return legal.contains(value); }))
                << preset.id << " " << parameter.key;
            const FieldValue present = parameter.value(scenario);
            if (std::holds_alternative<std::int64_t>(present)) {
                EXPECT_THAT(values, testing::Contains(present)) << preset.id << parameter.key;
                EXPECT_TRUE(std::is_sorted(values.begin(), values.end())) << parameter.key;
            }
        }
    }
}

TEST(StudyAxis, SaysWhichParameterThereIsNot)
{
    EXPECT_FALSE(studyAxis(test::scenarioOf("gpt2"), "nonsense").ok());
}

TEST(StudyAxis, StartsWithParametersThatTheModelHas)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = test::scenarioOf(preset.id);
        for (const std::string_view key : usualStudyKeys(scenario)) {
            EXPECT_TRUE(studyAxis(scenario, key).ok()) << preset.id << " " << key;
        }
    }
    Scenario empty = test::scenarioOf("gpt2");
    empty.model.runs.clear();
    EXPECT_EQ(usualStudyKeys(empty)[1], "seq");
}

} // namespace
} // namespace flopsmith
