// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/why/figure_why.h"

#include "core/why/part_why.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/base/figure_view.h"
#include "ui/window/why/why_cards.h"

namespace flopsmith::ui {
namespace {

// What the chart's own card says.
Why shownWhy(const Figure& figure, const Hotspot& shown)
{
    Why why{.title = shown.title.toStdString(), .sentence = figure.title().toStdString()};
    for (const Hotspot::Line& line : shown.lines) {
        why.steps.push_back(
            {.title = line.label.toStdString(), .result = line.value.toStdString()});
    }
    return why;
}

PartFigure partOf(Quantity quantity, const ChartPlace& place)
{
    PartFigure figure{.quantity = quantity};
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
        FigureView& view = panel->view();
        connect(&view,
                &FigureView::whyRequested,
                this,
                [this, &view](int hotspot, const ChartPlace& place, const QPoint& at) {
                    open(view, hotspot, place, at);
                });
    }
}

void FigureWhy::open(FigureView& view, int hotspot, const ChartPlace& place, const QPoint& at)
{
    if (const std::optional<Hotspot> shown = view.hotspot(hotspot)) {
        constexpr int kReach = 8; // beside the card, for a second click
        m_cards.open(whyOf(view, *shown, hotspot, place),
                     view,
                     QRect(at - QPoint(kReach, kReach), QSize(2 * kReach, 2 * kReach)));
    }
}

Why FigureWhy::whyOf(FigureView& view,
                     const Hotspot& shown,
                     int hotspot,
                     const ChartPlace& place) const
{
    const Figure& figure = *view.figure();
    const std::optional<Quantity> quantity = figure.quantity(hotspot);
    Why why = shownWhy(figure, shown);
    if (quantity) {
        const WhySource source(m_document, m_feed);
        why = whyOfPart(partOf(*quantity, place), source.source(), source.device());
    }
    if (why.basis.empty()) {
        why.basis = {figure.provenance.text().toStdString()};
    }
    return why;
}

} // namespace flopsmith::ui
