// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

// Memory, rooflines and training time on the command line.
namespace flopsmith {
namespace {

TEST_F(Commands, MemoryOfTrainingTakes16BytesPerParameterAndActivations)
{
    const Json json = parsed(
        ask("memory gpt2 --phase train --seq 64 --set optimizer=adam_mixed --set weight_bits=16 "
            "--hardware a100-sxm-80gb --format json"));

    double bytes = 0.0;
    double states = 0.0;
    for (const auto& item : json["memory"]) {
        const auto kind = item["kind"].get<std::string>();
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
    const Json json =
        parsed(ask("roofline gpt2 --seq 1024 --hardware a100-sxm-80gb --set activation_bits=16 "
                   "--set weight_bits=16 --pairs full --seconds 0.002 --format json"));

    EXPECT_EQ(json["peak"]["format"], "bf16");
    EXPECT_EQ(json["total"]["matmul_flops"], 291648307200);
    EXPECT_NEAR(json["total"]["mfu"].get<double>(), 291648307200 / 312e12 / 0.002, 1e-12);
    EXPECT_GT(json["total"]["lower_bound_seconds"].get<double>(), 291648307200 / 312e12);
}

TEST_F(Commands, TrainingOfGpt3SizeIsThePublishedFigure)
{
    const Json rows =
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

TEST_F(Commands, NumbersAreTakenAsTheyArePrinted)
{
    const std::string plain =
        "train llama-2-7b --hardware h100-sxm --tokens 15600000000000 --mfu 0.4 "
        "--seq 4000 --format csv";
    for (const char* typed :
         {"--tokens 15.6T --mfu 40% --seq 4k", "--tokens 15.6e12 --mfu 0,4 --seq 2*2000"}) {
        EXPECT_EQ(
            ask(std::string("train llama-2-7b --hardware h100-sxm --format csv ") + typed).out,
            ask(plain).out)
            << typed;
    }
    EXPECT_EQ(ask("train llama-2-7b --hardware h100-sxm --tokens 1T --mfu 140%").code, 2);
    EXPECT_NE(ask("cost gpt2 --seq 1.5").code, 0);
    EXPECT_NE(ask("cost gpt2 --seq 0x10").code, 0);
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
    const Json json = parsed(ask("roofline gpt2 --seq 16 --hardware good.json --format json"));

    EXPECT_EQ(json["ridge"], 10.0);
    expectRefusal("roofline gpt2 --hardware bad.json", "bad.json: devices[0].name: missing");
    expectRefusal("roofline gpt2 --hardware none.json", "none.json: cannot be read");
    expectRefusal("roofline gpt2 --hardware good.json:other", "holds no \"other\"");
    expectRefusal("roofline gpt2 --hardware h1000", "no hardware of the table");
    expectRefusal("roofline gpt2 --hardware tpu-v4", "no peak is stated for 32-bit activations");
}

} // namespace
} // namespace flopsmith
