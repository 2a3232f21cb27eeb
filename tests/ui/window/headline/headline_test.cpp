// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/headline/headline.h"

#include "core/base/text.h"
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/window/headline/headline_strip.h"
#include "ui/window/headline/headline_tile.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>

namespace flopsmith::ui {
namespace {

class HeadlineTest : public test::WindowTest
{
protected:
    HeadlineTile& tile(HeadlineKind kind) { return window->headline().tile(kind); }

    QList<HeadlineTile*> visibleTiles()
    {
        QList<HeadlineTile*> all;
        for (auto* each : window->headline().findChildren<HeadlineTile*>()) {
            if (each->isVisible()) {
                all << each;
            }
        }
        return all;
    }

    Explainer& card() { return Explainer::of(*window); }
};

TEST_F(HeadlineTest, ShowsWhatTheDesignCosts)
{
    replaceModel(window->document(), *findPreset("gpt2"));
    window->settle();
    const CostSummary cost = window->document().costSummary();

    EXPECT_EQ(tile(HeadlineKind::cost).shown().exact, groupedDigits(*cost.flops) + " FLOPs");
    EXPECT_EQ(tile(HeadlineKind::parameters).shown().figure, "124.4");
    EXPECT_EQ(tile(HeadlineKind::memory).shown().unit, "kB per token");
    EXPECT_TRUE(tile(HeadlineKind::cost)
                    .accessibleName()
                    .contains(QString::fromStdString(tile(HeadlineKind::cost).shown().figure)));

    window->document().setLens(LensId::mac);
    window->settle();
    EXPECT_EQ(tile(HeadlineKind::cost).shown().unit, "GMACs");
}

TEST_F(HeadlineTest, ComparesWithTheFirstFrozenDesign)
{
    window->designs().freezeLive();
    replaceModel(window->document(), *findPreset("gpt2"));
    window->settle();

    EXPECT_EQ(tile(HeadlineKind::cost).shown().change, Change::more);
    EXPECT_EQ(tile(HeadlineKind::parameters).shown().change, Change::more);
    EXPECT_TRUE(tile(HeadlineKind::cost).toolTip().contains(QStringLiteral("against A")));

    window->designs().clear();
    window->settle();
    EXPECT_EQ(tile(HeadlineKind::cost).shown().difference, "");
}

TEST_F(HeadlineTest, TheRoofsAreThoseOfTheChosenDevice)
{
    const std::string before = tile(HeadlineKind::leastTime).shown().figure;
    window->charts().choices().setHardware(QStringLiteral("a100-sxm-80gb"));
    window->settle();

    EXPECT_NE(tile(HeadlineKind::leastTime).shown().figure, before);
    EXPECT_TRUE(window->headline().hardwareChip().value().contains(QStringLiteral("A100")));
}

TEST_F(HeadlineTest, ANarrowWindowLeavesTilesOutOfTheMiddleAndNoDigits)
{
    qsizetype before = 0;
    for (const int width : {800, 1000, 1280, 1440, 1920}) {
        window->resize(width, 720);
        QCoreApplication::processEvents();
        const QList<HeadlineTile*> shown = visibleTiles();

        EXPECT_GE(shown.size(), std::max<qsizetype>(before, 2));
        EXPECT_TRUE(tile(HeadlineKind::cost).isVisible());
        EXPECT_TRUE(tile(HeadlineKind::measuredTime).isVisible());
        for (const HeadlineTile* each : shown) {
            EXPECT_GE(each->width(), each->minimumSizeHint().width())
                << qPrintable(each->objectName()) << " at " << width;
        }
        before = shown.size();
    }
    EXPECT_EQ(before, 5);
}

TEST_F(HeadlineTest, AClickOpensACardThatEscCloses)
{
    window->resize(1920, 1000);
    window->stack().setFocus();
    for (HeadlineTile* each : visibleTiles()) {
        QTest::mouseClick(each, Qt::LeftButton, {}, QPoint(each->width() / 2, 12));

        ASSERT_TRUE(card().isVisible()) << qPrintable(each->objectName());
        EXPECT_TRUE(card().geometry().top() >= each->mapTo(window.get(), QPoint(0, 0)).y());
        EXPECT_TRUE(window->rect().contains(card().geometry()));
        QTest::keyClick(&card(), Qt::Key_Escape);
        EXPECT_FALSE(card().isVisible());
    }
}

TEST_F(HeadlineTest, WhyTheCacheIsSoLargeTakesTwoClicksAtMost)
{
    replaceModel(window->document(), *findPreset("gpt2"));
    window->settle();
    QTest::mouseClick(&tile(HeadlineKind::memory), Qt::LeftButton);

    EXPECT_TRUE(card().shownText().contains(QStringLiteral("73.7 kB"))) // 2·768·12 elements
        << qPrintable(card().shownText());

    Q_EMIT card().findChild<QLabel*>()->linkActivated(QStringLiteral("page:memory"));
    EXPECT_FALSE(card().isVisible());
    EXPECT_EQ(window->pages().currentName(), QStringLiteral("budgets"));
}

TEST_F(HeadlineTest, ACardCanBeCopied)
{
    child<QAction>("view.why.parameters").trigger();
    QTest::keyClick(&card(), Qt::Key_C, Qt::ControlModifier);

    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral("Parameters")));
}

} // namespace
} // namespace flopsmith::ui
