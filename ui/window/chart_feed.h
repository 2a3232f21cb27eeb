// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/part_time.h"
#include "core/present/scaling.h"
#include "core/study/metric.h"
#include "ui/charts/run_time_view.h"
#include "ui/charts/scaling_view.h"
#include "ui/charts/share_view.h"
#include "ui/document/document.h"
#include "ui/document/throttle.h"

#include <QObject>

namespace flopsmith::ui {

/// What is known of the run time of the present scenario.
struct RunTimes
{
    std::vector<MeasuredPart> parts;
    std::vector<PartTime> times; ///< parallel to the parts
    std::optional<Peaks> peaks;
    QString device; ///< "this CPU"
};

/// Seconds of one pass: time × uses over the parts that add to it. Nothing if one is missing.
std::optional<double> totalSeconds(const RunTimes& runTimes);

/// Keeps the charts up to date with the document, at most once per frame.
class ChartFeed : public QObject
{
    Q_OBJECT

public:
    struct Views
    {
        ShareView& share;
        ScalingView& scaling;
        RunTimeView& runTime;
    };

    ChartFeed(Document& document, Views views, QObject* parent = nullptr);

    void setRunTimes(RunTimes runTimes);
    const RunTimes& runTimes() const { return m_runTimes; }

    /// What the scaling curves show: a metric over a parameter, named by its short key. A parameter
    /// that the model does not have is replaced by the sequence length until it comes back.
    void setAxis(const QString& key);
    void setMetric(MetricId metric);
    QString axisInUse() const;
    MetricId metric() const { return m_metric; }

    /// The donuts as they are shown now.
    Donuts donuts() const;

    /// Gives pending changes to the views now.
    void flush() { m_update.flush(); }

Q_SIGNALS:
    void updated();

private:
    void update();
    Provenance provenance() const;
    ScalingChart scaling() const;

    Document& m_document;
    Views m_views;
    RunTimes m_runTimes;
    QString m_axis = QStringLiteral("seq");
    MetricId m_metric = MetricId::flops;
    Throttle m_update;
};

} // namespace flopsmith::ui
