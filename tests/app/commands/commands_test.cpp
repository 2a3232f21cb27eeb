// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

namespace flopsmith {
namespace {

constexpr const char* kGpt2 = R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"],
 "n_ctx": 1024, "n_positions": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12,
 "vocab_size": 50257, "activation_function": "gelu_new"})";

TEST_F(Commands, HelpIsOfTheProgramOrOfTheCommandThatIsNamed)
{
    const std::string all = ask("--help").out;
    EXPECT_NE(all.find("conformance"), std::string::npos);
    EXPECT_EQ(ask("help").out, all);
    EXPECT_EQ(ask("help results import").out, ask("results import --help").out);
    EXPECT_NE(ask("help devices add").out.find("Usage: flopsmith devices add"), std::string::npos);
    const Answer unknown = ask("help sing");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_EQ(unknown.errorLines(), 1) << unknown.error;
    EXPECT_NE(ask("devices add box").error.find("see flopsmith help devices add"),
              std::string::npos);
}

TEST_F(Commands, AFileThatIsMissingIsNotTakenForAPreset)
{
    expectRefusal("cost nowhere.json", "nowhere.json: there is no such file");
    expectRefusal("cost gpt3", "the nearest presets are");
}

TEST_F(Commands, CostOfAConfigFileIsTheKnownFigure)
{
    file("config.json", kGpt2);

    const Answer answer = ask("cost config.json --lens matmul --seq 1024 --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    EXPECT_EQ(answer.error, "");
    const auto json = ownJson(answer.out);
    EXPECT_EQ(json["total"]["flops"], 291'648'307'200);
    EXPECT_EQ(json["total"]["params"], 124'439'808);
    EXPECT_EQ(json["lens"], "matmul");
    EXPECT_FALSE(json["uncounted"].empty());
    for (const auto& node : json["tree"]) {
        EXPECT_TRUE(node.contains("path") && node.contains("kind") && node.contains("count")
                    && node.contains("flops") && node.contains("params") && node.contains("bytes")
                    && node.contains("repeat"))
            << jsonText(node);
    }
}

TEST_F(Commands, EveryLensCountsAModel)
{
    const Json lenses = ownJson(ask("lenses --format json").out);
    ASSERT_GE(lenses.size(), 17U);
    for (const Json& lens : lenses) {
        const auto name = lens["name"].get<std::string>();
        const Answer answer = ask("cost gpt2-half-swapped --format json --lens " + name);
        ASSERT_EQ(answer.code, 0) << name << answer.error;
        const Json json = ownJson(answer.out);
        EXPECT_EQ(json["lens"], name);
        EXPECT_GT(json["total"]["flops"].get<double>(), 0.0);
        EXPECT_EQ(json.contains("formula"), lens["pricing"] == "whole model") << name;
        EXPECT_EQ(ask("cost gpt2-half-swapped --lens " + name).code, 0) << name;
    }
    EXPECT_EQ(ownJson(ask("cost tiny --format json --lens deepspeed").out)["lens"], "calflops");
}

TEST_F(Commands, AWaterfallAddsUp)
{
    const Answer answer = ask("waterfall gpt2 --seq 1024 --from fvcore --to kaplan --format json");
    ASSERT_EQ(answer.code, 0) << answer.error;
    const Json rows = ownJson(answer.out);
    ASSERT_GT(rows.size(), 3U);
    auto at = rows.front()["total"].get<std::int64_t>();
    for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
        at += rows[i]["amount"].get<std::int64_t>();
    }
    EXPECT_EQ(rows.back()["total"], at);
    EXPECT_EQ(rows.front()["step"], "fvcore");
    EXPECT_EQ(rows.back()["step"], "kaplan");
    for (const char* format : {"table", "csv", "markdown", "latex"}) {
        EXPECT_EQ(ask("waterfall gpt2 --format " + std::string(format)).code, 0) << format;
    }
    EXPECT_EQ(ask("waterfall gpt2 --from nothing").code, 2);
}

TEST_F(Commands, TheConformanceSheetReproducesWhatWasPrinted)
{
    const Json json = ownJson(ask("conformance --format json").out);

    EXPECT_GT(json["models"].size(), 100U);
    ASSERT_FALSE(json["published"].empty());
    for (const Json& figure : json["published"]) {
        EXPECT_EQ(figure["agrees"], true) << jsonText(figure);
    }
    for (const char* format : {"table", "csv", "markdown", "latex"}) {
        EXPECT_EQ(ask("conformance --format " + std::string(format)).code, 0) << format;
    }
}

TEST_F(Commands, FormulaOfABlockIsTheFolkloreOne)
{
    EXPECT_EQ(ask("formula gpt2 --part block --simplify f=4d --lens matmul --no-legend").out,
              "24*d^2*B*S + 4*d*B*S^2\n");
}

TEST_F(Commands, AFormulaSaysWhatItsLettersMean)
{
    EXPECT_EQ(ask("formula gpt2 --lens yu").out,
              "24*d^2*L*B*S + 4*d*L*B*S^2\n\n"
              "  d = width of the residual stream = 768\n"
              "  L = blocks in the stack = 12\n"
              "  B = sequences at once = 1\n"
              "  S = tokens per sequence = 1024\n");
    const std::string half = ask("formula gpt2-half-swapped --format latex").out;
    EXPECT_NE(half.find("$N$ & $=$ equal blocks in this run & $= 6$ \\\\\n"), std::string::npos)
        << half;
}

TEST_F(Commands, AFormulaIsDerivedStepByStep)
{
    const Answer gpt2 = ask("formula gpt2 --lens matmul --seq 1024 --steps");
    EXPECT_EQ(gpt2.code, 0) << gpt2.error;
    for (const char* line : {"1. Projections\n   8*d^2*B*S\n   = 8*768^2*1*1024\n",
                             "\n3. FFN\n   4*d*f*B*S\n   = 16*d^2*B*S   (f = 4d)\n",
                             "\n   = 24*d^2*B*S + 4*d*B*S^2   (f = 4d)\n",
                             "\n   = 12*17716740096 + 79047426048\n   = 291",
                             "\n  S = tokens per sequence = 1024\n"}) {
        EXPECT_NE(gpt2.out.find(line), std::string::npos) << line << "\n" << gpt2.out;
    }
    EXPECT_EQ(
        ask("formula gpt2 --steps --format latex --no-legend").out.rfind("\\begin{enumerate}", 0),
        0U);
    expectRefusal("formula gpt2 --steps --part ffn", "leave --part");
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
    EXPECT_FALSE(ownJson(json.out).is_discarded());
    for (const char* format : {"table", "csv", "markdown", "latex"}) {
        const Answer answer = ask(
            std::string("claims --d 256 --d-ff 1024 --tokens 8 --count-only --format ") + format);
        EXPECT_EQ(answer.code, 0) << answer.error;
        EXPECT_NE(answer.out.find("Kronecker"), std::string::npos) << format;
    }
}

TEST_F(Commands, ATrainingStepIsCountedByDirection)
{
    const Json json =
        parsed(ask("cost gpt2 --phase train --seq 64 --set checkpointing=full --format json"));

    double flops = 0.0;
    std::string parts;
    for (const auto& node : json["tree"]) {
        const auto path = node["path"].get<std::string>();
        if (path.find('/') == std::string::npos) {
            parts += path + " ";
            flops += node["flops"].get<double>();
        }
    }
    EXPECT_EQ(parts, "forward recomputed backward optimizer ");
    EXPECT_EQ(flops, json["total"]["flops"].get<double>());
    EXPECT_EQ(json["total"]["params"], 124439808);
    EXPECT_TRUE(json["tree"][0]["bytes"].contains("gradients"));
}

TEST_F(Commands, WrongUsageExitsWithTwo)
{
    EXPECT_EQ(ask("cost").code, 2);
    EXPECT_EQ(ask("cost gpt2 --no-such-option").code, 2);
    EXPECT_EQ(ask("cost gpt2 --format sculpture").code, 2);
}

} // namespace
} // namespace flopsmith
