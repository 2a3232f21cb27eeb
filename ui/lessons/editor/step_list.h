// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/format/lesson.h"

#include <QListWidget>

namespace flopsmith::ui {

/// The steps of a lesson, each with its number, kind and text. They are moved by dragging and by
/// Alt+Up and Alt+Down.
class StepList : public QListWidget
{
    Q_OBJECT

public:
    explicit StepList(QWidget* parent = nullptr);

    /// Lists the steps and marks one, without a signal.
    void show(const Lesson& lesson, const QString& language, int step);

Q_SIGNALS:
    void chosen(int step);
    void moveRequested(int from, int to);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void dropEvent(QDropEvent* event) override;
};

} // namespace flopsmith::ui
