// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/model/presets.h"
#include "tests/ui/inspector/qts_own.h"
#include "tests/ui/menu_entries.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_export_actions.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/document/edits/model_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/theme/elided_label.h"
#include "ui/widgets/chip.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/headline/headline_tile.h"
#include "ui/window/settings/window_settings.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QTabBar>
#include <QToolButton>

namespace flopsmith::ui {
namespace {

class MainWindowTest : public test::WindowTest
{};

TEST_F(MainWindowTest, StartsWithAWorkingExample)
{
    EXPECT_EQ(window->document().model().name, "GPT-2 small, half swapped");
    EXPECT_EQ(window->document().selection(), Selection::ofRun(1));
    EXPECT_FALSE(window->document().isModified());
    EXPECT_EQ(child<HeadlineTile>("headline.parameters").shown().figure, "96.1");
}

TEST_F(MainWindowTest, TheStackStartsAtItsFirstRow)
{
    EXPECT_EQ(child<StackView>("stack").verticalScrollBar()->value(), 0);
}

TEST_F(MainWindowTest, TheZoomOfTheStackIsRemembered)
{
    window->stack().zoom().set(0.5);
    child<QAction>("view.minimap").trigger();
    window->close();
    open();

    EXPECT_EQ(window->stack().zoom().factor(), 0.5);
    EXPECT_FALSE(child<QAction>("view.minimap").isChecked());
    EXPECT_TRUE(child<ElidedLabel>("panel.stack.note").text().contains(QStringLiteral("50 %")));
}

TEST_F(MainWindowTest, ADamagedSettingLeavesTheStackAtHundredPercent)
{
    for (const char* damaged : {"large", "nan"}) {
        QSettings().setValue(QStringLiteral("stackZoom"), QLatin1String(damaged));
        open();
        EXPECT_EQ(window->stack().zoom().factor(), 1.0) << damaged;
    }
}

TEST_F(MainWindowTest, AStoredSizeAndPlaceFitTheScreen)
{
    const QRect screen = window->screen()->availableGeometry();
    for (const QRect& stored : {QRect(screen.topLeft(), 2 * screen.size()),
                                QRect(screen.center(), screen.size()),
                                QRect(screen.bottomRight(), screen.size() / 4)}) {
        QWidget large;
        large.setGeometry(stored);
        storeWindow(large);

        QWidget restored;
        EXPECT_TRUE(restoreWindow(restored));
        EXPECT_TRUE(screen.contains(restored.geometry())) << stored.width() << " " << stored.x();
    }
}

TEST_F(MainWindowTest, EveryWidgetHasANameAndIsAccessible)
{
    QSet<QString> names;
    int seen = 0;
    for (const QWidget* widget : window->findChildren<QWidget*>()) {
        if (test::isQtsOwn(*widget)) {
            continue;
        }
        const QString type = QLatin1String(widget->metaObject()->className());
        const QString parent = widget->parentWidget()->objectName();
        const std::string place = qPrintable(type + QLatin1String(" in ") + parent);
        EXPECT_FALSE(widget->objectName().isEmpty()) << place;
        EXPECT_FALSE(widget->accessibleName().isEmpty())
            << place << " " << qPrintable(widget->objectName());
        EXPECT_FALSE(names.contains(widget->objectName())) << qPrintable(widget->objectName());
        names << widget->objectName();
        ++seen;
    }
    EXPECT_GT(seen, 100);
}

TEST_F(MainWindowTest, TheSmallestWindowCutsNoParameterAtThePanelsEdge)
{
    for (const Preset& preset : presets()) {
        replaceModel(window->document(), preset.make());
        for (int run = 0; run < static_cast<int>(window->document().model().runs.size()); ++run) {
            window->document().select(Selection::ofRun(run));
            QCoreApplication::processEvents();

            auto& scroll = child<QScrollArea>("inspector.scroll");

            EXPECT_LE(scroll.widget()->minimumSizeHint().width(), scroll.viewport()->width())
                << preset.title << " run " << run;
        }
    }
}

TEST_F(MainWindowTest, TheDeviceIsRememberedWhileItIsThere)
{
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    QDir(folder.path()).mkpath(QStringLiteral("flopsmith"));
    QFile devices(folder.filePath(QStringLiteral("flopsmith/devices.json")));
    ASSERT_TRUE(devices.open(QIODevice::WriteOnly));
    devices.write(R"([{"name": "the other machine", "command": ["no-such-program"]}])");
    devices.close();
    const auto chosen = [this] { return child<ChoiceChip>("bar.device").value(); };
    open();
    const QString first = chosen();
    for (QAction* action : child<ChoiceChip>("bar.device").choices().actions()) {
        if (action->text() == QLatin1String("the other machine")) {
            action->trigger();
        }
    }

    open();
    EXPECT_EQ(chosen(), QStringLiteral("the other machine"));
    devices.remove();
    open();
    EXPECT_EQ(chosen(), first);
    EXPECT_NE(first, QStringLiteral("the other machine"));
    qputenv("XDG_CONFIG_HOME", before);
}

TEST_F(MainWindowTest, AFileThatCannotBeReadIsToldInTheWindow)
{
    EXPECT_FALSE(window->openFile(folder.filePath(QStringLiteral("missing.flopsmith"))));

    EXPECT_TRUE(window->messages().isVisible());
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("missing.flopsmith")));
    EXPECT_EQ(window->document().model().name, "GPT-2 small, half swapped");
}

TEST_F(MainWindowTest, AnOpenedFileClearsTheMessage)
{
    const QString path = folder.filePath(QStringLiteral("m.flopsmith"));
    ASSERT_TRUE(window->document().file().saveAs(path).ok());
    window->openFile(folder.filePath(QStringLiteral("missing.flopsmith")));

    EXPECT_TRUE(window->openFile(path));

    EXPECT_FALSE(window->messages().isVisible());
    EXPECT_TRUE(window->windowTitle().contains(QLatin1String("m.flopsmith")));
}

TEST_F(MainWindowTest, ThePresetMenuLoadsAModelAndUndoBringsTheOldOneBack)
{
    const Scenario before = window->document().scenario();
    for (QAction* action : test::entriesOf(child<QMenu>("bar.model.menu"))) {
        if (action->text() == QLatin1String("Llama-3-8B")) {
            action->trigger();
        }
    }
    EXPECT_EQ(window->document().model().name, "Llama-3-8B");

    child<QToolButton>("bar.undo").click();

    EXPECT_EQ(window->document().scenario(), before);
}

TEST_F(MainWindowTest, TheContextIsEditedOnlyInDecode)
{
    NumberChip& context = *window->bar().numberChip(QStringLiteral("context"));
    EXPECT_TRUE(context.isHidden());

    for (QAction* action : child<QMenu>("bar.phase.menu").actions()) {
        if (action->text() == QLatin1String("decode")) {
            action->trigger();
        }
    }

    EXPECT_FALSE(context.isHidden());
    EXPECT_EQ(window->document().scenario().workload.phase, Phase::decode);
}

TEST_F(MainWindowTest, TheTableShowsTheNumbersOfTheChart)
{
    ChartPanel& share = *window->chartPanels().front();
    share.tabs().setCurrentIndex(1);
    ASSERT_SOON(share.table().rowCount() > 3);

    Table shown = share.table().table();
    EXPECT_FALSE(shown.caption.empty()); // for copies
    shown.caption.clear();
    EXPECT_EQ(shown, share.view().figure()->shownTable().table);
}

// As if every part had been measured: a millisecond for each use.
RunTimes allMeasured(const Document& document)
{
    RunTimes all{.parts = measuredParts(document.scenario()), .device = QStringLiteral("test")};
    all.times.assign(all.parts.size(), {.state = PartState::settled, .medianSeconds = 1e-3});
    MachineRoofs roofs{.device = "test"};
    roofs.products.push_back({NumberFormat::fp32, 1e11, "made up"});
    roofs.levels.push_back({.name = "memory", .bytesPerSecond = 1e10});
    all.roofs = roofs;
    return all;
}

TEST_F(MainWindowTest, AChartWithoutContentIsNotSaved)
{
    ChartExportActions actions(child<ChartPanel>("panel.runTime"), window->messages());
    const QString path = folder.filePath(QStringLiteral("empty.svg"));

    EXPECT_FALSE(actions.saveTo(path));

    EXPECT_FALSE(QFileInfo::exists(path));
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("Not measured yet")));
}

TEST_F(MainWindowTest, EveryChartCanBeSavedInEveryFormat)
{
    window->charts().setRunTimes(allMeasured(window->document()));
    window->designs().freezeLive(); // for the comparison
    window->settle();
    for (ChartPanel* panel : window->chartPanels()) {
        ChartExportActions actions(*panel, window->messages());
        for (const char* suffix : {"png", "svg", "pdf", "csv", "tex"}) {
            const QString path =
                folder.filePath(panel->objectName() + QLatin1Char('.') + QLatin1String(suffix));
            EXPECT_TRUE(actions.saveTo(path)) << qPrintable(window->messages().sentence());
            EXPECT_GT(QFileInfo(path).size(), 100) << qPrintable(path);
        }
        EXPECT_FALSE(actions.saveTo(folder.filePath(QStringLiteral("no/such/folder.svg"))));
    }
}

TEST_F(MainWindowTest, TheThemeIsKeptForTheNextStart)
{
    window->theme().choose(ThemeChoice::dark);
    EXPECT_EQ(storedThemeChoice(), ThemeChoice::dark);
    EXPECT_TRUE(systemTheme().dark);

    child<QToolButton>("bar.theme").click();

    EXPECT_EQ(storedThemeChoice(), ThemeChoice::light);
    EXPECT_FALSE(systemTheme().dark);
}

TEST_F(MainWindowTest, TheScalingAxisFallsBackWhenTheModelLosesTheParameter)
{
    window->charts().choices().setAxis(QStringLiteral("k_freq"));
    EXPECT_EQ(window->charts().choices().axisInUse(), QStringLiteral("k_freq"));

    replaceModel(window->document(), *presetNamed("gpt2"));
    EXPECT_EQ(window->charts().choices().axisInUse(), QStringLiteral("seq"));

    window->document().undoStack().undo();
    EXPECT_EQ(window->charts().choices().axisInUse(), QStringLiteral("k_freq"));
}

} // namespace
} // namespace flopsmith::ui
