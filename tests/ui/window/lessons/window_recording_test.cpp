// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lessons/window_recording.h"

#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/theme/utf8.h"
#include "ui/window/lessons/lesson_actions.h"

#include <map>

namespace flopsmith::ui {
namespace {

class WindowRecordingTest : public test::WindowTest
{
protected:
    WindowRecordingTest() { recording().begin(); }
    ~WindowRecordingTest() override { recording().end(); }

    WindowRecording& recording() { return window->lessons().recording(); }

    // By Tab, on a page that is not the one before.
    void focus(const char* page, const QString& panel)
    {
        window->pages().setCurrentName(QString::fromLatin1(page));
        child<QWidget>(qPrintable(QStringLiteral("panel.%1.more").arg(panel)))
            .setFocus(Qt::TabFocusReason);
    }
};

TEST_F(WindowRecordingTest, AFocusedChartIsThePageOfTheStep)
{
    const std::map<const char*, std::map<const char*, const char*>> panels{
        {"lower", {{"share", "share"}, {"scaling", "scaling"}, {"runTime", "run_time"}}},
        {"budgets", {{"memory", "memory"}, {"roofline", "roofline"}, {"mislead", "mislead"}}},
        {"panel.waterfall", {{"waterfall", "waterfall"}}},
        {"designSpace", {{"heat", "design_space"}, {"pareto", "design_space"}}},
        {"comparison", {{"compare", "compare"}}}};
    std::size_t focused = 0;
    for (const auto& [page, ofPage] : panels) {
        for (const auto& [panel, id] : ofPage) {
            focus(page, QLatin1String(panel));
            EXPECT_EQ(recording().view().page, id) << panel;
            ++focused;
        }
    }
    EXPECT_EQ(focused, window->pages().panels().size());
}

TEST_F(WindowRecordingTest, ATabIsThePageThatRepresentsIt)
{
    window->pages().setCurrentName(QStringLiteral("folklore"));
    window->pages().setCurrentName(QStringLiteral("costs"));

    EXPECT_EQ(recording().view().page, "tables");
}

} // namespace
} // namespace flopsmith::ui
