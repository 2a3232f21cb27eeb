// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/spec_json.h"

#include "core/json/json_text.h"
#include "core/mixer/attention.h"
#include "core/model/operation.h"
#include "core/model/presets.h"
#include "tests/support/mixer_cases.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace flopsmith {
namespace {

TEST(SpecJson, EveryPresetReadsBackAsItWas)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario{preset.make(), {.phase = Phase::decode, .batch = 3}};
        const std::string text = jsonText(toJson(scenario), 2);

        const auto read = scenarioFromJson(*parsedJson(text, "test"), "test");

        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, scenario) << preset.id;
    }
}

TEST(SpecJson, EveryMeasuredPartReadsBackAsItWas)
{
    for (const Preset& preset : presets()) {
        std::vector<MeasuredPart> parts = measuredParts({preset.make(), {}});
        parts.push_back(measuredWhole({preset.make(), {}}).value());
        for (const MeasuredPart& part : parts) {
            const auto read = operationFromJson(toJson(part.operation), "operation");
            ASSERT_TRUE(read.ok()) << read.error().message;
            EXPECT_EQ(*read, part.operation) << part.path;
        }
    }
}

TEST(SpecJson, EveryOptionOfEveryMixerReadsBackAsItWas)
{
    for (const MixerSpec& mixer : test::mixerCases(24, 2)) {
        const Operation operation{
            .what = mixer, .dModel = 24, .batch = 1, .sequence = 5, .context = 5};

        const auto read = operationFromJson(toJson(operation), "operation");

        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, operation) << test::describe(mixer);
    }
}

// Files of before attention had more than these fields.
TEST(SpecJson, AttentionThatNamesFewFieldsHasTheDefaultsOfTheOthers)
{
    const Attention plain{.heads = 4, .kvHeads = 4, .causal = false, .rotary = true};
    const Operation operation{
        .what = MixerSpec(plain), .dModel = 24, .batch = 1, .sequence = 5, .context = 5};
    Json json = toJson(operation);
    Json* mixer = nullptr;
    for (auto& part : json.items()) {
        if (part.value().is_object() && part.value().contains("kv_heads")) {
            mixer = &part.value();
        }
    }
    ASSERT_NE(mixer, nullptr) << jsonText(json);
    const std::set<std::string> old{"kind",
                                    "heads",
                                    "kv_heads",
                                    "head_dim",
                                    "window",
                                    "causal",
                                    "qkv_bias",
                                    "out_bias",
                                    "rotary",
                                    "algorithm"};
    Json fewer = Json::object();
    for (const auto& field : mixer->items()) {
        if (old.contains(field.key())) {
            fewer[field.key()] = field.value();
        }
    }
    ASSERT_LT(fewer.size(), mixer->size());
    *mixer = fewer;

    const auto read = operationFromJson(json, "operation");

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, operation);
}

std::string scenarioRefusal(const std::string& text)
{
    const auto json = parsedJson(text, "file");
    if (!json) {
        return json.error().message;
    }
    const auto read = scenarioFromJson(*json, "file");
    return read ? "" : read.error().message;
}

std::string edited(const std::string& from, const std::string& to)
{
    std::string text = jsonText(toJson(Scenario{*presetNamed("gpt2-half-swapped"), {}}));
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(SpecJson, NamesThePlaceOfWhatItRefuses)
{
    EXPECT_EQ(scenarioRefusal(edited("\"d_model\":768", "\"d_model\":\"wide\"")),
              "file.model.d_model: expected a whole number, found the text \"wide\"");
    EXPECT_EQ(scenarioRefusal(edited("\"d_ff\":3072", "\"d_ff\":1e30")),
              "file.model.blocks[0].ffn.d_ff: expected a whole number, found 1e+30");
    EXPECT_EQ(
        scenarioRefusal(edited("\"d_ff\":3072", "\"d_ff\":30720000000")),
        "file.model.blocks[0].ffn.d_ff: expected a whole number from -2147483648 to 2147483647, "
        "found 30720000000");
    EXPECT_EQ(scenarioRefusal(edited("\"kind\":\"spectral\"", "\"kind\":\"magic\"")).substr(0, 60),
              "file.model.blocks[1].ffn.stages[0].kind: \"magic\" is unknown;");
    EXPECT_NE(scenarioRefusal(edited("\"heads\":12", "\"haeds\":12"))
                  .find("mixer.haeds: no such key here"),
              std::string::npos);
    EXPECT_NE(
        scenarioRefusal(edited("\"low_pass\"", "\"hi_pass\"")).find("low_pass, learned or top_k"),
        std::string::npos);
    EXPECT_EQ(
        scenarioRefusal(edited("\"head\":{", "\"haed\":{")).find("file.model.haed: no such key"),
        0U);
    EXPECT_EQ(scenarioRefusal("[]"), "file: expected an object { … }, found a list");
    EXPECT_EQ(scenarioRefusal("{}"), "file.model: missing");
}

TEST(ParsedJson, SaysWhereMalformedTextBreaks)
{
    EXPECT_NE(scenarioRefusal("{\n  \"model\": nope\n}").find("file: line 2, column"),
              std::string::npos);
    EXPECT_NE(scenarioRefusal("{\"a\": 1, \"a\": 2}").find("\"a\" occurs twice"),
              std::string::npos);
    EXPECT_NE(scenarioRefusal("{\"a\": NaN}").find("column 7: NaN is no value of JSON"),
              std::string::npos);
    EXPECT_NE(scenarioRefusal("{\"a\": Nan}").find("not valid JSON"), std::string::npos);
    EXPECT_NE(scenarioRefusal("").find("not valid JSON"), std::string::npos);
    EXPECT_NE(scenarioRefusal(std::string(100'000, '[')).find("nested more than"),
              std::string::npos);
    EXPECT_EQ(scenarioRefusal("{\"a\": \"\xff\"}").find('\n'), std::string::npos);
    EXPECT_NE(scenarioRefusal(std::string(17U << 20U, ' ')).find("at most 16 MiB"),
              std::string::npos);
}

TEST(ExactNumber, IsAnIntegerBelow2To53AndAStringAbove)
{
    EXPECT_EQ(jsonText(exactNumber(291'648'307'200)), "291648307200");
    EXPECT_EQ(jsonText(exactNumber((Count{1} << 53) - 1)), "9007199254740991");
    EXPECT_EQ(jsonText(exactNumber(Count{1} << 53)), "\"9007199254740992\"");
}

TEST(WorkloadJson, BitsThatAreNoNumberAreRefused)
{
    for (const char* bits : {"?2", "", "16x", "1e1", "99999999999999999999"}) {
        const auto workload = workloadFromJson({{"weight_bits", bits}}, "workload");

        ASSERT_FALSE(workload.ok()) << bits;
        EXPECT_NE(workload.error().message.find("weight_bits"), std::string::npos);
    }
}

} // namespace
} // namespace flopsmith
