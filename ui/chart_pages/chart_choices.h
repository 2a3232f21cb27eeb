// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/study/pareto_chart.h"
#include "core/study/variation/metric.h"
#include "core/study/variation/part_scope.h"
#include "ui/charts/chart_kinds.h"

#include <QObject>
#include <QString>

#include <array>

namespace flopsmith::ui {

class Document;

/// What the charts are drawn of: axes, metrics, device, lenses, and the part of the model.
class ChartChoices : public QObject
{
    Q_OBJECT

public:
    /// In place of a device's id: the measuring device with its measured peaks.
    inline static const QString kMeasuredDevice = QStringLiteral("measured");

    explicit ChartChoices(const Document& document);

    /// The axes of the scaling curves: a metric over a parameter, named by its short key. The
    /// sequence length replaces a parameter that the model does not have.
    void setAxis(const QString& key);
    void setMetric(MetricId metric);
    QString axisInUse() const;
    MetricId metric() const { return m_metric; }

    /// The settings of the charts of many designs: two parameters, by their short keys, a metric as
    /// colours, and two goals for the front. The usual parameters replace those that the model
    /// lacks.
    struct Study
    {
        std::array<QString, 2> axes{QStringLiteral("d_model"), QStringLiteral("layers")};
        MetricId metric = MetricId::flops;
        ParetoGoals goals = usualGoals();
    };
    void setStudy(const Study& study);
    const Study& study() const { return m_study; }
    std::array<QString, 2> studyAxesInUse() const;

    /// The device of memory and roofline: an id of hardwareTable() or kMeasuredDevice.
    void setHardware(const QString& id);
    const QString& hardware() const { return m_hardware; }
    bool isOnMeasuredDevice() const { return m_hardware == kMeasuredDevice; }

    /// The part of the model that shares, curves, run times and the design space are of.
    void setScope(const PartScope& scope);
    const PartScope& scope() const { return m_scope; }

    /// Whether the chart is of that part instead of the model.
    bool isOfPart(ChartId chart) const;

    /// The two lenses of the waterfall.
    void setWaterfall(LensId from, LensId to);
    LensId from() const { return m_from; }
    LensId to() const { return m_to; }

Q_SIGNALS:
    void changed();

private:
    const Document& m_document;
    QString m_axis = QStringLiteral("seq");
    MetricId m_metric = MetricId::flops;
    Study m_study;
    PartScope m_scope;
    QString m_hardware = QStringLiteral("h100-sxm");
    LensId m_from = LensId::matmul;
    LensId m_to = LensId::exact;
};

} // namespace flopsmith::ui
