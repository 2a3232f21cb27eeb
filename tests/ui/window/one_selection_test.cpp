// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/gated.h"
#include "core/model/presets.h"
#include "core/model/tree_path.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/inside/inside_canvas.h"
#include "ui/canvas/inside/inside_page.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/document/edits/model_edit.h"
#include "ui/tables/cost_page.h"
#include "ui/window/stack/stack_pages.h"

#include <QSignalSpy>
#include <QTableView>

namespace flopsmith::ui {
namespace {

class OneSelectionTest : public test::WindowTest
{
protected:
    Document& document() { return window->document(); }
    InsideCanvas& inside() { return window->stackPages().inside().canvas(); }
    FigureView& share() { return child<ChartPanel>("panel.share").view(); }

    void showCosts()
    {
        for (int page = 0; !child<CostPage>("costs").isVisible(); ++page) {
            window->pages().setCurrent(page);
        }
    }

    std::string pathOfRow()
    {
        const auto& page = child<CostPage>("costs");
        const QModelIndexList rows =
            child<QTableView>("costs.table").selectionModel()->selectedRows();
        if (rows.size() != 1) {
            return "no single row";
        }
        const auto& order = static_cast<const QSortFilterProxyModel&>(*rows.front().model());
        return page.model().path(order.mapToSource(rows.front()).row()).toStdString();
    }
};

TEST_F(OneSelectionTest, EveryOperationIsMarkedInEveryView)
{
    for (const char* preset : {"gpt2", "gpt2-half-swapped", "llama-3-8b"}) {
        replaceModel(document(), *presetNamed(preset));
        window->pages().setCurrent(0);
        window->settle();
        showCosts();
        const QSignalSpy operations(&document(), &Document::operationChanged);
        const CostTree<Count> tree = document().costTree();
        for (int i = 1; i < tree.size(); ++i) {
            const std::string path = tree.path(i);
            document().selectOperation(path);
            EXPECT_EQ(document().operation(), path);
            EXPECT_EQ(operations.count(), i) << path;
            EXPECT_EQ(pathOfRow(), path);
            EXPECT_EQ(share().mark().path, path);
            EXPECT_FALSE(share().marked().empty()) << path;
        }
    }
}

TEST_F(OneSelectionTest, AnOperationInsideABlockIsMarkedOutside)
{
    showCosts();
    window->stackPages().openInside();
    for (int i = 0; i < static_cast<int>(inside().geometryOfBlock().boxes.size()); ++i) {
        inside().selectOperation(i);
        const std::string path =
            operationsOf(inside().picture())[static_cast<std::size_t>(i)]->path;
        EXPECT_EQ(document().operation(), path);
        EXPECT_EQ(pathOfRow(), path);
        EXPECT_EQ(share().mark().path, path);
    }
}

TEST_F(OneSelectionTest, AComponentOfAChartIsItsPartInTheSelectedBlock)
{
    replaceModel(document(), *presetNamed("gpt2-half-swapped"));
    window->settle();
    for (const int run : {0, 1}) {
        document().select(Selection::ofRun(run));
        Q_EMIT share().chosen({}, QStringLiteral("attention"));
        EXPECT_EQ(document().operation(),
                  "blocks[" + std::to_string(document().model().firstBlock(run)) + "]/attention");
        EXPECT_EQ(document().selection().current(), Selection::ofRun(run));
    }
    Q_EMIT share().chosen({}, {});
    EXPECT_EQ(document().operation(), "");
    EXPECT_TRUE(share().mark().isEmpty());
}

TEST_F(OneSelectionTest, ThePressBesideTheStackSelectsNoOperation)
{
    document().selectOperation("blocks[0]/ffn");
    StackView& stack = window->stack();
    const QPoint ground(1, stack.viewport()->height() - 1);
    QTest::mousePress(stack.viewport(), Qt::LeftButton, Qt::KeyboardModifiers(), ground);
    QTest::mouseRelease(stack.viewport(), Qt::LeftButton, Qt::KeyboardModifiers(), ground);
    EXPECT_EQ(document().operation(), "");
    EXPECT_EQ(document().selection(), Selection::ofRun(0));
}

TEST_F(OneSelectionTest, WhatTheModelLosesIsUnmarked)
{
    replaceModel(document(), *presetNamed("gpt2"));
    window->settle();
    document().selectOperation("blocks[0]/ffn/c_fc");
    document().apply(
        {}, [](DocumentState& state) { state.scenario.model.runs.front().block.ffn = GatedFfn{}; });
    window->settle();
    EXPECT_EQ(document().operation(), "blocks[0]/ffn");
    EXPECT_EQ(share().mark().path, "blocks[0]/ffn");
}

} // namespace
} // namespace flopsmith::ui
