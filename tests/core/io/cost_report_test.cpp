// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reports/cost_report.h"

#include "core/io/project/version.h"
#include "core/io/reports/memory_report.h"
#include "core/io/table/table_text.h"
#include "core/json/json.h"
#include "core/lens/cost_summary.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

Json reportOf(std::string_view preset, LensId lens, int sequence = 1024)
{
    return costJson(costReport({*presetNamed(preset), {.sequence = sequence}}, lens));
}

TEST(CostJson, HasTheTotalsOfGpt2)
{
    const Json json = reportOf("gpt2", LensId::matmul);

    EXPECT_EQ(json["lens"], "matmul");
    EXPECT_EQ(json["pairs"], "full");
    EXPECT_EQ(json["workload"]["seq"], 1024);
    EXPECT_EQ(json["total"]["flops"], 291'648'307'200);
    EXPECT_EQ(json["total"]["macs"], 145'824'153'600);
    EXPECT_EQ(json["total"]["params"], 124'439'808);
    EXPECT_EQ(json["total"]["active_params"], 124'439'808);
    EXPECT_EQ(json["total"]["weight_bytes"], 124'439'808LL * 4);
    EXPECT_EQ(json["total"]["kv_cache_bytes_per_token"], 12 * 2 * 768 * 4);
}

TEST(CostJson, ExactPairsAreTheRuleOfTheExactLens)
{
    const Json json = reportOf("gpt2", LensId::exact);

    EXPECT_EQ(json["pairs"], "exact");
    EXPECT_EQ(json["total"]["macs"], 272'339'828'736 / 2);
}

TEST(CostJson, OperationsTimesTheirUsesSumToTheTotal)
{
    for (const Preset& preset : presets()) {
        const Json json = reportOf(preset.id, LensId::exact, 64);
        std::int64_t flops = 0;
        std::int64_t params = 0;
        std::set<std::string> paths;
        for (const Json& node : json["tree"]) {
            EXPECT_TRUE(paths.insert(node["path"].text()).second) << node["path"];
            if (node["kind"] != "group") {
                const auto times = node["times_used"].get<std::int64_t>();
                flops += node["flops"].get<std::int64_t>() * times;
                params += node["params"].get<std::int64_t>() * times;
            }
        }
        EXPECT_EQ(json["total"]["flops"], flops) << preset.id;
        EXPECT_EQ(json["total"]["params"], params) << preset.id;
    }
}

TEST(CostJson, ANodeIsTheSumOfItsParts)
{
    const Json json = reportOf("gpt2-half-swapped", LensId::exact, 64);
    std::map<std::string, std::int64_t> flops;
    for (const Json& node : json["tree"]) {
        flops[node["path"].text()] = node["flops"].get<std::int64_t>();
    }

    EXPECT_TRUE(flops.contains("blocks[6]/ffn/spectral"));
    EXPECT_EQ(flops.at("blocks[6]/ffn"),
              flops.at("blocks[6]/ffn/spectral") + flops.at("blocks[6]/ffn/polynomial")
                  + flops.at("blocks[6]/ffn/micro_refine") + flops.at("blocks[6]/ffn/combine"));
}

std::vector<Json> uncounted(const Json& report)
{
    const Json& list = report["uncounted"];
    return std::vector<Json>(list.begin(), list.end());
}

TEST(CostJson, NamesWhatTheLensCannotSee)
{
    EXPECT_THAT(uncounted(reportOf("gpt2-ultra-efficient", LensId::matmul)),
                testing::Contains(Json("blocks[0]/ffn/polynomial/polynomial")));
    EXPECT_TRUE(uncounted(reportOf("gpt2-ultra-efficient", LensId::exact)).empty());
}

TEST(CostJson, CountsFromTwoToThe53OnAreStrings)
{
    const Json json = reportOf("llama-3-8b", LensId::matmul, 1'048'576);

    EXPECT_TRUE(json["total"]["flops"].is_string());
    EXPECT_TRUE(json["total"]["params"].is_number_integer());
}

TEST(CostJson, AFormulaHasTermsAndRemarksAndItsPartsNoFlops)
{
    const Json json = reportOf("gpt2", LensId::kaplan);

    std::int64_t sum = 0;
    for (const Json& term : json["formula"]) {
        sum += term["flops"].get<std::int64_t>();
    }
    EXPECT_EQ(json["total"]["flops"], sum);
    EXPECT_EQ(json["training_step"], 3 * sum);
    EXPECT_TRUE(json["remarks"].empty());
    EXPECT_FALSE(json["tree"][0].contains("flops"));
    EXPECT_THAT(uncounted(json), testing::Contains(Json("blocks[0]/attention/softmax")));
    EXPECT_FALSE(reportOf("gpt2-shared", LensId::kaplan)["remarks"].empty());
}

TEST(CostJson, EveryLensThatPricesOperationsSumsThemToItsTotal)
{
    for (const Lens& each : lenses()) {
        if (each.isFormula()) {
            continue;
        }
        const Json json = reportOf("gpt2-half-swapped", each.id, 64);
        std::int64_t flops = 0;
        for (const Json& node : json["tree"]) {
            if (node["kind"] != "group") {
                flops += node["flops"].get<std::int64_t>() * node["times_used"].get<std::int64_t>();
            }
        }
        EXPECT_EQ(json["total"]["flops"], flops) << each.name;
        EXPECT_EQ(json.contains("training_step"), each.trainingFactor > 0) << each.name;
    }
}

TEST(CostTable, AFormulaShowsItsTermsAndNothingBesideTheParts)
{
    const Table table = costTable(costReport({*presetNamed("gpt2"), {}}, LensId::yu));

    EXPECT_EQ(table.rows[0][2].shown, "212.6 G");
    EXPECT_EQ(table.rows[1][0].value,
              Cell::Value(std::string("formula/24\xC2\xB7"
                                      "D\xC2\xB2\xC2\xB7L")));
    EXPECT_EQ(table.rows[3][0].shown, "embedding");
    EXPECT_EQ(table.rows[3][2].value, Cell::Value());
    EXPECT_EQ(table.rows[3][2].shown, "");
}

TEST(CostTable, SaysWhereItsFiguresComeFrom)
{
    const Scenario scenario{*presetNamed("gpt2"), {.batch = 3, .sequence = 77}};
    const CostReport report = costReport(scenario, LensId::flash, PairsRule::half);

    for (const std::string& text :
         {markdownText(costTable(report)), latexText(costTable(report))}) {
        for (const char* part : {"GPT-2 small", "77", "flash", "half pairs"}) {
            EXPECT_THAT(text, testing::HasSubstr(part));
        }
        EXPECT_THAT(text, testing::HasSubstr(std::string(programVersion())));
    }
    EXPECT_EQ(costJson(report)["version"], std::string(programVersion()));
}

// What the encoder has read does not follow the context of decoding, and is named beside it.
TEST(CostTable, NamesTheSourceOfAnEncoderDecoder)
{
    Scenario t5{*presetNamed("t5-small"), {.phase = Phase::decode, .context = 10}};
    const auto said = [&t5] {
        const CostReport report = costReport(t5, LensId::exact);
        EXPECT_THAT(costHeadline(report), testing::HasSubstr("context 10, source 1024"));
        return memoryHeadline(t5) + "; " + costTable(report).caption;
    };

    EXPECT_THAT(said(),
                testing::AllOf(testing::HasSubstr("context 10, source 1024"),
                               testing::HasSubstr("1 token after 9, source 1024")));
    t5.workload.phase = Phase::prefill;
    t5.workload.source = 7;
    EXPECT_THAT(memoryHeadline(t5), testing::HasSubstr("sequence 1024, source 7"));
    EXPECT_THAT(memoryHeadline({*presetNamed("gpt2"), {}}),
                testing::Not(testing::HasSubstr("source")));
}

TEST(CostTable, AllColumnsAreTheUsualOnesAndMore)
{
    const CostReport report = costReport({*presetNamed("gpt2"), {}}, LensId::exact);
    const Table usual = costTable(report);
    const Table all = costTable(report, CostColumns::all);
    const CostSummary sum = summary(report.tree, report.scenario, report.lens);

    ASSERT_EQ(all.rows.size(), usual.rows.size());
    ASSERT_EQ(all.columns.size(), usual.columns.size() + 2);
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        ASSERT_EQ(all.rows[i].size(), all.columns.size());
        EXPECT_TRUE(std::equal(usual.rows[i].begin(), usual.rows[i].end(), all.rows[i].begin()));
    }
    EXPECT_EQ(all.rows[0][6].value, Cell::Value(sum.macs));
    EXPECT_EQ(all.rows[0][7].value, Cell::Value(sum.savedActivationBytes));
}

TEST(CostTable, BeginsWithTheWholeModel)
{
    const Table table = costTable(costReport({*presetNamed("gpt2"), {}}, LensId::matmul));

    ASSERT_GT(table.rows.size(), 10U);
    EXPECT_EQ(table.rows[0][0].shown, "GPT-2 small");
    EXPECT_EQ(table.rows[0][2].shown, "291.6 G");
    for (const auto& row : table.rows) {
        EXPECT_EQ(row.size(), table.columns.size());
    }
}

TEST(CostTable, ShowsUncountedPartsAsSuchAndNotAsZero)
{
    const Table table = costTable(costReport({*presetNamed("gpt2"), {}}, LensId::matmul));

    EXPECT_THAT(table.rows, testing::Contains(testing::Truly([](const std::vector<Cell>& row) {
                    return row[0].shown == "softmax" && row[2].shown == "uncounted";
                })));
}

} // namespace
} // namespace flopsmith
