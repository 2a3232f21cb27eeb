// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/hardware.h"

#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

constexpr std::string_view kDevice = R"({
  "id": "mine", "name": "Mine", "kind": "gpu",
  "memory": {"gb": 24, "source": "label"},
  "bandwidth": {"gb_per_s": 1000, "source": "label"},
  "power": {"watts": 300, "source": "label"},
  "peaks": [{"format": "bf16", "tflops": 100, "dense": true, "source": "label"}]})";

std::string fileOf(std::string_view devices)
{
    return R"({"flopsmith_hardware": 1, "devices": [)" + std::string(devices) + "]}";
}

// The device with one text replaced by another.
std::string changed(std::string_view from, std::string_view to)
{
    std::string device(kDevice);
    const std::size_t at = device.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return fileOf(device.replace(at, from.size(), to));
}

std::string refusal(const std::string& text)
{
    const auto read = hardwareFromText(text, "my.json");
    return read ? "accepted" : read.error().message;
}

TEST(HardwareTable, HoldsTheDevicesThatPeopleAskFor)
{
    for (const char* id : {"a100-sxm-80gb",
                           "h100-sxm",
                           "h100-pcie",
                           "h200-sxm",
                           "b200",
                           "mi300x",
                           "rtx-4090",
                           "l4",
                           "t4",
                           "xeon-8480",
                           "epyc-9654",
                           "m1-max"}) {
        EXPECT_TRUE(hardwareNamed(id).ok()) << id;
    }
}

TEST(HardwareTable, StatesASourceForEveryNumber)
{
    for (const Hardware& hardware : hardwareTable()) {
        EXPECT_FALSE(hardware.bytesPerSecond.source.empty()) << hardware.id;
        EXPECT_FALSE(hardware.peaks.empty()) << hardware.id;
        for (const ComputePeak& peak : hardware.peaks) {
            EXPECT_FALSE(peak.source.empty()) << hardware.id;
        }
    }
}

// The figure that everybody divides by.
TEST(HardwareTable, ShortNamesTellTheDevicesApart)
{
    std::set<std::string> names;
    for (const Hardware& each : hardwareTable()) {
        EXPECT_LT(shortName(each).size(), 24U) << each.name;
        EXPECT_TRUE(names.insert(shortName(each)).second) << each.name;
    }
    EXPECT_EQ(shortName(*hardwareNamed("h100-sxm")), "H100 SXM5 80 GB");
    EXPECT_EQ(shortName({.name = "this CPU"}), "this CPU");
}

TEST(HardwareTable, A100ComputesDense312Teraflops)
{
    const Hardware hardware = *hardwareNamed("a100-sxm-80gb");

    EXPECT_EQ(hardware.peak(NumberFormat::bf16)->flopsPerSecond, 312e12);
    EXPECT_EQ(hardware.bytesPerSecond.value, 2039e9);
}

TEST(HardwareTable, UnknownNamesAreAnsweredWithThoseThereAre)
{
    const auto none = hardwareNamed("a1000");

    ASSERT_FALSE(none.ok());
    EXPECT_NE(none.error().message.find("a100-sxm-80gb"), std::string::npos);
}

TEST(HardwarePeak, FollowsTheBitsOfActivations)
{
    const Hardware h100 = *hardwareNamed("h100-sxm");

    EXPECT_EQ(peakFor(h100, {.activationBits = 32})->format, NumberFormat::fp32);
    EXPECT_EQ(peakFor(h100, {.activationBits = 16})->format, NumberFormat::bf16);
    EXPECT_EQ(peakFor(h100, {.activationBits = 8})->format, NumberFormat::fp8);
    EXPECT_EQ(peakFor(h100, {.weightBits = 4, .activationBits = 16})->format, NumberFormat::bf16)
        << "4-bit weights are widened before they are multiplied";
}

TEST(HardwarePeak, FallsBackToTheNextWiderFormat)
{
    const Hardware t4 = *hardwareNamed("t4");
    const Hardware m1 = *hardwareNamed("m1-max");
    const Hardware tpu = *hardwareNamed("tpu-v4");

    EXPECT_EQ(peakFor(t4, {.activationBits = 16})->format, NumberFormat::fp16);
    EXPECT_EQ(peakFor(t4, {.activationBits = 4})->format, NumberFormat::int8);
    EXPECT_EQ(peakFor(m1, {.activationBits = 16})->format, NumberFormat::fp32);
    EXPECT_EQ(peakFor(tpu, {.activationBits = 32}), nullptr);
}

TEST(HardwareFile, ReadsWhatIsThere)
{
    const auto read = hardwareFromText(fileOf(kDevice), "my.json");

    ASSERT_TRUE(read.ok()) << read.error().message;
    const Hardware& device = read->front();
    EXPECT_EQ(device.name, "Mine");
    EXPECT_EQ(device.memoryBytes->value, 24e9);
    EXPECT_EQ(device.bytesPerSecond.value, 1e12);
    EXPECT_EQ(device.watts->value, 300.0);
    EXPECT_EQ(device.peaks.front().flopsPerSecond, 1e14);
}

TEST(HardwareFile, SaysInOneSentenceWhatIsWrong)
{
    EXPECT_EQ(refusal(changed("\"gb_per_s\": 1000", "\"gb_per_s\": -1")),
              "my.json: devices[0].bandwidth.gb_per_s: expected a number above 0 and at most "
              "1e+12, found -1");
    EXPECT_EQ(refusal(changed("\"gb_per_s\": 1000", "\"gb_per_s\": \"1000\"")),
              "my.json: devices[0].bandwidth.gb_per_s: expected a number above 0 and at most "
              "1e+12, found the text \"1000\"");
    EXPECT_EQ(refusal(changed("\"kind\": \"gpu\"", "\"kind\": \"fpga\"")),
              "my.json: devices[0].kind: \"fpga\" is unknown; known are gpu, tpu, cpu");
    EXPECT_EQ(refusal(changed(", \"source\": \"label\"},\n  \"power\"", "},\n  \"power\"")),
              "my.json: devices[0].bandwidth.source: missing");
    EXPECT_EQ(refusal(changed("\"watts\": 300", "\"wats\": 300")),
              "my.json: devices[0].power.wats: no such key here; known are watts, source");
    EXPECT_EQ(refusal(changed("\"id\": \"mine\"", "\"id\": \"\"")),
              "my.json: devices[0].id: expected a text in quotes of 1 to 1000 characters, found 0");
    EXPECT_EQ(refusal(fileOf("")),
              "my.json: devices: expected a list [ … ] with 1 to 1000 entries, found 0");
    EXPECT_EQ(refusal(fileOf(std::string(kDevice) + "," + std::string(kDevice))),
              "my.json: devices[1].id: \"mine\" is there twice");
    EXPECT_EQ(refusal("{\"devices\": []}"),
              "my.json: flopsmith_hardware: expected 1, the version of this format");
    EXPECT_EQ(refusal("[]"), "my.json: expected an object { … }, found a list");
}

TEST(HardwareFile, WantsDensePeaks)
{
    const std::string sparse = refusal(changed("\"dense\": true", "\"dense\": false"));
    const std::string unsaid = refusal(changed("\"dense\": true, ", ""));

    EXPECT_NE(sparse.find("devices[0].peaks[0].dense: expected true"), std::string::npos) << sparse;
    EXPECT_EQ(unsaid, "my.json: devices[0].peaks[0].dense: missing");
}

// Cut anywhere, the file is refused and never half read.
TEST(HardwareFile, EveryTruncationIsRefused)
{
    const std::string whole = fileOf(kDevice);

    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_NE(refusal(whole.substr(0, length)), "accepted") << length;
    }
}

} // namespace
} // namespace flopsmith
