// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_head.h"

#include "core/teach/play/lesson_play.h"
#include "ui/lessons/base/lesson_library.h"
#include "ui/lessons/base/lesson_words.h"
#include "ui/lessons/countdown.h"
#include "ui/widgets/language_name.h"
#include "ui/widgets/shown_label.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

QString placeText(const LessonPlay& play)
{
    return lessonWordsIn(play.language())
        .place.arg(QString::number(play.step() + 1), QString::number(play.steps()));
}

} // namespace

LessonHead::LessonHead(QWidget& panel, QVBoxLayout& column)
    : QObject(&panel)
    , m_title(new QLabel(&panel))
    , m_countdown(new Countdown(&panel))
    , m_language(new QComboBox(&panel))
    , m_fileProblem(new QLabel(&panel))
{
    m_title->setObjectName(QStringLiteral("lesson.title"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setProperty("role", QStringLiteral("title"));
    m_language->setObjectName(QStringLiteral("lesson.language"));
    m_language->setAccessibleName(tr("Language of the lesson"));
    connect(m_language, &QComboBox::currentIndexChanged, this, [this] {
        Q_EMIT languageChosen(m_language->currentData().toString());
    });
    auto* line = new QHBoxLayout;
    line->addWidget(m_title, 1);
    line->addWidget(m_countdown);
    line->addWidget(m_language);
    column.addLayout(line);
    m_fileProblem->setObjectName(QStringLiteral("lesson.file"));
    m_fileProblem->setTextFormat(Qt::PlainText);
    m_fileProblem->setWordWrap(true);
    m_fileProblem->setProperty("role", QStringLiteral("error"));
    m_fileProblem->hide();
    column.addWidget(m_fileProblem);
}

void LessonHead::listLanguages(const LessonPlay& play)
{
    const QSignalBlocker blocker(m_language);
    m_language->clear();
    for (const auto& [code, texts] : play.lesson().texts) {
        m_language->addItem(languageName(code), QString::fromStdString(code));
    }
    showLanguage(play);
    m_language->setVisible(!m_compact && m_language->count() > 1);
}

void LessonHead::showLanguage(const LessonPlay& play)
{
    const QSignalBlocker blocker(m_language);
    m_language->setCurrentIndex(m_language->findData(QString::fromStdString(play.language())));
}

void LessonHead::setCompact(bool on)
{
    m_compact = on;
    m_language->setVisible(!on && m_language->count() > 1);
}

void LessonHead::showTitle(const LessonPlay& play)
{
    const QString title = lessonTitle(play.lesson(), QString::fromStdString(play.language()));
    showIfAny(*m_title, QStringLiteral("%1 · %2").arg(title, placeText(play)));
    m_title->setVisible(!m_compact || play.step() == 0);
}

QString LessonHead::placeWithoutTitle(const LessonPlay& play) const
{
    return m_title->isHidden() ? placeText(play) : QString();
}

void LessonHead::showFileProblem(const QString& sentence)
{
    showIfAny(*m_fileProblem, sentence);
}

} // namespace flopsmith::ui

#include "moc_lesson_head.cpp"
