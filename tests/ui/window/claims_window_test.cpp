// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/claims_window.h"

#include "core/io/reports/claims_table.h"
#include "tests/core/protocol/workers.h"
#include "tests/ui/inspector/qts_own.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_export_actions.h"

#include <QAction>
#include <QFileInfo>
#include <QImage>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTabBar>

#include <algorithm>

namespace flopsmith::ui {
namespace {

using test::kLong;

class ClaimsWindowTest : public test::WindowTest
{
protected:
    // A page that measures on a stand-in.
    ClaimsWindow& pageOn(const Device& device)
    {
        page = std::make_unique<ClaimsWindow>(device);
        page->show();
        QCoreApplication::processEvents();
        return *page;
    }

    static ValueBox& box(ClaimsWindow& claims, const char* name)
    {
        auto* found =
            claims.findChild<ValueBox*>(QLatin1String("bar.claims.") + QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    static void type(ClaimsWindow& claims, const char* name, const char* digits)
    {
        ValueBox& edited = box(claims, name);
        edited.setFocus();
        edited.selectAll();
        QTest::keyClicks(&edited, QLatin1String(digits));
        QTest::keyClick(&edited, Qt::Key_Return);
        claims.flush();
    }

    static bool measure(ClaimsWindow& claims)
    {
        claims.measureButton().click();
        return QTest::qWaitFor([&] { return !claims.isMeasuring(); }, kLong);
    }

    static bool anyQuantity(const ClaimsWindow& claims)
    {
        const auto& all = claims.content().measured;
        return std::any_of(
            all.begin(), all.end(), [](const MeasuredClaim& each) { return each.quantity; });
    }

    std::unique_ptr<ClaimsWindow> page;
};

TEST_F(ClaimsWindowTest, OpensByItsShortcutAndClosesByEscape)
{
    QTest::keyClick(window.get(), Qt::Key_L, Qt::ControlModifier);

    auto* claims = window->findChild<ClaimsWindow*>();
    ASSERT_NE(claims, nullptr);
    EXPECT_TRUE(claims->isVisible());
    EXPECT_EQ(&window->showClaims(), claims) << "there is one";

    QTest::keyClick(claims, Qt::Key_Escape);
    EXPECT_FALSE(claims->isVisible());
    EXPECT_TRUE(window->isVisible());
}

TEST_F(ClaimsWindowTest, ClosesWithTheMainWindow)
{
    ClaimsWindow& claims = window->showClaims();
    window->close();
    EXPECT_FALSE(claims.isVisible());
}

TEST_F(ClaimsWindowTest, EveryWidgetHasANameAndIsAccessible)
{
    ClaimsWindow& claims = window->showClaims();
    QSet<QString> names;
    for (const QWidget* widget : claims.findChildren<QWidget*>()) {
        if (test::isQtsOwn(*widget)) {
            continue;
        }
        EXPECT_FALSE(widget->objectName().isEmpty()) << widget->metaObject()->className();
        EXPECT_FALSE(widget->accessibleName().isEmpty()) << qPrintable(widget->objectName());
        EXPECT_FALSE(names.contains(widget->objectName())) << qPrintable(widget->objectName());
        names << widget->objectName();
    }
    EXPECT_GT(names.size(), 15);
}

TEST_F(ClaimsWindowTest, TheTabKeyReachesSizesMeasuringAndChart)
{
    ClaimsWindow& claims = window->showClaims();
    QSet<QString> reached;
    const QWidget* first = &box(claims, "d_model");
    const QWidget* widget = first;
    do {
        if ((widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible()) {
            reached << widget->objectName();
        }
        widget = widget->nextInFocusChain();
    } while (widget != first);
    for (const char* name : {"bar.claims.d_model",
                             "bar.claims.d_ff",
                             "bar.claims.tokens",
                             "claims.measure",
                             "panel.claims.tabs",
                             "panel.claims.more",
                             "claimsView"}) {
        EXPECT_TRUE(reached.contains(QLatin1String(name))) << name;
    }
}

TEST_F(ClaimsWindowTest, FollowsItsBoxesWithinTheLegalRange)
{
    ClaimsWindow& claims = window->showClaims();
    EXPECT_EQ(claims.sizes(), ClaimSizes{});

    type(claims, "d_model", "768");
    type(claims, "d_ff", "3072");
    type(claims, "tokens", "128");

    const ClaimSizes typed{.dModel = 768, .dFf = 3072, .tokens = 128};
    EXPECT_EQ(claims.sizes(), typed);
    const auto expected = flopsmith::claims(typed);
    ASSERT_EQ(claims.content().claims.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(claims.content().claim(i).sentence, expected[i].sentence);
    }
    EXPECT_TRUE(claims.panel().view().figure()->provenance.text().contains(
        QLatin1String("d_model 768, d_ff 3072, 128 tokens")));

    type(claims, "d_model", "1");
    EXPECT_EQ(claims.sizes().dModel, kClaimDModels.low);
    type(claims, "d_model", "99999999");
    EXPECT_EQ(claims.sizes().dModel, kClaimDModels.high);
}

TEST_F(ClaimsWindowTest, AStepOfABoxIsNotWaitedFor)
{
    ClaimsWindow& claims = window->showClaims();
    ValueBox& edited = box(claims, "d_model");
    const std::int64_t counted = claims.sizes().dModel;
    for (int i = 0; i < 50; ++i) {
        edited.stepBy(1);
    }
    EXPECT_EQ(claims.sizes().dModel, counted) << "nothing is counted before the hand rests";
    claims.flush();
    EXPECT_EQ(claims.sizes().dModel, std::get<std::int64_t>(edited.value()));
    EXPECT_GT(claims.sizes().dModel, counted);
}

TEST_F(ClaimsWindowTest, TheTableShowsTheNumbersOfTheFigure)
{
    ClaimsWindow& claims = window->showClaims();
    claims.panel().tabs().setCurrentIndex(1);

    ASSERT_SOON(claims.panel().table().rowCount()
                == static_cast<int>(claims.content().claims.size()));
    EXPECT_EQ(claims.panel().table().table().rows,
              claims.panel().view().figure()->shownTable().table.rows);
}

TEST_F(ClaimsWindowTest, MeasuringPutsMarksIntoTheFigure)
{
    ClaimsWindow& claims = pageOn(scripted(shellWorker("measured")));
    QSignalSpy started(&claims, &ClaimsWindow::measuringStarted);
    EXPECT_FALSE(anyQuantity(claims));

    ASSERT_TRUE(measure(claims));

    EXPECT_EQ(started.count(), 1);
    ASSERT_EQ(claims.content().measured.size(), claims.content().claims.size());
    EXPECT_EQ(claims.content().measured.front().speedUp, 1.0) << "all parts take the same time";
    EXPECT_TRUE(claims.content().measured.back().quantity.has_value()) << "a share of the peak";
    EXPECT_TRUE(claims.messages().sentence().isEmpty());
    EXPECT_TRUE(
        claims.panel().view().figure()->provenance.text().contains(QLatin1String("test device")));
}

TEST_F(ClaimsWindowTest, OtherSizesHaveNoTimesUntilTheyAreMeasured)
{
    ClaimsWindow& claims = pageOn(scripted(shellWorker("measured")));
    ASSERT_TRUE(measure(claims));

    type(claims, "tokens", "64");

    EXPECT_FALSE(anyQuantity(claims));
    ASSERT_TRUE(measure(claims));
    EXPECT_TRUE(anyQuantity(claims));
    claims.setDevice(scripted(shellWorker("failure")));
    EXPECT_FALSE(anyQuantity(claims));
}

TEST_F(ClaimsWindowTest, TheButtonStopsWhatRuns)
{
    ClaimsWindow& claims = pageOn(scripted(shellWorker("sleep 100")));
    const QSize size = claims.measureButton().sizeHint();
    claims.measureButton().click();
    ASSERT_TRUE(claims.isMeasuring());
    EXPECT_EQ(claims.measureButton().text(), QStringLiteral("&Stop"));
    EXPECT_EQ(claims.measureButton().sizeHint(), size) << "its neighbours would move";

    claims.measureButton().click();

    EXPECT_FALSE(claims.isMeasuring());
    EXPECT_EQ(claims.measureButton().text(), QStringLiteral("&Measure"));
    EXPECT_FALSE(anyQuantity(claims));
}

TEST_F(ClaimsWindowTest, SaysWhyNothingIsMeasured)
{
    ClaimsWindow& absent = pageOn({"this GPU", {"/nowhere/bench-cuda"}});
    ASSERT_TRUE(measure(absent));
    EXPECT_TRUE(absent.messages().isVisible());
    EXPECT_TRUE(absent.messages().sentence().contains(QLatin1String("\"this GPU\"")));

    ClaimsWindow& failing = pageOn(scripted(shellWorker("failure")));
    ASSERT_TRUE(measure(failing));
    EXPECT_TRUE(failing.messages().sentence().contains(QLatin1String("It needs 9 bytes")));
    EXPECT_FALSE(anyQuantity(failing));
}

TEST_F(ClaimsWindowTest, CanBeSavedInEveryFormatWithAllItsRows)
{
    ClaimsWindow& claims = window->showClaims();
    claims.resize(1200, 420);
    ChartExportActions actions(claims.panel(), claims.messages());
    for (const char* suffix : {"png", "svg", "pdf", "csv", "tex"}) {
        const QString path = folder.filePath(QLatin1String("claims.") + QLatin1String(suffix));
        EXPECT_TRUE(actions.saveTo(path)) << qPrintable(claims.messages().sentence());
        EXPECT_GT(QFileInfo(path).size(), 100) << suffix;
    }
    EXPECT_GE(QImage(folder.filePath(QStringLiteral("claims.png"))).height(), 2 * 440);
}

TEST_F(ClaimsWindowTest, FollowsTheTheme)
{
    ClaimsWindow& claims = window->showClaims();
    const auto corner = [&] {
        QCoreApplication::processEvents();
        const QImage image = claims.grab().toImage();
        return image.pixelColor(image.width() - 4, image.height() - 4).lightness();
    };
    EXPECT_GT(corner(), 200);
    window->theme().choose(ThemeChoice::dark);
    EXPECT_LT(corner(), 60);
}

} // namespace
} // namespace flopsmith::ui
