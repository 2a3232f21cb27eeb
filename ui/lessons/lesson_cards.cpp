// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_cards.h"

#include "ui/lessons/base/lesson_library.h"
#include "ui/lessons/base/own_lessons.h"
#include "ui/widgets/layout/fit_screen.h"

#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr QSize kCardsSize(720, 560);
constexpr int kCardGap = 6;
constexpr int kIndexRole = Qt::UserRole; ///< of a lesson of the program
constexpr int kPathRole = Qt::UserRole + 1; ///< of an own lesson

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
    addOwnCards();
    connect(m_cards, &QListWidget::itemClicked, this, &LessonCards::choose);
    connect(m_cards, &QListWidget::itemActivated, this, &LessonCards::choose);
    auto* column = new QVBoxLayout(this);
    column->addWidget(hint);
    column->addWidget(m_cards, 1);
    addButtons(*column);
    resizeToFit(*this, kCardsSize);
    m_cards->setCurrentRow(0);
    m_cards->setFocus();
}

QListWidgetItem* LessonCards::addCard(const Result<Lesson>& lesson)
{
    auto* card = new QListWidgetItem(m_cards);
    if (!lesson) {
        card->setText(QString::fromStdString(lesson.error().message));
        return card;
    }
    card->setText(tr("%1 · %3 min\n%2")
                      .arg(lessonTitle(*lesson, usualLanguage()),
                           lessonSummary(*lesson, usualLanguage()),
                           QString::number(lesson->minutes)));
    return card;
}

void LessonCards::addCards()
{
    int index = 0;
    for (const LibraryLesson& entry : lessonLibrary()) {
        QListWidgetItem* card = addCard(entry.lesson);
        card->setData(kIndexRole, index++);
        if (!entry.lesson) {
            card->setFlags(Qt::NoItemFlags);
        }
    }
}

// One that cannot be read can still be chosen, to be edited.
void LessonCards::addOwnCards()
{
    const std::vector<OwnLesson> own = ownLessons();
    if (own.empty()) {
        return;
    }
    auto* heading = new QListWidgetItem(tr("Your lessons"), m_cards);
    heading->setFlags(Qt::NoItemFlags);
    for (const OwnLesson& entry : own) {
        QListWidgetItem* card = addCard(entry.lesson);
        card->setData(kPathRole, entry.path);
        card->setToolTip(QDir::toNativeSeparators(entry.path));
    }
}

QString LessonCards::currentPath() const
{
    const QListWidgetItem* card = m_cards->currentItem();
    return card == nullptr ? QString() : card->data(kPathRole).toString();
}

void LessonCards::addButtons(QVBoxLayout& column)
{
    auto* line = new QHBoxLayout;
    const auto add = [this, line](const char* name, const QString& text, auto act) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QStringLiteral("lessons.") + QLatin1String(name));
        button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        button->setAutoDefault(false); // Enter plays the current card
        line->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, act] {
            const QString path = currentPath();
            accept();
            act(path);
        });
    };
    add("open", tr("&Open lesson…"), [this](const QString&) { Q_EMIT openRequested(); });
    add("new", tr("&New lesson…"), [this](const QString&) { Q_EMIT newRequested(); });
    add("edit", tr("&Edit lesson…"), [this](const QString& path) { Q_EMIT editRequested(path); });
    line->addStretch(1);
    column.addLayout(line);
}

void LessonCards::choose(const QListWidgetItem* card)
{
    if (card == nullptr || !isVisible()) { // a click may also count as an activation
        return;
    }
    if (const QString path = card->data(kPathRole).toString(); !path.isEmpty()) {
        accept();
        Q_EMIT fileChosen(path);
        return;
    }
    const auto index = static_cast<std::size_t>(card->data(kIndexRole).toInt());
    const Result<Lesson>& lesson = lessonLibrary().at(index).lesson;
    accept();
    if (lesson) {
        Q_EMIT chosen(*lesson);
    }
}

} // namespace flopsmith::ui

#include "moc_lesson_cards.cpp"
