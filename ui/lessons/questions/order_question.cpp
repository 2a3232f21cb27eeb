// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/order_question.h"

#include "ui/lessons/base/lesson_words.h"

#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace flopsmith::ui {

OrderQuestion::OrderQuestion(const LessonPlay& play, QWidget* parent)
    : QuestionWidget(parent)
    , m_texts(optionTexts(play))
    , m_list(new QListWidget(this))
    , m_below(new QWidget(this))
{
    setObjectName(QStringLiteral("lesson.order"));
    setAccessibleName(tr("Options to be ordered"));
    const LessonWords& words = lessonWordsIn(play.language());
    m_list->setObjectName(QStringLiteral("lesson.order.list"));
    m_list->setAccessibleName(tr("Options, moved by Alt+Up and Alt+Down"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setDefaultDropAction(Qt::MoveAction);
    m_list->setWordWrap(true);
    m_list->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    setFocusProxy(m_list);
    m_list->installEventFilter(this);
    m_below->setObjectName(QStringLiteral("lesson.order.below"));
    m_below->setAccessibleName(tr("How to answer"));
    auto* hint = new QLabel(words.orderHint, m_below);
    hint->setObjectName(QStringLiteral("lesson.order.hint"));
    hint->setTextFormat(Qt::PlainText);
    hint->setWordWrap(true);
    hint->setProperty("role", QStringLiteral("muted"));
    auto* take = new QPushButton(words.takeOrder, m_below);
    take->setObjectName(QStringLiteral("lesson.order.take"));
    take->setAccessibleName(take->text());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_list);
    auto* below = new QHBoxLayout(m_below);
    below->setContentsMargins(0, 0, 0, 0);
    below->addWidget(hint, 1);
    below->addWidget(take);
    column->addWidget(m_below);
    const OptionOrder* before =
        play.prediction() ? std::get_if<OptionOrder>(&*play.prediction()) : nullptr;
    OptionOrder asListed{std::vector<int>(static_cast<std::size_t>(m_texts.size()))};
    std::iota(asListed.options.begin(), asListed.options.end(), 1);
    list(before != nullptr ? *before : asListed);
    connect(take, &QPushButton::clicked, this, [this] { Q_EMIT predicted(order()); });
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, [this] {
        Q_EMIT predicted(order());
    });
}

void OrderQuestion::list(const OptionOrder& order)
{
    m_list->clear();
    for (const int option : order.options) {
        auto* item = new QListWidgetItem(m_texts.value(option - 1), m_list);
        item->setData(Qt::UserRole, option);
        item->setFlags(item->flags() & ~Qt::ItemIsDropEnabled); // a drop on it would replace it
    }
    m_list->setCurrentRow(0);
}

OptionOrder OrderQuestion::order() const
{
    OptionOrder order;
    for (int row = 0; row < m_list->count(); ++row) {
        order.options.push_back(m_list->item(row)->data(Qt::UserRole).toInt());
    }
    return order;
}

void OrderQuestion::move(int by)
{
    const int from = m_list->currentRow();
    const int to = from + by;
    if (m_revealed || from < 0 || to < 0 || to >= m_list->count()) {
        return;
    }
    QListWidgetItem* item = m_list->takeItem(from);
    m_list->insertItem(to, item);
    m_list->setCurrentRow(to);
    Q_EMIT predicted(order());
}

bool OrderQuestion::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isUp = key->key() == Qt::Key_Up;
        if (key->modifiers().testFlag(Qt::AltModifier) && (isUp || key->key() == Qt::Key_Down)) {
            move(isUp ? -1 : +1);
            return true;
        }
    }
    return QuestionWidget::eventFilter(watched, event);
}

void OrderQuestion::reveal(const LessonPlay& play)
{
    const Result<Value> answer = play.answer();
    if (const auto* right = answer ? std::get_if<OptionOrder>(&*answer) : nullptr) {
        list(*right);
    }
    m_revealed = true;
    m_list->setDragDropMode(QAbstractItemView::NoDragDrop);
    m_list->setSelectionMode(QAbstractItemView::NoSelection);
    m_below->hide();
}

} // namespace flopsmith::ui

#include "moc_order_question.cpp"
