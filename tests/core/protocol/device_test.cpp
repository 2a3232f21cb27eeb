// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/device/device.h"

#include "core/base/user_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace flopsmith {
namespace {

std::filesystem::path freshFolder()
{
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / (std::string("flopsmith_") + test->name());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

TEST(Devices, ThisCpuIsTheProgramBesideThisOne)
{
    const auto devices = ownDevices("/opt/flopsmith/bin");

    ASSERT_EQ(devices.size(), 1U);
    EXPECT_EQ(devices[0], (Device{"this CPU", {"/opt/flopsmith/bin/flopsmith-bench"}}));
}

TEST(Devices, TheGpuIsListedIfItsProgramIsThere)
{
    const auto folder = freshFolder();
    std::ofstream(folder / "flopsmith-bench-cuda") << "#!/bin/sh\n";

    const auto devices = ownDevices(folder);

    ASSERT_EQ(devices.size(), 2U);
    EXPECT_EQ(devices[1].name, "this GPU");
}

TEST(Devices, AFileAddsCommands)
{
    const auto folder = freshFolder();
    std::ofstream(folder / "devices.json")
        << R"([{"name": "box", "command": ["ssh", "box", "flopsmith-bench"]}])";

    const auto devices = allDevices(folder / "devices.json", folder);

    ASSERT_TRUE(devices.ok());
    ASSERT_EQ(devices->size(), 2U);
    EXPECT_EQ(devices->back(), (Device{"box", {"ssh", "box", "flopsmith-bench"}}));
    EXPECT_TRUE(deviceNamed("box", *devices).ok());
    EXPECT_EQ(deviceNamed("bix", *devices).error().message,
              "there is no device \"bix\"; known are \"this CPU\", \"box\"");
}

TEST(Devices, NoFileIsNoMoreDevices)
{
    const auto devices = allDevices("/nowhere/devices.json", "/nowhere");

    ASSERT_TRUE(devices.ok());
    EXPECT_EQ(devices->size(), 1U);
}

TEST(Devices, AWrongFileIsASentenceThatNamesThePlace)
{
    EXPECT_NE(devicesOf("{}", "devices.json").error().message.find("devices.json: expected a list"),
              std::string::npos);
    EXPECT_NE(devicesOf(R"([{"name": 3}])", "f").error().message.find("f[0].name"),
              std::string::npos);
    EXPECT_NE(
        devicesOf(R"([{"name": "a", "command": "ssh"}])", "f").error().message.find("f[0].command"),
        std::string::npos);
    EXPECT_NE(devicesOf(R"([{"name": "a", "command": []}])", "f").error().message.find("command"),
              std::string::npos);
    EXPECT_FALSE(devicesOf("[{", "f").ok());
}

TEST(Devices, AFolderOfTheUserIsNamedByAnAbsolutePathOrBelowHome)
{
    const char* variable = "FLOPSMITH_TEST_FOLDER";
    const char* home = std::getenv("HOME"); // NOLINT: one thread
    const std::string before = home == nullptr ? "" : home;
    setenv("HOME", "/home/somebody", 1); // NOLINT: one thread

    setenv(variable, "/elsewhere", 1); // NOLINT: one thread
    EXPECT_EQ(userFolder(variable, ".config"), "/elsewhere");
    setenv(variable, "relative", 1); // NOLINT: one thread
    EXPECT_EQ(userFolder(variable, ".config"), "/home/somebody/.config");
    unsetenv(variable); // NOLINT: one thread
    EXPECT_EQ(userFolder(variable, ".config"), "/home/somebody/.config");
    setenv("HOME", "relative", 1); // NOLINT: one thread
    EXPECT_EQ(userFolder(variable, ".config"), "");
    setenv("HOME", before.c_str(), 1); // NOLINT: one thread
}

} // namespace
} // namespace flopsmith
