// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/design_report.h"

#include "core/base/markdown.h"
#include "core/base/text.h"
#include "core/ffn/dense.h"
#include "core/lens/cost_summary.h"
#include "core/model/presets.h"
#include "core/report/derivation.h"
#include "core/report/design_tables.h"
#include "core/report/escaping.h"
#include "core/report/report_format.h"
#include "core/report/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::array<LensId, 4> kSomeLenses{LensId::exact,
                                            LensId::matmul,
                                            LensId::fvcore,
                                            LensId::kaplan};

Scenario presetScenario(std::string_view id)
{
    return {.model = *presetNamed(id), .workload = {.sequence = 1024}};
}

const std::string& nameOf(const ReportFigure& figure)
{
    return figure.name;
}

std::vector<std::string> textsOf(const Report& report)
{
    return {
        htmlReport(report, nameOf), markdownReport(report, nameOf), latexReport(report, nameOf)};
}

// As that writer spells the digits.
std::vector<std::string> spellings(const std::string& text)
{
    return {htmlEscaped(text), markdownWords(text), latexWords(text)};
}

void expectInAll(const Report& report, const std::string& text)
{
    const std::vector<std::string> texts = textsOf(report);
    const std::vector<std::string> spelled = spellings(text);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_NE(texts[i].find(spelled[i]), std::string::npos) << i << ": " << spelled[i];
    }
}

TEST(DesignReport, HasTheNumbersOfTheCostInEveryText)
{
    for (const char* preset : {"gpt2", "llama-3-8b", "gpt2-half-swapped", "t5-small"}) {
        for (const LensId id : kSomeLenses) {
            const Scenario scenario = presetScenario(preset);
            const CostReport cost = costReport(scenario, id);
            const CostSummary sum = summary(cost.tree, scenario, id);
            const Report report = reportOf({.scenario = scenario, .lens = id});

            expectInAll(report, groupedDigits(cost.total.figure.value()));
            expectInAll(report, groupedDigits(sum.parameters));
            expectInAll(report, groupedDigits(memory(scenario).total()));
            for (const ComponentCost& part : componentCosts(cost)) {
                expectInAll(report, groupedDigits(part.parameters));
                expectInAll(report, groupedDigits(part.bytes));
                if (part.flops > 0) {
                    expectInAll(report, groupedDigits(part.flops));
                }
            }
        }
    }
}

TEST(DesignReport, NamesItsDeviceLensVersionAndDate)
{
    const Report report = reportOf(
        {.scenario = presetScenario("gpt2"), .lens = LensId::matmul, .date = "2026-11-21"});

    expectInAll(report, hardwareNamed(kReportHardware)->name);
    expectInAll(report, std::string(lens(LensId::matmul).rule));
    expectInAll(report, provenance(costReport(presetScenario("gpt2"), LensId::matmul)));
    expectInAll(report, "2026-11-21");
    EXPECT_EQ(figuresOf(report).size(), 3);
}

TEST(DesignReport, PartsSumToTheWhole)
{
    for (const Preset& preset : presets()) {
        for (const LensId id : {LensId::exact, LensId::matmul}) {
            const Scenario scenario = presetScenario(preset.id);
            const CostReport cost = costReport(scenario, id);
            Count flops = 0;
            Count parameters = 0;
            for (const ComponentCost& part : componentCosts(cost)) {
                flops += part.flops;
                parameters += part.parameters;
            }

            EXPECT_TRUE(flops == cost.total.figure.value()) << preset.id;
            EXPECT_TRUE(parameters == summary(cost.tree, scenario, id).parameters) << preset.id;
        }
    }
}

TEST(DesignReport, DerivesTheTotalFromItsParts)
{
    const CostReport cost = costReport(presetScenario("gpt2"), LensId::matmul);
    const std::vector<ReportBlock> blocks = derivation(cost);

    ASSERT_EQ(blocks.size(), 5);
    const auto& lines = std::get<Table>(blocks[0]);
    ASSERT_EQ(lines.rows.size(), 3);
    EXPECT_EQ(lines.rows[2][0].shown, "FFN");
    EXPECT_EQ(lines.rows[2][1].shown, "4*d*f*B*S = 16*d^2*B*S");
    EXPECT_EQ(lines.rows[2][2].shown, groupedDigits(9'663'676'416));
    EXPECT_THAT(std::get<ReportText>(blocks[1]).text, HasSubstr("Scores and values: "));
    const auto& block = std::get<ReportFormula>(blocks[2]);
    EXPECT_EQ(block.of, "Blocks 1 \xE2\x80\x93 12, each, with f = 4d");
    EXPECT_EQ(block.letters, "24*d^2*B*S + 4*d*B*S^2");
    EXPECT_EQ(block.value, groupedDigits(17'716'740'096) + " FLOPs");
    const auto& whole = std::get<ReportFormula>(blocks[4]);
    EXPECT_EQ(whole.numbers, "12*17716740096 + 79047426048");
    EXPECT_EQ(whole.value, groupedDigits(291'648'307'200) + " FLOPs");
}

TEST(DesignReport, OfALensThatIsAFormulaListsItsTerms)
{
    const CostReport cost = costReport(presetScenario("gpt2"), LensId::megatron);
    const std::vector<ReportBlock> blocks = derivation(cost);

    ASSERT_GE(blocks.size(), 2);
    EXPECT_EQ(std::get<ReportFormula>(blocks[0]).value,
              groupedDigits(cost.total.figure.value()) + " FLOPs");
    EXPECT_EQ(std::get<Table>(blocks[1]).rows.size(), cost.total.terms.size());
}

TEST(DesignReport, OfAHostileNameIsShortAndEscaped)
{
    const std::string evil = "<script>alert(1)</script>\\input{/etc/passwd}$x$ [a](b) `c` ";
    std::string name;
    while (name.size() < 1'000'000) {
        name += evil;
    }
    Scenario scenario = presetScenario("gpt2");
    scenario.model.name = name;
    const Report report = reportOf({.scenario = scenario, .lens = LensId::matmul});

    const std::vector<std::string> texts = textsOf(report);
    for (const std::string& text : texts) {
        EXPECT_LT(text.size(), 80'000); // in HTML with a QR code
    }
    EXPECT_THAT(texts[0], Not(HasSubstr("<script")));
    EXPECT_THAT(texts[1], HasSubstr("# \\<script\\>"));
    EXPECT_THAT(texts[2], Not(HasSubstr("\\input{")));
    EXPECT_THAT(texts[2], HasSubstr("\\textbackslash{}input\\{"));
    EXPECT_LE(figuresOf(report).front()->scenario.model.name.size(), 100);
}

TEST(DesignReport, OfManyDifferentBlocksStaysOnTwoPages)
{
    Scenario scenario = presetScenario("gpt2");
    const BlockRun run = scenario.model.runs.front();
    scenario.model.runs.clear();
    for (int i = 0; i < 200; ++i) {
        BlockRun& added = scenario.model.runs.emplace_back(run);
        added.repeat = 1;
        added.block.ffn = DenseFfn{.dFf = 64 * (i + 1)};
    }
    const Report report = reportOf({.scenario = scenario, .lens = LensId::matmul});

    for (const ReportBlock& block : report.blocks) {
        if (const auto* table = std::get_if<Table>(&block)) {
            EXPECT_LE(table->rows.size(), 20);
        }
    }
    expectInAll(report, groupedDigits(costReport(scenario, LensId::matmul).total.figure.value()));
}

TEST(DesignReport, EndsWithTheNotesInTheirOrder)
{
    const Scenario scenario = presetScenario("gpt2");
    const std::string evil = "<b>bold</b> \\input{x} *star* $1$\nsecond line";
    const Report report =
        reportOf({.scenario = scenario,
                  .lens = LensId::matmul,
                  .notes = {{{NotePart::head}, "tied weights"}, {{NotePart::ffn, 0}, evil}}});

    expectInAll(report,
                "Blocks 1 \xE2\x80\x93 12, FFN: <b>bold</b> \\input{x} *star* $1$ second line");
    expectInAll(report, "Head: tied weights");
    EXPECT_EQ(report.pages, 3);
    for (const std::string& text : textsOf(report)) {
        EXPECT_THAT(text, HasSubstr("Notes"));
        EXPECT_LT(text.find("bold"), text.find("tied weights"));
    }
    EXPECT_THAT(textsOf(report)[0], Not(HasSubstr("<b>bold")));
    EXPECT_THAT(textsOf(report)[2], Not(HasSubstr("\\input{x}")));
}

TEST(DesignReport, WithoutNotesHasNoPageForThem)
{
    const Scenario scenario = presetScenario("gpt2");
    const Report report = reportOf({.scenario = scenario, .lens = LensId::matmul});

    EXPECT_EQ(report.pages, 2);
    EXPECT_THAT(markdownReport(report, nameOf), Not(HasSubstr("# Notes")));
}

TEST(DesignReport, OfVeryManyNotesHasAsManyPagesAsItNeeds)
{
    const Note longNote{{NotePart::stack}, std::string(kLongestNote, 'x')};
    const Report report = reportOf({.scenario = presetScenario("gpt2"),
                                    .lens = LensId::matmul,
                                    .notes = std::vector<Note>(kMaxNotes, longNote)});
    EXPECT_EQ(report.pages, 0);
}

TEST(ReportFormat, FollowsFromTheSuffix)
{
    EXPECT_EQ(reportFormatOf("a/r.PDF").value(), ReportFormat::pdf);
    EXPECT_EQ(reportFormatOf("r.htm").value(), ReportFormat::html);
    EXPECT_EQ(reportFormatOf("r.md").value(), ReportFormat::markdown);
    EXPECT_EQ(reportFormatOf("r.tex").value(), ReportFormat::latex);
    EXPECT_EQ(reportFormatOf("r.docx").error().message,
              "r.docx has the suffix .docx; a report can be .pdf, .html, .md or .tex");
    EXPECT_EQ(reportFormatOf("r").error().message,
              "r has no suffix; a report can be .pdf, .html, .md or .tex");
}

TEST(ReportFormat, ItsFolderOfFiguresIsAPlainName)
{
    EXPECT_EQ(figureFolderOf("docs/r.tex"), "r-figures");
    EXPECT_EQ(figureFolderOf("50% off #1_{x}.tex"), "50--off--1--x--figures");
    EXPECT_LE(figureFolderOf(std::string(5000, 'a') + ".md").size(), 80);
}

} // namespace
} // namespace flopsmith
