// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_pdf.h"

#include "core/base/random.h"
#include "core/model/presets.h"
#include "core/report/design_report.h"
#include "ui/report/page_items.h"

#include <gtest/gtest.h>

#include <QPainter>

#include <string>

namespace flopsmith::ui {
namespace {

Report designOf(std::string_view preset, LensId lens = LensId::matmul)
{
    return reportOf({.scenario = {.model = *presetNamed(preset), .workload = {.sequence = 1024}},
                     .lens = lens});
}

qsizetype pagesIn(const QByteArray& pdf)
{
    return pdf.count("/Type /Page\n");
}

TEST(ReportPdf, OfADesignHasTwoPages)
{
    for (const char* preset : {"gpt2", "llama-3-8b", "t5-small", "gpt2-half-swapped"}) {
        const QByteArray pdf = reportPdf(drawnReport(designOf(preset)));

        EXPECT_TRUE(pdf.startsWith("%PDF-")) << preset;
        EXPECT_EQ(pagesIn(pdf), 2) << preset;
        EXPECT_EQ(pdf.count("/Subtype /Image"), 0) << preset; // figures are drawn as lines
    }
}

TEST(ReportPdf, OfAnythingLongGoesOnOverItsPages)
{
    Report report{.title = "Long"};
    report.blocks.emplace_back(ReportText{.text = std::string(20'000, 'a')});
    for (int i = 0; i < 80; ++i) {
        report.blocks.emplace_back(ReportAnswerBox{.unit = "FLOPs"});
    }

    EXPECT_GT(pagesIn(reportPdf(drawnReport(std::move(report)))), 5);
}

TEST(DrawnReport, SaysWhyAFigureIsMissing)
{
    Report report = designOf("gpt2");
    for (ReportBlock& block : report.blocks) {
        if (auto* row = std::get_if<ReportFigures>(&block)) {
            row->figures.front().chart = "nonsense";
        }
    }
    const DrawnReport drawn = drawnReport(report);

    EXPECT_EQ(figuresOf(drawn.report).size(), 1);
    EXPECT_EQ(drawn.report.blocks.size(), report.blocks.size() + 1);
    EXPECT_EQ(drawn.figures.size(), 1);
}

TEST(DrawnReport, DrawsOtherDesignsBesideTheFigures)
{
    const Scenario wide = {.model = *presetNamed("gpt2-xl"), .workload = {.sequence = 1024}};
    ReportFigure figure{.name = "c", .chart = "compare", .scenario = wide, .lens = LensId::matmul};
    figure.others = {{.model = *presetNamed("gpt2"), .workload = {.sequence = 1024}}, wide};
    Report report{.title = "Two"};
    report.blocks.emplace_back(ReportFigures{.figures = {figure}});

    EXPECT_EQ(figuresOf(drawnReport(report).report).size(), 1);
}

// Items of random heights: every one that paints stands once, in order, on some page.
TEST(Pages, HoldEveryItemOnceAndNoneCrossesTheirEnd)
{
    Random random(1);
    constexpr double kHeight = 100.0;
    for (int round = 0; round < 300; ++round) {
        std::vector<PageItem> items;
        const auto count = random.integer(0, 40);
        for (int i = 0; i < count; ++i) {
            PageItem& item = items.emplace_back();
            item.height = static_cast<double>(random.integer(1, 99));
            item.keepsNext = random.uniform() < 0.2;
            item.beginsPage = random.uniform() < 0.1;
            if (!item.beginsPage && random.uniform() < 0.8) {
                item.paint = [](QPainter&, double) {};
            }
        }
        std::vector<const PageItem*> placed;
        for (const auto& page : pagesOf(items, kHeight)) {
            double below = 0.0;
            for (const PlacedPageItem& each : page) {
                EXPECT_GE(each.top, below);
                below = each.top + each.item->height;
                EXPECT_LE(below, kHeight);
                placed.push_back(each.item);
            }
        }
        std::vector<const PageItem*> expected;
        for (const PageItem& item : items) {
            if (item.paint) {
                expected.push_back(&item);
            }
        }
        EXPECT_EQ(placed, expected);
    }
}

TEST(Pages, KeepAHeadingWithWhatFollows)
{
    const auto paint = [](QPainter&, double) {};
    std::vector<PageItem> items(3);
    items[0] = {.height = 70, .paint = paint};
    items[1] = {.height = 20, .keepsNext = true, .paint = paint};
    items[2] = {.height = 20, .paint = paint};

    const auto pages = pagesOf(items, 100);

    ASSERT_EQ(pages.size(), 2);
    EXPECT_EQ(pages[0].size(), 1);
    EXPECT_EQ(pages[1].front().item, &items[1]);
}

} // namespace
} // namespace flopsmith::ui
