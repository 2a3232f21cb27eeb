// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"
#include "tests/support/file_size_limit.h"

#include <gmock/gmock.h>

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

TEST_F(Commands, EveryLensCountsAModel)
{
    const Json lenses = Json::parse(ask("lenses --format json").out);
    ASSERT_GE(lenses.size(), 17U);
    for (const Json& lens : lenses) {
        const std::string name = lens["name"];
        const Answer answer = ask("cost gpt2-half-swapped --format json --lens " + name);
        ASSERT_EQ(answer.code, 0) << name << answer.error;
        const Json json = Json::parse(answer.out);
        EXPECT_EQ(json["lens"], name);
        EXPECT_GT(json["total"]["flops"].get<double>(), 0.0);
        EXPECT_EQ(json.contains("formula"), lens["pricing"] == "whole model") << name;
        EXPECT_EQ(ask("cost gpt2-half-swapped --lens " + name).code, 0) << name;
    }
    EXPECT_EQ(Json::parse(ask("cost tiny --format json --lens deepspeed").out)["lens"], "calflops");
}

TEST_F(Commands, AWaterfallAddsUp)
{
    const Answer answer = ask("waterfall gpt2 --seq 1024 --from fvcore --to kaplan --format json");
    ASSERT_EQ(answer.code, 0) << answer.error;
    const Json rows = Json::parse(answer.out);
    ASSERT_GT(rows.size(), 3U);
    std::int64_t at = rows.front()["total"];
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
    const Json json = Json::parse(ask("conformance --format json").out);

    EXPECT_GT(json["models"].size(), 100U);
    ASSERT_FALSE(json["published"].empty());
    for (const Json& figure : json["published"]) {
        EXPECT_EQ(figure["agrees"], true) << figure.dump();
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

TEST_F(Commands, AFullDiskLeavesTheOldChart)
{
    for (const char* name : {"a.csv", "a.tex", "a.svg"}) {
        file(name, "old");
        const test::FileSizeLimit full(300);

        expectRefusal("chart gpt2 --kind share -o " + std::string(name), "cannot be written");

        EXPECT_EQ(text(folder / name), "old") << name;
    }
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

nlohmann::json parsed(const Commands::Answer& answer)
{
    EXPECT_EQ(answer.code, 0) << answer.error;
    return nlohmann::json::parse(answer.out, nullptr, false);
}

TEST_F(Commands, ATrainingStepIsCountedByDirection)
{
    const nlohmann::json json =
        parsed(ask("cost gpt2 --phase train --seq 64 --set checkpointing=full --format json"));

    double flops = 0.0;
    std::string parts;
    for (const auto& node : json["tree"]) {
        const std::string path = node["path"];
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

TEST_F(Commands, MemoryOfTrainingTakes16BytesPerParameterAndActivations)
{
    const nlohmann::json json = parsed(
        ask("memory gpt2 --phase train --seq 64 --set optimizer=adam_mixed --set weight_bits=16 "
            "--hardware a100-sxm-80gb --format json"));

    double bytes = 0.0;
    double states = 0.0;
    for (const auto& item : json["memory"]) {
        const std::string kind = item["kind"];
        bytes += item["bytes"].get<double>();
        if (kind == "weights" || kind == "gradients" || kind == "optimizer") {
            states += item["bytes"].get<double>();
        }
    }
    EXPECT_EQ(states, 16.0 * 124439808);
    EXPECT_EQ(bytes, json["total_bytes"].get<double>());
    EXPECT_EQ(json["hardware"]["fits"], true);
}

TEST_F(Commands, RooflineOfATypedTimeGivesItsUtilisation)
{
    const nlohmann::json json =
        parsed(ask("roofline gpt2 --seq 1024 --hardware a100-sxm-80gb --set activation_bits=16 "
                   "--set weight_bits=16 --pairs full --seconds 0.002 --format json"));

    EXPECT_EQ(json["peak"]["format"], "bf16");
    EXPECT_EQ(json["total"]["matmul_flops"], 291648307200);
    EXPECT_NEAR(json["total"]["mfu"].get<double>(), 291648307200 / 312e12 / 0.002, 1e-12);
    EXPECT_GT(json["total"]["lower_bound_seconds"].get<double>(), 291648307200 / 312e12);
}

TEST_F(Commands, TrainingOfGpt3SizeIsThePublishedFigure)
{
    const nlohmann::json rows =
        parsed(ask("train gpt2 --tokens 300e9 --flops-per-token 1047.6e9 --devices 1024 "
                   "--hardware a100-sxm-80gb --peak bf16 --mfu 0.5 --format json"));

    for (const auto& row : rows) {
        if (row["quantity"] == "flops") {
            EXPECT_NEAR(row["value"].get<double>(), 3.14e23, 0.005e23);
        }
        if (row["quantity"] == "days") {
            EXPECT_NEAR(
                row["value"].get<double>(), 3.1428e23 / (1024 * 312e12 * 0.5) / 86400, 1e-6);
        }
    }
}

TEST_F(Commands, BudgetsAreWrittenInEveryFormat)
{
    for (const std::string command : {"memory gpt2 --seq 64",
                                      "roofline gpt2 --seq 64 --hardware l4",
                                      "train gpt2 --tokens 1e9 --hardware l4",
                                      "hardware",
                                      "hardware l4"}) {
        for (const std::string format : {"table", "json", "csv", "markdown", "latex"}) {
            const Answer answer = ask(command + " --format " + format);
            EXPECT_EQ(answer.code, 0) << command << "\n" << answer.error;
            EXPECT_GT(answer.out.size(), 100U) << command << " " << format;
        }
    }
}

TEST_F(Commands, AHardwareFileIsUsedOrRefusedInOneLine)
{
    const std::string device =
        R"({"id": "mine", "name": "Mine", "kind": "gpu", "bandwidth": {"gb_per_s": 100, "source": "s"},
            "peaks": [{"format": "fp32", "tflops": 1, "dense": true, "source": "s"}]})";
    file("good.json", R"({"flopsmith_hardware": 1, "devices": [)" + device + "]}");
    file("bad.json", R"({"flopsmith_hardware": 1, "devices": [{"id": "mine"}]})");
    const nlohmann::json json =
        parsed(ask("roofline gpt2 --seq 16 --hardware good.json --format json"));

    EXPECT_EQ(json["ridge"], 10.0);
    expectRefusal("roofline gpt2 --hardware bad.json", "bad.json: devices[0].name: missing");
    expectRefusal("roofline gpt2 --hardware none.json", "none.json: cannot be read");
    expectRefusal("roofline gpt2 --hardware good.json:other", "holds no \"other\"");
    expectRefusal("roofline gpt2 --hardware h1000", "no hardware of the table");
    expectRefusal("roofline gpt2 --hardware tpu-v4", "no peak is stated for 32-bit activations");
}

TEST_F(Commands, ThisMachinesPeaksAreMeasured)
{
    const nlohmann::json json = parsed(ask("roofline gpt2 --seq 16 --hardware this --format json"));

    EXPECT_EQ(json["hardware"]["id"], "this");
    EXPECT_GT(json["ridge"].get<double>(), 0.0);
    EXPECT_NE(json["peak"]["source"].get<std::string>().find("measured"), std::string::npos);
}

TEST_F(Commands, PeaksListProductsLevelsAndTheTimeOfAnEmptyStep)
{
    const nlohmann::json json = parsed(ask("peaks --budget 0.3 --format json"));

    EXPECT_EQ(json["kind"], "cpu");
    EXPECT_EQ(json["products"][0]["format"], "fp32");
    EXPECT_GT(json["products"][0]["flops_per_second"].get<double>(), 0.0);
    EXPECT_EQ(json["levels"].back()["name"], "memory");
    EXPECT_GT(json["launch_seconds"].get<double>(), 0.0);
    EXPECT_TRUE(json.contains("measured_at"));
    const Answer table = ask("peaks --budget 0.3");
    EXPECT_NE(table.out.find("product, fp32"), std::string::npos) << table.out;
    EXPECT_EQ(ask("peaks moon").code, 3);
}

TEST_F(Commands, SharesOfTimeAndFlopsSumToOneAndEveryDifferenceHasAReason)
{
    const Answer answer = ask("shares tiny --seq 16 --budget 0.5 --format json");
    ASSERT_EQ(answer.code, 0) << answer.error;
    const nlohmann::json json = nlohmann::json::parse(answer.out);
    double flops = 0.0;
    double time = 0.0;
    for (const auto& part : json["parts"]) {
        flops += part["flop_share"].get<double>();
        time += part["time_share"].get<double>();
        EXPECT_EQ(part["why"].get<std::string>().empty(), part["reason"] == "as_counted") << part;
        EXPECT_GE(part["seconds"].get<double>(), 0.0);
    }
    EXPECT_NEAR(flops, 1.0, 1e-9);
    EXPECT_NEAR(time, 1.0, 1e-9);
    EXPECT_GT(json["machine"]["products"][0]["flops_per_second"].get<double>(), 0.0);

    for (const char* format : {"table", "csv", "markdown", "latex"}) {
        const Answer other =
            ask(std::string("shares tiny --seq 16 --budget 0.5 --format ") + format);
        EXPECT_EQ(other.code, 0) << other.error;
        EXPECT_NE(other.out.find("Attention"), std::string::npos) << format << other.out;
    }
}

TEST_F(Commands, MeasuringPrintsShareAndLowerBoundOfEachPart)
{
    const nlohmann::json json =
        nlohmann::json::parse(ask("measure tiny --seq 16 --budget 0.5 --format json").out);
    double shares = 0.0;
    for (const auto& part : json["parts"]) {
        EXPECT_GT(part["lower_bound_seconds"].get<double>(), 0.0) << part;
        shares += part.contains("part_of") ? 0.0 : part["share"].get<double>();
    }
    EXPECT_NEAR(shares, 1.0, 1e-9);
}

TEST_F(Commands, TheWholePassStandsBesideTheSumOfItsParts)
{
    const std::string measure = "measure tiny --seq 16 --budget 0.5 ";
    const nlohmann::json json = parsed(ask(measure + "--format json"));
    const nlohmann::json& whole = json["whole_pass"];

    ASSERT_TRUE(whole.contains("median_seconds")) << json.dump(1);
    EXPECT_DOUBLE_EQ(whole["ratio_to_sum_of_parts"].get<double>(),
                     whole["median_seconds"].get<double>() / json["total_seconds"].get<double>());
    const std::string shown = ask(measure).out;
    EXPECT_NE(shown.find("\u00d7 the sum of its parts"), std::string::npos) << shown;
    EXPECT_NE(ask(measure + "--format csv").out.find("\nwhole pass,"), std::string::npos);
    for (const std::string without :
         {"--parts-only", "--block 1", "--pass backward", "--phase decode --context 8"}) {
        EXPECT_FALSE(parsed(ask(measure + without + " --format json")).contains("whole_pass"))
            << without;
    }
}

TEST_F(Commands, ASettingThatNarrowsTheMatrixLibraryIsSaidOnce)
{
    const auto warnings = [](const Answer& answer) {
        int count = 0;
        for (std::size_t at = answer.error.find("ONEDNN_MAX_CPU_ISA"); at != std::string::npos;
             at = answer.error.find("ONEDNN_MAX_CPU_ISA", at + 1)) {
            ++count;
        }
        return count;
    };
    ::unsetenv("ONEDNN_MAX_CPU_ISA");
    EXPECT_EQ(warnings(ask("measure tiny --seq 2 --budget 0.2")), 0);
    ::setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1); // 128 bits: slow wherever there are more
    const Answer slow = ask("measure tiny --seq 2 --budget 0.2");
    const Answer devices = ask("devices");
    const bool hasMore = std::system("grep -q avx2 /proc/cpuinfo") == 0; // NOLINT
    ::unsetenv("ONEDNN_MAX_CPU_ISA");

    EXPECT_EQ(slow.code, 0) << slow.error;
    EXPECT_EQ(warnings(slow), hasMore ? 1 : 0) << slow.error;
    EXPECT_GE(warnings(devices), hasMore ? 1 : 0) << devices.error; // of each CPU that is listed
}

TEST_F(Commands, ARooflineShowsThisMachinesOwnRoofsBesideThoseOfADataSheet)
{
    const std::string chart = "chart tiny --seq 8 --kind roofline --device 'this CPU' --budget 0.5";
    ASSERT_EQ(ask(chart + " -o own.svg").code, 0);
    ASSERT_EQ(ask(chart + " --hardware l4 -o both.svg").code, 0);

    const std::string own = text(folder / "own.svg");
    const std::string both = text(folder / "both.svg");
    EXPECT_NE(own.find("dashed roofs: measured on this CPU"), std::string::npos);
    EXPECT_NE(both.find("dashed roofs: measured on this CPU"), std::string::npos);
    EXPECT_EQ(own.find("data sheet"), std::string::npos);
    EXPECT_NE(both.find("data sheet of NVIDIA L4"), std::string::npos);
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

TEST_F(Commands, MeasuredCurvesNameTheProcessorAndTheDay)
{
    ASSERT_EQ(
        ask("chart tiny --kind scaling --axis seq=8,16 --measured --budget 0.5 -o s.svg").code, 0);

    const std::string drawn = text(folder / "s.svg");
    EXPECT_EQ(drawn.find("this CPU \u00B7"), std::string::npos);
    EXPECT_THAT(drawn, testing::ContainsRegex("20[0-9][0-9]-[0-9]+-[0-9]+ \u00B7 Flopsmith"));
}

TEST_F(Commands, ChartsOfTheScalingCurveHaveTextAndNoImage)
{
    ASSERT_EQ(ask("chart gpt2 --kind scaling --axis seq=128..8192:log2 -o s.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind waterfall --from mac --lens fvcore -o w.svg").code, 0);

    const std::string svg = text(folder / "s.svg");
    EXPECT_NE(svg.find("<text"), std::string::npos);
    EXPECT_EQ(svg.find("<image"), std::string::npos);
    EXPECT_NE(svg.find("viewBox"), std::string::npos);
}

TEST_F(Commands, MemoryAndRooflineChartsKnowTheirDevice)
{
    ASSERT_EQ(ask("chart gpt2 --kind memory --hardware h100-sxm -o m.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind memory -o bare.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind roofline --hardware a100-sxm-80gb -o r.svg").code, 0);

    EXPECT_NE(text(folder / "m.svg").find("NVIDIA H100"), std::string::npos);
    EXPECT_EQ(text(folder / "bare.svg").find("NVIDIA"), std::string::npos);
    EXPECT_NE(text(folder / "r.svg").find("a lower bound"), std::string::npos);

    EXPECT_EQ(ask("chart gpt2 --kind roofline -o x.svg").code, 2);
    expectRefusal("chart gpt2 --kind roofline --hardware abacus -o x.svg", "abacus");
    EXPECT_FALSE(fs::exists(folder / "x.svg"));
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

TEST_F(Commands, ASweepJudgesWidthsAfterTheirTies)
{
    const Answer answer =
        ask("sweep gpt2 --axis d_model=256..1024:log2 --tie 'heads=d_model/64' --metric params "
            "--format json");
    ASSERT_EQ(answer.code, 0) << answer.error;
    const Json rows = Json::parse(answer.out);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(answer.out.find("problem"), std::string::npos) << answer.out;
    expectRefusal("sweep gpt2 --axis d_model=256..1024:log2 --metric params", "not legal");
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
