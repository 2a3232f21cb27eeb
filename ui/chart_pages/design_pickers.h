// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_feed.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/document/document.h"

#include <QObject>

#include <array>
#include <cstddef>
#include <functional>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChoiceChip;

/// The chips that choose what the charts of many designs show: two parameters for both charts, the
/// metric of the heat map, and the two metrics of the front.
class DesignPickers : public QObject
{
    Q_OBJECT

public:
    DesignPickers(Document& document, ChartFeed& feed, QObject* parent);

    void addTo(ChartPanel& heat, ChartPanel& pareto);

    /// Both parameters, for the page's own corner.
    QWidget* axes() { return m_axes; }

    /// Updates the chips to what the charts show.
    void showChoices();

private:
    void fillAxisMenu(std::size_t which);
    void fillMetricMenu(ChoiceChip& chip, const std::function<void(MetricId)>& choose);
    void setAxis(std::size_t which, const QString& key);
    void setGoal(std::size_t which, MetricId metric);

    Document& m_document;
    ChartFeed& m_feed;
    QWidget* m_axes;
    std::array<ChoiceChip*, 2> m_parameters{};
    ChoiceChip* m_metric;
    std::array<ChoiceChip*, 2> m_goals{};
};

} // namespace flopsmith::ui
