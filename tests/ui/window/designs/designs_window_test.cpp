// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/beside/design_column.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/chart_pages/comparison_tables.h"
#include "ui/charts/base/export.h"
#include "ui/charts/memory/memory_figure.h"
#include "ui/charts/run_time/run_time_figure.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/share/share_figure.h"
#include "ui/document/edits/model_edit.h"
#include "ui/theme/elided_label.h"
#include "ui/window/designs/design_tabs.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QSplitter>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include <map>

namespace flopsmith::ui {
namespace {

class DesignsWindow : public test::WindowTest
{
protected:
    DesignTabs& bar() { return child<DesignTabs>("designs"); }

    void trigger(const char* action)
    {
        child<QAction>(action).trigger();
        QCoreApplication::processEvents();
        window->settle();
    }

    template <class Kind>
    const Kind& drawn(ChartId chart)
    {
        m_figure = window->charts().figure(chart);
        return dynamic_cast<const Kind&>(*m_figure);
    }

    std::map<ChartId, QByteArray> drawings()
    {
        std::map<ChartId, QByteArray> all;
        for (const ChartKind& kind : chartKinds()) {
            if (kind.needs.model && !kind.needs.times) {
                all[kind.id] =
                    exported(*window->charts().figure(kind.id), ExportFormat::svg, ExportOptions{});
            }
        }
        return all;
    }

private:
    std::unique_ptr<Figure> m_figure;
};

TEST_F(DesignsWindow, TheBarIsThereAsLongAsADesignIs)
{
    EXPECT_FALSE(bar().isVisible());

    QTest::keyClick(window.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(bar().isVisible());
    EXPECT_TRUE(child<QFrame>("designs.A").isVisible());
    EXPECT_FALSE(child<QFrame>("designs.B").isVisible());
    EXPECT_FALSE(window->document().isModified());

    child<QToolButton>("designs.A.close").click();
    EXPECT_FALSE(bar().isVisible());
}

TEST_F(DesignsWindow, CtrlZBringsThemBack)
{
    trigger("view.designs.freeze");
    trigger("designs.preset.llama-3-8b");
    child<QToolButton>("designs.closeAll").click();
    EXPECT_FALSE(bar().isVisible());
    EXPECT_FALSE(window->document().isModified());

    QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);

    EXPECT_TRUE(bar().isVisible());
    EXPECT_EQ(window->designs().size(), 2U);
}

TEST_F(DesignsWindow, ATabNamesTheDesignItsCostAndItsWorkload)
{
    trigger("view.designs.freeze");
    const QString name = child<ElidedLabel>("designs.A.name").text();
    EXPECT_TRUE(name.contains(QString::fromStdString(window->document().model().name)));
    const QString same = child<QLabel>("designs.A.cost").text();

    Workload longer = window->document().scenario().workload;
    longer.sequence /= 2;
    window->document().apply(QStringLiteral("shorter"),
                             [&longer](DocumentState& state) { state.scenario.workload = longer; });
    window->settle();

    EXPECT_NE(child<QLabel>("designs.A.cost").text(), same);
    EXPECT_EQ(child<QLabel>("designs.A.cost").text().front(), QLatin1Char('+'));
    EXPECT_TRUE(
        child<ElidedLabel>("designs.A.name").text().contains(QLatin1String("own workload")));
}

TEST_F(DesignsWindow, TheNamesOfThreeDesignsAreWhole)
{
    trigger("view.designs.freeze");
    trigger("designs.preset.llama-3-8b");
    trigger("view.designs.freeze");
    for (const char* name :
         {"designs.live", "designs.A.name", "designs.B.name", "designs.C.name"}) {
        const auto& label = child<ElidedLabel>(name);
        EXPECT_GE(label.width(), label.sizeHint().width()) << name;
    }
    const auto& cost = child<QLabel>("designs.B.cost");
    EXPECT_TRUE(cost.toolTip().contains(QLatin1String("FLOPs")));
    EXPECT_EQ(cost.toolTip(), cost.accessibleName());
}

TEST_F(DesignsWindow, SwappingIsOneStepThatUndoTakesBack)
{
    trigger("designs.preset.llama-3-8b");
    const Scenario live = window->document().scenario();
    const int steps = window->document().undoStack().count();

    trigger("view.designs.swapA");
    EXPECT_EQ(window->document().model(), *presetNamed("llama-3-8b"));
    EXPECT_EQ(window->designs().at(0).scenario, live);
    EXPECT_EQ(window->document().undoStack().count(), steps + 1);

    trigger("edit.undo");
    EXPECT_EQ(window->document().scenario(), live);
    EXPECT_EQ(window->designs().at(0).scenario.model, *presetNamed("llama-3-8b"));
}

TEST_F(DesignsWindow, ChartsDrawThemAndAreAsBeforeWithoutThem)
{
    const std::map<ChartId, QByteArray> before = drawings();

    trigger("designs.preset.llama-3-8b");
    trigger("designs.preset.tiny");
    for (const auto& [id, drawing] : drawings()) {
        EXPECT_EQ(drawing != before.at(id), chartKind(id).drawsOthers) << chartKind(id).name;
    }
    EXPECT_EQ(drawn<ShareFigure>(ChartId::share).donuts().size(), 3U);
    EXPECT_EQ(drawn<ScalingFigure>(ChartId::scaling).chart().curves.size(), 3U);
    EXPECT_EQ(drawn<MemoryFigure>(ChartId::memory).content().others.size(), 2U);
    EXPECT_EQ(child<QLabel>("panel.mislead.remark").text(), QStringLiteral("live design alone"));

    trigger("view.designs.closeAll");
    EXPECT_EQ(drawings(), before);
    EXPECT_TRUE(child<QLabel>("panel.mislead.remark").isHidden());
}

TEST_F(DesignsWindow, AFrozenDesignStandsInASecondColumn)
{
    auto& column = child<DesignColumn>("stack.column");
    auto& action = child<QAction>("view.designs.column");
    EXPECT_FALSE(action.isEnabled());
    trigger("designs.preset.tiny");
    trigger("view.designs.freeze");
    EXPECT_FALSE(column.isVisible()) << "nobody asked for it";

    QTest::keyClick(window.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(column.isVisible());
    EXPECT_TRUE(column.accessibleName().contains(QLatin1String("Design A")));
    trigger("view.designs.columnB");
    EXPECT_TRUE(column.accessibleName().contains(QLatin1String("Design B")));
    for (const ColumnBox& box : column.boxes()) {
        EXPECT_EQ(box.mark, ColumnBox::Mark::equal) << box.text();
    }
    trigger("view.designs.removeB");
    EXPECT_TRUE(column.accessibleName().contains(QLatin1String("Design A")));
    trigger("view.designs.closeAll");
    EXPECT_FALSE(column.isVisible());
    EXPECT_TRUE(action.isChecked()) << "the next design is shown again";
    trigger("view.designs.freeze");
    EXPECT_TRUE(column.isVisible());
    trigger("view.designs.column");
    EXPECT_FALSE(column.isVisible());
}

TEST_F(DesignsWindow, RunTimesSayThatAFrozenDesignIsNotMeasured)
{
    RunTimes times{.parts = measuredParts(window->document().scenario()),
                   .device = QStringLiteral("this CPU")};
    times.times.assign(times.parts.size(),
                       {.state = PartState::settled, .medianSeconds = 0.01, .madSeconds = 1e-4});
    trigger("designs.preset.tiny");
    window->charts().setRunTimes(times);

    const RunTimeTable& table = drawn<RunTimeFigure>(ChartId::runtime).content();
    ASSERT_EQ(table.others.size(), 1U);
    EXPECT_EQ(table.others[0].totalText, "not measured");
    EXPECT_NE(table.note.find("not measured on this CPU: "), std::string::npos) << table.note;

    times.compared.push_back({.device = "another"});
    window->charts().setRunTimes(times);
    window->charts().flush();
    EXPECT_EQ(child<QLabel>("panel.runTime.remark").text(), QStringLiteral("live design alone"));
}

TEST_F(DesignsWindow, ThePageComparesFiguresParametersAndBlocks)
{
    window->pages().setCurrentName(child<QSplitter>("comparison").objectName());
    auto& tables = child<ComparisonTables>("panel.differences");
    EXPECT_FALSE(tables.isVisible());
    EXPECT_FALSE(window->charts().figure(ChartId::compare)->emptyText().isEmpty());

    trigger("designs.preset.llama-3-8b");
    trigger("view.designs.freeze");
    ASSERT_TRUE(tables.isVisible());
    ASSERT_EQ(tables.tabs().count(), 4);
    for (int tab = 0; tab < tables.tabs().count(); ++tab) {
        tables.tabs().setCurrentIndex(tab);
        tables.flush();
        EXPECT_GT(tables.model().rowCount(), 0) << tab;
        tables.table().clearSelection();
        tables.table().setFocus();
        QTest::keyClick(&tables.table(), Qt::Key_C, Qt::ControlModifier);
        EXPECT_EQ(QApplication::clipboard()->text().count(QLatin1Char('\n')),
                  tables.model().rowCount() + 1)
            << tab;
    }
    tables.tabs().setCurrentIndex(3);
    trigger("view.designs.removeB");
    tables.flush();
    EXPECT_EQ(tables.tabs().count(), 3);
    EXPECT_GT(tables.model().rowCount(), 0);
}

TEST_F(DesignsWindow, TheTableHasTimesOfTheStoreOrSaysThatThereAreNone)
{
    window->pages().setCurrentName(child<QSplitter>("comparison").objectName());
    trigger("view.designs.freeze");
    auto& tables = child<ComparisonTables>("panel.differences");
    tables.flush();
    const int counted = tables.model().rowCount();

    tables.compareTimesOn({.name = "lab"}, folder.filePath("none.db").toStdString());
    tables.flush();
    EXPECT_EQ(tables.model().rowCount(), counted + 1);
    EXPECT_TRUE(child<QLabel>("panel.differences.caption")
                    .text()
                    .contains(QLatin1String("measured time: not measured on lab")));
}

TEST_F(DesignsWindow, TheCaptionOfTheDifferencesIsWhole)
{
    window->pages().setCurrentName(child<QSplitter>("comparison").objectName());
    for (std::size_t i = 0; i < Designs::kMaxFrozen; ++i) {
        trigger("view.designs.freeze");
    }
    child<ComparisonTables>("panel.differences").flush();
    QCoreApplication::processEvents(); // lays the new text out
    const auto& caption = child<QLabel>("panel.differences.caption");
    ASSERT_TRUE(caption.isVisible());
    EXPECT_TRUE(caption.text().contains(QLatin1String("pairs")));
    EXPECT_GE(caption.height(), caption.heightForWidth(caption.width()));
}

TEST_F(DesignsWindow, ThreeDesignsWithLongNamesFitAProjector)
{
    const QFont font = QApplication::font();
    QFont large = font;
    if (large.pointSizeF() > 0.0) {
        large.setPointSizeF(large.pointSizeF() * 1.5);
    }
    QApplication::setFont(large);
    open();
    renameModel(window->document(), QString(120, QLatin1Char('W')));
    for (std::size_t i = 0; i < Designs::kMaxFrozen; ++i) {
        trigger("view.designs.freeze");
    }

    EXPECT_LE(window->minimumSizeHint().width(), 1276);
    EXPECT_LE(window->minimumSizeHint().height(), 688);
    EXPECT_FALSE(child<QAction>("view.designs.freeze").isEnabled());
    QApplication::setFont(font);
}

} // namespace
} // namespace flopsmith::ui
