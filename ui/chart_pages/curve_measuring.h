// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/study/measured_scaling.h"
#include "ui/document/document.h"
#include "ui/jobs/measuring.h"

#include <QObject>
#include <QTimer>

#include <optional>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChartFeed;
class MeasuringControl;

/// Measures points of the scaling curves in the background while they are wanted: when the document
/// is idle, and never while the run times of the stack are measured.
class CurveMeasuring : public QObject
{
    Q_OBJECT

public:
    static constexpr double kUsualBudgetSeconds = 30.0;

    CurveMeasuring(Document& document,
                   ChartFeed& feed,
                   MeasuringControl& runTimes,
                   QObject* parent = nullptr);

    /// The quantity of the points: time, achieved FLOP/s, or none.
    void setQuantity(std::optional<MetricId> metric);
    std::optional<MetricId> quantity() const { return m_quantity; }

    /// Seconds for all points together; used from the next run on.
    void setBudgetSeconds(double seconds);
    double budgetSeconds() const { return m_budgetSeconds; }

    /// Stops measuring; measured points stay.
    void cancel();
    bool isMeasuring() const { return m_measuring.isRunning(); }

    /// Adds the quantities and budgets as choices.
    void fillMenu(QMenu& menu);

Q_SIGNALS:
    void quantityChanged();

    /// Operations done of a total; 0 of 0 when nothing is measured.
    void progressed(int done, int total, const QString& text);

    /// The device cannot be measured; the reason.
    void unavailable(const QString& sentence);

    /// Measuring ended or was cancelled.
    void finished();

private:
    void connectMeasuring();
    void addQuantities(QMenu& menu);
    void addBudgets(QMenu& menu);
    void scenarioChanged();
    void choiceChanged();
    void wait();
    void start();
    void show();
    void reportProgress();

    Document& m_document;
    ChartFeed& m_feed;
    MeasuringControl& m_runTimes;
    std::optional<MetricId> m_quantity;
    double m_budgetSeconds = kUsualBudgetSeconds;
    QString m_axis; ///< of the plan
    CurvePlan m_plan;
    QTimer m_idleTimer;
    Measuring m_measuring;
};

} // namespace flopsmith::ui
