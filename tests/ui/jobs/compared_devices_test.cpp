// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/compared_devices.h"

#include "core/model/presets.h"
#include "tests/core/protocol/workers.h"
#include "tests/ui/waiting.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace flopsmith::ui {
namespace {

using test::kLong;

constexpr double kBudget = 1.0;

class ComparedDevicesTest : public testing::Test
{
protected:
    // A stand-in that runs `body` for every part.
    static Device standIn(const std::string& name, const std::string& body = "measured")
    {
        Device device = scripted(shellWorker(body));
        device.name = name;
        return device;
    }

    std::string file(const char* name) const
    {
        return folder.filePath(QLatin1String(name)).toStdString();
    }

    QByteArray text(const char* name) const
    {
        QFile in(folder.filePath(QLatin1String(name)));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

    bool allAre(std::size_t device, PartState state) const
    {
        const std::vector<PartTime> times = compared.times(plan)[device].times;
        return std::all_of(times.begin(), times.end(), [state](const PartTime& time) {
            return time.state == state;
        });
    }

    bool waitUntilAllAre(std::size_t device, PartState state) const
    {
        return QTest::qWaitFor([&] { return allAre(device, state); }, kLong);
    }

    bool waitUntilFinished() const
    {
        return QTest::qWaitFor([this] { return !compared.isRunning(); }, kLong);
    }

    QTemporaryDir folder;
    std::vector<MeasuredPart> plan =
        measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = 8}});
    ComparedDevices compared;
};

// The first writes a line that only the second one reads: one after the other would never end.
TEST_F(ComparedDevicesTest, FarDevicesMeasureAtTheSameTime)
{
    const std::string pipe = file("pipe");
    const std::string once = file("once");
    compared.setDevices(
        {standIn("near",
                 "[ -e '" + once + "' ] || { : > '" + once + "'; mkfifo '" + pipe + "'; : > '"
                     + pipe + ".there'; echo x > '" + pipe + "'; }; measured"),
         standIn("far",
                 "[ -e '" + once + ".read' ] || { : > '" + once + ".read'; until [ -e '" + pipe
                     + ".there' ]; do :; done; read -r word < '" + pipe + "'; }; measured")});
    QSignalSpy finished(&compared, &ComparedDevices::finished);

    compared.start(plan, kBudget, true);

    ASSERT_TRUE(finished.wait(kLong));
    EXPECT_TRUE(allAre(0, PartState::settled));
    EXPECT_TRUE(allAre(1, PartState::settled));
    EXPECT_EQ(compared.partsDone(), compared.partsInAll());
    EXPECT_EQ(compared.partsInAll(), static_cast<int>(2 * plan.size()));
    EXPECT_EQ(finished.count(), 1);
}

TEST_F(ComparedDevicesTest, ThoseOfThisMachineWaitForEachOther)
{
    const std::string log = file("log");
    compared.setDevices({standIn(std::string(kThisGpu), "printf g >> '" + log + "'; measured"),
                         standIn(std::string(kThisCpu), "printf c >> '" + log + "'; measured"),
                         standIn("box")});

    compared.start(plan, kBudget, true);
    ASSERT_TRUE(waitUntilAllAre(2, PartState::settled));

    EXPECT_EQ(text("log"), QByteArray()) << "the main device still has the machine";
    EXPECT_TRUE(compared.isRunning());
    EXPECT_TRUE(allAre(0, PartState::queued));

    compared.machineIsFree();
    ASSERT_TRUE(waitUntilFinished());

    const auto parts = static_cast<qsizetype>(plan.size());
    EXPECT_EQ(text("log"), QByteArray(parts, 'g') + QByteArray(parts, 'c'));
    EXPECT_TRUE(allAre(1, PartState::settled));
}

TEST_F(ComparedDevicesTest, OneThatCannotBeAskedConcernsNoOther)
{
    compared.setDevices({{"nowhere", {"/no/such/program"}}, standIn("box")});
    QSignalSpy failed(&compared, &ComparedDevices::failed);

    compared.start(plan, kBudget, false);
    ASSERT_TRUE(waitUntilFinished());

    ASSERT_EQ(failed.count(), 1);
    EXPECT_EQ(failed[0][0].toString(), QStringLiteral("nowhere"));
    const std::vector<DeviceTimes> times = compared.times(plan);
    EXPECT_EQ(times[0].unavailable, failed[0][1].toString().toStdString());
    EXPECT_EQ(times[1].unavailable, "");
    EXPECT_TRUE(allAre(1, PartState::settled));
    ASSERT_TRUE(times[1].roofs.has_value());
    EXPECT_TRUE(compared.hasReachable());

    compared.start(plan, kBudget, false); // it is not asked again on its own
    ASSERT_TRUE(waitUntilFinished());
    EXPECT_EQ(failed.count(), 1);
    compared.forget();
    compared.start(plan, kBudget, false);
    ASSERT_TRUE(waitUntilFinished());
    EXPECT_EQ(failed.count(), 2);
}

TEST_F(ComparedDevicesTest, CancellingStopsAllAndStartsNone)
{
    const std::string sign = file("hangs");
    compared.setDevices({standIn("box", ": > '" + sign + "'; sleep 100"),
                         standIn(std::string(kThisCpu)),
                         standIn(std::string(kThisGpu))});
    QSignalSpy finished(&compared, &ComparedDevices::finished);
    compared.start(plan, kBudget, true);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return QFile::exists(QString::fromStdString(sign)); }, kLong));

    compared.cancel();
    compared.machineIsFree();

    EXPECT_FALSE(compared.isRunning());
    EXPECT_EQ(finished.count(), 1);
    for (std::size_t device = 0; device < 3; ++device) {
        EXPECT_TRUE(allAre(device, PartState::pending));
    }
}

TEST_F(ComparedDevicesTest, WhoStaysKeepsItsTimesAndWhoLeavesMakesRoom)
{
    const std::string sign = file("hangs");
    const Device hanging = standIn(std::string(kThisGpu), ": > '" + sign + "'; sleep 100");
    const Device next = standIn(std::string(kThisCpu));
    const Device box = standIn("box");
    compared.setDevices({hanging, next, box});
    compared.start(plan, kBudget, false);
    ASSERT_TRUE(waitUntilAllAre(2, PartState::settled));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return QFile::exists(QString::fromStdString(sign)); }, kLong));

    compared.setDevices({box, next});

    EXPECT_EQ(compared.devices(), (std::vector<Device>{box, next}));
    EXPECT_TRUE(allAre(0, PartState::settled));
    ASSERT_TRUE(waitUntilFinished());
    EXPECT_TRUE(allAre(1, PartState::settled));
}

TEST_F(ComparedDevicesTest, TimesAreThoseOfTheSameOperations)
{
    compared.setDevices({standIn("box")});
    compared.start(plan, kBudget, false);
    ASSERT_TRUE(waitUntilFinished());

    const auto others =
        measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = 16}});
    const std::vector<DeviceTimes> unknown = compared.times(others);
    for (const PartTime& time : unknown[0].times) {
        EXPECT_EQ(time.state, PartState::pending);
    }
    std::vector<MeasuredPart> turned(plan.rbegin(), plan.rend());
    EXPECT_EQ(compared.times(turned)[0].times.size(), plan.size());
    EXPECT_EQ(compared.times(turned)[0].times[0].state, PartState::settled);
}

} // namespace
} // namespace flopsmith::ui
