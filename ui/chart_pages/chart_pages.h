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
class CurveMeasuring;

/// The charts below the stack: share, scaling and run time on the first page; memory and roofline
/// of a device with the parts of which FLOPs mislead; the waterfall between two lenses. Only the page that is seen is kept up to date
/// with every frame, the others are when they appear. Further pages come by addPage().
class ChartPages : public Pages
{
    Q_OBJECT

public:
    ChartPages(Document& document, MessageBar& messages, QWidget* parent = nullptr);

    ChartFeed& feed() { return *m_feed; }

    /// Of all pages: share, scaling, run time, memory, roofline, mislead, waterfall.
    const std::vector<ChartPanel*>& panels() const { return m_panels; }

    /// Why the device that measures is slower than it need be: two words in the head of the run
    /// times, of which the sentence is the tool tip, and the message after a press. Empty: none.
    void setRunTimeWarning(const QString& sentence);

    /// A time beat the peaks of the device that measures: the head of the run times offers to measure
    /// them again.
    void setPeaksBeaten(bool beaten);

    /// Lets the scaling curves be measured, from the head of their panel.
    void addCurves(CurveMeasuring& curves);

    /// A submenu for every chart.
    void fillExportMenu(QMenu& menu);

    void updateIcons();

Q_SIGNALS:
    void peaksWanted();

private:
    ChartPanel* addPanel(ChartId chart, const QString& name, QWidget* parent);
    void addOverview();
    void addBudgets();
    void addWaterfall();
    void addWarning();
    void addPeaksButton();
    void updateWarningIcon();

    MessageBar& m_messages;
    ChartFeed* m_feed;
    ChartPickers* m_pickers;
    std::vector<ChartPanel*> m_panels;
    ChartPanel* m_runTime = nullptr;
    QToolButton* m_warning = nullptr;
    QToolButton* m_peaks = nullptr;
};

} // namespace flopsmith::ui
