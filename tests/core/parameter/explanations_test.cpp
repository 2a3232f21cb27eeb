// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/explanations.h"

#include "core/ffn/ffn_variants.h"
#include "core/layer/head.h"
#include "core/mixer/no_mixer.h"
#include "core/mixer/position_bias.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace flopsmith {
namespace {

constexpr std::size_t kShortestText = 80;

void expectExplained(const Explanation* explanation, const std::string& what)
{
    ASSERT_NE(explanation, nullptr) << what;
    EXPECT_GE(explanation->text.size(), kShortestText) << what;
    EXPECT_EQ(explanation->text.back(), '.') << what;
    EXPECT_FALSE(explanation->source.empty()) << what;
}

// All parameters, those that do not apply included.
void expectAllExplained(const Scenario& scenario)
{
    for (const Parameter& parameter : allParameters(scenario)) {
        expectExplained(explanationOf(parameter), parameter.key);
    }
}

Scenario withBlock(const Block& block)
{
    Scenario scenario;
    scenario.model.runs = {{block, 2}};
    return scenario;
}

template <class Enum>
void expectValuesExplained(const std::string& field)
{
    for (const std::string_view name : enumNames<Enum>()) {
        const std::string key = field + '=' + std::string(name);
        expectExplained(explanationOf(key), key);
    }
}

TEST(Explanations, HaveEveryParameterOfEveryVariant)
{
    for (const FfnSpec& ffn : ffnPrototypes()) {
        expectAllExplained(withBlock({.ffn = ffn}));
    }
    for (const MixerSpec& mixer : mixerPrototypes()) {
        expectAllExplained(withBlock({.mixer = mixer}));
        expectAllExplained(withBlock({.cross = mixer}));
    }
}

TEST(Explanations, HaveEveryVariantAndChoice)
{
    for (const FfnSpec& ffn : ffnPrototypes()) {
        const std::string key = "ffn/" + std::string(info(ffn).id);
        expectExplained(explanationOf(key), key);
        EXPECT_FALSE(info(ffn).formula.empty()) << key;
    }
    for (const MixerSpec& mixer : mixerPrototypes()) {
        const std::string key = "mixer/" + std::string(info(mixer).id);
        expectExplained(explanationOf(key), key);
        EXPECT_FALSE(info(mixer).formula.empty()) << key;
    }
    expectValuesExplained<NormKind>("norm");
    expectValuesExplained<HeadKind>("head");
    expectValuesExplained<Positions>("positions");
    expectValuesExplained<PositionBias>("position_bias");
}

TEST(Explanations, SayNothingTwice)
{
    std::set<std::string_view> keys;
    std::set<std::string_view> texts;
    for (const Explanation& each : explanations()) {
        EXPECT_TRUE(keys.insert(each.key).second) << each.key;
        EXPECT_TRUE(texts.insert(each.text).second) << each.key;
        expectExplained(explanationOf(each.key), std::string(each.key));
    }
}

TEST(Explanations, NameAPaperOrSayThatThereIsNone)
{
    for (const Explanation& each : explanations()) {
        const bool none = each.source.find("without a paper") != std::string::npos
            || each.source.find("No paper") != std::string::npos;
        const bool dated = each.source.find(" 19") != std::string::npos
            || each.source.find(" 20") != std::string::npos;
        EXPECT_TRUE(none || dated) << each.key << ": " << each.source;
    }
}

TEST(Explanations, OfOneNameDifferWhereItMeansSomethingElse)
{
    const auto textOf = [](const Block& block, std::string_view key) {
        for (const Parameter& parameter : blockParameters(withBlock(block), 0)) {
            if (parameter.text.key == key) {
                return explanationOf(parameter)->text;
            }
        }
        return std::string();
    };

    EXPECT_NE(textOf({.ffn = LowRankFfn{}}, "rank"), textOf({.ffn = KroneckerFfn{}}, "rank"));
    EXPECT_NE(textOf({.mixer = NoMixer{}, .ffn = SpectralFfn{}}, "algorithm"),
              textOf({}, "algorithm"));
    EXPECT_EQ(textOf({.ffn = GatedFfn{}}, "d_ff"), textOf({.ffn = DenseFfn{}}, "d_ff"));
}

} // namespace
} // namespace flopsmith
