// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/device/device_list.h"
#include "tests/core/protocol/workers.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/measuring/measuring_settings.h"
#include "ui/widgets/chip.h"

#include <QAction>
#include <QMenu>
#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

using test::kLong;

// Three stand-ins in the list of devices; "main" measures.
class CompareDevices : public test::WindowTest
{
protected:
    CompareDevices()
        : m_before(qgetenv("XDG_CONFIG_HOME"))
    {
        qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
        Device main = scripted(shellWorker("measured"));
        main.name = "main";
        Device box = main;
        box.name = "box";
        EXPECT_TRUE(saveDevices({main, box, {"nowhere", {"/no/such/program"}}}));
        storeDevice(QStringLiteral("main"));
        open();
    }

    ~CompareDevices() override
    {
        window.reset();
        qputenv("XDG_CONFIG_HOME", m_before);
    }

    ChoiceChip& chip() { return child<ChoiceChip>("bar.device"); }

    QAction* choice(const char* name)
    {
        return chip().choices().findChild<QAction*>(QLatin1String("bar.device.compare.")
                                                    + QLatin1String(name));
    }

    void compareWith(const char* name)
    {
        ASSERT_NE(choice(name), nullptr) << name;
        choice(name)->trigger();
    }

    bool measure()
    {
        QSignalSpy finished(&window->measuring(), &MeasuringControl::finished);
        window->measuring().toggle();
        return finished.wait(kLong);
    }

    const RunTimes& times() { return window->measuring().runTimes(); }

    static bool allSettled(const std::vector<PartTime>& times)
    {
        return !times.empty() && std::all_of(times.begin(), times.end(), [](const PartTime& time) {
            return time.state == PartState::settled;
        });
    }

private:
    QByteArray m_before;
};

TEST_F(CompareDevices, AreChosenInTheMenuAndRemembered)
{
    EXPECT_EQ(choice("main"), nullptr) << "it is what the others are compared with";
    compareWith("box");
    compareWith("nowhere");

    EXPECT_EQ(window->measuring().comparedDevices().size(), 2U);
    EXPECT_EQ(chip().value(), QStringLiteral("main + 2"));
    compareWith("nowhere");
    EXPECT_EQ(chip().value(), QStringLiteral("main + 1"));

    open();
    ASSERT_EQ(window->measuring().comparedDevices().size(), 1U);
    EXPECT_EQ(window->measuring().comparedDevices()[0].name, "box");
    EXPECT_TRUE(choice("box")->isChecked());
    EXPECT_FALSE(choice("nowhere")->isChecked());
}

TEST_F(CompareDevices, EachMeasuresAndFailsForItself)
{
    compareWith("box");
    compareWith("nowhere");

    ASSERT_TRUE(measure());

    EXPECT_TRUE(allSettled(times().times));
    EXPECT_EQ(times().unavailable, QString());
    ASSERT_EQ(times().compared.size(), 2U);
    EXPECT_TRUE(allSettled(times().compared[0].times));
    EXPECT_NE(times().compared[1].unavailable, "");
    EXPECT_EQ(window->messages().sentence().indexOf(QLatin1String("/no/such/program")), -1)
        << "the chart says it";

    const RunTimeComparison shown = runTimeComparison(times());
    ASSERT_EQ(shown.columns.size(), 3U);
    EXPECT_EQ(shown.columns[1].ratio, 1.0);
    EXPECT_EQ(shown.columns[2].totalText, "unavailable");
}

TEST_F(CompareDevices, TheOthersMeasureIfTheMainOneCannotBeAsked)
{
    for (QAction* action : chip().choices().actions()) {
        if (action->text() == QLatin1String("nowhere") && action->objectName().isEmpty()) {
            action->trigger();
            break;
        }
    }
    QCoreApplication::processEvents(); // the menu is made anew
    compareWith("box");

    ASSERT_TRUE(measure());

    EXPECT_NE(times().unavailable, QString());
    ASSERT_EQ(times().compared.size(), 1U);
    EXPECT_TRUE(allSettled(times().compared[0].times));
}

TEST_F(CompareDevices, OneThatLeavesTheListIsNotComparedAnyMore)
{
    compareWith("box");
    ASSERT_TRUE(saveDevices({*deviceNamed("main", *allDevices())}));

    window->measuring().reloadDevices(chip());

    EXPECT_TRUE(window->measuring().comparedDevices().empty());
    EXPECT_TRUE(times().compared.empty());
    EXPECT_EQ(chip().value(), QStringLiteral("main"));
    EXPECT_EQ(storedComparedDevices(), QStringList(QStringLiteral("box"))) << "it may come back";
}

} // namespace
} // namespace flopsmith::ui
