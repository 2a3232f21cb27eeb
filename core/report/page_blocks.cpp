// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/page_blocks.h"

#include "core/base/check.h"
#include "core/formula/folklore.h"
#include "core/io/reports/cost_report.h"
#include "core/present/inside/inside.h"
#include "core/report/design_report.h"
#include "core/report/design_tables.h"
#include "core/report/frame_words.h"
#include "core/study/compare/comparison.h"
#include "core/teach/play/localized_number.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

namespace flopsmith {
namespace {

// "GPT-2 small, 1 × 1024 tokens, Matmul products"
std::string viewCaption(const LessonContext& context)
{
    return reportWords(context.scenario.model.name) + ", " + context.scenario.tokensText() + ", "
        + std::string(lens(context.lens).title);
}

PairsRule pairsIn(const LessonContext& context)
{
    return context.pairs.value_or(lens(context.lens).pairs);
}

// The first block of the path "backward/blocks[3]/ffn", or 0.
int blockIn(const std::string& path)
{
    constexpr std::string_view kBlocks = "blocks[";
    const std::size_t at = path.find(kBlocks);
    int block = 0;
    if (at != std::string::npos) {
        std::from_chars(path.data() + at + kBlocks.size(), path.data() + path.size(), block);
    }
    return block;
}

/// Makes the blocks of one view.
class PageOnPaper
{
public:
    PageOnPaper(const LessonView& view,
                const std::string& name,
                PageCosts costs,
                std::string_view language)
        : m_view(view)
        , m_context(view.context)
        , m_name(name)
        , m_costs(costs)
        , m_language(language)
    {}

    std::vector<ReportBlock> blocks() const
    {
        const std::optional<LessonPageKind> page = lessonPageNamed(m_view.page);
        FLOPSMITH_CHECK(page.has_value());
        using Page = LessonPageKind;
        switch (*page) {
        case Page::stack: return {m_view.zoom == "inside" ? operations() : stack()};
        case Page::inside: return {operations()};
        case Page::compare:
            return m_view.frozen.empty() ? std::vector<ReportBlock>() : figure("compare");
        case Page::share:
        case Page::scaling:
        case Page::memory:
        case Page::roofline:
        case Page::waterfall:
        case Page::claims: return figure(m_view.page); // charts of the same names
        case Page::designSpace: return figure("heat");
        case Page::formulas: return formulaBlocks(m_context, m_view.select, m_language);
        case Page::tables: return {parts()};
        case Page::folklore: return folkloreTexts();
        case Page::runTime:
        case Page::mislead: return measuredText();
        }
        return {};
    }

private:
    std::vector<ReportBlock> figure(std::string_view chart) const
    {
        ReportFigure drawn{.name = m_name,
                           .chart = std::string(chart),
                           .caption = viewCaption(m_context),
                           .scenario = m_context.scenario,
                           .others = m_view.frozen,
                           // a waterfall leads from the products to all that is executed
                           .lens = chart == "waterfall" ? LensId::exact : m_context.lens,
                           .pairs = m_context.pairs};
        drawn.others.resize(std::min(drawn.others.size(), kMaxDesigns - 1));
        if (chart == "roofline") {
            drawn.hardware = *hardwareNamed(kReportHardware);
        }
        return {ReportFigures{.figures = {std::move(drawn)}}};
    }

    Table stack() const
    {
        const CostTree<Count> tree = costTree(m_context.scenario, pairsIn(m_context));
        Table table =
            stackTable(stackPicture(m_context.scenario, tree, m_context.lens), m_context.lens);
        table.caption = viewCaption(m_context);
        return asAsked(std::move(table));
    }

    // Of the selected block, or of the first one.
    Table operations() const
    {
        const CostTree<Count> tree = costTree(m_context.scenario, pairsIn(m_context));
        const int run = m_context.scenario.model.runOf(blockIn(m_view.select));
        const InsidePicture picture = insidePicture(m_context.scenario, tree, m_context.lens, run);
        Table table{.caption = viewCaption(m_context) + ", " + picture.blocks,
                    .columns = {{"operation", "operation", Align::left},
                                {"shapes", "shapes", Align::left},
                                {"cost", picture.unit}}};
        for (const InsideStep* each : operationsOf(picture)) {
            table.rows.push_back(
                {Cell::text(each->name),
                 Cell::text(insideShapes(*each, ShapeText::numbers)),
                 Cell::text(insideValue(picture, each->cost, InsideMeasure::flops))});
        }
        return asAsked(std::move(table));
    }

    // The costs are the last column.
    Table asAsked(Table table) const
    {
        if (m_costs == PageCosts::hidden) {
            table.columns.pop_back();
            for (std::vector<Cell>& row : table.rows) {
                row.pop_back();
            }
        }
        return table;
    }

    // Part by part as in the window; of a model with many different blocks, by component.
    Table parts() const
    {
        constexpr std::size_t kMaxTableRows = 40;
        const CostReport report =
            costReport(m_context.scenario, m_context.lens, pairsIn(m_context));
        Table table = costTable(report);
        if (table.rows.size() > kMaxTableRows) {
            table = componentTable(report);
        }
        table.caption = viewCaption(m_context);
        return table;
    }

    static std::vector<ReportBlock> folkloreTexts()
    {
        std::vector<ReportBlock> blocks;
        for (const Folklore& each : folklore()) {
            blocks.emplace_back(ReportText{.text = each.title + " (" + each.note + "): "
                                               + each.printed + " \xE2\x80\x93 " + each.truth,
                                           .isSmall = true});
        }
        return blocks;
    }

    std::vector<ReportBlock> measuredText() const
    {
        return {
            ReportText{.text = std::string(frameWordsIn(m_language).measured), .isSmall = true}};
    }

    const LessonView& m_view;
    const LessonContext& m_context;
    const std::string& m_name;
    PageCosts m_costs;
    std::string_view m_language;
};

} // namespace

std::vector<ReportBlock> pageBlocks(const LessonView& view,
                                    const std::string& name,
                                    PageCosts costs,
                                    std::string_view language)
{
    return PageOnPaper(view, name, costs, language).blocks();
}

std::vector<ReportBlock> formulaBlocks(const LessonContext& context,
                                       const std::string& part,
                                       std::string_view language)
{
    constexpr std::size_t kLongest = 400; // characters: an aid, not the answer
    constexpr std::size_t kMaxRunsSolved = 64; // with more runs the symbolic formula takes too long
    if (part.empty() || context.scenario.model.runs.size() > kMaxRunsSolved) {
        return {};
    }
    const Result<Formula> formula =
        formulaOf(context.scenario, part, context.lens, {}, context.pairs);
    if (!formula || std::max(formula->text.size(), formula->numbers.size()) > kLongest) {
        return {};
    }
    return {ReportFormula{.of = formula->path,
                          .letters = formula->text,
                          .latex = formula->latex,
                          .numbers = formula->numbers,
                          .value = localizedDigits(formula->value, language) + " "
                              + std::string(lens(context.lens).unit),
                          .isRounded = formula->nominal,
                          .symbols = formula->symbols}};
}

} // namespace flopsmith
