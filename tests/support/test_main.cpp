// SPDX-License-Identifier: GPL-3.0-or-later
// main() of the tests that need no application.
#include "tests/support/test_report.h"

#include <gtest/gtest.h>

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    flopsmith::prepareTestRun();
    return RUN_ALL_TESTS();
}
