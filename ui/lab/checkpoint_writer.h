// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/plan/task_spec.h"

#include <QObject>
#include <QProcess>
#include <QString>

#include <vector>

namespace flopsmith::ui {

class LabSession;

/// A model of a lab whose weights are in a file.
struct Checkpoint
{
    QString title; ///< "dense, seed 1, loss 1.70"
    QString file;
    QString folder; ///< a name for what it is saved as: "dense-seed-1"
};

/// Whether the task trains models of text, which are saved at the end and can write.
bool isOfText(const TaskSpec& task);

/// The file of a run's weights, whether it is there or not: the saved state of an open one, else the
/// trained model.
QString weightsFile(const LabSession& session, std::size_t run);

/// The models that can be saved: those under way, then of each arm the trained ones.
std::vector<Checkpoint> savedCheckpoints(const LabSession& session);

/// Saves a model as a folder for PyTorch, by `flopsmith lab export` in a program of its own: a model
/// of text with what checks it, one of another task with what trains it on.
class CheckpointWriter : public QObject
{
    Q_OBJECT

public:
    explicit CheckpointWriter(LabSession& session, QObject* parent = nullptr);
    ~CheckpointWriter() override;

    /// In place of this program.
    void setProgram(const QString& program) { m_program = program; }

    bool isWriting() const { return m_process.state() != QProcess::NotRunning; }

    /// One at a time: while another one is written, that is a failure.
    void save(const Checkpoint& checkpoint, const QString& folder);

Q_SIGNALS:
    void saved(const QString& sentence);
    void failed(const QString& sentence);

private:
    void take();

    LabSession& m_session;
    QString m_program;
    QProcess m_process;
};

} // namespace flopsmith::ui
