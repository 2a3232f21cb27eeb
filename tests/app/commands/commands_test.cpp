// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// The real program as a script sees it: exit codes, what stands where, and what is left behind.
namespace flopsmith {
namespace {

namespace fs = std::filesystem;

struct Answer
{
    int code = -1;
    std::string out;
    std::string error;

    auto errorLines() const { return std::count(error.begin(), error.end(), '\n'); }
};

class Commands : public testing::Test
{
protected:
    Commands()
    {
        std::string name = (fs::temp_directory_path() / "flopsmith-XXXXXX").string();
        FLOPSMITH_CHECK(mkdtemp(name.data()) != nullptr);
        folder = name;
    }

    ~Commands() override { fs::remove_all(folder); }

    fs::path file(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder / name, std::ios::binary) << text;
        return folder / name;
    }

    static std::string text(const fs::path& path)
    {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    Answer ask(const std::string& arguments) const
    {
        const std::string command = "cd '" + folder.string() + "' && " FLOPSMITH_PROGRAM " "
            + arguments + " >out.txt 2>error.txt </dev/null";
        const int status = std::system(command.c_str()); // NOLINT: the shell redirects
        return {WEXITSTATUS(status), text(folder / "out.txt"), text(folder / "error.txt")};
    }

    void expectRefusal(const std::string& arguments, const std::string& expected) const
    {
        const Answer answer = ask(arguments);
        EXPECT_EQ(answer.code, 1) << arguments << "\n" << answer.error;
        EXPECT_EQ(answer.out, "") << arguments;
        EXPECT_EQ(answer.errorLines(), 1) << arguments << "\n" << answer.error;
        EXPECT_NE(answer.error.find(expected), std::string::npos) << answer.error;
    }

    fs::path folder;
};

constexpr const char* kGpt2 = R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"],
 "n_ctx": 1024, "n_positions": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12,
 "vocab_size": 50257, "activation_function": "gelu_new"})";

TEST_F(Commands, CostOfAConfigFileIsTheKnownFigure)
{
    file("config.json", kGpt2);

    const Answer answer = ask("cost config.json --lens matmul --seq 1024 --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    EXPECT_EQ(answer.error, "");
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json["total"]["flops"], 291'648'307'200);
    EXPECT_EQ(json["total"]["params"], 124'439'808);
    EXPECT_EQ(json["lens"], "matmul");
    EXPECT_FALSE(json["uncounted"].empty());
    for (const auto& node : json["tree"]) {
        EXPECT_TRUE(node.contains("path") && node.contains("kind") && node.contains("count")
                    && node.contains("flops") && node.contains("params") && node.contains("bytes")
                    && node.contains("repeat"))
            << node.dump();
    }
}

TEST_F(Commands, FormulaOfABlockIsTheFolkloreOne)
{
    EXPECT_EQ(ask("formula gpt2 --part block --simplify f=4d --lens matmul").out,
              "24*d^2*B*S + 4*d*B*S^2\n");
}

TEST_F(Commands, BadFilesAreRefusedInOneLine)
{
    file("malformed.json", "{\n  \"model_type\": gpt2\n}");
    file("wrong-type.json", R"({"model_type": "gpt2", "n_embd": "wide", "n_head": 12})");
    file("huge-number.json", R"({"model_type": "gpt2", "n_embd": 1e30, "n_head": 12})");
    file("nan.json", R"({"model_type": "gpt2", "n_embd": NaN})");
    file("deep.json", std::string(100'000, '['));
    file("unknown.json", R"({"model_type": "rwkv", "hidden_size": 768})");
    file("utf16.json", std::string("\xff\xfe{\0}\0", 6));
    file("empty.json", "");
    file("large.json", std::string(20U << 20U, ' '));

    expectRefusal("cost malformed.json", "line 2");
    expectRefusal("cost wrong-type.json", "n_embd");
    expectRefusal("cost huge-number.json", "n_embd");
    expectRefusal("cost nan.json", "nan.json");
    expectRefusal("cost deep.json", "nested");
    expectRefusal("cost unknown.json", "rwkv");
    expectRefusal("cost utf16.json", "UTF-16");
    expectRefusal("cost empty.json", "empty.json");
    expectRefusal("cost large.json", "large.json");
    expectRefusal("cost missing.json", "missing.json");
    expectRefusal("check unknown.json", "rwkv");
}

TEST_F(Commands, BadSettingsAreRefusedInOneLine)
{
    expectRefusal("cost gpt3", "gpt3");
    expectRefusal("cost gpt2 --set heads=7", "divisor of 768");
    expectRefusal("cost gpt2 --set k_freq=7", "no such parameter");
    expectRefusal("cost gpt2 --set d_ff=many", "whole number");
    expectRefusal("cost gpt2 --seq 0", "seq");
    expectRefusal("sweep gpt2 --axis seq=9..1", "seq");
    expectRefusal("formula gpt2 --part attic", "attic");
    expectRefusal("cost gpt2-ultra-efficient-ffn --set d_1=7", "divisor of 768");
    expectRefusal("cost gpt2-ultra-efficient-ffn --set kronecker.rank=0", "legal is 1");
    expectRefusal("cost gpt2-ultra-efficient-ffn --set factor_keep_ratio=1.5", "legal is");
    expectRefusal("claims --d 3 --count-only", "8 to 65536");
    expectRefusal("measure tiny --phase decode --pass backward", "prefill");
    expectRefusal("formula gpt2 --simplify 'f=('", "f=(");
}

TEST_F(Commands, UnwritableTargetsLeaveNothingBehind)
{
    expectRefusal("cost gpt2 -o missing/folder/cost.txt", "missing/folder");
    expectRefusal("chart gpt2 --kind share -o missing/folder/share.svg", "missing/folder");
    expectRefusal("chart gpt2 --kind share -o share.bmp", "share.bmp");

    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        files +=
            entry.path().filename() == "out.txt" || entry.path().filename() == "error.txt" ? 0 : 1;
    }
    EXPECT_EQ(files, 0U);
}

TEST_F(Commands, ClaimsAreCountedInEveryFormat)
{
    const Answer json = ask("claims --d 256 --d-ff 1024 --tokens 8 --count-only --format json");
    ASSERT_EQ(json.code, 0) << json.error;
    EXPECT_TRUE(nlohmann::json::accept(json.out));
    for (const char* format : {"table", "csv", "markdown", "latex"}) {
        const Answer answer = ask(
            std::string("claims --d 256 --d-ff 1024 --tokens 8 --count-only --format ") + format);
        EXPECT_EQ(answer.code, 0) << answer.error;
        EXPECT_NE(answer.out.find("Kronecker"), std::string::npos) << format;
    }
}

TEST_F(Commands, TheBackwardPassIsMeasured)
{
    const Answer answer = ask("measure tiny --seq 5 --pass backward --budget 0.5 --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json["pass"], "backward");
    EXPECT_GT(json["total_seconds"].get<double>(), 0.0);
}

TEST_F(Commands, WrongUsageExitsWithTwo)
{
    EXPECT_EQ(ask("cost").code, 2);
    EXPECT_EQ(ask("cost gpt2 --no-such-option").code, 2);
    EXPECT_EQ(ask("cost gpt2 --format sculpture").code, 2);
}

TEST_F(Commands, AnUnknownDeviceExitsWithThree)
{
    const Answer answer = ask("measure tiny --device moon");

    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.out, "");
    EXPECT_NE(answer.error.find("moon"), std::string::npos) << answer.error;
}

TEST_F(Commands, ChartsOfTheScalingCurveHaveTextAndNoImage)
{
    ASSERT_EQ(ask("chart gpt2 --kind scaling --axis seq=128..8192:log2 -o s.svg").code, 0);

    const std::string svg = text(folder / "s.svg");
    EXPECT_NE(svg.find("<text"), std::string::npos);
    EXPECT_EQ(svg.find("<image"), std::string::npos);
    EXPECT_NE(svg.find("viewBox"), std::string::npos);
}

TEST_F(Commands, AChartOfTheClaimsNeedsNoModelAndTheOthersDo)
{
    for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
        const std::string file = std::string("claims.") + suffix;
        EXPECT_EQ(ask("chart --kind claims --d 256 --d-ff 1024 --tokens 8 -o " + file).code, 0);
        EXPECT_GT(fs::file_size(folder / file), 1000U) << file;
    }
    EXPECT_NE(text(folder / "claims.svg").find("d_model 256"), std::string::npos);

    for (const char* wrong : {"chart gpt2 --kind claims -o x.svg", "chart --kind share -o x.svg"}) {
        const Answer answer = ask(wrong);
        EXPECT_EQ(answer.code, 2) << wrong;
        EXPECT_NE(answer.error.find("MODEL"), std::string::npos) << answer.error;
    }
    EXPECT_EQ(ask("chart --kind claims --device moon -o x.svg").code, 3);
    EXPECT_FALSE(fs::exists(folder / "x.svg"));
}

TEST_F(Commands, ASweepIsWrittenWhileItIsComputed)
{
    const Answer answer =
        ask("sweep tiny --axis 'seq=1..1000:step 1' --metric flops --format csv -o sweep.csv");

    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_EQ(answer.out, "");
    const std::string csv = text(folder / "sweep.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1001);
    EXPECT_EQ(csv.substr(0, 18), "seq,flops,problem\r");
    EXPECT_EQ(ask("sweep tiny --axis 'seq=1..1000:step 1' --metric flops --format csv").out, csv);
}

TEST_F(Commands, ASweepMarksItsFrontAndSaysHowItGrows)
{
    const Answer answer = ask("sweep gpt2 --axis seq=64..1024:log2 --metric flops --fit "
                              "--pareto flops,+intensity --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    const auto rows = nlohmann::json::parse(answer.out);
    EXPECT_EQ(rows.at(0).at("pareto"), true); // the cheapest point
    EXPECT_NE(answer.error.find("flops grows as seq^1."), std::string::npos) << answer.error;
    expectRefusal("sweep gpt2 --axis seq=1..9 --pareto flops", "two metrics");
    expectRefusal("sweep gpt2 --axis seq=1..9 --pareto flops,watts", "no such metric");
    expectRefusal("sweep gpt2 --axis seq=1..9 --tie d_ff", "d_ff=4*d_model");
    expectRefusal("sweep gpt2 --axis 'seq=1..9999:step 1' --axis 'batch=1..99:step 1' --fit",
                  "--format csv");
}

TEST_F(Commands, FindAnswersTheInverseQuestion)
{
    const Answer answer = ask("find gpt2 --largest d_model --tie 'd_ff=4*d_model' "
                              "--bound 'params<=100M' --bound 'weight_bytes<=2GiB' --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    const auto rows = nlohmann::json::parse(answer.out);
    const int found = rows.at(0).at("d_model");
    EXPECT_LE(rows.at(0).at("params"), 100'000'000);
    EXPECT_GT(rows.at(1).at("params"), 100'000'000);
    EXPECT_EQ(rows.at(1).at("d_model"), found + 12); // whole heads

    const Answer equal = ask("find gpt2 --value d_ff --match params=gpt2 --format json");
    EXPECT_EQ(nlohmann::json::parse(equal.out).at(0).at("d_ff"), 3072) << equal.error;

    expectRefusal("find gpt2", "--largest KEY");
    expectRefusal("find gpt2 --largest d_ff", "need a bound");
    expectRefusal("find gpt2 --largest d_ff --bound params", "METRIC<=NUMBER");
    expectRefusal("find gpt2 --value d_ff --match flops=nowhere", "nowhere");
    expectRefusal("find gpt2 --largest d_ff --bound 'params<=1'", "no legal value of d_ff");
}

} // namespace
} // namespace flopsmith
