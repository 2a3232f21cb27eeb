// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/torch_peer.h"

#include "tests/bench/tables/kernels.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

// Tables beside PyTorch are worth something only if both sides compute the same. FLOPSMITH_PYTHON
// names a Python with torch; otherwise python3 is asked.
namespace flopsmith::bench {
namespace {

// Neither a power of two nor a multiple of four; with more bins than the spectral FFN keeps.
constexpr int kWidth = 130;

class BesideTorch : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        const char* named = std::getenv("FLOPSMITH_PYTHON");
        auto peer = TorchPeer::start(named == nullptr ? "python3" : named);
        if (peer) {
            sharedPeer = std::make_unique<TorchPeer>(std::move(peer).value());
        } else {
            reason = peer.error().message;
        }
    }

    static void TearDownTestSuite() { sharedPeer.reset(); }

    void SetUp() override
    {
        if (sharedPeer == nullptr) {
            GTEST_SKIP() << "no Python with torch: " << reason;
        }
    }

    static void compare(const Case& each, const RunSize& run, const Weights<float>& weights)
    {
        SCOPED_TRACE(each.name + ", " + std::to_string(run.batch) + " × "
                     + std::to_string(run.sequence) + (run.backward ? ", backward" : ", forward"));
        const RunOperands operands(each, run, kWidth);
        auto kernel = prepareKernel(each, run, kWidth, weights, operands);
        ASSERT_TRUE(kernel) << kernel.error().message;
        (*kernel)->run();
        const auto theirs = sharedPeer->prepare(run, operands.input());
        ASSERT_TRUE(theirs) << theirs.error().message;
        EXPECT_LE(relativeDifference((*kernel)->output(), theirs->result), 1e-4);
    }

    static void compareAll(const std::vector<RunSize>& runs)
    {
        for (const Case& each : cases(kWidth)) {
            const auto weights = randomWeights<float>(weightShapes(each, kWidth), 7);
            const Status loaded = sharedPeer->load(each, kWidth, weights);
            ASSERT_TRUE(loaded) << each.name << ": " << loaded.error().message;
            for (const RunSize& run : runs) {
                compare(each, run, weights);
            }
        }
    }

    inline static std::unique_ptr<TorchPeer> sharedPeer;
    inline static std::string reason;
};

TEST_F(BesideTorch, EveryCaseGivesTheSameOutput)
{
    compareAll({{.sequence = 1, .context = 1},
                {.batch = 2, .sequence = 3, .context = 3},
                {.sequence = 37, .context = 37, .threads = 2}});
}

TEST_F(BesideTorch, EveryCaseGivesTheSameGradients)
{
    compareAll({{.sequence = 1, .context = 1, .backward = true},
                {.batch = 2, .sequence = 3, .context = 3, .backward = true},
                {.sequence = 37, .context = 37, .threads = 2, .backward = true}});
}

TEST_F(BesideTorch, AttentionToEarlierTokensIsTheSame)
{
    for (const Case& each : cases(kWidth)) {
        if (std::holds_alternative<MixerSpec>(each.what)) {
            const auto weights = randomWeights<float>(weightShapes(each, kWidth), 7);
            ASSERT_TRUE(sharedPeer->load(each, kWidth, weights));
            compare(each, {.sequence = 1, .context = 19}, weights);
            compare(each, {.batch = 3, .sequence = 1, .context = 2}, weights);
        }
    }
}

TEST_F(BesideTorch, RunsAreTimed)
{
    const Case dense = cases(kWidth).front();
    const auto weights = randomWeights<float>(weightShapes(dense, kWidth), 7);
    ASSERT_TRUE(sharedPeer->load(dense, kWidth, weights));
    const RunSize run{.sequence = 5, .context = 5};
    const RunOperands operands(dense, run, kWidth);
    ASSERT_TRUE(sharedPeer->prepare(run, operands.input()));
    const auto seconds = sharedPeer->time(3);
    ASSERT_TRUE(seconds);
    EXPECT_GT(seconds->wall, 0.0);
    EXPECT_GT(seconds->processor, 0.0);
}

TEST(TorchPeer, SaysWhatIsMissing)
{
    const auto peer = TorchPeer::start("/nowhere/python");
    ASSERT_FALSE(peer);
    EXPECT_FALSE(peer.error().message.empty());
}

TEST(RelativeDifference, IsMeasuredAgainstTheLargestValue)
{
    const std::vector<float> ours{1.0F, -8.0F, 0.0F};
    const std::vector<float> theirs{1.5F, -8.0F, 1.0F};
    EXPECT_DOUBLE_EQ(relativeDifference(ours, theirs), 1.0 / 8.0);
    EXPECT_EQ(relativeDifference(ours, ours), 0.0);
}

TEST(RelativeDifference, OtherSizesAndNoNumbersAreInfinitelyFar)
{
    const std::vector<float> ours{1.0F, 2.0F};
    const std::vector<float> one{1.0F};
    const std::vector<float> none{1.0F, std::numeric_limits<float>::quiet_NaN()};
    EXPECT_TRUE(std::isinf(relativeDifference(ours, one)));
    EXPECT_TRUE(std::isinf(relativeDifference(ours, none)));
}

} // namespace
} // namespace flopsmith::bench
