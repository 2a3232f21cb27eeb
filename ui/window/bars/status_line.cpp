// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/status_line.h"

#include "ui/theme/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kLineHeight = 30;

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : Bar(Place::bottom, kLineHeight, parent)
    , m_sentence(new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignLeft, this))
    , m_progressText(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
{
    setObjectName(QStringLiteral("status"));
    setAccessibleName(tr("Status"));
    m_sentence->setObjectName(QStringLiteral("status.sentence"));
    m_sentence->setAccessibleName(tr("What happens"));
    m_progressText->setObjectName(QStringLiteral("status.progressText"));
    m_progressText->setAccessibleName(tr("What is being measured"));
    m_progressText->setProperty("role", QStringLiteral("muted"));
    m_progress->setObjectName(QStringLiteral("status.progress"));
    m_progress->setAccessibleName(tr("Progress of measuring"));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(140, 6);
    m_cancel->setObjectName(QStringLiteral("status.cancel"));
    m_cancel->setAccessibleName(tr("Cancel measuring"));
    m_cancel->setProperty("flat", true);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(18, 0, 12, 0);
    line->setSpacing(0);
    line->addWidget(m_sentence, 1);
    line->addWidget(m_progressText);
    line->addSpacing(12);
    line->addWidget(m_progress);
    line->addSpacing(6);
    line->addWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, this, &StatusLine::cancelled);
    m_sentenceTimer.setSingleShot(true);
    m_sentenceTimer.setInterval(kSentenceMilliseconds);
    connect(&m_sentenceTimer, &QTimer::timeout, this, [this] { say({}); });
    setProgress(0, 0, {});
}

void StatusLine::say(const QString& sentence)
{
    tell(sentence, true);
}

void StatusLine::hint(const QString& sentence)
{
    tell(sentence, false);
}

void StatusLine::tell(const QString& sentence, bool refuses)
{
    if (sentence == m_sentence->text()) {
        return;
    }
    if (sentence.isEmpty()) {
        m_sentenceTimer.stop();
    } else {
        m_sentenceTimer.start();
    }
    m_sentence->setRole(refuses ? ElidedLabel::Role::error : ElidedLabel::Role::muted);
    m_sentence->setText(sentence);
}

void StatusLine::setProgress(int done, int total, const QString& text)
{
    m_progressText->setText(text);
    m_progress->setRange(0, std::max(total, 1));
    m_progress->setValue(done);
    m_progressText->setVisible(!text.isEmpty());
    m_progress->setVisible(total > 0);
    m_cancel->setVisible(total > 0);
}

} // namespace flopsmith::ui

#include "moc_status_line.cpp"
