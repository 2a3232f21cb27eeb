// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/curve_measuring.h"

#include "core/protocol/device/device_list.h"
#include "tests/core/protocol/workers.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/widgets/chip.h"
#include "ui/window/headline/headline_strip.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

namespace flopsmith::ui {
namespace {

using test::kLong;

class CurveMeasuringTest : public test::WindowTest
{
protected:
    CurveMeasuringTest()
        : m_before(qgetenv("XDG_CONFIG_HOME"))
    {
        qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    }

    ~CurveMeasuringTest() override
    {
        window.reset();
        qputenv("XDG_CONFIG_HOME", m_before);
    }

    // Opens the window with a device of this script, which is chosen.
    void openWith(const std::string& script)
    {
        Device device = scripted(script);
        device.name = "stand-in";
        ASSERT_TRUE(saveDevices({device}).ok());
        open();
        for (QAction* action : window->headline().deviceChip().choices().actions()) {
            if (action->text() == QLatin1String("stand-in")) {
                action->trigger();
            }
        }
        ASSERT_EQ(window->measuring().device().name, "stand-in");
    }

    // What the scaling panel shows now.
    const ScalingChart& chart()
    {
        window->settle();
        auto& view = child<ChartPanel>("panel.scaling").view();
        view.grab(); // it asks for its content when it is painted
        return dynamic_cast<const ScalingFigure&>(*view.figure()).chart();
    }

    std::size_t points()
    {
        std::size_t count = 0;
        const ScalingChart& shown = chart();
        for (std::size_t i = 0; shown.measured && i < shown.measured->curves.size(); ++i) {
            count += shown.measured->curves[i].points.size();
        }
        return count;
    }

    void choose(const char* name) { child<QAction>(name).trigger(); }

private:
    QByteArray m_before;
};

TEST_F(CurveMeasuringTest, FillsInPointsUntilTheyAreNotWantedAnyMore)
{
    openWith(shellWorker("measured"));
    QSignalSpy finished(&window->curves(), &CurveMeasuring::finished);
    EXPECT_EQ(points(), 0U);
    EXPECT_FALSE(child<QToolButton>("panel.scaling.measure").isChecked());

    choose("curves.time");

    ASSERT_TRUE(finished.wait(kLong));
    EXPECT_TRUE(child<QToolButton>("panel.scaling.measure").isChecked());
    EXPECT_GT(points(), 10U);
    EXPECT_EQ(chart().measured->metric, MetricId::time);
    EXPECT_EQ(chart().measured->device, "stand-in");

    choose("curves.rate");
    EXPECT_EQ(chart().measured->metric, MetricId::flopsPerSecond);
    EXPECT_GT(points(), 10U);

    choose("curves.off");
    EXPECT_EQ(points(), 0U);
    EXPECT_FALSE(child<QToolButton>("panel.scaling.measure").isChecked());
}

TEST_F(CurveMeasuringTest, PointsOfAnotherStackAreMeasuredAnew)
{
    openWith(shellWorker("measured"));
    QSignalSpy finished(&window->curves(), &CurveMeasuring::finished);
    choose("curves.time");
    ASSERT_TRUE(finished.wait(kLong));
    const std::size_t all = points();

    Document& document = window->document();
    const Parameter batch = matchingParameters(document.scenario(), "batch").front();
    ASSERT_TRUE(setParameter(document, batch, std::int64_t{2}));

    EXPECT_EQ(points(), 0U); // until the hand rests
    ASSERT_TRUE(QTest::qWaitFor([&] { return points() == all; }, kLong));
}

TEST_F(CurveMeasuringTest, MakesRoomForTheRunTimesOfTheStack)
{
    openWith(shellWorker(": > '" + folder.filePath(QStringLiteral("hangs")).toStdString()
                         + "'; sleep 100"));
    choose("curves.time");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return QFile::exists(folder.filePath(QStringLiteral("hangs"))); }, kLong));
    EXPECT_TRUE(window->curves().isMeasuring());

    window->measuring().measure();

    EXPECT_FALSE(window->curves().isMeasuring());
    window->measuring().cancel();
    EXPECT_TRUE(QTest::qWaitFor([&] { return window->curves().isMeasuring(); }, kLong));
    window->curves().cancel();
    EXPECT_FALSE(window->curves().isMeasuring());
}

TEST_F(CurveMeasuringTest, ADeviceThatCannotBeAskedIsSaid)
{
    openWith("exit 3");
    QSignalSpy said(&window->curves(), &CurveMeasuring::unavailable);

    choose("curves.time");

    EXPECT_TRUE(said.count() > 0 || said.wait(kLong));
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("stand-in")));
    EXPECT_EQ(points(), 0U);
}

} // namespace
} // namespace flopsmith::ui
