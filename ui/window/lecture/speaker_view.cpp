// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/speaker_view.h"

#include "ui/theme/theme.h"

#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QTime>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr double kSpeakerPoints = 14.0;
constexpr QSize kSpeakerSize(900, 640);
constexpr int kSpeakerMargin = 20;

} // namespace

SpeakerView::SpeakerView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("speaker"));
    setAccessibleName(tr("Speaker's view"));
    setWindowTitle(tr("Speaker's view – Flopsmith"));
    setFont(uiFont(kSpeakerPoints));
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("speaker.area"));
    area->setAccessibleName(accessibleName());
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* inner = new QWidget(area);
    inner->setObjectName(QStringLiteral("speaker.texts"));
    inner->setAccessibleName(accessibleName());
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(kSpeakerMargin, kSpeakerMargin, kSpeakerMargin, kSpeakerMargin);
    m_time = addText(*column, "time", {}, 1.6);
    m_now = addText(*column, "now", tr("Now"), 1.0);
    m_notes = addText(*column, "notes", tr("Notes"), 1.25);
    m_votes = addText(*column, "votes", tr("Votes"), 1.25);
    m_next = addText(*column, "next", tr("Next"), 1.0);
    column->addStretch(1);
    area->setWidget(inner);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(area);
    resize(kSpeakerSize);
    m_sinceStart.start();
    connect(&m_tick, &QTimer::timeout, this, &SpeakerView::showTime);
    m_tick.start(1000);
    showTime();
}

QLabel* SpeakerView::addText(QVBoxLayout& column,
                             const char* name,
                             const QString& title,
                             double relativeSize)
{
    const QString id = QStringLiteral("speaker.") + QLatin1String(name);
    if (!title.isEmpty()) {
        auto* heading = new QLabel(title, this);
        heading->setObjectName(id + QStringLiteral(".title"));
        heading->setAccessibleName(title);
        heading->setProperty("role", QStringLiteral("section"));
        heading->setTextFormat(Qt::PlainText);
        column.addWidget(heading);
    }
    auto* text = new QLabel(this);
    text->setObjectName(id);
    text->setAccessibleName(title.isEmpty() ? tr("Clock") : title);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setFont(uiFont(kSpeakerPoints * relativeSize));
    column.addWidget(text);
    return text;
}

void SpeakerView::setContent(const Content& content)
{
    const QString none = QStringLiteral("–");
    m_now->setText(content.now);
    m_notes->setText(content.notes.isEmpty() ? none : content.notes);
    m_votes->setText(content.votes.isEmpty() ? none : content.votes);
    m_next->setText(content.next.isEmpty() ? tr("the end") : content.next);
}

void SpeakerView::showTime()
{
    m_time->setText(tr("%1 · %2 since the start")
                        .arg(QLocale().toString(QTime::currentTime(), QLocale::ShortFormat),
                             minutesText(m_sinceStart.elapsed() / 1000)));
}

QString minutesText(qint64 seconds)
{
    const QChar zero(QLatin1Char('0'));
    const QString rest = QStringLiteral("%1").arg(seconds % 60, 2, 10, zero);
    const qint64 minutes = seconds / 60;
    return minutes < 60
        ? QStringLiteral("%1:%2").arg(minutes).arg(rest)
        : QStringLiteral("%1:%2:%3").arg(minutes / 60).arg(minutes % 60, 2, 10, zero).arg(rest);
}

} // namespace flopsmith::ui

#include "moc_speaker_view.cpp"
