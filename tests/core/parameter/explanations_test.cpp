// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/explanations.h"

#include "core/ffn/ffn_variants.h"
#include "core/layer/head.h"
#include "core/mixer/no_mixer.h"
#include "core/mixer/position_bias.h"
#include "core/parameter/installed_explanations.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace flopsmith {
namespace {

constexpr std::size_t kShortestText = 80;

Scenario withBlock(const Block& block)
{
    Scenario scenario;
    scenario.model.runs = {{block, 2}};
    return scenario;
}

/// Explanations by the names of what they are for; null where there is none.
using Wanted = std::multimap<std::string, const Explanation*>;

void wantKey(Wanted& wanted, const std::string& key)
{
    wanted.emplace(key, explanationOf(key));
}

// All parameters, those that do not apply included.
void wantParameters(Wanted& wanted, const Block& block)
{
    for (const Parameter& parameter : allParameters(withBlock(block))) {
        wanted.emplace(parameter.key, explanationOf(parameter));
    }
}

template <class Enum>
void wantValues(Wanted& wanted, const std::string& field)
{
    for (const std::string_view name : enumNames<Enum>()) {
        wantKey(wanted, field + '=' + std::string(name));
    }
}

Wanted wantedExplanations()
{
    Wanted wanted;
    for (const FfnSpec& ffn : ffnPrototypes()) {
        wantKey(wanted, "ffn/" + std::string(info(ffn).id));
        wantParameters(wanted, {.ffn = ffn});
    }
    for (const MixerSpec& mixer : mixerPrototypes()) {
        wantKey(wanted, "mixer/" + std::string(info(mixer).id));
        wantParameters(wanted, {.mixer = mixer});
        wantParameters(wanted, {.cross = mixer});
    }
    wantValues<NormKind>(wanted, "norm");
    wantValues<HeadKind>(wanted, "head");
    wantValues<Positions>(wanted, "positions");
    wantValues<PositionBias>(wanted, "position_bias");
    return wanted;
}

TEST(Explanations, AreWrittenAsTheirReadmeSays)
{
    for (const InstalledText& file : installedExplanations()) {
        const auto entries = parsedExplanations(file.fileName, file.text);
        ASSERT_TRUE(entries) << entries.error().message;
        EXPECT_FALSE(entries->empty()) << file.fileName;
    }
}

TEST(Explanations, HaveEveryVariantParameterAndChoice)
{
    for (const auto& [what, explanation] : wantedExplanations()) {
        EXPECT_NE(explanation, nullptr) << what;
    }
}

TEST(Explanations, AreAllOfSomethingThatExists)
{
    std::set<const Explanation*> used;
    for (const auto& [what, explanation] : wantedExplanations()) {
        used.insert(explanation);
    }

    for (const Explanation& each : explanations()) {
        EXPECT_TRUE(used.contains(&each)) << each.place << ": " << each.key;
    }
}

TEST(Explanations, AreWholeParagraphs)
{
    for (const Explanation& each : explanations()) {
        EXPECT_GE(each.text.size(), kShortestText) << each.place;
        EXPECT_EQ(each.text.back(), '.') << each.place;
    }
}

TEST(Explanations, MayLeaveFormulasOfVariantsToTheProgram)
{
    for (const FfnSpec& ffn : ffnPrototypes()) {
        EXPECT_FALSE(info(ffn).formula.empty()) << info(ffn).id;
    }
    for (const MixerSpec& mixer : mixerPrototypes()) {
        EXPECT_FALSE(info(mixer).formula.empty()) << info(mixer).id;
    }
}

TEST(Explanations, SayNothingTwice)
{
    std::set<std::string_view> keys;
    std::set<std::string_view> texts;
    for (const Explanation& each : explanations()) {
        EXPECT_TRUE(keys.insert(each.key).second) << each.place << ": " << each.key;
        EXPECT_TRUE(texts.insert(each.text).second) << each.place;
    }
}

TEST(Explanations, NameAPaperOrSayThatThereIsNone)
{
    for (const Explanation& each : explanations()) {
        const bool none = each.source.find("without a paper") != std::string::npos
            || each.source.find("No paper") != std::string::npos;
        const bool dated = each.source.find(" 19") != std::string::npos
            || each.source.find(" 20") != std::string::npos;
        EXPECT_TRUE(none || dated) << each.place << ": " << each.source;
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
