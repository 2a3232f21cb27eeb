// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

// What the command line measures on this machine.
namespace flopsmith {
namespace {

TEST_F(Commands, TheBackwardPassIsMeasured)
{
    const Answer answer = ask("measure tiny --seq 5 --pass backward --budget 0.5 --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    const auto json = ownJson(answer.out);
    EXPECT_EQ(json["pass"], "backward");
    EXPECT_GT(json["total_seconds"].get<double>(), 0.0);
}

TEST_F(Commands, ThisMachinesPeaksAreMeasured)
{
    const Json json = parsed(ask("roofline gpt2 --seq 16 --hardware this --format json"));

    EXPECT_EQ(json["hardware"]["id"], "this");
    EXPECT_GT(json["ridge"].get<double>(), 0.0);
    EXPECT_NE(json["peak"]["source"].get<std::string>().find("measured"), std::string::npos);
}

TEST_F(Commands, PeaksListProductsLevelsAndTheTimeOfAnEmptyStep)
{
    const Json json = parsed(ask("peaks --budget 0.3 --format json"));

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
    const Json json = ownJson(answer.out);
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
    const Json json = ownJson(ask("measure tiny --seq 16 --budget 0.5 --format json").out);
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
    const Json json = parsed(ask(measure + "--format json"));
    const Json& whole = json["whole_pass"];

    ASSERT_TRUE(whole.contains("median_seconds")) << jsonText(json, 1);
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

TEST_F(Commands, AnUnknownDeviceExitsWithThree)
{
    const Answer answer = ask("measure tiny --device moon");

    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.out, "");
    EXPECT_NE(answer.error.find("moon"), std::string::npos) << answer.error;
}

} // namespace
} // namespace flopsmith
