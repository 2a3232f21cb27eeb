// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/lab_check.h"

#include "core/lab/arms.h"

#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

// The students, which take seconds, are trained by `flopsmith lab check` alone.
TEST(LabCheck, HoldsForTheGradientsAndCountsOfAllArms)
{
    std::stop_source source;
    std::set<std::string> names;
    const std::string last = "count of a step of " + std::string(armNames().back().name);

    const Status done = runLabChecks(
        [&](const LabCheck& check) {
            EXPECT_TRUE(check.holds)
                << check.name << ": " << check.expected << " and " << check.measured;
            names.insert(check.name);
            if (check.name == last) {
                source.request_stop();
            }
        },
        source.get_token());

    EXPECT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(names.size(), 4 + 2 * armNames().size());
}

} // namespace
} // namespace flopsmith
