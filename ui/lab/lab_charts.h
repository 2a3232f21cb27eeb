// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/lab/lab_chart.h"
#include "ui/chart_pages/chart_panel.h"

#include <QObject>

#include <array>
#include <vector>

namespace flopsmith::ui {

class ChoiceChip;
class LabSession;
class MessageBar;

/// The charts of a lab: on the left curves, runs step by step, gradients or rates, whichever is
/// chosen; on the right what each arm reached at an equal budget. `flopsmith
/// lab chart` draws the same.
class LabCharts : public QObject
{
    Q_OBJECT

public:
    LabCharts(LabSession& session, MessageBar& messages, QWidget* parent);

    ChartPanel& curves() { return *m_curves; }
    ChartPanel& bars() { return *m_bars; }

    LabView view() const { return m_view; }
    void setView(LabView view);

    LabChartKind kind() const { return m_kind; }
    /// A choice of a person, until there is another plan.
    void setKind(LabChartKind kind);

    /// What the log says now. Without a choice of a person, the left one shows steps until a seed of
    /// some arm is finished.
    void showLog();

    void setScale(const DisplayScale& scale);
    void updateIcons();

Q_SIGNALS:
    void viewChanged();

private:
    void createKinds();
    void createViews();
    void planChanged();
    void draw(ChartPanel& panel, LabChartKind kind);

    LabSession& m_session;
    ChartPanel* m_curves;
    ChartPanel* m_bars;
    ChoiceChip* m_kinds;
    ChoiceChip* m_views;
    LabView m_view = LabView::steps;
    LabChartKind m_kind = LabChartKind::training;
    bool m_isChosen = false; ///< by a person
};

} // namespace flopsmith::ui
