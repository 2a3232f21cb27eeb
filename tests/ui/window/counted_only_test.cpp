// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/variants.h"
#include "core/protocol/device/device_list.h"
#include "tests/core/protocol/workers.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/inside/inside_canvas.h"
#include "ui/canvas/inside/inside_page.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/mislead/mislead_figure.h"
#include "ui/charts/roofline/roofline_figure.h"
#include "ui/charts/run_time/run_time_figure.h"
#include "ui/window/stack/stack_pages.h"

#include <QSignalSpy>

#include <algorithm>

namespace flopsmith::ui {
namespace {

using test::kLong;

// The registry is a list that the compiler reads, so the device stands in for a variant that is
// counted alone: it answers for every FFN as a measuring program without its kernel does.
class CountedOnly : public test::WindowTest
{
protected:
    CountedOnly()
        : m_before(qgetenv("XDG_CONFIG_HOME"))
    {
        qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
        const std::string refused = lineOf(
            flopsmith::Answer(Failure{424242, FailureCode::failed, noKernelYet("Dense").message}));
        Device device = scripted(shellWorker("case \"$line\" in *'\"kind\":\"ffn\"'*) answer '"
                                             + refused + "';; *) measured;; esac"));
        device.name = "main";
        EXPECT_TRUE(saveDevices({device}));
        storeDevice(QStringLiteral("main"));
        open();
    }

    ~CountedOnly() override
    {
        window.reset();
        qputenv("XDG_CONFIG_HOME", m_before);
    }

    bool measure()
    {
        QSignalSpy finished(&window->measuring(), &MeasuringControl::finished);
        window->measuring().toggle();
        return finished.wait(kLong);
    }

    // Of a panel, on whichever page it is.
    template <class Shown>
    const Shown& shown(const char* name)
    {
        auto& panel = child<ChartPanel>(name);
        for (int page = 0; page < window->pages().count() && !panel.isVisible(); ++page) {
            window->pages().setCurrent(page);
        }
        EXPECT_TRUE(panel.isVisible()) << name;
        window->settle();
        panel.view().grab(); // it asks for its content when it is painted
        return dynamic_cast<const Shown&>(*panel.view().figure());
    }

    static bool saysWhy(const std::string& text)
    {
        return text.find(noKernelYet("Dense").message) != std::string::npos;
    }

private:
    QByteArray m_before;
};

TEST_F(CountedOnly, TheRunTimesShowTheOthersAndSayWhy)
{
    ASSERT_TRUE(measure());
    const RunTimeTable& table = shown<RunTimeFigure>("panel.runTime").content();

    EXPECT_TRUE(saysWhy(table.note)) << table.note;
    EXPECT_FALSE(table.isTotalKnown());
    EXPECT_GT(table.parts.timed, 0);
    EXPECT_TRUE(table.complete());
    EXPECT_LT(table.parts.timed, table.parts.all);
    for (const RunTimeRow& row : table.rows) {
        EXPECT_EQ(row.timeText == "failed", saysWhy(row.sentence)) << row.titleText;
    }
}

TEST_F(CountedOnly, TheOtherChartsOfTimesSayWhy)
{
    ASSERT_TRUE(measure());

    const MisleadTable& shares = shown<MisleadFigure>("panel.mislead").content();
    EXPECT_FALSE(shares.empty());
    EXPECT_TRUE(saysWhy(shares.leftOut)) << shares.leftOut;
    const std::vector<std::string>& notes = shown<RooflineFigure>("panel.roofline").content().notes;
    EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), saysWhy));
}

TEST_F(CountedOnly, TheBlockSaysWhyInside)
{
    ASSERT_TRUE(measure());
    QTest::keyClick(&window->stack(), Qt::Key_Space);
    ASSERT_TRUE(window->stackPages().isInside());
    InsideCanvas& canvas = window->stackPages().inside().canvas();
    canvas.setMeasure(InsideMeasure::time);
    window->settle();

    EXPECT_TRUE(saysWhy(canvas.note().toStdString())) << canvas.note().toStdString();
}

} // namespace
} // namespace flopsmith::ui
