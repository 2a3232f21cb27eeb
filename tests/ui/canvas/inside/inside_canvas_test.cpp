// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/inside/inside_canvas.h"

#include "core/model/presets.h"
#include "ui/document/edits/model_edit.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QScrollBar>
#include <QSet>
#include <QTest>

namespace flopsmith::ui {
namespace {

class InsideCanvasTest : public testing::Test
{
protected:
    InsideCanvasTest()
    {
        document.select(Selection::ofRun(0));
        canvas.resize(500, 1600); // all of a block
        canvas.show();
    }

    const InsideStep& operation(int index) const
    {
        return *operationsOf(canvas.picture()).at(static_cast<std::size_t>(index));
    }

    int indexOf(std::string_view name) const
    {
        const std::vector<const InsideStep*> operations = operationsOf(canvas.picture());
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (operations[i]->name == name) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }

    QPoint middleOf(int index) const
    {
        const InsideRect& rect =
            canvas.geometryOfBlock().boxes.at(static_cast<std::size_t>(index)).rect;
        return {static_cast<int>(rect.x + rect.width / 2.0),
                static_cast<int>(rect.y + rect.height / 2.0)};
    }

    Document document{Scenario{.model = *presetNamed("gpt2")}};
    InsideCanvas canvas{document};
};

TEST_F(InsideCanvasTest, ShowsTheBlockOfTheSelectedRun)
{
    EXPECT_EQ(canvas.geometryOfBlock().boxes.size(), 12U);
    EXPECT_EQ(canvas.picture().run, 0);
    EXPECT_EQ(canvas.selected(), -1);
    EXPECT_LE(canvas.geometryOfBlock().width, 500.0);
}

TEST_F(InsideCanvasTest, ArrowsSelectOperations)
{
    QTest::keyClick(&canvas, Qt::Key_Down);
    EXPECT_EQ(canvas.selected(), 0);
    QTest::keyClick(&canvas, Qt::Key_Down);
    EXPECT_EQ(operation(canvas.selected()).name, "qkv_proj");
    EXPECT_EQ(document.operation(), "blocks[0]/attention/qkv_proj");
    EXPECT_TRUE(canvas.sentence().contains(QStringLiteral("qkv_proj")));
    EXPECT_TRUE(canvas.accessibleDescription().contains(canvas.sentence()));

    QTest::keyClick(&canvas, Qt::Key_End);
    EXPECT_EQ(operation(canvas.selected()).name, "ffn_residual");
    QTest::keyClick(&canvas, Qt::Key_Down);
    EXPECT_EQ(operation(canvas.selected()).name, "ffn_residual");
    QTest::keyClick(&canvas, Qt::Key_Home);
    QTest::keyClick(&canvas, Qt::Key_Up);
    EXPECT_EQ(canvas.selected(), 0);
}

TEST_F(InsideCanvasTest, AClickSelectsTheOperationUnderIt)
{
    const int softmax = indexOf("softmax");
    QTest::mouseClick(
        canvas.viewport(), Qt::LeftButton, Qt::KeyboardModifiers(), middleOf(softmax));
    EXPECT_EQ(canvas.selected(), softmax);

    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, Qt::KeyboardModifiers(), QPoint(2, 1590));
    EXPECT_EQ(canvas.selected(), -1);
    EXPECT_EQ(document.operation(), "");
}

TEST_F(InsideCanvasTest, ItMarksWhatTheDocumentHasSelected)
{
    for (const Phase phase : {Phase::prefill, Phase::train}) {
        document.apply({},
                       [phase](DocumentState& state) { state.scenario.workload.phase = phase; });
        canvas.refresh();
        for (int i = 0; i < static_cast<int>(canvas.geometryOfBlock().boxes.size()); ++i) {
            document.selectOperation(operation(i).path);
            EXPECT_EQ(canvas.selected(), i);
            EXPECT_TRUE(canvas.accessibleDescription().contains(QStringLiteral("Selected: ")));
        }
        document.selectOperation("head");
        EXPECT_EQ(canvas.selected(), -1);
        document.select(Selection::ofRun(0));
        canvas.refresh();
    }
    document.selectOperation("backward/blocks[0]/ffn/c_fc");
    EXPECT_EQ(canvas.selected(), indexOf("c_fc"));
}

TEST_F(InsideCanvasTest, AClickOnAFrameSelectsItsPart)
{
    for (const InsideFrame& frame : canvas.geometryOfBlock().frames) {
        const QPoint title(static_cast<int>(frame.title.x) + 1,
                           static_cast<int>(frame.title.y) + 1);
        QTest::mouseClick(canvas.viewport(), Qt::LeftButton, Qt::KeyboardModifiers(), title);
        EXPECT_EQ(document.operation(), frame.path);
        EXPECT_EQ(canvas.selected(), -1);
        EXPECT_FALSE(canvas.sentence().isEmpty());
    }
}

TEST_F(InsideCanvasTest, EscGoesUpToThePartAndThenToNone)
{
    document.selectOperation("blocks[0]/ffn/c_fc");
    QTest::keyClick(&canvas, Qt::Key_Escape);
    EXPECT_EQ(document.operation(), "blocks[0]/ffn");
    EXPECT_GE(canvas.selectedFrame(), 0);

    QTest::keyClick(&canvas, Qt::Key_Up); // from a part to what is before it
    EXPECT_EQ(operation(canvas.selected()).name, "ffn_norm");
    document.selectOperation("blocks[0]/ffn");
    QTest::keyClick(&canvas, Qt::Key_Down);
    EXPECT_EQ(operation(canvas.selected()).name, "c_fc");

    QTest::keyClick(&canvas, Qt::Key_Escape);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    EXPECT_EQ(document.operation(), "");
    EXPECT_EQ(canvas.selectedFrame(), -1);
}

TEST_F(InsideCanvasTest, TheSelectedOperationScrollsIntoView)
{
    canvas.resize(500, 200);
    QTest::keyClick(&canvas, Qt::Key_End);
    const InsideRect& last = canvas.geometryOfBlock().boxes.back().rect;
    const int scrolled = canvas.verticalScrollBar()->value();

    EXPECT_GT(scrolled, 0);
    EXPECT_LE(last.bottom(), scrolled + canvas.viewport()->height());
    QTest::keyClick(&canvas, Qt::Key_Home);
    EXPECT_LE(canvas.verticalScrollBar()->value(), canvas.geometryOfBlock().boxes.front().rect.y);
}

TEST_F(InsideCanvasTest, FollowsModelAndLens)
{
    replaceModel(document, *presetNamed("llama-3-8b"));
    canvas.refresh();
    EXPECT_GE(indexOf("gate_proj"), 0);
    EXPECT_LT(indexOf("c_fc"), 0);

    document.setLens(LensId::mac);
    canvas.refresh();
    EXPECT_TRUE(operation(indexOf("softmax")).cost.uncounted);
    canvas.selectOperation(indexOf("softmax"));
    EXPECT_TRUE(canvas.sentence().contains(QStringLiteral("not counted")));
}

TEST_F(InsideCanvasTest, WhatIsHiddenDoesNotFollowUntilItIsShown)
{
    canvas.hide();
    replaceModel(document, *presetNamed("llama-3-8b"));
    canvas.refresh();
    EXPECT_GE(indexOf("c_fc"), 0);

    canvas.show();
    EXPECT_GE(indexOf("gate_proj"), 0);
}

TEST_F(InsideCanvasTest, TheBarsShowWhatIsChosen)
{
    const auto shareOf = [this](const char* name) {
        return canvas.geometryOfBlock().boxes.at(static_cast<std::size_t>(indexOf(name))).share;
    };
    EXPECT_GT(shareOf("softmax"), 0.0);

    canvas.setMeasure(InsideMeasure::parameters);
    EXPECT_EQ(shareOf("softmax"), 0.0);
    EXPECT_EQ(shareOf("c_fc"), 1.0);
}

TEST_F(InsideCanvasTest, EveryBoxCarriesTheColourOfItsComponent)
{
    const QImage image = canvas.viewport()->grab().toImage();
    const std::vector<const InsideStep*> operations = operationsOf(canvas.picture());
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const InsideRect& rect = canvas.geometryOfBlock().boxes[i].rect;
        const QPoint edge(static_cast<int>(rect.x) + 2,
                          static_cast<int>(rect.y + rect.height / 2.0));
        EXPECT_EQ(image.pixelColor(edge * image.devicePixelRatio()).rgb(),
                  colour(*operations[i]->component).rgb())
            << operations[i]->name;
    }
}

TEST_F(InsideCanvasTest, WhatTheLensDoesNotCountIsHatched)
{
    // The colours in a line between the text of a box and its bar.
    const auto coloursOf = [this](const char* name) {
        const QImage image = canvas.viewport()->grab().toImage();
        const InsideRect& bar =
            canvas.geometryOfBlock().boxes.at(static_cast<std::size_t>(indexOf(name))).bar;
        QSet<QRgb> colours;
        for (int x = static_cast<int>(bar.x); x < static_cast<int>(bar.right()); ++x) {
            const QPoint place(x, static_cast<int>(bar.y) - 1);
            colours << image.pixel(place * image.devicePixelRatio());
        }
        return colours.size();
    };
    EXPECT_EQ(coloursOf("softmax"), 1);

    document.setLens(LensId::mac);
    canvas.refresh();
    EXPECT_GT(coloursOf("softmax"), 1);
    EXPECT_EQ(coloursOf("c_fc"), 1);
}

TEST_F(InsideCanvasTest, WithoutSelectedBlocksItIsEmpty)
{
    document.select(Selection::of(Selection::Part::head));
    canvas.refresh();
    QTest::keyClick(&canvas, Qt::Key_Down);

    EXPECT_EQ(canvas.selected(), -1);
    EXPECT_TRUE(canvas.sentence().isEmpty());
}

} // namespace
} // namespace flopsmith::ui
