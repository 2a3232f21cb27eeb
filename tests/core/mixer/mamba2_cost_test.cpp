// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/mamba2.h"
#include "core/mixer/mixer.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <numeric>

namespace flopsmith {
namespace {

const Shape kSequence{.batch = 1, .sequence = 512, .context = 512, .dModel = 768};

OpCount<Count> scanOf(const Mamba2& mixer, const Shape& shape)
{
    const CostTree<Count> tree = test::costTree(MixerSpec(mixer), shape);
    for (const auto& node : tree.nodes()) {
        if (node.name == "scan") {
            return node.cost.count;
        }
    }
    return {};
}

// The mixer of mamba2-130m.
TEST(Mamba2Cost, HasThePublishedParameters)
{
    EXPECT_EQ(test::costTree(MixerSpec(Mamba2{}), kSequence).total().parameters.trainable,
              3'764'552);
}

// An execution that counted every operation, in chunks of 256; −e^A_log is 24 exp more.
TEST(Mamba2Cost, TheChunkedScanOfAPublishedModel)
{
    const OpCount<Count> count = scanOf(Mamba2{}, kSequence);

    EXPECT_EQ(count.mac, 310'804'480);
    EXPECT_EQ(count.dot, 2'031'872);
    EXPECT_EQ(count.mul, 5'114'880);
    EXPECT_EQ(count.add, 3'545'040);
    EXPECT_EQ(count.exp, 1'579'008 + 24);
    EXPECT_EQ(scanOf({.algorithm = ScanAlgorithm::recurrent}, kSequence).mac, 100'663'296);
}

TEST(Mamba2Cost, AChunkOfOneTokenComparesNoPairs)
{
    const OpCount<Count> one = scanOf({.chunk = 1}, kSequence);
    const OpCount<Count> recurrent = scanOf({.algorithm = ScanAlgorithm::recurrent}, kSequence);

    EXPECT_EQ(one.exp, recurrent.exp);
    EXPECT_GT(one.mac, recurrent.mac);
}

TEST(Mamba2Cost, AChunkLongerThanTheSequenceHoldsAllOfIt)
{
    EXPECT_EQ(scanOf({.chunk = 512}, kSequence), scanOf({.chunk = 4096}, kSequence));
}

TEST(Mamba2Cost, GrowsWithTheLengthNotWithItsSquare)
{
    Shape longer = kSequence;
    longer.sequence = longer.context = 4 * kSequence.sequence;

    EXPECT_EQ(scanOf(Mamba2{}, longer).mac, 4 * scanOf(Mamba2{}, kSequence).mac);
}

TEST(Mamba2Cost, TheStateIsReadAndWrittenInADecodeStepWhateverTheContext)
{
    const auto step = [](int context) {
        const Shape shape{.batch = 2, .sequence = 1, .context = context, .dModel = 768};
        return test::costTree(MixerSpec(Mamba2{}), shape).total();
    };
    const Count state = 2 * (24 * 64 * 128 + 3 * (1536 + 256));

    EXPECT_EQ(step(1000).traffic.kvRead, state);
    EXPECT_EQ(step(1000).traffic.kvWritten, state);
    EXPECT_EQ(step(1000).count, step(100'000).count);
}

TEST(Mamba2Cost, NothingIsCachedPerTokenAndTheStateIsTheWholeCache)
{
    Scenario scenario{.model = newModel()};
    scenario.model.runs.front().block.mixer = Mamba2{};
    for (const int sequence : {1, 100, 5000}) {
        scenario.workload.sequence = sequence;

        EXPECT_EQ(kvCacheBytesPerToken(scenario), 0);
    }
}

} // namespace
} // namespace flopsmith
