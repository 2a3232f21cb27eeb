// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/mute_sentence.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

constexpr Count kGpt2 = 291'648'307'200; // matrix products at 1,024 tokens
constexpr Count kWithoutFfns = kGpt2 - 115'964'116'992;

TEST(MuteSentence, SaysHowMuchLessTheModelCosts)
{
    EXPECT_EQ(muteSentence({.part = "FFN", .blocks = 12, .before = kGpt2, .after = kWithoutFfns},
                           LensId::matmul),
              "FFN of 12 blocks muted: \xE2\x88\x92"
              "116.0 GFLOPs (\xE2\x88\x92"
              "39.8 %)");
}

TEST(MuteSentence, SaysHowMuchMoreItCostsWithThePartAgain)
{
    EXPECT_EQ(
        muteSentence(
            {.part = "FFN", .blocks = 1, .muted = false, .before = kWithoutFfns, .after = kGpt2},
            LensId::matmul),
        "FFN of 1 block unmuted: +116.0 GFLOPs (+66.0 %)");
}

TEST(MuteSentence, HasNoPercentOfNothing)
{
    EXPECT_EQ(muteSentence({.part = "Mixer", .blocks = 2, .muted = false, .before = 0, .after = 7},
                           LensId::mac),
              "Mixer of 2 blocks unmuted: +7 MACs");
}

TEST(MuteSentence, NamesALensThatDoesNotCountThePart)
{
    EXPECT_EQ(muteSentence({.part = "Mixer", .blocks = 2, .before = 5, .after = 5}, LensId::matmul),
              "Mixer of 2 blocks muted: costs the same under "
                  + std::string(lens(LensId::matmul).title));
}

} // namespace
} // namespace flopsmith
