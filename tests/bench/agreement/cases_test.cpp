// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/cases.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace flopsmith::bench {
namespace {

constexpr int kWidths[] = {768, 4096};

TEST(Cases, HaveNamesOfTheirOwnAndBeginWithTheDenseFfn)
{
    for (const int dModel : kWidths) {
        std::set<std::string> names;
        for (const Case& each : cases(dModel)) {
            EXPECT_TRUE(names.insert(each.name).second) << each.name;
        }
        EXPECT_EQ(cases(dModel).front().name, "dense, f = 4d");
    }
}

TEST(Cases, HaveEveryFormOfAttentionWithTheBudgetOfProducts)
{
    for (const int dModel : kWidths) {
        for (const char* name :
             {"attention", "cross attention", "latent attention", "latent attention, absorbed"}) {
            const auto all = cases(dModel);
            const auto found = std::find_if(
                all.begin(), all.end(), [name](const Case& each) { return each.name == name; });
            ASSERT_NE(found, all.end()) << name;
            EXPECT_EQ(found->kind, Kind::product) << name;
        }
    }
}

TEST(Cases, OfFewLengthsHaveSomeOfThoseThatAreTimed)
{
    for (const int dModel : kWidths) {
        for (const Case& each : cases(dModel)) {
            EXPECT_THAT(each.lengths, testing::Each(testing::AnyOf(1, 16, 128, 2048))) << each.name;
            EXPECT_TRUE(dModel == 768 || std::ranges::count(each.lengths, 2048) == 0)
                << each.name << ": there are seconds for it at d = 768 alone";
        }
    }
}

} // namespace
} // namespace flopsmith::bench
