// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

#include <gmock/gmock.h>

#include <sstream>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

class CompareCommand : public Commands
{
protected:
    Json json(const std::string& arguments) const
    {
        const Answer answer = ask(arguments + " --format json");
        EXPECT_EQ(answer.code, 0) << arguments << "\n" << answer.error;
        return answer.code == 0 ? ownJson(answer.out) : Json();
    }

    void expectUsage(const std::string& arguments, const std::string& expected) const
    {
        const Answer answer = ask(arguments);
        EXPECT_EQ(answer.code, 2) << arguments;
        EXPECT_EQ(answer.out, "") << arguments;
        EXPECT_EQ(answer.errorLines(), 1) << answer.error;
        EXPECT_THAT(answer.error, HasSubstr(expected)) << arguments;
    }
};

Json rowNamed(const Json& rows, const std::string& key)
{
    for (const Json& row : rows) {
        if (row["key"] == key) {
            return row;
        }
    }
    ADD_FAILURE() << "no row " << key;
    return {};
}

TEST_F(CompareCommand, OfAModelWithItselfHasNoDifference)
{
    const Json same = json("compare gpt2 gpt2 --seq 1024");

    ASSERT_FALSE(same["figures"].empty());
    for (const Json& figure : same["figures"]) {
        EXPECT_EQ(figure["values"][0], figure["values"][1]) << figure["key"];
        if (figure["key"] == "time") {
            EXPECT_EQ(figure["note"], "not measured on this CPU");
            continue;
        }
        EXPECT_EQ(figure["deltas"][1].get<double>(), 0.0) << figure["key"];
        EXPECT_EQ(figure["ratios"][1], 1.0) << figure["key"];
    }
    EXPECT_TRUE(same["parameters"].empty());
    ASSERT_EQ(same["stacks"][1].size(), 1U);
    EXPECT_EQ(same["stacks"][1][0]["kind"], "equal");
    EXPECT_EQ(same["stacks"][1][0]["b"]["count"], 12);
}

TEST_F(CompareCommand, HasTheFiguresThatOtherCommandsGiveOfEachModel)
{
    const std::vector<std::string> models{"gpt2", "llama-3-8b"};
    const Json both = json("compare gpt2 llama-3-8b --seq 1024 --lens matmul");
    for (std::size_t i = 0; i < models.size(); ++i) {
        const Json total = json("cost " + models[i] + " --seq 1024 --lens matmul")["total"];
        for (const char* key : {"flops",
                                "macs",
                                "params",
                                "active_params",
                                "weight_bytes",
                                "kv_cache_bytes_per_token"}) {
            EXPECT_EQ(rowNamed(both["figures"], key)["values"][i], total[key]) << models[i] << key;
        }
        const Json memory = json("memory " + models[i] + " --seq 1024");
        EXPECT_EQ(rowNamed(both["figures"], "memory_bytes")["values"][i], memory["total_bytes"]);
    }
    const Json flops = rowNamed(both["figures"], "flops");
    const auto first = flops["values"][0].get<std::int64_t>();
    const auto second = flops["values"][1].get<std::int64_t>();
    EXPECT_EQ(first, 291'648'307'200);
    EXPECT_EQ(flops["deltas"][1], second - first);
    EXPECT_NEAR(flops["ratios"][1].get<double>(),
                static_cast<double>(second) / static_cast<double>(first),
                1e-12);
    EXPECT_EQ(rowNamed(both["parameters"], "d_model")["values"], Json({768, 4096}));
}

TEST_F(CompareCommand, WritesEveryFormatAndTheStackForPeople)
{
    for (const char* format : {"table", "markdown"}) {
        const Answer answer = ask("compare gpt2 llama-3-8b --format " + std::string(format));
        ASSERT_EQ(answer.code, 0) << answer.error;
        EXPECT_THAT(answer.out, HasSubstr("12 changed, 20 added")) << format;
        EXPECT_THAT(answer.out, HasSubstr("Parameters that differ")) << format;
    }
    const std::string latex = ask("compare gpt2 llama-3-8b --format latex").out;
    EXPECT_THAT(latex, HasSubstr("$\\Delta$"));
    EXPECT_THAT(latex, Not(HasSubstr("12 changed")));
    EXPECT_THAT(ask("compare gpt2 tiny bert-base gpt2 --format csv").out,
                HasSubstr("key,title,unit,a,b,c,d,delta_b,ratio_b,delta_c,ratio_c,delta_d,"));
    EXPECT_EQ(ask("compare gpt2 tiny -o out.md --format markdown").out, "");
    EXPECT_THAT(text(folder / "out.md"), HasSubstr("| figure |"));
}

TEST_F(CompareCommand, AppliesItsOptionsToAllModels)
{
    const Json both = json("compare gpt2 tiny --batch 3 --phase train --set weight_bits=16");
    for (const Json& design : both["designs"]) {
        EXPECT_EQ(design["workload"]["batch"], 3);
        EXPECT_EQ(design["workload"]["phase"], "train");
    }
    EXPECT_EQ(rowNamed(both["figures"], "kv_cache_bytes")["ratios"][1], nullptr)
        << "there is none in training";
}

TEST_F(CompareCommand, ComparesTheStoredTimesOfOneDevice)
{
    const Json run = json("measure tiny --seq 4 --budget 0.3");
    const Json both = json("compare tiny tiny --seq 4");
    const Json time = rowNamed(both["figures"], "time");
    EXPECT_NEAR(time["values"][0].get<double>(), run["total_seconds"].get<double>(), 1e-12);
    EXPECT_EQ(time["ratios"][1], 1.0);

    const Json longer = json("compare tiny gpt2 --seq 4");
    const Json missing = rowNamed(longer["figures"], "time");
    EXPECT_EQ(missing["values"][0], time["values"][0]);
    EXPECT_EQ(missing["values"][1], nullptr);
    EXPECT_THAT(missing["note"].get<std::string>(), HasSubstr("not measured on this CPU: gpt2"));
    EXPECT_THAT(ask("compare tiny gpt2 --seq 4").out, HasSubstr("measured time: not measured on"));
    EXPECT_THAT(ask("compare tiny tiny --seq 4 --no-store --format csv").out,
                HasSubstr("measured time: not measured on this CPU"));
}

// The figures of a design in a chart's CSV, summed up.
std::int64_t sumOfRows(const std::string& csv, const std::string& design)
{
    std::int64_t sum = 0;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        if (line.substr(0, design.size() + 1) == design + ",") {
            sum += std::stoll(line.substr(line.rfind(',') + 1));
        }
    }
    return sum;
}

TEST_F(CompareCommand, AChartStacksWhatCostCounts)
{
    ASSERT_EQ(ask("chart gpt2 --with llama-3-8b --with tiny --kind compare -o ab.csv").code, 0);
    ASSERT_EQ(ask("chart gpt2 --with llama-3-8b --kind compare -o ab.svg").code, 0);

    for (const char* model : {"gpt2", "llama-3-8b", "tiny"}) {
        EXPECT_EQ(sumOfRows(text(folder / "ab.csv"), model),
                  json("cost " + std::string(model))["total"]["flops"])
            << model;
    }
    EXPECT_THAT(text(folder / "ab.svg"), HasSubstr("llama-3-8b"));
    EXPECT_THAT(text(folder / "ab.svg"), HasSubstr("Gated FFN"));
}

TEST_F(CompareCommand, AChartChargesThePairsThatAreAskedFor)
{
    const std::string chart = "chart gpt2 --with llama-3-8b --seq 1024 --kind compare --pairs full";
    ASSERT_EQ(ask(chart + " -o full.csv").code, 0);
    ASSERT_EQ(ask("chart gpt2 --seq 1024 --kind share --pairs full -o share.csv").code, 0);

    const Json total = json("cost gpt2 --seq 1024 --pairs full")["total"];
    const auto full = total["flops"].get<std::int64_t>();
    EXPECT_NE(full, json("cost gpt2 --seq 1024")["total"]["flops"]);
    EXPECT_EQ(sumOfRows(text(folder / "full.csv"), "gpt2"), full);
    EXPECT_EQ(sumOfRows(text(folder / "full.csv"), "llama-3-8b"),
              json("cost llama-3-8b --seq 1024 --pairs full")["total"]["flops"]);
    EXPECT_THAT(text(folder / "full.csv"), HasSubstr("full pairs"));
    EXPECT_THAT(text(folder / "share.csv"), HasSubstr("full pairs"));
}

TEST_F(CompareCommand, ChartsOfOtherKindsDrawTheModelsTooOrSayThatTheyDoNot)
{
    for (const char* kind :
         {"share", "scaling", "memory", "roofline --hardware h100-sxm", "waterfall"}) {
        const std::string chart = "chart gpt2 --seq 256 --kind " + std::string(kind);
        const Answer beside = ask(chart + " --with tiny -o beside.csv");
        ASSERT_EQ(beside.code, 0) << beside.error;
        ASSERT_EQ(ask(chart + " -o alone.csv").code, 0);
        EXPECT_NE(text(folder / "beside.csv"), text(folder / "alone.csv")) << kind;
        EXPECT_THAT(beside.error, Not(HasSubstr("alone"))) << kind;
        expectUsage(chart + " --with tiny --device 'this CPU' -o x.svg", "takes no --device");
    }
    const Answer alone = ask("chart gpt2 --with tiny --kind heat -o x.csv");
    EXPECT_EQ(alone.code, 0);
    EXPECT_THAT(alone.error, HasSubstr("chart --kind heat shows gpt2 alone"));
}

TEST_F(CompareCommand, AChartSaysInOneSentenceWhatItNeeds)
{
    const std::string compare = "chart gpt2 --kind compare -o x.svg";
    expectUsage(compare, "2 to 4 models, and here is 1; name the others by --with");
    expectUsage(compare + " --with tiny --with tiny --with tiny --with tiny", "here are 5");
    expectUsage(compare + " --with tiny --device 'this CPU'", "takes no --device");
    expectUsage(compare + " --with ''", "--with: a value must not be empty");
    expectUsage("chart gpt2 --kind share --with '' -o x.svg", "must not be empty");
    expectUsage("chart gpt2 --kind waterfall --pairs half -o x.svg", "takes no --pairs");
    expectUsage("chart --kind claims --with tiny -o x.svg", "takes no --with");
    expectUsage("chart --kind compare --with tiny -o x.svg", "needs a MODEL");
    expectRefusal(compare + " --with gpt3", "the nearest presets are");
    EXPECT_FALSE(fs::exists(folder / "x.svg"));
}

TEST_F(CompareCommand, SaysInOneSentenceWhatIsWrongWithWhichModel)
{
    expectUsage("compare", "2 to 4 models, and here are 0");
    expectUsage("compare gpt2", "2 to 4 models, and here is 1");
    expectUsage("compare gpt2 gpt2 gpt2 gpt2 gpt2", "2 to 4 models, and here are 5");
    expectUsage("compare gpt2 ''", "must not be empty");
    expectRefusal("compare gpt2 gpt3", "the nearest presets are");
    expectRefusal("compare gpt2 nowhere.json", "nowhere.json: there is no such file");
    expectRefusal("compare gpt2 fnet-base --phase decode", "fnet-base: ");
    expectRefusal("compare gpt2 llama-3-8b --set heads=12", "llama-3-8b: ");
}

} // namespace
} // namespace flopsmith
