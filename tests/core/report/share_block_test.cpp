// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/share_block.h"

#include "core/ffn/dense.h"
#include "core/model/presets.h"
#include "core/report/design_report.h"
#include "core/report/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

Project wideGpt2()
{
    Project project{.scenario = {.model = *presetNamed("gpt2"), .workload = {.sequence = 512}},
                    .lens = LensId::matmul};
    project.scenario.model.dModel = 1536;
    return project;
}

// So many different blocks that their code has thousands of characters.
Project manyBlocks()
{
    Project project = wideGpt2();
    const BlockRun run = project.scenario.model.runs.front();
    project.scenario.model.runs.clear();
    for (int i = 0; i < 400; ++i) {
        BlockRun& added = project.scenario.model.runs.emplace_back(run);
        added.repeat = 1 + i % 7;
        added.block.ffn = DenseFfn{.dFf = 64 * (1 + i * 37 % 1'009)};
    }
    return project;
}

const std::string& fileOfFigure(const ReportFigure& figure)
{
    return figure.name;
}

Report reportWith(const Project& project, std::string_view language)
{
    return {.title = "A", .blocks = {shareBlock(project, "memory", language)}};
}

TEST(ShareBlock, OpensTheSameDesign)
{
    const ReportBlock block = shareBlock(wideGpt2(), "memory");

    const auto* share = std::get_if<ReportShareCode>(&block);
    ASSERT_NE(share, nullptr);
    const Result<SharedDesign> opened = parsedShareCode(share->code);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_EQ(opened->project.scenario, wideGpt2().scenario);
    EXPECT_EQ(opened->project.lens, LensId::matmul);
    EXPECT_EQ(opened->page, "memory");
}

TEST(ShareBlock, IsAPictureInHtmlAndTextElsewhere)
{
    const Report report = reportWith(wideGpt2(), "en");
    const std::string code = std::get<ReportShareCode>(report.blocks.front()).code;

    EXPECT_THAT(htmlReport(report, fileOfFigure), HasSubstr("<svg"));
    EXPECT_THAT(htmlReport(report, fileOfFigure), HasSubstr(code));
    EXPECT_THAT(markdownReport(report, fileOfFigure), HasSubstr("```\n" + code + "\n```"));
    std::string latex = latexReport(report, fileOfFigure);
    for (const std::string_view added : {"\\allowbreak{}", "{", "}", "\\"}) {
        for (std::size_t at = latex.find(added); at != std::string::npos; at = latex.find(added)) {
            latex.erase(at, added.size());
        }
    }
    EXPECT_THAT(latex, HasSubstr(code));
}

TEST(ShareBlock, OfADesignThatIsTooLargeIsASentence)
{
    EXPECT_THAT(markdownReport(reportWith(manyBlocks(), "en"), fileOfFigure),
                HasSubstr("too large"));
    const std::string german = markdownReport(reportWith(manyBlocks(), "de"), fileOfFigure);
    EXPECT_THAT(german, HasSubstr("als Datei"));
    EXPECT_THAT(german, Not(HasSubstr("FS1.")));
}

TEST(ShareBlock, StandsAtTheEndOfADesignsReport)
{
    const Report report = reportOf({.scenario = wideGpt2().scenario, .lens = LensId::matmul});

    const auto* share = std::get_if<ReportShareCode>(&report.blocks.back());
    ASSERT_NE(share, nullptr);
    EXPECT_EQ(parsedShareCode(share->code)->project.scenario, wideGpt2().scenario);
}

} // namespace
} // namespace flopsmith
