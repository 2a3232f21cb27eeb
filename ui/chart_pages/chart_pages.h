// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_feed.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/pages.h"

#include <vector>

QT_BEGIN_NAMESPACE
class QMenu;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChartPanel;
class ChartPickers;
class ComparisonTables;
class CurveMeasuring;
class DesignPickers;
class LargeChart;
class MeasureOffer;
class ScopeControl;

/// The charts below the stack: share, scaling and run time on the first page; memory and roofline
/// of a device with the parts whose FLOPs mislead; the waterfall between two lenses; heat map and
/// Pareto front of many designs. Only the visible page is updated every frame, the others when they
/// are shown. addPage() adds further pages.
class ChartPages : public Pages
{
    Q_OBJECT

public:
    ChartPages(Document& document, MessageBar& messages, QWidget* parent = nullptr);

    ChartFeed& feed() { return *m_feed; }

    /// Of all pages: share, scaling, run time, memory, roofline, mislead, waterfall, heat map,
    /// Pareto front, comparison.
    const std::vector<ChartPanel*>& panels() const { return m_panels; }

    /// Shows why the measuring device is slower than necessary: two words in the head of the run
    /// times, with the sentence as tool tip and as message after a click. An empty sentence hides
    /// them.
    void setRunTimeWarning(const QString& sentence);

    /// Whether a time beats the peaks of the measuring device: then the head of the run times
    /// offers to measure the peaks again.
    void setPeaksBeaten(bool beaten);

    /// Offers to measure on a device in place of run times that are missing; an empty name offers
    /// nothing.
    void offerMeasuringOn(const QString& device);

    /// The devices of memory and roofline.
    QMenu& hardwareMenu();

    /// Adds the button that measures the scaling curves to the head of their panel.
    void addCurves(CurveMeasuring& curves);

    /// Adds a page with the compared designs and their differences, and shows them in every chart
    /// that can.
    void addCompare(Document& document, Designs& designs);
    ComparisonTables& differences() { return *m_differences; }

    /// One chart in the place of all; there once addCompare() has added the last one.
    LargeChart& largeChart() { return *m_large; }

    ScopeControl& scope() { return *m_scope; }

    /// Adds a submenu for every chart.
    void fillExportMenu(QMenu& menu);

    void updateIcons();

Q_SIGNALS:
    void peaksRequested();
    void measuringRequested();

private:
    ChartPanel* addPanel(ChartId chart, const QString& name, QWidget* parent);
    QString remarkOn(ChartId chart) const;
    void addScope();
    void addOverview();
    void addBudgets();
    void addWaterfall();
    void addStudy();
    void addWarning();
    void addPeaksButton();
    void updateWarningIcon();

    Document& m_document;
    MessageBar& m_messages;
    ChartFeed* m_feed;
    ChartPickers* m_pickers;
    DesignPickers* m_study;
    std::vector<ChartPanel*> m_panels;
    ChartPanel* m_runTime = nullptr;
    MeasureOffer* m_offer = nullptr;
    ComparisonTables* m_differences = nullptr;
    LargeChart* m_large = nullptr;
    ScopeControl* m_scope = nullptr;
    QToolButton* m_warning = nullptr;
    QToolButton* m_peaks = nullptr;
};

} // namespace flopsmith::ui
