// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/landing.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

struct DrawnStack
{
    std::vector<LandingRow> rows;
    int layers = 0;
};

// An embedding, some runs of blocks, and a norm, of random heights and distances.
DrawnStack drawnStack(Random& random)
{
    DrawnStack stack;
    double top = 2.0;
    const auto add = [&](int blocks) {
        const double bottom = top + static_cast<double>(random.integer(20, 140));
        stack.rows.push_back({top, bottom, stack.layers, blocks});
        stack.layers += blocks;
        top = bottom + static_cast<double>(random.integer(1, 10));
    };
    add(0);
    for (auto runs = random.integer(1, 6); runs > 0; --runs) {
        add(static_cast<int>(random.integer(1, 12)));
    }
    add(0);
    return stack;
}

TEST(Landing, EveryHeightHasOnePlaceAndPlacesAreOrdered)
{
    Random random(71);
    for (int round = 0; round < 200; ++round) {
        const DrawnStack stack = drawnStack(random);
        std::set<int> reached;
        int before = 0;
        for (double y = -20.0; y < stack.rows.back().bottom + 40.0; y += 0.5) {
            const int gap = landingAt(stack.rows, y);
            EXPECT_GE(gap, before) << y;
            EXPECT_LE(gap, stack.layers) << y;
            reached.insert(gap);
            before = gap;
        }
        EXPECT_EQ(static_cast<int>(reached.size()),
                  stack.layers + 1); // all of them, also inside runs
    }
}

TEST(Landing, BetweenRowsIsTheGapOfBothAndNeverInTheMiddleOfARow)
{
    Random random(73);
    for (int round = 0; round < 200; ++round) {
        const std::vector<LandingRow> rows = drawnStack(random).rows;
        constexpr double kReach = 9.0;
        for (std::size_t i = 1; i < rows.size(); ++i) {
            const double between = (rows[i - 1].bottom + rows[i].top) / 2.0;
            EXPECT_EQ(gapBetweenRows(rows, between, kReach), rows[i].first);
            EXPECT_EQ(gapBetweenRows(rows, rows[i].top + 1.0, kReach), rows[i].first);
            EXPECT_EQ(gapBetweenRows(rows, rows[i - 1].bottom - 1.0, kReach), rows[i].first);
        }
        for (const LandingRow& row : rows) {
            const double quarter = (row.bottom - row.top) / 4.0;
            EXPECT_EQ(gapBetweenRows(rows, row.top + quarter + 0.1, kReach), std::nullopt);
            EXPECT_EQ(gapBetweenRows(rows, row.bottom - quarter - 0.1, kReach), std::nullopt);
        }
    }
    const std::vector<LandingRow> norms{{0.0, 40.0, 0, 0}, {50.0, 90.0, 0, 0}};
    EXPECT_EQ(gapBetweenRows(norms, 45.0, 9.0), std::nullopt) << "no block is beside it";
}

TEST(Landing, ALineIsWhereItsGapIs)
{
    Random random(72);
    for (int round = 0; round < 200; ++round) {
        const DrawnStack stack = drawnStack(random);
        double before = -1.0;
        for (int gap = 0; gap <= stack.layers; ++gap) {
            const double line = landingLine(stack.rows, gap, true);
            EXPECT_EQ(landingAt(stack.rows, line), gap);
            EXPECT_GT(line, before);
            before = line;
        }
    }
}

TEST(Landing, TheScaleOfARowHasALineForEachOfItsGaps)
{
    const LandingRow row{10.0, 110.0, 6, 12};
    const std::vector<double> scale = landingScale(row);

    ASSERT_EQ(scale.size(), 11U);
    for (std::size_t i = 0; i < scale.size(); ++i) {
        EXPECT_EQ(landingAt({row}, scale[i]), 7 + static_cast<int>(i));
    }
    EXPECT_TRUE(landingScale({10.0, 110.0, 6, 1}).empty());
}

TEST(Landing, BesideTheEncodersNormThereIsALineForEachHalf)
{
    const std::vector<LandingRow> rows{{0.0, 40.0, 0, 6}, {50.0, 70.0, 6, 0}, {80.0, 120.0, 6, 6}};

    const double encoder = landingLine(rows, 6, true);
    const double decoder = landingLine(rows, 6, false);

    EXPECT_GT(encoder, 40.0);
    EXPECT_LT(encoder, 50.0);
    EXPECT_GT(decoder, 70.0);
    EXPECT_LT(decoder, 80.0);
    EXPECT_EQ(landingAt(rows, 60.0), 6);
    EXPECT_EQ(landingLine(rows, 12, true), landingLine(rows, 12, false));
}

TEST(Landing, OnlyRowsOfBlocksHoldBlocks)
{
    Random random(73);
    const DrawnStack stack = drawnStack(random);
    for (std::size_t i = 0; i < stack.rows.size(); ++i) {
        const double middle = (stack.rows[i].top + stack.rows[i].bottom) / 2.0;
        EXPECT_EQ(blocksAt(stack.rows, middle),
                  stack.rows[i].blocks > 0 ? static_cast<int>(i) : -1);
        EXPECT_EQ(blocksAt(stack.rows, stack.rows[i].bottom), -1);
    }
}

TEST(Landing, AViewScrollsFasterTowardsItsEdges)
{
    constexpr int kHeight = 400;
    int before = -100;
    for (int y = -50; y < kHeight + 50; ++y) {
        const int scroll = edgeScroll(y, kHeight);
        EXPECT_GE(scroll, before) << y;
        EXPECT_EQ(scroll, -edgeScroll(kHeight - 1 - y, kHeight)) << y;
        before = scroll;
    }
    EXPECT_LT(edgeScroll(0, kHeight), 0);
    EXPECT_EQ(edgeScroll(kHeight / 2, kHeight), 0);
}

} // namespace
} // namespace flopsmith
