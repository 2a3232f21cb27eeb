// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// What the lecturer alone sees: what is shown now, notes, what comes next, the votes, the clock and
/// the time since the start.
class SpeakerView : public QWidget
{
    Q_OBJECT

public:
    struct Content
    {
        QString now;
        QString notes; ///< empty where there are none
        QString next;
        QString votes; ///< likewise
    };

    explicit SpeakerView(QWidget* parent = nullptr);

    void setContent(const Content& content);

private:
    QLabel* addText(QVBoxLayout& column,
                    const char* name,
                    const QString& title,
                    double relativeSize);
    void showTime();

    QLabel* m_time;
    QLabel* m_now;
    QLabel* m_notes;
    QLabel* m_next;
    QLabel* m_votes;
    QElapsedTimer m_sinceStart;
    QTimer m_tick;
};

/// "7:05" of 425 seconds, "1:00:00" of an hour.
QString minutesText(qint64 seconds);

} // namespace flopsmith::ui
