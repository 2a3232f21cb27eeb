// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace flopsmith::test {

/// The name of a test of one preset: "mamba2_1_3b".
inline std::string presetCase(const testing::TestParamInfo<Preset>& param)
{
    std::string name(param.param.id);
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

} // namespace flopsmith::test
