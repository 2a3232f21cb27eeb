// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith {
class LessonPlay;
}

namespace flopsmith::ui {

class Countdown;

/// The head of a lesson's panel: its title, the countdown, the choice of its language, and what is
/// wrong with its file.
class LessonHead : public QObject
{
    Q_OBJECT

public:
    LessonHead(QWidget& panel, QVBoxLayout& column);

    Countdown& countdown() { return *m_countdown; }

    /// Lists the languages of the lesson, if there are several, with the play's chosen.
    void listLanguages(const LessonPlay& play);
    void showLanguage(const LessonPlay& play);

    /// For a page in large type: the title only on the first step, and no languages.
    void setCompact(bool on);

    void showTitle(const LessonPlay& play);

    /// "2 of 6", where the title does not say it; otherwise empty.
    QString placeWithoutTitle(const LessonPlay& play) const;

    /// Until the next call; empty: nothing is wrong.
    void showFileProblem(const QString& sentence);

Q_SIGNALS:
    void languageChosen(const QString& language);

private:
    QLabel* m_title;
    Countdown* m_countdown;
    QComboBox* m_language;
    QLabel* m_fileProblem;
    bool m_compact = false;
};

} // namespace flopsmith::ui
