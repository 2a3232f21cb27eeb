// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"

#include <gtest/gtest.h>

#include <string_view>

namespace flopsmith::test {

inline Scenario preset(std::string_view id)
{
    return {.model = *presetNamed(id)};
}

inline Parameter named(const Scenario& scenario, std::string_view key)
{
    return matchingParameters(scenario, key).front();
}

inline std::int64_t number(const Scenario& scenario, std::string_view key)
{
    const auto found = matchingParameters(scenario, key);
    EXPECT_FALSE(found.empty()) << key;
    return found.empty() ? -1 : std::get<std::int64_t>(found.front().value(scenario));
}

} // namespace flopsmith::test
