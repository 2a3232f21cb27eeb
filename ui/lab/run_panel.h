// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/results/lab_results.h"
#include "ui/widgets/panel.h"

#include <QString>
#include <QStringList>

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
class QMenu;
class QPushButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LabSession;
class PartStack;
class ResultActions;
class SampleWriter;

/// What happens right now: the runs under way, which parts of the model learn, what it writes; and
/// below that the verdicts so far.
class RunPanel : public Panel
{
    Q_OBJECT

public:
    RunPanel(LabSession& session, SampleWriter& samples, QWidget* parent = nullptr);

    /// Below all: what can be done with the results.
    void addButtons(ResultActions& results);

    void setView(LabView view);

    /// Shows what the log says now.
    void showLog();
    void showRuns();

private:
    QLabel* addText(QWidget& parent, const QString& name, const QString& role);
    void build(QWidget& body);
    QPushButton* addButton(const QString& name, const QString& text, const QString& help);
    QPushButton* addButton(const QString& name, const QString& text, QMenu& menu);
    void showParts();
    void showSample();
    void showVerdicts();
    QString runLine(const LoggedRun& run, std::int64_t step) const;

    LabSession& m_session;
    SampleWriter& m_samples;
    LabView m_view = LabView::steps;
    QVBoxLayout* m_column;
    QWidget* m_buttons = nullptr;
    QLabel* m_runs;
    QLabel* m_partsTitle;
    PartStack* m_parts;
    QLabel* m_sampleTitle;
    QLabel* m_sample;
    QLabel* m_verdictTitle;
    QLabel* m_verdicts;
};

} // namespace flopsmith::ui
