// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_cards.h"

#include "ui/lessons/lesson_library.h"
#include "ui/widgets/layout/fit_screen.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr QSize kCardsSize(720, 560);
constexpr int kCardGap = 6;

} // namespace

LessonCards::LessonCards(QWidget& window)
    : QDialog(&window)
    , m_cards(new QListWidget(this))
{
    setObjectName(QStringLiteral("lessons"));
    setAccessibleName(tr("Lessons"));
    setWindowTitle(tr("Lessons – Flopsmith"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* hint =
        new QLabel(tr("Each is played in a window of its own: your design stays as it is."), this);
    hint->setObjectName(QStringLiteral("lessons.hint"));
    hint->setTextFormat(Qt::PlainText);
    hint->setWordWrap(true);
    hint->setProperty("role", QStringLiteral("muted"));
    m_cards->setObjectName(QStringLiteral("lessons.cards"));
    m_cards->setAccessibleName(tr("Lessons"));
    m_cards->setProperty("flush", true);
    m_cards->setWordWrap(true);
    m_cards->setSpacing(kCardGap);
    m_cards->setResizeMode(QListView::Adjust);
    m_cards->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_cards->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    addCards();
    connect(m_cards, &QListWidget::itemClicked, this, &LessonCards::choose);
    connect(m_cards, &QListWidget::itemActivated, this, &LessonCards::choose);
    auto* column = new QVBoxLayout(this);
    column->addWidget(hint);
    column->addWidget(m_cards, 1);
    resizeToFit(*this, kCardsSize);
    m_cards->setCurrentRow(0);
    m_cards->setFocus();
}

void LessonCards::addCards()
{
    int index = 0;
    for (const LibraryLesson& entry : lessonLibrary()) {
        auto* card = new QListWidgetItem(m_cards);
        card->setData(Qt::UserRole, index++);
        if (!entry.lesson) {
            card->setText(QString::fromStdString(entry.lesson.error().message));
            card->setFlags(Qt::NoItemFlags);
            continue;
        }
        const Lesson& lesson = *entry.lesson;
        card->setText(
            tr("%1 · %n minute(s)\n%2", nullptr, lesson.minutes)
                .arg(lessonTitle(lesson, usualLanguage()), lessonSummary(lesson, usualLanguage())));
    }
}

void LessonCards::choose(const QListWidgetItem* card)
{
    if (card == nullptr || !isVisible()) { // a click may also count as an activation
        return;
    }
    const auto index = static_cast<std::size_t>(card->data(Qt::UserRole).toInt());
    const Result<Lesson>& lesson = lessonLibrary().at(index).lesson;
    accept();
    if (lesson) {
        Q_EMIT chosen(*lesson);
    }
}

} // namespace flopsmith::ui
