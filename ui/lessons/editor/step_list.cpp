// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/editor/step_list.h"

#include "core/teach/author/lesson_editing.h"
#include "ui/theme/utf8.h"

#include <QDropEvent>
#include <QKeyEvent>
#include <QSignalBlocker>

namespace flopsmith::ui {
namespace {

constexpr qsizetype kLongestText = 60;

QString stepTitle(const Lesson& lesson, const QString& language, const LessonStep& step)
{
    const std::string& key = textKey(step, StepText::text);
    const QString text = fromUtf8(lesson.text(language.toStdString(), key)).simplified();
    return text.size() > kLongestText ? text.left(kLongestText) + QStringLiteral("…") : text;
}

} // namespace

StepList::StepList(QWidget* parent)
    : QListWidget(parent)
{
    setObjectName(QStringLiteral("lessonEditor.steps"));
    setAccessibleName(tr("Steps, moved by Alt+Up and Alt+Down"));
    setDragDropMode(QAbstractItemView::InternalMove);
    setDefaultDropAction(Qt::MoveAction);
    setWordWrap(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0) {
            Q_EMIT chosen(row);
        }
    });
}

void StepList::show(const Lesson& lesson, const QString& language, int step)
{
    const QSignalBlocker blocker(this);
    const auto steps = static_cast<int>(lesson.steps.size());
    while (count() > steps) {
        delete takeItem(count() - 1);
    }
    for (int row = 0; row < steps; ++row) {
        const LessonStep& each = lesson.steps[static_cast<std::size_t>(row)];
        const QString kind =
            each.ask() == nullptr ? tr("say") : fromUtf8(enumName(each.ask()->kind));
        if (row == count()) {
            auto* added = new QListWidgetItem(this);
            added->setFlags(added->flags() & ~Qt::ItemIsDropEnabled); // between steps only
        }
        item(row)->setText(
            tr("%1 · %2\n%3")
                .arg(QString::number(row + 1), kind, stepTitle(lesson, language, each)));
    }
    setCurrentRow(step);
}

void StepList::keyPressEvent(QKeyEvent* event)
{
    const bool isUp = event->key() == Qt::Key_Up;
    if (event->modifiers().testFlag(Qt::AltModifier) && (isUp || event->key() == Qt::Key_Down)) {
        const int to = currentRow() + (isUp ? -1 : +1);
        if (currentRow() >= 0 && to >= 0 && to < count()) {
            Q_EMIT moveRequested(currentRow(), to);
        }
        return;
    }
    QListWidget::keyPressEvent(event);
}

// The lesson is changed, and then listed again: the view itself moves nothing.
void StepList::dropEvent(QDropEvent* event)
{
    const int from = currentRow();
    const QModelIndex below = indexAt(event->position().toPoint());
    int to = below.isValid() ? below.row() : count();
    if (below.isValid() && dropIndicatorPosition() == QAbstractItemView::BelowItem) {
        ++to;
    }
    to -= to > from ? 1 : 0;
    event->setDropAction(Qt::CopyAction); // so that the view removes nothing afterwards
    event->accept();
    stopAutoScroll();
    setState(QAbstractItemView::NoState);
    viewport()->update();
    if (event->source() == this && from >= 0 && to != from) {
        QMetaObject::invokeMethod(
            this, [this, from, to] { Q_EMIT moveRequested(from, to); }, Qt::QueuedConnection);
    }
}

} // namespace flopsmith::ui

#include "moc_step_list.cpp"
