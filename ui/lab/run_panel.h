// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/lab_results.h"
#include "ui/widgets/panel.h"

#include <QString>
#include <QStringList>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LabSession;
class PartStack;
class SampleWriter;

/// What happens right now: the runs under way, which parts of the model learn, what it writes; and
/// below that what may be said of the arms until here.
class RunPanel : public Panel
{
    Q_OBJECT

public:
    RunPanel(LabSession& session, SampleWriter& samples, QWidget* parent = nullptr);

    void setView(LabView view);

    /// Shows what the log says now.
    void showLog();
    void showRuns();

private:
    QLabel* addText(QWidget& parent, const QString& name, const QString& role);
    void build(QWidget& body);
    void showParts();
    void showSample();
    void showVerdicts();
    QString runLine(const LoggedRun& run, std::int64_t step) const;

    LabSession& m_session;
    SampleWriter& m_samples;
    LabView m_view = LabView::steps;
    QLabel* m_runs;
    QLabel* m_partsTitle;
    PartStack* m_parts;
    QLabel* m_sampleTitle;
    QLabel* m_sample;
    QLabel* m_verdictTitle;
    QLabel* m_verdicts;
};

} // namespace flopsmith::ui
