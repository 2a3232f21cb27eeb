// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/devices_window.h"

#include "core/protocol/device/command_text.h"
#include "core/protocol/device/device_list.h"
#include "core/protocol/device/torch_devices.h"
#include "tests/core/protocol/workers.h"
#include "tests/support/torch_stand_in.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

using test::kLong;

class DevicesWindowTest : public test::WindowTest
{
protected:
    DevicesWindowTest()
        : m_before(qgetenv("XDG_CONFIG_HOME"))
    {
        qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    }

    ~DevicesWindowTest() override
    {
        window.reset();
        qputenv("XDG_CONFIG_HOME", m_before);
    }

    DevicesWindow& devices() { return window->showDevices(); }

    static void type(QLineEdit& edit, const std::string& text)
    {
        edit.setText(QString::fromStdString(text));
    }

    // Adds a device as a person does: types both fields and presses Enter.
    void add(const std::string& name, const std::string& command)
    {
        type(devices().nameEdit(), name);
        type(devices().commandEdit(), command);
        QTest::keyClick(&devices().commandEdit(), Qt::Key_Return);
    }

    static bool waitUntil(const DeviceRow& row, const char* state)
    {
        return QTest::qWaitFor([&] { return row.state() == QLatin1String(state); }, kLong);
    }

private:
    QByteArray m_before;
};

TEST_F(DevicesWindowTest, ShowsTheOwnDevicesWhichStay)
{
    ASSERT_FALSE(devices().rows().empty());
    EXPECT_EQ(devices().rows().front()->device().name, kThisCpu);
    EXPECT_EQ(devices().rows().front()->removeButton(), nullptr);
}

TEST_F(DevicesWindowTest, AnAddedDeviceIsKeptAskedAndOffered)
{
    const Device standIn = scripted(shellWorker(":"));
    QSignalSpy changed(&devices(), &DevicesWindow::devicesChanged);

    add("bench copy", commandText(standIn.command));

    ASSERT_EQ(changed.count(), 1) << devices().messages().sentence().toStdString();
    EXPECT_EQ(*listedDevices(), (std::vector<Device>{{"bench copy", standIn.command}}));
    DeviceRow& row = *devices().rows().back();
    EXPECT_TRUE(waitUntil(row, "ready"));
    EXPECT_EQ(devices().nameEdit().text(), QString());
    QStringList offered;
    for (const QAction* action : child<QWidget>("bar.device").findChild<QMenu*>()->actions()) {
        offered << action->text();
    }
    EXPECT_TRUE(offered.contains(QStringLiteral("bench copy"))) << offered.join(u'|').toStdString();
}

TEST_F(DevicesWindowTest, ADeadDeviceSaysSoAndTheOthersGoOn)
{
    add("dead", "/bin/sh -c 'echo no route to host >&2; exit 255'");
    DeviceRow& dead = *devices().rows().back();
    add("bench copy", commandText(scripted(shellWorker(":")).command));

    EXPECT_TRUE(waitUntil(dead, "not available"));
    EXPECT_TRUE(waitUntil(*devices().rows().back(), "ready"));
    dead.askButton().click();
    EXPECT_EQ(dead.state(), QStringLiteral("asking …"));
    EXPECT_TRUE(waitUntil(dead, "not available"));
}

TEST_F(DevicesWindowTest, APythonWithPyTorchIsOfferedUntilItIsAdded)
{
    const QByteArray path = qgetenv("PATH");
    flopsmith::test::torchStandIn(folder.path().toStdString());
    qputenv("PATH", folder.path().toUtf8() + ":" + path);
    QPushButton& offer = devices().torchButton();
    devices().refresh();
    EXPECT_TRUE(QTest::qWaitFor([&] { return offer.isVisible(); }, kLong));
    qputenv("PATH", path);

    offer.click();

    EXPECT_FALSE(offer.isVisible());
    const Device added{"PyTorch cuda:0", torchCommand({.python = "python3", .device = "cuda:0"})};
    EXPECT_EQ(*listedDevices(), std::vector<Device>{added});
    EXPECT_EQ(devices().rows().back()->device(), added);
}

TEST_F(DevicesWindowTest, RemovingTakesADeviceOffTheList)
{
    add("one", "/bin/false");
    add("two", "/bin/false");
    const std::size_t before = devices().rows().size();

    devices().rows()[before - 2]->removeButton()->click();
    QCoreApplication::processEvents();

    EXPECT_EQ(devices().rows().size(), before - 1);
    EXPECT_EQ(*listedDevices(), (std::vector<Device>{{"two", {"/bin/false"}}}));
}

TEST_F(DevicesWindowTest, WhatCannotBeADeviceIsASentenceAndNothingIsLost)
{
    add("box", "ssh 'box");
    EXPECT_TRUE(devices().messages().sentence().contains(QStringLiteral("not closed")));
    add("this CPU", "ssh box");
    EXPECT_TRUE(devices().messages().sentence().contains(QStringLiteral("another name")));
    add("box", "");
    EXPECT_TRUE(devices().messages().sentence().contains(QStringLiteral("needs a command")));
    EXPECT_EQ(devices().nameEdit().text(), QStringLiteral("box"));
    EXPECT_TRUE(listedDevices()->empty());
}

TEST_F(DevicesWindowTest, ARemovedDeviceMeasuresNoMore)
{
    add("bench copy", commandText(scripted(shellWorker(":")).command));
    auto* menu = child<QWidget>("bar.device").findChild<QMenu*>();
    for (QAction* action : menu->actions()) {
        if (action->text() == QStringLiteral("bench copy")) {
            action->trigger();
            break;
        }
    }
    auto* measuring = window->findChild<MeasuringControl*>();
    ASSERT_NE(measuring, nullptr);
    ASSERT_EQ(measuring->device().name, "bench copy");

    devices().rows().back()->removeButton()->click();
    QCoreApplication::processEvents();

    EXPECT_EQ(measuring->device().name, kThisCpu);
}

TEST_F(DevicesWindowTest, ClosesByEscapeWhileDevicesAreAsked)
{
    add("hanging", "/bin/sleep 100");
    DevicesWindow& page = devices();

    QTest::keyClick(&page, Qt::Key_Escape);

    EXPECT_FALSE(page.isVisible());
}

} // namespace
} // namespace flopsmith::ui
