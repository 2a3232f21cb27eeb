// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teach/author/lesson_recording.h"

#include "core/base/random.h"
#include "core/mixer/no_mixer.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

LessonView viewOf(const std::string& preset)
{
    LessonView view{.page = "share"};
    view.context.scenario = {*presetNamed(preset), {.sequence = 128}}; // no preset reads less
    return view;
}

std::int64_t below(Random& random, std::size_t count)
{
    return random.integer(0, static_cast<std::int64_t>(count) - 1);
}

template <class List>
const auto& anyOf(Random& random, const List& list)
{
    return list.at(static_cast<std::size_t>(below(random, list.size())));
}

// What a slider of the window does; a value that the design does not take leaves it as it is.
void moveAnySlider(Random& random, Scenario& scenario)
{
    const std::vector<Parameter> all = allParameters(scenario);
    const Parameter& parameter = anyOf(random, all);
    if (!parameter.applies(scenario)) {
        return;
    }
    const std::vector<FieldValue> stops = parameter.legal(scenario).stops();
    Scenario changed = scenario;
    if (!stops.empty()) {
        setAndRepair(changed, parameter, anyOf(random, stops));
    }
    if (validated(changed)) {
        scenario = changed;
    }
}

void selectAnyPart(Random& random, LessonView& view)
{
    const CostTree<Count> tree = costTree(view.context.scenario);
    view.select = tree.path(static_cast<int>(random.integer(0, tree.size() - 1)));
}

void doAnything(Random& random, LessonView& view)
{
    switch (random.integer(0, 5)) {
    case 0: view.page = std::string(anyOf(random, lessonPages()).id); break;
    case 1: view.context.lens = random.integer(0, 1) == 0 ? LensId::matmul : LensId::exact; break;
    case 2: view.zoom = random.integer(0, 1) == 0 ? "model" : "inside"; break;
    case 3: view.context.scenario.model = anyOf(random, presets()).make(); break;
    default: moveAnySlider(random, view.context.scenario); break;
    }
}

TEST(LessonRecording, PlayingWhatWasRecordedShowsWhatWasDone)
{
    Random random(22);
    for (int round = 0; round < 60; ++round) {
        const LessonView before = viewOf(std::string(anyOf(random, presets()).id));
        LessonView after = before;
        if (random.integer(0, 3) == 0) {
            after.frozen.push_back(before.context.scenario);
        }
        for (std::int64_t edits = random.integer(1, 4); edits > 0; --edits) {
            doAnything(random, after);
        }
        selectAnyPart(random, after);

        const RecordedChange change = recordedChange(before, after);
        const Result<LessonView> made = viewAfter(before, change.shown);

        ASSERT_TRUE(made) << made.error().message;
        EXPECT_EQ(made->page, after.page);
        EXPECT_EQ(made->zoom, after.zoom);
        EXPECT_EQ(made->context.lens, after.context.lens);
        EXPECT_EQ(made->frozen, after.frozen);
        const bool isAfter = isSameLessonDesign(made->context.scenario, after.context.scenario);
        const bool isBefore = made->context.scenario == before.context.scenario;
        EXPECT_TRUE(isAfter || (isBefore && !change.notRecorded.empty()));
        EXPECT_TRUE(made->select == after.select || !change.notRecorded.empty());
    }
}

TEST(LessonRecording, NothingDoneIsNoChange)
{
    for (const Preset& preset : presets()) {
        const LessonView view = viewOf(std::string(preset.id));
        EXPECT_EQ(recordedChange(view, view), RecordedChange{}) << preset.id;
    }
}

TEST(LessonRecording, APresetIsRecordedByItsName)
{
    const LessonView before = viewOf("gpt2");
    LessonView after = before;
    for (const Preset& preset : presets()) {
        after.context.scenario.model = preset.make();
        if (!validated(after.context.scenario)) {
            continue; // the workload is none for it
        }
        const RecordedChange change = recordedChange(before, after);
        const Result<LessonView> made = viewAfter(before, change.shown);
        ASSERT_TRUE(made) << preset.id;
        EXPECT_TRUE(isSameLessonDesign(made->context.scenario, after.context.scenario))
            << preset.id;
    }
}

TEST(LessonRecording, AParameterOfAllBlocksHasItsShortName)
{
    const LessonView before = viewOf("gpt2");
    const LessonView after = *viewAfter(before, {.set = {{"seq", "2048"}, {"d_ff", "4096"}}});

    const RecordedChange change = recordedChange(before, after);

    EXPECT_THAT(change.notRecorded, IsEmpty());
    EXPECT_FALSE(change.shown.model);
    EXPECT_THAT(change.shown.set, ElementsAre(Pair("seq", "2048"), Pair("d_ff", "4096")));
}

TEST(LessonRecording, ABlockThatBecameDifferentIsNamed)
{
    const LessonView before = viewOf("gpt2");
    const LessonView after = *viewAfter(before, {.set = {{"blocks[3].d_ff", "1024"}}});

    const RecordedChange change = recordedChange(before, after);

    EXPECT_THAT(change.notRecorded, IsEmpty());
    ASSERT_EQ(change.shown.set.size(), 1U);
    EXPECT_THAT(change.shown.set.front().first, HasSubstr("blocks[3]"));
    EXPECT_EQ(viewAfter(before, change.shown)->context.scenario, after.context.scenario);
}

TEST(LessonRecording, AFreeEditIsNamedAndLeftOut)
{
    const LessonView before = viewOf("gpt2");
    LessonView after = before;
    after.page = "memory";
    Model& model = after.context.scenario.model;
    model.runs.at(static_cast<std::size_t>(model.isolateBlock(5))).block.mixer = NoMixer{};

    const RecordedChange change = recordedChange(before, after);

    EXPECT_EQ(change.shown, (Shown{.page = "memory"}));
    ASSERT_EQ(change.notRecorded.size(), 1U);
    EXPECT_THAT(change.notRecorded.front(), HasSubstr("blocks[5]"));
}

TEST(LessonRecording, ANameIsLeftOutButTheDesignIsNot)
{
    const LessonView before = viewOf("gpt2");
    LessonView after = *viewAfter(before, {.set = {{"layers", "6"}}});
    after.context.scenario.model.name = "mine";

    const RecordedChange change = recordedChange(before, after);

    EXPECT_THAT(change.shown.set, ElementsAre(Pair("layers", "6")));
    ASSERT_EQ(change.notRecorded.size(), 1U);
    EXPECT_THAT(change.notRecorded.front(), HasSubstr("\"mine\""));
}

TEST(LessonRecording, OnlyTheDesignOfBeforeCanBeFrozen)
{
    const LessonView before = viewOf("gpt2");
    LessonView after = *viewAfter(before, {.set = {{"seq", "2048"}}, .freeze = true});
    EXPECT_TRUE(recordedChange(before, after).shown.freeze);
    EXPECT_THAT(recordedChange(before, after).notRecorded, IsEmpty());

    after.frozen.front() = after.context.scenario;

    EXPECT_FALSE(recordedChange(before, after).shown.freeze);
    EXPECT_EQ(recordedChange(before, after).notRecorded.size(), 1U);
}

TEST(LessonRecording, WhatNoLessonHasIsNamed)
{
    const LessonView before = viewOf("gpt2");
    LessonView after = before;
    after.page = "nowhere";
    after.select = "blocks[99]/ffn";

    const RecordedChange change = recordedChange(before, after);

    EXPECT_EQ(change.shown, Shown{});
    EXPECT_EQ(change.notRecorded.size(), 2U);
}

} // namespace
} // namespace flopsmith
