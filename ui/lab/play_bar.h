// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

QT_BEGIN_NAMESPACE
class QAction;
class QProgressBar;
class QPushButton;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ElidedLabel;
class LabSession;
class RatePicker;

/// Trains, waits, takes single steps, begins anew; the learning rate; how far the lab is.
class PlayBar : public QFrame
{
    Q_OBJECT

public:
    explicit PlayBar(LabSession& session, QWidget* parent = nullptr);

    QAction& play() { return *m_play; }
    QAction& step() { return *m_step; }
    QAction& reset() { return *m_reset; }
    RatePicker& rate() { return *m_rate; }

    /// "12 of 27 runs · 0:41 left · 2 workers".
    QString progressText() const;

    void updateIcons();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createActions();
    QToolButton* button(QAction& action, const QString& name);
    void showState();
    void showProgress();

    LabSession& m_session;
    QAction* m_play;
    QAction* m_step;
    QAction* m_reset;
    QPushButton* m_playButton;
    RatePicker* m_rate;
    ElidedLabel* m_text;
    QProgressBar* m_progress;
};

} // namespace flopsmith::ui
