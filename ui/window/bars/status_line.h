// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/bar.h"

#include <QTimer>

QT_BEGIN_NAMESPACE
class QLabel;
class QProgressBar;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ElidedLabel;

/// The window's status line: parameters, cost and measured time of the model; on the right the
/// progress of measuring and a button that cancels it.
class StatusLine : public Bar
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setParameters(const QString& text, const QString& exact);
    void setCost(const QString& text, const QString& exact);
    void setMeasured(const QString& text, const QString& explanation);

    /// "measuring 3 of 13"; hides the progress when `total` is 0.
    void setProgress(int done, int total, const QString& text);

    /// Shows a message in place of the measured time for a while.
    void say(const QString& sentence);

    /// The same of something that is no refusal: what a drag would do, what was copied.
    void hint(const QString& sentence);

Q_SIGNALS:
    void cancelled();

private:
    static constexpr int kSentenceMilliseconds = 8000;

    ElidedLabel* figure(const char* name, const QString& accessibleName);
    void showMeasured();
    void tell(const QString& sentence, bool refuses);

    ElidedLabel* m_parameters;
    ElidedLabel* m_cost;
    ElidedLabel* m_measured;
    QLabel* m_progressText;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QTimer m_sentenceTimer;
    QString m_sentence; ///< the current message; else empty
    bool m_refuses = false; ///< the message says why something cannot be done
    QString m_time;
};

} // namespace flopsmith::ui
