// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QListWidget;
class QListWidgetItem;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A sheet with lessons as cards, title, minutes and summary: first those that come with the
/// program, then the person's own. It closes when one is chosen. The card of an unreadable lesson
/// says why.
class LessonCards : public QDialog
{
    Q_OBJECT

public:
    explicit LessonCards(QWidget& window);

Q_SIGNALS:
    void chosen(const Lesson& lesson);
    void fileChosen(const QString& path);
    void openRequested();
    void newRequested();

    /// Empty: ask for a file.
    void editRequested(const QString& path);

private:
    void addCards();
    void addOwnCards();
    QListWidgetItem* addCard(const Result<Lesson>& lesson);
    void addButtons(QVBoxLayout& column);
    void choose(const QListWidgetItem* card);
    QString currentPath() const;

    QListWidget* m_cards;
};

} // namespace flopsmith::ui
