// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/why/figure_why.h"

#include "core/base/text.h"
#include "core/why/part_why.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/base/figure_view.h"
#include "ui/window/why/why_cards.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith::ui {
namespace {

std::vector<WhyStep> stepsOf(const std::vector<Hotspot::Line>& lines)
{
    std::vector<WhyStep> steps;
    for (const Hotspot::Line& line : lines) {
        steps.push_back({.title = line.label.toStdString(), .result = line.value.toStdString()});
    }
    return steps;
}

// What the chart's own card says.
Why shownWhy(const Figure& figure, const Hotspot& shown)
{
    return {.title = shown.title.toStdString(),
            .sentence = (shown.meaning.isEmpty() ? figure.title() : shown.meaning).toStdString(),
            .steps = stepsOf(shown.lines)};
}

// With all digits, if the tick is a number.
std::vector<WhyStep> inFull(double value)
{
    constexpr double kWhole = 9.0e15; // up to which a double counts exactly
    if (!std::isfinite(value)) {
        return {};
    }
    const bool isWhole = value == std::floor(value) && std::abs(value) < kWhole;
    return {
        {.title = "in full",
         .result = isWhole ? groupedDigits(static_cast<std::int64_t>(value)) : numberText(value)}};
}

Why tickWhy(const Figure& figure, const Label& text)
{
    const AxisTick& tick = *text.tick;
    const TickMeaning meaning = figure.tickMeaning(tick);
    Why why{.title = (meaning.axis + QStringLiteral(": ") + text.text).toStdString(),
            .sentence = meaning.sentence.toStdString(),
            .steps = inFull(tick.value)};
    const std::vector<WhyStep> there = stepsOf(meaning.lines);
    why.steps.insert(why.steps.end(), there.begin(), there.end());
    if (std::isfinite(tick.value)) {
        why.basis.push_back("The axis is " + std::string(scaleText(tick.scale)) + ".");
    }
    why.basis.push_back(figure.provenance.text().toStdString());
    return why;
}

// `around` is the part that the chart is of; empty for the model.
PartFigure partOf(FigureKind kind, const ChartPlace& place, const std::string& around)
{
    PartFigure figure{.kind = kind, .path = around, .isOfOneUse = !around.empty()};
    if (place.paths.empty()) {
        figure.component = place.component;
    } else {
        figure.path = place.paths.front();
        figure.elsewhere.assign(place.paths.begin() + 1, place.paths.end());
    }
    return figure;
}

} // namespace

FigureWhy::FigureWhy(const Document& document, ChartPages& charts, WhyCards& cards)
    : QObject(&charts)
    , m_document(document)
    , m_feed(charts.feed())
    , m_cards(cards)
{
    for (ChartPanel* panel : charts.panels()) {
        answer(*panel);
    }
}

void FigureWhy::answer(ChartPanel& panel)
{
    connect(&panel.view(),
            &FigureView::whyRequested,
            this,
            [this, &panel](int hotspot, const ChartPlace& place, const QPoint& at) {
                open(panel, hotspot, place, at);
            });
    connect(&panel.view(), &FigureView::tickRequested, this, [this, &panel](const Label& text) {
        openTick(panel, text);
    });
}

void FigureWhy::openTick(ChartPanel& panel, const Label& text)
{
    m_cards.open(tickWhy(*panel.view().figure(), text), panel.view(), text.rect.toAlignedRect());
}

void FigureWhy::open(ChartPanel& panel, int hotspot, const ChartPlace& place, const QPoint& at)
{
    FigureView& view = panel.view();
    if (const std::optional<Hotspot> shown = view.hotspot(hotspot)) {
        constexpr int kReach = 8; // beside the card, for a second click
        m_cards.open(whyOf(panel, *shown, hotspot, place),
                     view,
                     QRect(at - QPoint(kReach, kReach), QSize(2 * kReach, 2 * kReach)));
    }
}

Why FigureWhy::whyOf(ChartPanel& panel,
                     const Hotspot& shown,
                     int hotspot,
                     const ChartPlace& place) const
{
    const Figure& figure = *panel.view().figure();
    const std::optional<FigureKind> kind = figure.kindOf(hotspot);
    Why why = shownWhy(figure, shown);
    if (kind) {
        const WhySource source(m_document, m_feed);
        const bool isOfPart = panel.chart() && m_feed.choices().isOfPart(*panel.chart());
        const std::string around =
            isOfPart ? scopePath(m_document.model(), m_feed.choices().scope()) : std::string();
        why = whyOfPart(partOf(*kind, place, around), source.source(), source.device());
    }
    if (why.basis.empty()) {
        why.basis = {figure.provenance.text().toStdString()};
    }
    return why;
}

} // namespace flopsmith::ui
