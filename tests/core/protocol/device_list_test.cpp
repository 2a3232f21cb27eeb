// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/device/device_list.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

class DeviceList : public testing::Test
{
protected:
    DeviceList() { fs::remove_all(folder); }

    ~DeviceList() override { fs::remove_all(folder); }

    fs::path folder = fs::path(testing::TempDir())
        / ("device_list_"
           + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::path file = folder / "below" / "devices.json";
};

const Device kBox{"GPU \"box\" ü", {"ssh", "gpu box", "", "a'b\\c"}};
const Device kPartition{"partition", {"srun", "-p", "gpu", "flopsmith-bench-cuda"}};

TEST_F(DeviceList, IsReadBackAsItWasSaved)
{
    ASSERT_TRUE(saveDevices({kBox, kPartition}, file).ok());

    EXPECT_EQ(*listedDevices(file), (std::vector<Device>{kBox, kPartition}));
    ASSERT_TRUE(saveDevices({}, file).ok());
    EXPECT_EQ(*listedDevices(file), std::vector<Device>{});
}

TEST_F(DeviceList, AddsAtTheEndAndRemovesByName)
{
    const auto one = withDevice({}, kBox);
    const auto two = withDevice(*one, kPartition);

    EXPECT_EQ(*two, (std::vector<Device>{kBox, kPartition}));
    EXPECT_EQ(*withoutDevice(*two, kBox.name), std::vector<Device>{kPartition});
    EXPECT_EQ(withoutDevice(*two, "bix").error().message,
              "there is no device \"bix\" in the list; known are \"" + kBox.name
                  + "\", \"partition\"");
    EXPECT_NE(withoutDevice({}, "bix").error().message.find("empty"), std::string::npos);
    EXPECT_NE(withoutDevice(*two, "this CPU").error().message.find("stays"), std::string::npos);
}

TEST_F(DeviceList, RefusesNamesThatWouldConfuse)
{
    for (const char* name : {"",
                             " box",
                             "box ",
                             "two\nlines",
                             "a\xC2\x9B"
                             "b",
                             "a\xE2\x80\xAE"
                             "b",
                             "this CPU",
                             "this GPU"}) {
        EXPECT_FALSE(withDevice({}, {name, {"ssh"}}).ok()) << name;
    }
    EXPECT_NE(withDevice({kBox}, kBox).error().message.find("already"), std::string::npos);
    EXPECT_NE(withDevice({}, {"box", {}}).error().message.find("needs a command"),
              std::string::npos);
    EXPECT_FALSE(withDevice({}, {"box", {"", "x"}}).ok());
}

TEST_F(DeviceList, AFileWithANameTwiceNamesThePlace)
{
    const auto read =
        devicesOf(R"([{"name":"a","command":["x"]},{"name":"a","command":["y"]}])", "f");

    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message.rfind("f[1]: there is a device \"a\" already", 0), 0U);
}

TEST_F(DeviceList, ThatCannotBeSavedStaysAsItWas)
{
    fs::create_directories(folder);
    std::ofstream(folder / "below") << "a file where a folder should be";

    EXPECT_FALSE(saveDevices({kBox}, file).ok());
    std::ifstream kept(folder / "below");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}),
              "a file where a folder should be");
    EXPECT_FALSE(saveDevices({kBox}, "").ok());
}

TEST_F(DeviceList, SavingKeepsWhatAPersonWroteBesideNameAndCommand)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file) << R"([{"note":"in the cellar","name":"partition","command":["old"],)"
                        << R"("x":[1]}])";

    ASSERT_TRUE(saveDevices({kBox, kPartition}, file).ok());

    EXPECT_EQ(*listedDevices(file), (std::vector<Device>{kBox, kPartition}));
    std::ifstream in(file);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    EXPECT_NE(text.find("\"note\": \"in the cellar\""), std::string::npos) << text;
    EXPECT_NE(text.find("\"x\""), std::string::npos) << text;
    EXPECT_EQ(text.find("old"), std::string::npos) << text;
}

} // namespace
} // namespace flopsmith
