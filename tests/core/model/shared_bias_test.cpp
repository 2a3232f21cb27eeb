// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/attention.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

// GPT-2 small's blocks in two runs of six with these position biases.
Scenario withBiases(PositionBias first, PositionBias second)
{
    Scenario scenario{*presetNamed("gpt2"), {}};
    std::vector<BlockRun>& runs = scenario.model.runs;
    runs.resize(1);
    runs.front().repeat = 6;
    runs.push_back(runs.front());
    get<Attention>(runs[0].block.mixer).positionBias = first;
    get<Attention>(runs[1].block.mixer).positionBias = second;
    return scenario;
}

std::vector<Problem> biasNotes(const Scenario& scenario)
{
    std::vector<Problem> notes = problems(scenario);
    const auto others = std::remove_if(notes.begin(), notes.end(), [](const Problem& problem) {
        return problem.key.find("position_bias") == std::string::npos;
    });
    notes.erase(others, notes.end());
    return notes;
}

TEST(SharedPositionBias, OfABlockBehindTheOwnerIsRight)
{
    EXPECT_TRUE(
        biasNotes(withBiases(PositionBias::relative, PositionBias::sharedRelative)).empty());
    EXPECT_TRUE(biasNotes(withBiases(PositionBias::alibi, PositionBias::none)).empty());
}

TEST(SharedPositionBias, WithoutAnEarlierOwnerIsNoted)
{
    const auto notes = biasNotes(withBiases(PositionBias::sharedRelative, PositionBias::relative));

    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes.front().key, "blocks[0].mixer.position_bias");
    EXPECT_EQ(notes.front().severity, Problem::Severity::note);
}

TEST(SharedPositionBias, OfAnotherSizeThanTheOwnersIsNoted)
{
    Scenario scenario = withBiases(PositionBias::relative, PositionBias::sharedRelative);
    get<Attention>(scenario.model.runs[0].block.mixer).relativeBuckets = 64;

    const auto notes = biasNotes(scenario);

    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes.front().key, "blocks[6].mixer.position_bias");
}

TEST(SharedPositionBias, OfAMutedOwnerIsAdvisedToUnmuteIt)
{
    Scenario scenario = withBiases(PositionBias::relative, PositionBias::sharedRelative);
    EXPECT_TRUE(biasNotes(scenario).empty());

    scenario.model.runs[0].block.mixerMuted = true;

    const auto notes = biasNotes(scenario);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes.front().message.find("Unmute the mixer of blocks[0]"), std::string::npos);
    EXPECT_EQ(notes.front().message.find("Set position_bias"), std::string::npos);
}

} // namespace
} // namespace flopsmith
