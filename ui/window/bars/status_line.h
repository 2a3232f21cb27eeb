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

/// The window's status line, which says what happens now: what a gesture would do or why something
/// cannot be done; on the right the progress of measuring and a button that cancels it.
class StatusLine : public Bar
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// "measuring 3 of 13"; hides the progress when `total` is 0.
    void setProgress(int done, int total, const QString& text);

    /// Shows for a while why something cannot be done.
    void say(const QString& sentence);

    /// The same of something that is no refusal: what a drag would do, what was copied.
    void hint(const QString& sentence);

Q_SIGNALS:
    void cancelled();

private:
    static constexpr int kSentenceMilliseconds = 8000;

    void tell(const QString& sentence, bool refuses);

    ElidedLabel* m_sentence;
    QLabel* m_progressText;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QTimer m_sentenceTimer;
};

} // namespace flopsmith::ui
