// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

#include <csignal>
#include <map>
#include <set>

// Sweeps with the figures of a device, and measured on devices of all kinds.
namespace flopsmith {
namespace {

class Sweeps : public Commands
{
protected:
    // Runs the program with these devices beside this CPU: name and shell script. $BENCH is the
    // measuring program.
    Answer askWith(const std::map<std::string, std::string>& devices,
                   const std::string& arguments) const
    {
        fs::create_directories(folder / "config" / "flopsmith");
        Json list = Json::array();
        for (const auto& [name, script] : devices) {
            list.push_back({{"name", name}, {"command", {"/bin/sh", "-c", script}}});
        }
        file("config/flopsmith/devices.json", jsonText(list));
        return shell("export XDG_CONFIG_HOME=" + shellWord(folder / "config") + " BENCH=" + bench()
                     + "; flopsmith " + arguments);
    }
};

TEST_F(Sweeps, KnowTheFiguresOfADevice)
{
    const Answer swept =
        ask("sweep gpt2 --axis seq=128,1024 --hardware h100-sxm --format json --metric "
            "lower_bound_seconds,energy_joules,training_memory_bytes,memory_share");
    ASSERT_EQ(swept.code, 0) << swept.error;
    const auto rows = ownJson(swept.out);
    const Json roofline =
        ownJson(ask("roofline gpt2 --seq 128 --hardware h100-sxm --format json").out);
    EXPECT_EQ(rows.at(0).at("lower_bound_seconds"), roofline["total"]["lower_bound_seconds"]);
    EXPECT_LT(rows.at(0).at("energy_joules").get<double>(),
              rows.at(1).at("energy_joules").get<double>());
    const Json memory = ownJson(ask("memory gpt2 --seq 128 --phase train --format json").out);
    EXPECT_EQ(rows.at(0).at("training_memory_bytes"), memory["total_bytes"]);

    const Answer found = ask("find gpt2 --largest batch --phase train --hardware h100-sxm "
                             "--bound 'memory_share<=1' --format json");
    ASSERT_EQ(found.code, 0) << found.error;
    EXPECT_LE(ownJson(found.out).at(0).at("memory_share").get<double>(), 1.0);

    expectRefusal("sweep gpt2 --axis seq=1..9 --metric lower_bound_seconds", "--hardware");
    expectRefusal("find gpt2 --largest batch --bound 'lower_bound_seconds<=1'", "--hardware");
    expectRefusal("sweep gpt2 --axis seq=1..9 --hardware h100-sxm --peak int4", "int4");
    EXPECT_EQ(ask("sweep gpt2 --axis seq=1..9 --peak bf16").code, 2);
}

TEST_F(Sweeps, ChartsShowTheLeastTimeOfADevice)
{
    const std::string chart = "chart gpt2 --kind scaling --metric lower_bound_seconds -o t.csv";

    expectRefusal(chart, "--hardware");
    EXPECT_EQ(ask(chart + " --hardware h100-sxm").code, 0);
    EXPECT_GT(text(folder / "t.csv").size(), 100U);
}

TEST_F(Sweeps, MeasureTheirPointsOnThisCpu)
{
    const Answer answer = ask("sweep tiny --axis seq=4,8 --metric flops,time,time_mad,"
                              "tokens_per_second,flops_per_second --budget 0.2 --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    const Json rows = ownJson(answer.out);
    ASSERT_EQ(rows.size(), 2U);
    for (const Json& row : rows) {
        const auto time = row.at("time").get<double>();
        EXPECT_GT(time, 0.0);
        EXPECT_GE(row.at("time_mad").get<double>(), 0.0);
        EXPECT_NEAR(row.at("tokens_per_second").get<double>() * time,
                    row.at("seq").get<double>(),
                    1e-9 * row.at("seq").get<double>());
        EXPECT_GT(row.at("flops_per_second").get<double>(), 0.0);
        EXPECT_EQ(row.at("device"), "this CPU");
    }
}

TEST_F(Sweeps, TheSameQuestionsAreAnsweredFromTheStore)
{
    const std::string sweep = "sweep tiny --axis seq=4,8 --metric time --budget 0.2 --format json";
    const Answer first = ask(sweep);
    ASSERT_EQ(first.code, 0) << first.error;
    EXPECT_EQ(first.error.find("--fresh"), std::string::npos) << first.error;

    const Answer second = ask(sweep);
    EXPECT_EQ(second.out, first.out);
    EXPECT_NE(second.error.find("2 of 2 points were measured before"), std::string::npos)
        << second.error;
    EXPECT_NE(second.error.find("--fresh measures them again"), std::string::npos);

    const Answer fresh = ask(sweep + " --fresh");
    EXPECT_EQ(fresh.error.find("before"), std::string::npos) << fresh.error;
    const Answer without = ask(sweep + " --no-store");
    EXPECT_EQ(without.error.find("before"), std::string::npos) << without.error;
}

TEST_F(Sweeps, SpreadTheirPointsOverDevices)
{
    // The first one measures until it dies for good; the second waits for that.
    const Answer answer = askWith(
        {{"mortal",
          "[ -e dead ] && exit 7; "
          "\"$BENCH\" | { while read -r line; do printf '%s\\n' \"$line\"; "
          "case \"$line\" in *'\"type\":\"measured\"'*) : > dead; exit;; esac; done; }"},
         {"patient", "while [ ! -e dead ]; do sleep 0.02; done; exec \"$BENCH\""}},
        "sweep tiny --axis seq=1,2,3,4,5,6 --metric time --device mortal,patient --budget 0.1 "
        "--format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    const Json rows = ownJson(answer.out);
    ASSERT_EQ(rows.size(), 6U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].at("seq"), i + 1);
        EXPECT_GT(rows[i].at("time").get<double>(), 0.0);
        EXPECT_EQ(rows[i].at("device"), "patient"); // no point was finished by the other
    }
    EXPECT_NE(answer.error.find("mortal"), std::string::npos) << answer.error;
}

TEST_F(Sweeps, WithoutAnyDeviceLeftExitWithThree)
{
    const Answer answer = askWith({{"mute", "exit 4"}, {"babbling", "echo hello; sleep 100"}},
                                  "sweep tiny --axis seq=1,2,3,4,5,6 --metric time "
                                  "--device mute --device babbling --format csv");

    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.errorLines(), 1) << answer.error;
    EXPECT_NE(answer.error.find("mute"), std::string::npos) << answer.error;
    EXPECT_NE(answer.error.find("babbling"), std::string::npos) << answer.error;
    EXPECT_EQ(ask("sweep tiny --axis seq=1,2 --metric time --device moon").code, 3);
    EXPECT_EQ(ask("sweep tiny --axis seq=1,2 --device 'this CPU,this CPU'").code, 3);
}

// The device interrupts the program itself at its third point, and then hangs.
TEST_F(Sweeps, KeepTheRowsSoFarWhenInterrupted)
{
    const std::string script =
        "parent=$PPID; \"$BENCH\" | { n=0; while read -r line; do case \"$line\" in "
        "*'\"type\":\"measured\"'*) n=$((n+1));; esac; printf '%s\\n' \"$line\"; "
        "[ $n -ge 15 ] && { kill -INT $parent; sleep 100; }; done; }";

    const Answer answer = askWith({{"interrupting", script}},
                                  "sweep tiny --axis 'seq=1..100:step 1' --metric time "
                                  "--device interrupting --budget 0.1 --format csv -o rows.csv");

    EXPECT_NE(answer.code, 0);
    const std::string csv = text(folder / "rows.csv");
    const auto lines = std::count(csv.begin(), csv.end(), '\n');
    EXPECT_GT(lines, 1) << answer.error;
    EXPECT_LT(lines, 101);
    EXPECT_NE(answer.error.find("stopped after"), std::string::npos) << answer.error;
}

} // namespace
} // namespace flopsmith
