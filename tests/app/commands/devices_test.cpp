// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"
#include "tests/support/torch_stand_in.h"

#include <gmock/gmock.h>

#include <sstream>

// A list of devices of the test's own, and wrappers that behave as remote machines at their worst.
namespace flopsmith {
namespace {

class DeviceCommands : public Commands
{
protected:
    DeviceCommands()
    {
        if (const char* config = std::getenv("XDG_CONFIG_HOME")) { // NOLINT: one thread
            before = config;
        }
        setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1); // NOLINT: one thread
    }

    ~DeviceCommands() override
    {
        setenv("XDG_CONFIG_HOME", before.c_str(), 1); // NOLINT: one thread
    }

    // Adds a device that runs `script` before, around or instead of the real program.
    void addWrapper(const std::string& name, const std::string& script) const
    {
        const fs::path path = file(name + ".sh", script);
        const Answer answer = ask("devices add '" + name + "' -- /bin/sh '" + path.string() + "'");
        ASSERT_EQ(answer.code, 0) << answer.error;
    }

    Json listed(const std::string& options = "") const
    {
        const Answer answer = ask("devices --format json " + options);
        EXPECT_EQ(answer.code, 0) << answer.error;
        Json byName;
        for (const Json& row : ownJson(answer.out)) {
            byName[row["name"].get<std::string>()] = row;
        }
        return byName;
    }

    Answer measured(const std::string& device) const
    {
        return ask("measure tiny --seq 8 --budget 0.2 --format json --device '" + device + "'");
    }

    std::string before;
};

TEST_F(DeviceCommands, ADeviceIsAddedListedAndRemoved)
{
    addWrapper("far away", "exec " + bench());

    const Json row = listed()["far away"];
    EXPECT_NE(row["state"].get<std::string>().find("ready, flopsmith-bench"), std::string::npos);
    EXPECT_NE(row["command"].get<std::string>().find("far away.sh'"), std::string::npos);
    expectRefusal("devices add 'far away' -- x", "there is a device \"far away\" already");

    EXPECT_EQ(ask("devices remove 'far away'").code, 0);
    EXPECT_FALSE(listed().contains("far away"));
    expectRefusal("devices remove 'far away'", "there is no device \"far away\"");
}

TEST_F(DeviceCommands, OptionsOfTheCommandStandBehindTwoDashes)
{
    ASSERT_EQ(ask("devices add a100 -- srun -p gpu --gpus 1 flopsmith-bench-cuda").code, 0);

    EXPECT_EQ(ownJson(text(folder / "config" / "flopsmith" / "devices.json"))[0]["command"],
              Json({"srun", "-p", "gpu", "--gpus", "1", "flopsmith-bench-cuda"}));
    EXPECT_EQ(ask("devices add b100").code, 2);
    expectRefusal("devices add 'this CPU' -- x", "\"this CPU\" is a device of this program itself");
}

TEST_F(DeviceCommands, APythonWithPyTorchIsADevice)
{
    const std::string python = test::torchStandIn(folder);
    const Answer best = ask("devices add 'laptop GPU' --torch " + shellWord(python));
    ASSERT_EQ(best.code, 0) << best.error;
    EXPECT_NE(best.error.find("cuda:0 (Stand-in GPU), cpu"), std::string::npos) << best.error;
    const std::string other = "devices add b --torch ./python3 --torch-device ";
    ASSERT_EQ(ask(other + "cpu --compile").code, 0);
    ASSERT_EQ(shell("PATH=.:$PATH flopsmith devices add c --torch").code, 0);

    const Json added = ownJson(text(folder / "config" / "flopsmith" / "devices.json"));
    const std::string program = builtProgram("flopsmith-bench-torch");
    EXPECT_EQ(added[0]["command"], Json({program, "--python", python, "--device", "cuda:0"}));
    EXPECT_EQ(added[1]["command"],
              Json({program, "--python", python, "--device", "cpu", "--compile"}));
    EXPECT_EQ(added[2]["command"], Json({program, "--python", "python3", "--device", "cuda:0"}));
    const std::string state = listed()["laptop GPU"]["state"].get<std::string>();
    EXPECT_EQ(state, "ready, PyTorch 2.6.0, eager, CUDA 12.4");

    ASSERT_EQ(ask("devices remove b").code, 0);
    expectRefusal(other + "xpu", "PyTorch sees no xpu; it sees cuda:0 (Stand-in GPU), cpu");
    expectRefusal("devices add b --torch no-such-python", "cannot be started");
    expectRefusal("devices add b --torch /bin/true", "it ended with exit code 0");
    EXPECT_EQ(ask("devices add b --torch ./python3 -- x").code, 2);
    EXPECT_EQ(ask("devices add b --compile -- x").code, 2);
}

TEST_F(DeviceCommands, AListThatCannotBeReadIsLeftAsItIs)
{
    fs::create_directories(folder / "config" / "flopsmith");
    file("config/flopsmith/devices.json", "[{\"name\": 3}]");

    expectRefusal("devices add box -- ssh box", "devices.json[0]");
    EXPECT_EQ(text(folder / "config" / "flopsmith" / "devices.json"), "[{\"name\": 3}]");
}

TEST_F(DeviceCommands, ASlowRemoteMeasuresAsAnyOther)
{
    addWrapper("slow", "sleep 0.3; exec " + bench());

    const Answer answer = measured("slow");
    ASSERT_EQ(answer.code, 0) << answer.error;
    EXPECT_NE(answer.out.find("\"slow\""), std::string::npos) << answer.out;
}

TEST_F(DeviceCommands, ARemoteThatGreetsOnItsErrorChannelDoesNoHarm)
{
    addWrapper("chatty", "echo 'Welcome to the cluster' >&2; exec " + bench());

    EXPECT_EQ(measured("chatty").code, 0);
}

TEST_F(DeviceCommands, ARemoteThatBabblesIsNamed)
{
    addWrapper("garbled", "echo 'Welcome to the cluster'; exec " + bench());

    const Answer answer = measured("garbled");
    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.errorLines(), 1) << answer.error;
    EXPECT_NE(answer.error.find("garbled"), std::string::npos) << answer.error;
}

TEST_F(DeviceCommands, ARemoteThatDiesTellsItsLastWords)
{
    addWrapper("dying", "read -r line; echo 'connection lost by force' >&2; exit 255");

    const Answer answer = measured("dying");
    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.errorLines(), 1) << answer.error;
    EXPECT_NE(answer.error.find("connection lost by force"), std::string::npos) << answer.error;
}

TEST_F(DeviceCommands, ACommandThatDoesNotExistIsNamed)
{
    ASSERT_EQ(ask("devices add nowhere -- /no/such/program").code, 0);

    const Answer answer = measured("nowhere");
    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.errorLines(), 1) << answer.error;
    EXPECT_NE(answer.error.find("/no/such/program"), std::string::npos) << answer.error;
}

// Installed far down, where no measuring program stands beside it.
TEST_F(DeviceCommands, TheListForPeopleFitsATerminalWhateverTheCommands)
{
    const fs::path far = folder / std::string(200, 'd');
    fs::create_directory(far);
    fs::copy_file(builtProgram("flopsmith"), far / "flopsmith");
    const std::string longest =
        "ssh -o BatchMode=yes -o ConnectTimeout=5 -p 2222 gpu-box.example.org "
        "env CUDA_VISIBLE_DEVICES=3 flopsmith-bench-cuda";
    ASSERT_EQ(ask("devices add far -- /no/such/" + longest).code, 0);

    const Answer answer = shell(shellWord(far / "flopsmith") + " devices");
    EXPECT_NE(answer.out.find("far       not available"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("\"/no/such/ssh\""), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("d/flopsmith-bench"), std::string::npos) << answer.out;
    std::istringstream lines(answer.out);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_TRUE(line.size() < 140 || line.find("\xE2\x94\x80") != std::string::npos) << line;
    }
}

TEST_F(DeviceCommands, PatienceOutOfItsLimitsIsASentence)
{
    const Answer answer = ask("devices --patience 0");
    EXPECT_EQ(answer.code, 2);
    EXPECT_NE(answer.error.find("0 is no number from 0.1 to 3600"), std::string::npos)
        << answer.error;
    EXPECT_EQ(ask("devices --patience nan").code, 2);
}

// The others answer all the same.
TEST_F(DeviceCommands, ARemoteThatHangsIsGivenUpAlone)
{
    addWrapper("hanging", "exec sleep 100");
    addWrapper("well", "exec " + bench());

    const Json rows = listed("--patience 2");
    EXPECT_EQ(rows["hanging"]["device"], "");
    EXPECT_NE(rows["hanging"]["state"].get<std::string>().find("hanging"), std::string::npos);
    EXPECT_NE(rows["well"]["state"].get<std::string>().find("ready"), std::string::npos);
}

TEST_F(DeviceCommands, AWorkerOfAnotherVersionIsNamed)
{
    addWrapper("newer",
               "while read -r line; do echo '{\"protocol\":2,\"type\":\"described\",\"id\":1,"
               "\"device\":\"x\",\"kind\":\"cpu\",\"program\":\"y\"}'; done");

    const Answer answer = measured("newer");
    EXPECT_EQ(answer.code, 3);
    EXPECT_NE(answer.error.find("newer"), std::string::npos) << answer.error;
    EXPECT_NE(answer.error.find("version"), std::string::npos) << answer.error;
}

TEST_F(DeviceCommands, ADamagedListDoesNotConcernThisCpu)
{
    fs::create_directories(folder / "config" / "flopsmith");
    file("config/flopsmith/devices.json", "[{\"name\": 3}]");

    EXPECT_EQ(measured("this CPU").code, 0);
    EXPECT_EQ(ask("measure tiny --seq 8 --budget 0.2").code, 0);
    expectRefusal("measure tiny --device box", "devices.json[0].name");
    expectRefusal("sweep tiny --axis seq=1,2 --metric time --device box", "devices.json[0].name");
    expectRefusal("peaks --device box", "devices.json[0].name");
    expectRefusal("devices", "devices.json[0].name");
}

TEST_F(DeviceCommands, AListThatIsAPipeIsRefused)
{
    ASSERT_EQ(shell("mkdir -p config/flopsmith && mkfifo config/flopsmith/devices.json").code, 0);

    expectRefusal("measure tiny --device box", "nobody writes into it");
    EXPECT_EQ(measured("this CPU").code, 0);
}

TEST_F(DeviceCommands, AddingKeepsWhatElseStandsInTheList)
{
    fs::create_directories(folder / "config" / "flopsmith");
    const fs::path list = file("config/flopsmith/devices.json",
                               R"([{"name": "old", "command": ["x"], "note": "in the cellar"}])");

    ASSERT_EQ(ask("devices add new -- y").code, 0);

    const Json kept = ownJson(text(list));
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[0]["note"], "in the cellar");
    EXPECT_EQ(kept[1]["name"], "new");
}

TEST_F(DeviceCommands, ARelativeFolderForTheListIsIgnored)
{
    ASSERT_EQ(
        shell("export HOME=\"$PWD/home\" XDG_CONFIG_HOME=relative; flopsmith devices add a -- b")
            .code,
        0);

    EXPECT_FALSE(fs::exists(folder / "relative"));
    EXPECT_TRUE(fs::exists(folder / "home" / ".config" / "flopsmith" / "devices.json"));
}

TEST_F(DeviceCommands, WhatADeviceCallsItselfKeepsToItsCell)
{
    addWrapper("loud",
               "read -r line; printf '%s\\n' '{\"protocol\":1,\"type\":\"described\",\"id\":1,"
               "\"device\":\"G\\u001b[2J\\nB'$(printf '%060000d' 0)'\",\"kind\":\"cpu\","
               "\"program\":\"p\",\"libraries\":[],\"environment\":{\"logical_cores\":1,"
               "\"usable_cores\":1,\"threads\":1,\"instruction_sets\":[],"
               "\"virtual_machine\":false}}'");

    const Answer answer = ask("devices");

    EXPECT_EQ(answer.out.find('\x1B'), std::string::npos) << answer.out;
    EXPECT_THAT(answer.out, testing::ContainsRegex("ready +G \\[2J\n"))
        << "however wide the states of the other devices are";
    EXPECT_NE(answer.out.find(" B00"), std::string::npos) << "on a line of its own";
    EXPECT_LT(answer.out.size(), 4'000U);
}

} // namespace
} // namespace flopsmith
