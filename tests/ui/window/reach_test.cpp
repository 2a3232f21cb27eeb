// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/measuring/measuring_settings.h"
#include "ui/theme/elided_label.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/bars/top_bar.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <functional>

namespace flopsmith::ui {
namespace {

constexpr QSize kProjector(1280, 720);
constexpr QSize kFrame(4, 32);

class ReachTest : public test::WindowTest
{
protected:
    ~ReachTest() override { QApplication::setFont(m_font); }

    // As with QT_FONT_DPI=144, which is read when a program starts.
    void openWithLargeType()
    {
        QFont large = m_font;
        if (large.pointSizeF() > 0.0) {
            large.setPointSizeF(large.pointSizeF() * 1.5);
        }
        QApplication::setFont(large);
        open();
    }

    void show(const QSize& size)
    {
        window->resize(size - kFrame);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    }

    void showEveryPage(const std::function<void()>& check)
    {
        for (int page = 0; page < window->pages().count(); ++page) {
            window->pages().setCurrent(page);
            window->settle();
            QCoreApplication::processEvents();
            check();
        }
    }

    // Whole inside the window, and as large as its text needs.
    void expectReachable(const QWidget& widget)
    {
        const QRect place(widget.mapTo(window.get(), QPoint(0, 0)), widget.size());
        EXPECT_TRUE(widget.isVisible()) << qPrintable(widget.objectName());
        EXPECT_TRUE(window->rect().contains(place))
            << qPrintable(widget.objectName()) << " " << place.left() << " … " << place.right();
        const int fixed = widget.maximumWidth(); // of a value box: what the bar gives it
        EXPECT_GE(widget.width(), std::min(widget.minimumSizeHint().width(), fixed))
            << qPrintable(widget.objectName());
    }

    void expectBarsReachable()
    {
        window->status().setProgress(2, 13, QStringLiteral("measuring 3 of 13"));
        QCoreApplication::processEvents();
        for (const char* name : {"bar.batch",
                                 "bar.seq",
                                 "bar.measure",
                                 "bar.model",
                                 "bar.phase",
                                 "bar.lens",
                                 "bar.device",
                                 "status.cancel"}) {
            expectReachable(child<QWidget>(name));
        }
        constexpr int kWithPrecision = 900; // in narrower windows the inspector has it alone
        if (window->width() >= kWithPrecision) {
            expectReachable(child<QWidget>("bar.precision"));
        }
        if (window->bar().foldedMenus().isVisible()) {
            expectReachable(window->bar().foldedMenus());
            return;
        }
        for (const char* name : {"bar.file", "bar.edit", "bar.view", "bar.teach", "bar.help"}) {
            expectReachable(child<QWidget>(name));
        }
    }

    void expectAllOnTheProjector()
    {
        show(kProjector);
        showEveryPage([this] {
            EXPECT_LE(window->minimumSizeHint().width(), kProjector.width() - kFrame.width());
            EXPECT_LE(window->minimumSizeHint().height(), kProjector.height() - kFrame.height());
        });
        EXPECT_EQ(window->size(), kProjector - kFrame);
        expectBarsReachable();
    }

private:
    const QFont m_font = QApplication::font();
};

TEST_F(ReachTest, TheFirstWindowIsNoLargerThanTheScreen)
{
    EXPECT_EQ(fittingSize(QSize(1440, 900), QSize(1920, 1080)), QSize(1440, 900));
    EXPECT_EQ(fittingSize(QSize(1440, 900), kProjector), kProjector - kFrame);
}

TEST_F(ReachTest, AProjectorShowsAllOfTheWindow)
{
    expectAllOnTheProjector();
}

TEST_F(ReachTest, NoParameterIsCutAtTheRight)
{
    show(kProjector);
    const auto& area = child<QScrollArea>("inspector.scroll");
    for (const Preset& preset : presets()) {
        SCOPED_TRACE(preset.id);
        replaceModel(window->document(), preset.make());
        for (int run = 0; run < static_cast<int>(window->document().model().runs.size()); ++run) {
            window->document().select(Selection::ofRun(run));
            for (const bool all : {true, false}) {
                child<Inspector>("inspector").setShowsAll(all);
                window->settle();
                EXPECT_EQ(area.horizontalScrollBar()->maximum(), 0) << run << (all ? " all" : "");
            }
        }
    }
}

TEST_F(ReachTest, LargeTypeLeavesNothingOffTheScreen)
{
    openWithLargeType();
    expectAllOnTheProjector();
}

// 1280×720 with QT_FONT_DPI=144: the platform scales everything by 1.5.
TEST_F(ReachTest, AScaledProjectorScrollsThePanelsBetweenTheBars)
{
    const QSize screen(853, 480);
    show(screen);
    showEveryPage([this, &screen] { EXPECT_EQ(window->size(), screen - kFrame); });
    expectBarsReachable();
    setParameter(window->document(),
                 matchingParameters(window->document().scenario(), "phase").front(),
                 std::string("decode"));
    QCoreApplication::processEvents();
    EXPECT_EQ(window->size(), screen - kFrame);
    expectReachable(child<QWidget>("bar.context"));
    expectBarsReachable();

    auto& area = child<QScrollArea>("panels");
    window->pages().setCurrent(0);
    QCoreApplication::processEvents();
    EXPECT_GT(area.verticalScrollBar()->maximum(), 0);
    child<QWidget>("panel.share.more").setFocus(Qt::TabFocusReason);
    area.ensureWidgetVisible(QApplication::focusWidget());
    expectReachable(child<QWidget>("panel.share.more"));
}

TEST_F(ReachTest, TheContextOfDecodeIsReachableInLargeType)
{
    openWithLargeType();
    setParameter(window->document(),
                 matchingParameters(window->document().scenario(), "phase").front(),
                 std::string("decode"));
    show(kProjector);

    EXPECT_EQ(window->size(), kProjector - kFrame);
    expectReachable(child<QWidget>("bar.context"));
    expectBarsReachable();
}

TEST_F(ReachTest, MenusFoldIntoOneButtonWhereTheBarIsNarrow)
{
    show(QSize(1920, 1000));
    EXPECT_FALSE(window->bar().foldedMenus().isVisible());

    show(QSize(840, 700));

    ASSERT_TRUE(window->bar().foldedMenus().isVisible());
    QStringList titles;
    for (const QAction* action : window->bar().foldedMenus().menu()->actions()) {
        titles << QString(action->text()).remove(QLatin1Char('&'));
    }
    EXPECT_EQ(titles.join(QLatin1Char(' ')), QStringLiteral("File Edit View Teach Help"));
    expectBarsReachable();
    show(QSize(1920, 1000));
    EXPECT_TRUE(child<QToolButton>("bar.file").isVisible());
}

class NamesTest
    : public ReachTest
    , public testing::WithParamInterface<const char*>
{};

// No name of a model widens the window or is read as markup, on any page.
TEST_P(NamesTest, AreShownAsTheyAre)
{
    const QString name = QString::fromUtf8(GetParam());
    show(kProjector);
    renameModel(window->document(), name);
    window->messages().show(MessageBar::Kind::error, name + QStringLiteral(".flopsmith: no file"));
    showEveryPage([this, &name] {
        EXPECT_EQ(window->size(), kProjector - kFrame);
        EXPECT_LE(window->minimumSizeHint().width(), kProjector.width() - kFrame.width());
        for (const auto* label : window->findChildren<QLabel*>()) {
            if (label->isVisible()) {
                EXPECT_NE(label->textFormat(), Qt::AutoText) << qPrintable(label->objectName());
            }
            if (label->textFormat() == Qt::RichText) {
                EXPECT_FALSE(label->text().contains(name)) << qPrintable(label->objectName());
            }
        }
    });
    EXPECT_EQ(window->bar().modelChip().value(), name);
}

INSTANTIATE_TEST_SUITE_P(
    Hostile,
    NamesTest,
    testing::Values("a model whose name is a sentence that goes on and on until nobody can read it "
                    "to its end, because somebody wrote the recipe here",
                    "<b>x</b> & y",
                    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"));

TEST_F(ReachTest, ARefusedDropSaysWhyInTheStatusLine)
{
    const PaletteEntry& cross = *paletteEntry(QStringLiteral("mixer/cross_attention"));
    const RowGeometry& run = window->stack().geometryOfStack().rows[1];
    const QPoint onRun = window->stack().mapFromScene(run.frame.center());
    const QPoint onEmbedding =
        window->stack().mapFromScene(window->stack().geometryOfStack().rows[0].frame.center());
    const auto said = [this] { return child<ElidedLabel>("status.sentence").text(); };

    EXPECT_FALSE(window->stack().drops().drop(cross, onRun, Extent::wholeRun));
    EXPECT_TRUE(said().contains(QLatin1String("no encoder"))) << qPrintable(said());

    const PaletteEntry& dense = *paletteEntry(QStringLiteral("ffn/dense"));
    EXPECT_FALSE(window->stack().drops().drop(dense, onEmbedding, Extent::wholeRun));
    EXPECT_TRUE(said().contains(QLatin1String("Embedding is no block"))) << qPrintable(said());

    EXPECT_TRUE(window->stack().drops().drop(dense, onRun, Extent::wholeRun));
    EXPECT_FALSE(said().contains(QLatin1String("is no block")));
}

TEST_F(ReachTest, BlocksThatAreDraggedOverTheOtherStackSayWhyTheyStay)
{
    replaceModel(window->document(), *presetNamed("t5-small"));
    QCoreApplication::processEvents();
    const Model before = window->document().model();
    StackView& stack = window->stack();
    const auto shown = [&stack](const RowGeometry& row) {
        stack.ensureVisible(row.frame);
        return stack.mapFromScene(row.frame.center());
    };
    const std::vector<RowGeometry> rows = stack.geometryOfStack().rows;
    stack.drag().grab(shown(rows.at(1)), {}); // the encoder's first block
    int refusals = 0;
    for (const RowGeometry& row : rows) {
        stack.drag().follow(shown(row), {});
        const QString said = child<ElidedLabel>("status.sentence").text();
        refusals += said.contains(QLatin1String("encoder stay before")) ? 1 : 0;
    }
    stack.drag().drop(shown(rows.back()), {});

    EXPECT_GE(refusals, 1); // over the decoder's blocks
    EXPECT_EQ(window->document().model(), before);
}

TEST_F(ReachTest, TheDeviceMenuShowsWhatTheListHasNow)
{
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    open();
    QDir(folder.path()).mkpath(QStringLiteral("flopsmith"));
    QFile devices(folder.filePath(QStringLiteral("flopsmith/devices.json")));
    ASSERT_TRUE(devices.open(QIODevice::WriteOnly));
    devices.write(R"([{"name": "added by hand", "command": ["no-such-program"]}])");
    devices.close();
    QMenu& menu = child<ChoiceChip>("bar.device").choices();

    Q_EMIT menu.aboutToShow();

    QStringList texts;
    for (const QAction* action : menu.actions()) {
        texts << action->text();
    }
    EXPECT_TRUE(texts.contains(QStringLiteral("added by hand")));
    qputenv("XDG_CONFIG_HOME", before);
}

TEST_F(ReachTest, NothingIsMeasuredBeforeSomebodyHasMeasured)
{
    QSettings().remove(QStringLiteral("autoMeasure"));
    open();
    EXPECT_FALSE(window->measuring().isAutomatic());

    window->measuring().toggle();
    window->measuring().cancel();

    EXPECT_TRUE(window->measuring().isAutomatic());
    EXPECT_TRUE(storedAutoMeasure());
}

TEST_F(ReachTest, WhatWouldTakeLongIsNotMeasuredUnasked)
{
    replaceModel(window->document(), *presetNamed("llama-3-8b"));
    window->measuring().setAutomatic(true);
    const auto& text = child<QLabel>("status.progressText");

    ASSERT_SOON(text.text().contains(QLatin1String("would take about")));

    EXPECT_FALSE(window->measuring().isMeasuring());
    EXPECT_FALSE(child<QWidget>("status.cancel").isVisible());
}

} // namespace
} // namespace flopsmith::ui
