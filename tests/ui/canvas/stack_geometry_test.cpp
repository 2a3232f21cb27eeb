// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/base/stack_geometry.h"

#include "core/model/presets.h"
#include "tests/support/patterned.h"
#include "ui/canvas/paint/stack_painter.h"

#include <gtest/gtest.h>

#include <QFontMetricsF>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace flopsmith::ui {
namespace {

constexpr std::array
    kZooms{kMinZoom, 0.01, 0.1, 0.39, 0.4, 0.55, 0.9, 1.0, 1.1, 1.4, 1.41, kMaxZoom};
constexpr QSizeF kCanvas(560.0, 300.0);

StackPicture pictureOf(const Model& model)
{
    const Scenario scenario{.model = model};
    return stackPicture(scenario, costTree(scenario), LensId::exact);
}

StackGeometry laidOut(const StackPicture& picture, double zoom)
{
    return stackGeometry(picture, kCanvas, QFont(), chipFont(QFont()), zoom);
}

void expectApart(const StackGeometry& geometry, const std::string& which)
{
    qreal below = 0.0;
    for (const RowGeometry& row : geometry.rows) {
        EXPECT_GT(row.frame.top(), below) << which;
        EXPECT_GT(row.frame.height(), 0.0) << which;
        below = row.frame.bottom();
        qreal inside = row.title.bottom();
        for (const PartGeometry& part : row.parts) {
            EXPECT_GE(part.box.top() + 1.0, inside) << which;
            EXPECT_LE(part.box.bottom(), row.frame.bottom()) << which;
            EXPECT_FALSE(part.operations.intersects(part.title)) << which;
            inside = part.box.bottom();
        }
        qreal left = row.frame.left();
        for (const QRectF& bar : row.bars) {
            EXPECT_GE(bar.left(), left) << which;
            EXPECT_TRUE(row.frame.contains(bar) || bar.isEmpty()) << which;
            left = bar.right();
        }
    }
    EXPECT_GT(geometry.dropZone.top(), below) << which;
    EXPECT_GE(geometry.size.height(), geometry.dropZone.bottom()) << which;
}

TEST(StackGeometry, RowsNeverOverlapAtAnyZoom)
{
    for (const Preset& preset : presets()) {
        const StackPicture picture = pictureOf(preset.make());
        for (const double zoom : kZooms) {
            expectApart(laidOut(picture, zoom),
                        std::string(preset.title) + " " + std::to_string(zoom));
        }
    }
}

TEST(StackGeometry, PatternsHoldTheirRowsAtAnyZoom)
{
    const StackPicture picture = pictureOf(flopsmith::test::patterned());
    for (const double zoom : kZooms) {
        const StackGeometry geometry = laidOut(picture, zoom);
        expectApart(geometry, "patterned");
        ASSERT_EQ(geometry.patterns.size(), 1U);
        const PatternGeometry& pattern = geometry.patterns.front();
        for (std::size_t row = 0; row < geometry.rows.size(); ++row) {
            const QRectF frame = geometry.rows[row].frame;
            EXPECT_EQ(pattern.frame.contains(frame), picture.rows[row].pattern == 0) << zoom;
            EXPECT_EQ(pattern.frame.intersects(frame), picture.rows[row].pattern == 0) << zoom;
            EXPECT_FALSE(pattern.head.intersects(frame)) << zoom;
        }
    }
    const RowRange all{0, static_cast<int>(picture.rows.size()) - 1};
    const double zoom = fittingZoom(picture, kCanvas, QFont(), all, 1.0);
    EXPECT_LE(laidOut(picture, zoom).size.height(), kCanvas.height());
}

TEST(StackGeometry, NoLineIsLowerThanItsText)
{
    const qreal line = QFontMetricsF(QFont()).height();
    const StackPicture picture = pictureOf(*presetNamed("gpt2-half-swapped"));
    for (const double zoom : kZooms) {
        const StackGeometry geometry = laidOut(picture, zoom);
        for (const RowGeometry& row : geometry.rows) {
            EXPECT_EQ(row.parts.empty(), detailAt(zoom) == StackDetail::bars) << zoom;
            for (const PartGeometry& part : row.parts) {
                EXPECT_GE(part.title.height(), std::floor(line)) << zoom;
                EXPECT_TRUE(part.operations.isEmpty() || part.operations.height() >= line) << zoom;
            }
            EXPECT_TRUE(!row.parts.empty() || row.title.isEmpty() || row.title.height() >= line);
        }
    }
}

TEST(StackGeometry, TheStackGrowsWithTheZoom)
{
    const StackPicture picture = pictureOf(*presetNamed("t5-small"));
    qreal before = 0.0;
    for (const double zoom : kZooms) {
        const qreal height = laidOut(picture, zoom).size.height();
        EXPECT_GE(height, before) << zoom;
        before = height;
    }
}

TEST(StackGeometry, FitShowsAllOfEveryPreset)
{
    for (const Preset& preset : presets()) {
        const StackPicture picture = pictureOf(preset.make());
        const RowRange all{0, static_cast<int>(picture.rows.size()) - 1};
        const double zoom = fittingZoom(picture, kCanvas, QFont(), all, 1.0);
        EXPECT_LE(laidOut(picture, zoom).size.height(), kCanvas.height()) << preset.title;
        EXPECT_TRUE(zoom == 1.0 || laidOut(picture, zoom + 0.01).size.height() > kCanvas.height())
            << preset.title << ": it could be larger";
    }
}

TEST(StackGeometry, FitShowsAThousandBlocks)
{
    Model model = *presetNamed("gpt2-half-swapped");
    const std::vector<BlockRun> both = model.runs;
    for (int i = 2; i < 1000; ++i) {
        model.runs.push_back(both[static_cast<std::size_t>(i % 2)]);
    }
    const StackPicture picture = pictureOf(model);
    const RowRange all{0, static_cast<int>(picture.rows.size()) - 1};
    const double zoom = fittingZoom(picture, kCanvas, QFont(), all, 1.0);

    EXPECT_LE(laidOut(picture, zoom).size.height(), kCanvas.height());
}

TEST(StackGeometry, SomeRowsFitByThemselves)
{
    const StackPicture picture = pictureOf(*presetNamed("t5-small"));
    const RowRange two{1, 2};
    const double zoom = fittingZoom(picture, kCanvas, QFont(), two, kMaxZoom);
    const StackGeometry geometry = laidOut(picture, zoom);

    EXPECT_LE(geometry.rows[2].frame.bottom() - geometry.rows[1].frame.top(), kCanvas.height());
    EXPECT_GT(zoom, 1.0);
}

TEST(StackGeometry, AnAnchorLeadsBackToItsPlaceAndKeepsItsRow)
{
    const StackPicture picture = pictureOf(*presetNamed("t5-small"));
    for (const double zoom : kZooms) {
        const StackGeometry geometry = laidOut(picture, zoom);
        for (int i = 0; i <= 20; ++i) {
            const qreal y = geometry.size.height() * i / 20.0;
            EXPECT_NEAR(heightOf(geometry, anchorAt(geometry, y)), y, 1e-6) << zoom;
        }
        for (std::size_t row = 0; row < geometry.rows.size(); ++row) {
            EXPECT_EQ(anchorAt(geometry, geometry.rows[row].frame.center().y()).row,
                      static_cast<int>(row));
        }
    }
}

TEST(StackGeometry, TheDearestBlockHasTheLongestBar)
{
    const StackPicture picture = pictureOf(*presetNamed("gpt2-half-swapped"));
    const auto lengths = [](const RowGeometry& row) {
        return row.bars.back().right() - row.bars.front().left();
    };
    const StackGeometry geometry = laidOut(picture, 0.3);

    EXPECT_GT(lengths(geometry.rows[1]), lengths(geometry.rows[2])) << "the other half is cheap";
    EXPECT_GT(lengths(geometry.rows[1]), lengths(geometry.rows[0]));
    double shares = 0.0;
    for (const RowGeometry& row : geometry.rows) {
        shares += row.share;
    }
    EXPECT_NEAR(shares, 1.0, 1e-9);
}

} // namespace
} // namespace flopsmith::ui
