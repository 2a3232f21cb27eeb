// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/throttle.h"
#include "ui/lab/arm_row.h"
#include "ui/theme/display_scale.h"
#include "ui/widgets/message_bar.h"

#include <QWidget>

#include <memory>
#include <string>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;
class LabCharts;
class LabSession;
class PlanBar;
class PlayBar;
class ResultActions;
class RunPanel;
class SampleWriter;

/// The lab: FFNs learn a task beside each other, live. It fills the window in place of the design,
/// and goes on while the design is shown.
class LabPage : public QWidget
{
    Q_OBJECT

public:
    LabPage(const Document& document, MessageBar& messages, QWidget* parent = nullptr);
    ~LabPage() override;

    LabSession& session() { return *m_session; }
    LabCharts& charts() { return *m_charts; }
    PlayBar& playBar() { return *m_play; }
    ArmRow& arms() { return *m_arms; }
    SampleWriter& samples() { return *m_samples; }
    ResultActions& results() { return *m_results; }

    /// The parts that F6 cycles through, in tab order.
    QList<QWidget*> parts() const;

    /// Opens a lab or a log. False if that fails, with a message on the page.
    bool open(const QString& path);

    /// Compares arms at a task, all by their names, in models of the smallest size; runs that
    /// are in the log already are reused. False for an unknown name, with a message on the page.
    bool compare(const std::string& task, const std::vector<std::string>& arms);

    /// The name of the place that leaving the page leads to, and a sentence that says so.
    void setBack(const QString& name, const QString& help);

    /// Larger type and lines, for an audience.
    void setScale(const DisplayScale& scale);

    /// Shows what is pending now.
    void settle();
    void updateIcons();

Q_SIGNALS:
    /// Back to the design.
    void left();

    /// An action of the lab needs the page to be visible.
    void requested();

    /// Show the claims about FFNs with what this lab found of them.
    void claimsRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void connectSession();
    void createFileActions();
    QAction* addFile(const QString& name, const QString& text);
    void askForFile();
    void askForText();
    void askToSave();
    void fillRecent(QMenu& menu);
    void openLast();
    void showLog();
    std::optional<DesignFfn> design() const;
    void say(const QString& sentence, MessageBar::Kind kind = MessageBar::Kind::error);

    const Document& m_document;
    LabSession* m_session;
    SampleWriter* m_samples;
    MessageBar& m_messages;
    QString m_ownMessage; ///< there, by this page
    PlanBar* m_plan;
    ArmRow* m_arms;
    PlayBar* m_play;
    LabCharts* m_charts;
    ResultActions* m_results;
    RunPanel* m_runs;
    Throttle m_update;
    bool m_isChosen = false; ///< what it shows; else it is the lab of last time
};

} // namespace flopsmith::ui
