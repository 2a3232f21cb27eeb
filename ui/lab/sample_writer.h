// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QProcess>
#include <QString>

namespace flopsmith::ui {

class LabSession;

/// Text written by the model that learns, or by the one that learned last: `flopsmith lab sample`
/// reads its saved state, in a program of its own, whenever there is a newer one.
class SampleWriter : public QObject
{
    Q_OBJECT

public:
    explicit SampleWriter(LabSession& session, QObject* parent = nullptr);
    ~SampleWriter() override;

    /// In place of this program.
    void setProgram(const QString& program) { m_program = program; }

    bool isWriting() const { return m_process.state() != QProcess::NotRunning; }

    /// Starts a program that writes a text if there is a newer state and none runs.
    void poll();

    const QString& text() const { return m_text; }
    const QString& source() const { return m_source; } ///< "dense, seed 1"

Q_SIGNALS:
    void written();

private:
    struct Model
    {
        QString file{};
        QString source{};
    };
    Model newest() const;
    void take();
    void clear();

    LabSession& m_session;
    QString m_program;
    QProcess m_process;
    Model m_asked;
    QDateTime m_time; ///< of the file that was read
    QString m_text;
    QString m_source;
};

} // namespace flopsmith::ui
