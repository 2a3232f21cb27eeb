// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/checks/lab_check.h"

#include "core/lab/plan/arms.h"

#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

TEST(LabCheck, HoldsForTheGradientsAndCountsOfAllArms)
{
    std::set<std::string> names;

    const Status done = runLabChecks(
        [&](const LabCheck& check) {
            EXPECT_TRUE(check.holds)
                << check.name << ": " << check.expected << " and " << check.measured;
            names.insert(check.name);
        },
        {});

    EXPECT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(names.size(), 4 + 2 * armNames().size());
}

} // namespace
} // namespace flopsmith
