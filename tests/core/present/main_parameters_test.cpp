// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/base/main_parameters.h"

#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

std::vector<std::string> keysOf(const std::vector<Parameter>& parameters)
{
    std::vector<std::string> keys;
    for (const Parameter& parameter : parameters) {
        keys.emplace_back(parameter.text.key);
    }
    return keys;
}

TEST(MainParameters, AreAtMostEightOfEachBlockAndNeverNone)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = preset.scenario();
        for (int run = 0; run < static_cast<int>(scenario.model.runs.size()); ++run) {
            const std::vector<Parameter> all = blockParameters(scenario, run);
            const std::vector<Parameter> main = mainParameters(all);

            EXPECT_LE(main.size(), 8U);
            EXPECT_GE(main.size(), 1U) << preset.id;
            const std::vector<std::string> keys = keysOf(all);
            auto place = keys.begin();
            for (const std::string& key : keysOf(main)) { // in their order
                place = std::find(place, keys.end(), key);
                ASSERT_NE(place, keys.end()) << key;
                ++place;
            }
        }
    }
}

TEST(MainParameters, OfAnUltraEfficientBlockAreWhatDecidesItsCost)
{
    const Scenario scenario = findPreset("gpt2-half-swapped")->scenario();
    const std::vector<std::string> keys = keysOf(mainParameters(blockParameters(scenario, 1)));
    for (const char* key :
         {"heads", "k_freq", "poly_degree", "poly_keep_ratio", "micro_steps", "micro_keep_ratio"}) {
        EXPECT_TRUE(std::find(keys.begin(), keys.end(), key) != keys.end()) << key;
    }
}

TEST(MainParameters, DetailsAreNotAmongThem)
{
    const Scenario scenario = findPreset("gpt2")->scenario();
    for (const std::string& key : keysOf(mainParameters(blockParameters(scenario, 0)))) {
        EXPECT_EQ(key.find("bias"), std::string::npos);
        EXPECT_EQ(key.find("seed"), std::string::npos);
    }
}

} // namespace
} // namespace flopsmith
