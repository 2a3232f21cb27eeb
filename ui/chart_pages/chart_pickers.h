// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_feed.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/document/document.h"

#include <QObject>

#include <utility>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChoiceChip;
class CurveMeasuring;

/// The chips that choose what the charts show: metric and parameter of the scaling curves, the
/// device of some metrics and of memory and roofline, the lenses of the waterfall.
class ChartPickers : public QObject
{
    Q_OBJECT

public:
    ChartPickers(Document& document, ChartFeed& feed, QObject* parent);

    void addToScaling(ChartPanel& panel);
    void addToWaterfall(ChartPanel& panel);
    /// Adds the button that measures the curves to the scaling panel's head.
    void addCurves(CurveMeasuring& curves);

    void updateIcons();

    ChoiceChip* hardwareChip() { return m_hardware; }

    /// Updates the chips to what the charts show.
    void showChoices();

private:
    void fillMetricMenu();
    void showMetrics();
    void fillAxisMenu();
    void fillHardwareMenu();

    Document& m_document;
    ChartFeed& m_feed;
    ChoiceChip* m_metric;
    ChoiceChip* m_axis;
    ChoiceChip* m_hardware;
    std::vector<std::pair<MetricId, QAction*>>
        m_metricActions; ///< of the metrics that need a device
    ChoiceChip* m_from;
    ChoiceChip* m_to;
    ChartPanel* m_scaling = nullptr;
    QToolButton* m_curves = nullptr;
};

} // namespace flopsmith::ui
