// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/design_report.h"

#include "core/base/printable.h"
#include "core/io/reports/memory_report.h"
#include "core/report/derivation.h"
#include "core/report/design_tables.h"
#include "core/report/design_words.h"
#include "core/report/share_block.h"

#include <utility>

namespace flopsmith {
namespace {

class DesignReport
{
public:
    explicit DesignReport(const ReportRequest& request)
        : m_request(request)
        , m_costs(costReport(request.scenario,
                             request.lens,
                             request.pairs.value_or(lens(request.lens).pairs)))
        , m_memory(memory(request.scenario))
        , m_hardware(request.hardware ? *request.hardware : *hardwareNamed(kReportHardware))
    {
        // Untrusted names may be as long as a file: they are shortened here.
        m_costs.scenario.model.name = reportWords(request.scenario.model.name);
        m_hardware.name = reportWords(m_hardware.name);
    }

    Report report()
    {
        const std::string source = provenance(m_costs);
        m_report.title = m_costs.scenario.model.name;
        m_report.subtitle = passWords(m_costs.scenario);
        m_report.footer = source;
        m_report.pages = 2;
        addFirstPage();
        m_report.blocks.emplace_back(ReportPageBreak{});
        addSecondPage();
        say(source + (m_request.date.empty() ? "" : "; " + m_request.date) + ".", true);
        m_report.blocks.push_back(shareBlock({.scenario = m_costs.scenario, .lens = m_costs.lens}));
        addNotes();
        return std::move(m_report);
    }

private:
    void head(std::string text)
    {
        m_report.blocks.emplace_back(ReportHeading{.text = std::move(text)});
    }

    void say(std::string text, bool small = false)
    {
        m_report.blocks.emplace_back(ReportText{.text = std::move(text), .isSmall = small});
    }

    void add(Table table) { m_report.blocks.emplace_back(std::move(table)); }

    void addFirstPage()
    {
        const StackPicture picture = stackPicture(m_costs.scenario, m_costs.tree, m_costs.lens);
        say(designParagraph(m_costs, picture, m_memory));
        head("Stack");
        add(stackTable(picture, m_costs.lens));
        head("Cost by component");
        add(componentTable(m_costs));
        draw({figure("share", "Shares of cost, parameters and bytes moved")});
    }

    void addSecondPage()
    {
        head("Memory");
        add(memoryKindsTable(m_costs.scenario, m_memory));
        if (const std::string fit = fitText(m_memory, m_hardware); !fit.empty()) {
            say(fit + ".");
        }
        head("How cost grows, and what bounds it");
        draw({figure("scaling", "Cost over length"),
              figure("roofline", "Roofline of " + m_hardware.name)});
        head("How the total comes about");
        for (ReportBlock& block : derivation(m_costs)) {
            m_report.blocks.push_back(std::move(block));
        }
        head("Where the numbers come from");
        say(lensWords(m_costs.lens, m_costs.pairs), true);
        say(hardwareWords(m_hardware, m_costs.scenario.workload.precision)
                + " All other numbers are counted, none is measured.",
            true);
    }

    // Smaller type gets a page of notes in, but not a booklet.
    void addNotes()
    {
        constexpr std::size_t kBytesOfAPage = 3000;
        if (m_request.notes.empty()) {
            return;
        }
        m_report.blocks.emplace_back(ReportPageBreak{});
        head("Notes");
        std::size_t bytes = 0;
        for (const Note& note : inStackOrder(m_request.notes, m_costs.scenario.model)) {
            bytes += note.text.size();
            say(anchorText(note.anchor, m_costs.scenario.model) + ": " + printable(note.text));
        }
        m_report.pages = bytes <= kBytesOfAPage ? m_report.pages + 1 : 0;
    }

    ReportFigure figure(const char* chart, std::string caption) const
    {
        return {.name = chart,
                .chart = chart,
                .caption = std::move(caption),
                .scenario = m_costs.scenario,
                .lens = m_costs.lens,
                .pairs = m_request.pairs,
                .hardware = m_hardware};
    }

    void draw(std::vector<ReportFigure> figures)
    {
        m_report.blocks.emplace_back(ReportFigures{.figures = std::move(figures)});
    }

    const ReportRequest& m_request;
    CostReport m_costs;
    Memory m_memory;
    Hardware m_hardware;
    Report m_report;
};

} // namespace

Report reportOf(const ReportRequest& request)
{
    return DesignReport(request).report();
}

} // namespace flopsmith
