// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/play_bar.h"

#include "ui/charts/base/drawing.h"
#include "ui/lab/lab_session.h"
#include "ui/lab/rate_picker.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kThousand = 1'000; ///< steps of the bar

// "0:41", "12:05", "3:20:00".
QString leftText(double seconds)
{
    const auto whole = static_cast<qint64>(std::ceil(seconds));
    const auto two = [](qint64 number) {
        return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0'));
    };
    const qint64 hours = whole / 3'600;
    const qint64 minutes = whole / 60 % 60;
    return hours > 0 ? QStringLiteral("%1:%2:%3").arg(hours).arg(two(minutes), two(whole % 60))
                     : QStringLiteral("%1:%2").arg(minutes).arg(two(whole % 60));
}

} // namespace

PlayBar::PlayBar(LabSession& session, QWidget* parent)
    : QFrame(parent)
    , m_session(session)
    , m_play(new QAction(this))
    , m_step(new QAction(tr("Take one training step"), this))
    , m_reset(new QAction(tr("Restart the lab"), this))
    , m_playButton(new QPushButton(this))
    , m_rate(new RatePicker(session, this))
    , m_text(new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignRight, this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(QStringLiteral("lab.play.bar"));
    setAccessibleName(tr("Training"));
    setProperty("panel", true);
    createActions();
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(12, 7, 14, 7);
    line->setSpacing(6);
    line->addWidget(m_playButton);
    line->addWidget(button(*m_step, QStringLiteral("lab.step.button")));
    line->addWidget(button(*m_reset, QStringLiteral("lab.reset.button")));
    line->addSpacing(14);
    line->addWidget(m_rate);
    line->addSpacing(14);
    line->addWidget(m_text, 1);
    m_text->setObjectName(QStringLiteral("lab.progressText"));
    m_progress->setObjectName(QStringLiteral("lab.progress"));
    m_progress->setAccessibleName(tr("Progress of the lab"));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(140, 6);
    m_progress->setRange(0, kThousand);
    line->addSpacing(6);
    line->addWidget(m_progress);
    connect(&session, &LabSession::stateChanged, this, &PlayBar::showState);
    connect(&session, &LabSession::progressed, this, &PlayBar::showProgress);
    connect(&session, &LabSession::logChanged, this, &PlayBar::showProgress);
    showState();
}

void PlayBar::createActions()
{
    m_play->setObjectName(QStringLiteral("lab.play"));
    m_play->setShortcut(QKeySequence(tr("Ctrl+T")));
    m_play->setProperty("generalName", tr("Train or pause"));
    m_step->setObjectName(QStringLiteral("lab.step"));
    m_step->setShortcut(QKeySequence(tr("Ctrl+E")));
    m_reset->setObjectName(QStringLiteral("lab.reset"));
    m_reset->setToolTip(tr("Restart the lab; the log so far is kept"));
    m_reset->setProperty("disabledReason", tr("The lab has no log yet that could be restarted."));
    connect(m_play, &QAction::triggered, this, [this] {
        if (m_session.state() == LabSession::State::training) {
            m_session.pause();
        } else {
            m_session.play();
        }
    });
    connect(m_step, &QAction::triggered, &m_session, &LabSession::step);
    connect(m_reset, &QAction::triggered, &m_session, &LabSession::reset);
    m_playButton->setObjectName(QStringLiteral("lab.play.button"));
    m_playButton->setProperty("primary", true);
    connect(m_playButton, &QPushButton::clicked, m_play, &QAction::trigger);
}

QToolButton* PlayBar::button(QAction& action, const QString& name)
{
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setDefaultAction(&action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action.text());
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void PlayBar::showState()
{
    const LabSession::State state = m_session.state();
    const bool trains = state == LabSession::State::training;
    const bool isDone = state == LabSession::State::complete;
    const QString text = trains              ? tr("Pause training")
        : state == LabSession::State::paused ? tr("Resume training")
                                             : tr("Train the arms of the lab");
    m_play->setText(text);
    m_play->setEnabled(!isDone);
    m_play->setProperty("disabledReason",
                        tr("All runs are trained. Restart the lab, or change its plan."));
    m_step->setEnabled(m_play->isEnabled());
    m_step->setProperty("disabledReason", m_play->property("disabledReason"));
    m_playButton->setText(trains ? tr("Pause") : tr("Train"));
    m_playButton->setEnabled(m_play->isEnabled());
    m_playButton->setAccessibleName(text);
    m_playButton->setToolTip(m_play->isEnabled() ? tr("%1 (%2)").arg(
                                 text, m_play->shortcut().toString(QKeySequence::NativeText))
                                                 : m_play->property("disabledReason").toString());
    updateIcons();
    showProgress();
}

QString PlayBar::progressText() const
{
    const LabProgressCount runs = m_session.runs();
    QStringList parts{tr("%1 of %2 runs").arg(runs.done).arg(runs.planned)};
    switch (m_session.state()) {
    case LabSession::State::training:
        if (m_session.isTiming()) {
            parts << tr("timing steps");
        } else if (const std::optional<double> left = m_session.secondsLeft()) {
            parts << tr("%1 left").arg(leftText(*left));
        }
        break;
    case LabSession::State::paused: parts << tr("paused"); break;
    case LabSession::State::complete: parts << tr("all trained"); break;
    case LabSession::State::ready: break;
    }
    if (m_session.isTraining()) {
        const int workers = m_session.workers();
        parts << (workers == 1 ? tr("1 worker") : tr("%1 workers").arg(workers));
    }
    return parts.join(QStringLiteral(" · "));
}

// In large type the number of runs needs the place of the rate and the bar.
void PlayBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    constexpr int kCharacters = 120;
    const bool isWide = width() >= kCharacters * fontMetrics().averageCharWidth();
    m_progress->setVisible(isWide);
    m_rate->setVisible(isWide);
}

void PlayBar::showProgress()
{
    m_text->setText(progressText());
    m_text->setDetail(m_session.logPath());
    const LabProgressCount runs = m_session.runs();
    const double done = static_cast<double>(runs.done) + trainedShare(m_session.runsUnderWay());
    const double planned = std::max<double>(1.0, static_cast<double>(runs.planned));
    m_progress->setValue(static_cast<int>(kThousand * std::min(1.0, done / planned)));
    m_rate->showRate();
    m_reset->setEnabled(!m_session.logPath().isEmpty() || !m_session.log().runs.empty());
}

void PlayBar::updateIcons()
{
    const Theme& theme = systemTheme();
    const bool trains = m_session.state() == LabSession::State::training;
    m_playButton->setIcon(
        themedIcon(trains ? QStringLiteral("pause") : QStringLiteral("measure"), theme.onAccent));
    m_step->setIcon(themedIcon(QStringLiteral("step"), theme.text));
    m_reset->setIcon(themedIcon(QStringLiteral("restart"), theme.text));
}

} // namespace flopsmith::ui

#include "moc_play_bar.cpp"
