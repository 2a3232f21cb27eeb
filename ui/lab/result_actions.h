// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct Checkpoint;
class CheckpointWriter;
class LabCharts;
class LabSession;
class MessageBar;

/// What can be done with the results of a lab: its charts as files, its models as folders, and what
/// was learned beside the claims about FFNs.
class ResultActions : public QObject
{
    Q_OBJECT

public:
    ResultActions(LabSession& session, LabCharts& charts, MessageBar& messages, QWidget& page);

    QMenu& exports() { return *m_exports; } ///< of both charts
    QMenu& checkpoints() { return *m_checkpoints; } ///< filled when it opens
    QAction& claims() { return *m_claims; }
    CheckpointWriter& writer() { return *m_writer; }

Q_SIGNALS:
    void claimsRequested();

private:
    void fillExports(LabCharts& charts);
    void fillCheckpoints();
    void askForFolder(const Checkpoint& checkpoint);
    void showState();

    LabSession& m_session;
    MessageBar& m_messages;
    QWidget& m_page;
    CheckpointWriter* m_writer;
    QMenu* m_exports;
    QMenu* m_checkpoints;
    QAction* m_claims;
};

} // namespace flopsmith::ui
