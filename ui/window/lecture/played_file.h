// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/base/lesson_file.h"

#include <QObject>

namespace flopsmith::ui {

class LessonJudging;
class LessonPanel;

/// The file of a lesson that is played. A changed one goes on from the same step; what is wrong with
/// it or with its answers is said beside the lesson, which then goes on as it was.
class PlayedFile : public QObject
{
    Q_OBJECT

public:
    PlayedFile(const QString& path, LessonPanel& panel, LessonJudging& judging);

private:
    void play();
    void judge();

    LessonFile m_file;
    LessonPanel& m_panel;
    LessonJudging& m_judging;
};

} // namespace flopsmith::ui
