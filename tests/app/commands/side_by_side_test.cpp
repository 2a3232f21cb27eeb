// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "core/protocol/device/device_list.h"
#include "tests/app/commands/command_test.h"
#include "tests/app/commands/stand_in.h"

// Several devices in one command: stand-ins that answer at once, and some that never do.
namespace flopsmith {
namespace {

class SideBySide : public Commands
{
protected:
    SideBySide()
    {
        if (const char* config = std::getenv("XDG_CONFIG_HOME")) { // NOLINT: one thread
            before = config;
        }
        setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1); // NOLINT: one thread
        const std::vector<std::string> good = standInCommand("measured");
        const std::vector<std::string> full = standInCommand("failure");
        const std::string dying = "read -r line; echo 'connection lost by force' >&2; exit 255";
        const std::string moody = "if [ -e busy ]; then measured | sed "
                                  "'s/\"median_seconds\":[^,]*/\"median_seconds\":9/'; "
                                  "else measured; fi";
        EXPECT_TRUE(saveDevices({{"one", good},
                                 {"two", good},
                                 {"box, two GPUs", good},
                                 {"moody", standInCommand(moody)},
                                 {"full", full},
                                 {"dying", {"/bin/sh", "-c", dying}},
                                 {"nowhere", {"/no/such/program"}}}));
    }

    ~SideBySide() override
    {
        setenv("XDG_CONFIG_HOME", before.c_str(), 1); // NOLINT: one thread
    }

    Answer measured(const std::string& options) const
    {
        return ask("measure tiny --seq 8 --budget 0.2 --no-store " + options);
    }

    std::string before;
};

TEST_F(SideBySide, JsonHasAnEntryPerDeviceThatSaysWhatItSaysAlone)
{
    const Answer both = measured("--format json --device one,two");
    ASSERT_EQ(both.code, 0) << both.error;
    const Json json = ownJson(both.out);
    const Answer single = measured("--format json --device two");
    ASSERT_EQ(single.code, 0) << single.error;
    const Json alone = ownJson(single.out);

    ASSERT_EQ(json["devices"].size(), 2U);
    EXPECT_EQ(json["model"], alone["model"]);
    EXPECT_EQ(json["workload"], alone["workload"]);
    const Json& two = json["devices"][1];
    EXPECT_EQ(two["device"], alone["device"]);
    EXPECT_EQ(two["total_seconds"], alone["total_seconds"]);
    ASSERT_EQ(two["parts"].size(), alone["parts"].size());
    for (std::size_t i = 0; i < alone["parts"].size(); ++i) {
        EXPECT_EQ(two["parts"][i]["median_seconds"], alone["parts"][i]["median_seconds"]);
        EXPECT_EQ(two["parts"][i]["ratio_to_first"], 1.0);
    }
    EXPECT_EQ(two["ratio_to_first"], 1.0);
    EXPECT_EQ(both.error, "");
}

TEST_F(SideBySide, TheTableHasAColumnPerDeviceAndItsRatio)
{
    const Answer csv = measured("--format csv --device one --device two");
    ASSERT_EQ(csv.code, 0) << csv.error;
    EXPECT_EQ(csv.out.substr(0, csv.out.find_first_of("\r\n")),
              "path,uses,all_uses_seconds one,all_uses_seconds two,ratio two");

    const Answer people = measured("--device one --device two");
    EXPECT_NE(people.out.find("two"), std::string::npos) << people.out;
    EXPECT_NE(people.out.find("1\xC3\x97"), std::string::npos) << people.out;
    EXPECT_NE(people.out.find("test device"), std::string::npos) << people.out;
}

TEST_F(SideBySide, TimesThatDoNotRepeatAreSaidToDiffer)
{
    const std::string command = "measure tiny --seq 8 --budget 0.2 --device moody ";
    const Answer first = ask(command + "--format json");
    ASSERT_EQ(first.code, 0) << first.error;
    EXPECT_FALSE(ownJson(first.out)["parts"][0].contains("measurements"));
    EXPECT_EQ(ask(command).out.find("noise"), std::string::npos);
    (void)file("busy", "");

    const Answer again = ask(command + "--fresh");
    EXPECT_NE(again.out.find("did not settle"), std::string::npos) << again.out;
    EXPECT_NE(again.out.find(": 2 measurements of one run gave 6.10 ms to 9 s.\n"),
              std::string::npos)
        << again.out;

    const Json stored = ownJson(ask(command + "--format json").out);
    for (const Json& part : stored["parts"]) {
        EXPECT_EQ(part["settled"], false);
        EXPECT_EQ(part["measurements"],
                  (Json{{"times", 2},
                        {"lowest_median_seconds", 0.0061},
                        {"highest_median_seconds", 9.0}}));
    }
    EXPECT_NE(ask("results").out.find("2: 6.10 ms to 9 s"), std::string::npos);
    const std::string csv = ask("results --format csv").out;
    EXPECT_NE(csv.find(",measurements,lowest_median_seconds,highest_median_seconds,"),
              std::string::npos)
        << csv;
    EXPECT_NE(csv.find(",2,0.0061,9,"), std::string::npos) << csv;
}

// With run times and without, every chart is there.
TEST_F(SideBySide, ADemoHasAFileOfEveryChart)
{
    for (const char* device : {"one", "nowhere"}) {
        const std::string out = std::string("out-") + device;
        const Answer answer = ask("demo --no-store --device " + std::string(device) + " -o " + out);

        ASSERT_EQ(answer.code, 0) << answer.error;
        for (const char* chart : {"share",
                                  "scaling",
                                  "runtime",
                                  "claims",
                                  "waterfall",
                                  "memory",
                                  "roofline",
                                  "mislead",
                                  "heat",
                                  "pareto"}) {
            for (const char* suffix : {".svg", ".pdf", ".png", ".csv"}) {
                EXPECT_GT(fs::file_size(folder / out / (chart + std::string(suffix))), 30U)
                    << chart << suffix;
            }
        }
        EXPECT_NE(text(folder / out / "index.html").find("mislead.svg"), std::string::npos);
        const bool measured = fs::exists(folder / out / "run-time.csv");
        EXPECT_EQ(measured, device == std::string("one"));
        EXPECT_EQ(answer.error.find("nothing was measured") == std::string::npos, measured);
    }
}

TEST_F(SideBySide, OneThatCannotBeAskedIsANote)
{
    for (const char* order : {"--device one,dying", "--device dying --device one"}) {
        const Answer answer = measured(std::string("--format json ") + order);
        ASSERT_EQ(answer.code, 0) << answer.error;
        EXPECT_EQ(answer.errorLines(), 1) << answer.error;
        EXPECT_NE(answer.error.find("connection lost by force"), std::string::npos) << answer.error;
        int unavailable = 0;
        const Json all = ownJson(answer.out);
        for (const Json& device : all["devices"]) {
            unavailable += device.contains("unavailable") ? 1 : 0;
        }
        EXPECT_EQ(unavailable, 1);
    }
    EXPECT_EQ(measured("--device dying --device one").code, 0);
}

TEST_F(SideBySide, AListOfNamesIsSplitAtCommasButNotANameThatHasOne)
{
    const auto devicesIn = [](const Answer& answer) {
        return answer.code == 0 ? ownJson(answer.out).value("devices", Json::array()).size() : 0U;
    };
    EXPECT_EQ(devicesIn(measured("--format json --device one,two")), 2U);
    EXPECT_EQ(devicesIn(measured("--format json --device 'box, two GPUs' --device one")), 2U);
    const Answer alone = measured("--format json --device 'box, two GPUs'");
    ASSERT_EQ(alone.code, 0) << alone.error;
    EXPECT_FALSE(ownJson(alone.out).contains("devices"));
    for (const char* wrong : {"one,", ",one", "one,,two", ","}) {
        EXPECT_EQ(measured(std::string("--device ") + wrong).code, 3) << wrong;
    }
    EXPECT_NE(measured("--device one,one").error.find("named twice"), std::string::npos);
}

TEST_F(SideBySide, NoneThatCanBeAskedExitsWithThree)
{
    for (const char* devices :
         {"--device nowhere --device dying", "--device dying --device full"}) {
        const Answer answer = measured(devices);
        EXPECT_EQ(answer.code, 3) << devices;
        EXPECT_EQ(answer.out, "") << devices;
        EXPECT_EQ(answer.errorLines(), 1) << answer.error;
    }
    EXPECT_EQ(measured("--device one --device unheard").code, 3);
    EXPECT_NE(measured("--device one --device one").error.find("named twice"), std::string::npos);
}

TEST_F(SideBySide, AChartShowsThemAll)
{
    const std::string chart = "chart tiny --seq 8 --budget 0.2 --no-store --kind runtime ";
    ASSERT_EQ(ask(chart + "--device one --device two --device dying -o t.csv").code, 0);
    const std::string csv = text(folder / "t.csv");
    for (const char* expected : {"device,part", "\none,", "\ntwo,", "\ndying,", "lost by force"}) {
        EXPECT_NE(csv.find(expected), std::string::npos) << expected << "\n" << csv;
    }

    const Answer svg = ask(chart + "--device one --device dying -o t.svg");
    ASSERT_EQ(svg.code, 0) << svg.error;
    EXPECT_NE(text(folder / "t.svg").find("unavailable"), std::string::npos);
    EXPECT_NE(svg.error.find("lost by force"), std::string::npos) << svg.error;

    EXPECT_EQ(ask(chart + "--device nowhere --device dying -o none.svg").code, 3);
    EXPECT_FALSE(fs::exists(folder / "none.svg"));
    EXPECT_EQ(ask("chart tiny --kind share --device one --device two -o s.svg").code, 2);
}

TEST_F(SideBySide, ModelsBesideEachOtherAreMeasuredOnOneDevice)
{
    const std::string chart = "chart tiny --seq 8 --budget 0.2 --no-store --kind runtime ";
    ASSERT_EQ(ask(chart + "--device one -o alone.csv").code, 0);
    const Answer both = ask(chart + "--with gpt2 --device one -o both.csv");
    ASSERT_EQ(both.code, 0) << both.error;

    const std::string alone = text(folder / "alone.csv");
    const std::string beside = text(folder / "both.csv");
    EXPECT_EQ(alone.find(",gpt2"), std::string::npos) << alone;
    EXPECT_NE(beside.find(",gpt2"), std::string::npos) << beside;
    EXPECT_EQ(both.error.find("alone"), std::string::npos) << both.error;

    const Answer several = ask(chart + "--with gpt2 --device one --device two -o no.csv");
    EXPECT_EQ(several.code, 2);
    EXPECT_NE(several.error.find("several --device or several models, not both"), std::string::npos)
        << several.error;
    EXPECT_FALSE(fs::exists(folder / "no.csv"));
}

} // namespace
} // namespace flopsmith
