// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/lesson.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QListWidget;
class QListWidgetItem;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A sheet with the lessons that come with the program as cards: title, minutes and summary. It
/// closes when one is chosen. A lesson that cannot be read says why in its card.
class LessonCards : public QDialog
{
    Q_OBJECT

public:
    explicit LessonCards(QWidget& window);

Q_SIGNALS:
    void chosen(const Lesson& lesson);

private:
    void addCards();
    void choose(const QListWidgetItem* card);

    QListWidget* m_cards;
};

} // namespace flopsmith::ui
