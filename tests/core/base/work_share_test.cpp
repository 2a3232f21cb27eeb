// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/work_share.h"

#include <gtest/gtest.h>

#include <vector>

namespace flopsmith {
namespace {

TEST(WorkShare, TogetherTheyHaveEachItemOnce)
{
    for (const int of : {1, 2, 3, 7}) {
        for (const std::size_t items : {0U, 1U, 2U, 6U, 20U}) {
            std::vector<int> taken(items, 0);
            for (int number = 1; number <= of; ++number) {
                const WorkShare share{.number = number, .of = of};
                for (std::size_t own = 0; own < share.countOf(items); ++own) {
                    EXPECT_TRUE(share.has(share.indexOf(own)));
                    ++taken.at(share.indexOf(own));
                }
            }
            EXPECT_EQ(taken, std::vector<int>(items, 1)) << of << " shares of " << items;
        }
    }
}

TEST(WorkShare, ReadsWhatPeopleWrite)
{
    EXPECT_EQ(workShareOf("3/16").value(), (WorkShare{.number = 3, .of = 16}));
    for (const char* text :
         {"", "/", "3", "0/4", "5/4", "1/0", "a/4", "1/4x", "-1/4", "1/99999999"}) {
        EXPECT_FALSE(workShareOf(text).ok()) << text;
    }
}

} // namespace
} // namespace flopsmith
