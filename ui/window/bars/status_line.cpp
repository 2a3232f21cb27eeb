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
    , m_parameters(figure("parameters", tr("Parameters of the model")))
    , m_cost(figure("cost", tr("Cost of one pass")))
    , m_measured(new ElidedLabel(ElidedLabel::Role::figure, Qt::AlignLeft, this))
    , m_progressText(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
{
    setObjectName(QStringLiteral("status"));
    setAccessibleName(tr("Status"));
    m_measured->setObjectName(QStringLiteral("status.measured"));
    m_measured->setAccessibleName(tr("Measured time of one pass"));
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
    line->addWidget(m_parameters);
    line->addSpacing(24);
    line->addWidget(m_cost);
    line->addSpacing(24);
    line->addWidget(m_measured, 1);
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

ElidedLabel* StatusLine::figure(const char* name, const QString& accessibleName)
{
    auto* label = new ElidedLabel(ElidedLabel::Role::figure, Qt::AlignLeft, this);
    label->setObjectName(QStringLiteral("status.") + QLatin1String(name));
    label->setAccessibleName(accessibleName);
    return label;
}

void StatusLine::setParameters(const QString& text, const QString& exact)
{
    m_parameters->setText(text);
    m_parameters->setDetail(exact);
}

void StatusLine::setCost(const QString& text, const QString& exact)
{
    m_cost->setText(text);
    m_cost->setDetail(exact);
}

void StatusLine::setMeasured(const QString& text, const QString& explanation)
{
    m_time = text;
    m_measured->setDetail(explanation);
    showMeasured();
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
    if (sentence == m_sentence) {
        return;
    }
    m_sentence = sentence;
    m_refuses = refuses;
    if (sentence.isEmpty()) {
        m_sentenceTimer.stop();
    } else {
        m_sentenceTimer.start();
    }
    showMeasured();
}

void StatusLine::showMeasured()
{
    m_measured->setRole(m_sentence.isEmpty() ? ElidedLabel::Role::figure
                            : m_refuses      ? ElidedLabel::Role::error
                                             : ElidedLabel::Role::muted);
    m_measured->setText(m_sentence.isEmpty() ? m_time : m_sentence);
    if (m_measured->text().isEmpty()) {
        m_measured->setAccessibleName(tr("Measured time of one pass"));
    }
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
