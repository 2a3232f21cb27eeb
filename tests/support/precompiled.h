// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What every test includes, read by the compiler once for all of them.
#include "tests/support/assertion_count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>
