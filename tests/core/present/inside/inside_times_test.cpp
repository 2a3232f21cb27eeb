// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/inside/inside_times.h"

#include "core/present/inside/inside_geometry.h"
#include "tests/core/present/inside/inside_cases.h"
#include "tests/core/present/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace flopsmith {
namespace {

std::vector<PartTime> firstTimes(std::size_t parts, std::size_t timed)
{
    std::vector<PartTime> times(parts);
    for (std::size_t i = 0; i < std::min(parts, timed); ++i) {
        times[i] = {.state = PartState::settled,
                    .medianSeconds = 0.25 * static_cast<double>(i + 1)};
    }
    return times;
}

void collectTimed(const InsideStep& step, std::vector<const InsideStep*>& timed)
{
    if (!step.time.text.empty()) {
        timed.push_back(&step);
    }
    for (const InsideStep& inner : step.steps) {
        collectTimed(inner, timed);
    }
}

std::vector<const InsideStep*> timedSteps(const InsidePicture& picture)
{
    std::vector<const InsideStep*> timed;
    for (const InsideStage& stage : picture.stages) {
        collectTimed(stage.body, timed);
        collectTimed(stage.add, timed);
    }
    return timed;
}

TEST(InsideTimes, AllUsesOfAPartAreShownOnce)
{
    for (const char* preset : {"gpt2", "gpt2-half-swapped", "llama-3-8b"}) {
        const Scenario scenario = test::scenarioOf(preset);
        const std::vector<MeasuredPart> parts = measuredParts(scenario);
        const std::vector<PartTime> times = firstTimes(parts.size(), parts.size());
        std::map<std::string, double> seconds;
        for (int run = 0; run < static_cast<int>(scenario.model.runs.size()); ++run) {
            InsidePicture picture = test::insideOf(scenario, run);
            addTimes(picture, parts, times);
            for (const InsideStep* step : timedSteps(picture)) {
                EXPECT_TRUE(seconds.emplace(step->path, step->time.seconds).second) << step->path;
            }
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            std::vector<std::string> paths = parts[i].elsewhere;
            paths.push_back(parts[i].path);
            double sum = 0.0;
            bool isInBlocks = true;
            for (const std::string& path : paths) {
                isInBlocks = isInBlocks && seconds.count(path) > 0;
                sum += isInBlocks ? seconds[path] : 0.0;
            }
            if (isInBlocks) {
                EXPECT_DOUBLE_EQ(sum, times[i].medianSeconds * parts[i].uses) << parts[i].path;
            }
        }
        EXPECT_FALSE(seconds.empty());
    }
}

TEST(InsideTimes, WhatIsNotMeasuredIsSaid)
{
    const Scenario scenario = test::scenarioOf("gpt2");
    InsidePicture picture = test::insideOf(scenario, 0);
    addTimes(picture, measuredParts(scenario), {});

    ASSERT_FALSE(timedSteps(picture).empty());
    for (const InsideStep* step : timedSteps(picture)) {
        EXPECT_EQ(insideValue(picture, *step, InsideMeasure::time), "not measured");
        EXPECT_NE(insideSentence(picture, *step).find("not measured"), std::string::npos);
    }
    EXPECT_NE(picture.timeNote.find("not measured"), std::string::npos) << picture.timeNote;
    EXPECT_EQ(insideValue(picture, *stepAt(picture, "blocks[0]/ffn/c_fc"), InsideMeasure::time),
              "\xE2\x80\x93"); // measured with its FFN
}

TEST(InsideTimes, APartThatFailedSaysWhy)
{
    const Scenario scenario = test::scenarioOf("gpt2");
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    const std::string why = "There is no kernel for it yet";
    const std::vector<PartTime> times(parts.size(), {.state = PartState::failed, .sentence = why});
    InsidePicture picture = test::insideOf(scenario, 0);
    addTimes(picture, parts, times);

    for (const InsideStep* step : timedSteps(picture)) {
        EXPECT_EQ(insideValue(picture, *step, InsideMeasure::time), "failed");
        EXPECT_NE(insideSentence(picture, *step).find("failed, " + why), std::string::npos);
    }
    EXPECT_NE(picture.timeNote.find("; failed: "), std::string::npos) << picture.timeNote;
    EXPECT_NE(picture.timeNote.find(why), std::string::npos) << picture.timeNote;
}

TEST(InsideTimes, SomeOfThePartsAreSomeOfTheBars)
{
    const Scenario scenario = test::scenarioOf("gpt2");
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    const auto ffn = std::find_if(parts.begin(), parts.end(), [](const MeasuredPart& part) {
        return part.path == "blocks[0]/ffn";
    });
    ASSERT_NE(ffn, parts.end());
    std::vector<PartTime> times(parts.size());
    times[static_cast<std::size_t>(ffn - parts.begin())] = {.state = PartState::notSettled,
                                                            .medianSeconds = 0.5};
    InsidePicture picture = test::insideOf(scenario, 0);
    addTimes(picture, parts, times);

    EXPECT_NE(picture.timeNote.find("1 of "), std::string::npos) << picture.timeNote;
    const InsideFont font{.line = 16.0, .width = [](std::string_view text) {
                              return 7.0 * static_cast<double>(text.size());
                          }};
    const InsideGeometry geometry = insideGeometry(picture, InsideMeasure::time, 500.0, font);
    for (const InsideBox& box : geometry.boxes) {
        EXPECT_EQ(box.share, 0.0);
    }
    for (const InsideFrame& frame : geometry.frames) {
        const bool isFfn = frame.path == "blocks[0]/ffn";
        EXPECT_EQ(frame.share, isFfn ? 1.0 : 0.0) << frame.path;
        EXPECT_EQ(frame.valueText, isFfn ? "\xE2\x89\x88 6 s" : "not measured");
        EXPECT_LE(frame.title.right(), frame.value.x);
        EXPECT_LE(frame.value.right(), frame.rect.right());
    }
}

TEST(InsideTimes, OtherBarsShowNoTimes)
{
    const Scenario scenario = test::scenarioOf("gpt2");
    const InsidePicture bare = test::insideOf(scenario, 0);
    InsidePicture timed = bare;
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    addTimes(timed, parts, firstTimes(parts.size(), parts.size()));
    const InsideFont font{.line = 16.0, .width = [](std::string_view text) {
                              return 7.0 * static_cast<double>(text.size());
                          }};
    for (const InsideMeasure measure :
         {InsideMeasure::flops, InsideMeasure::parameters, InsideMeasure::bytes}) {
        EXPECT_EQ(insideGeometry(timed, measure, 500.0, font),
                  insideGeometry(bare, measure, 500.0, font));
    }
}

} // namespace
} // namespace flopsmith
